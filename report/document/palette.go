package document

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/effective-bandwidth/beff/report/words"
)

// Colour is a colour for a light background, with its counterpart for a dark one.
type Colour struct {
	Name        string
	Light, Dark color.RGBA
}

// Colours of everything but curves.
var (
	Ink   = Colour{"ink", gray(0), hex(0xE3E8EE)}
	Paper = Colour{"paper", gray(255), hex(0x14181D)}
	Grid  = Colour{"grid", gray(190), hex(0x3A434D)} // light, but dark enough for an office printer
	Band  = Colour{"band", gray(215), hex(0x343C46)}
	Quiet = Colour{"quiet", gray(110), hex(0x9AA5B1)}
	Alarm = Colour{"alarm", hex(0xCF222E), hex(0xFF7B72)}
)

// Curves is the palette of Okabe and Ito (Color Universal Design, 2008) without black, which is the colour of averages,
// and yellow, which is too faint for a line. Neighbours in the list also differ in a grey copy.
var Curves = []Colour{
	{"blue", hex(0x0072B2), hex(0x4DA6DE)},
	{"orange", hex(0xE69F00), hex(0xF0B03A)},
	{"green", hex(0x009E73), hex(0x2FC79B)},
	{"purple", hex(0xCC79A7), hex(0xDE98BE)},
	{"vermilion", hex(0xD55E00), hex(0xF0803A)},
	{"sky", hex(0x56B4E9), hex(0x86CCF2)},
}

// all returns all colours.
func all() []Colour { return append([]Colour{Ink, Paper, Grid, Band, Quiet, Alarm}, Curves...) }

func gray(y uint8) color.RGBA { return color.RGBA{y, y, y, 255} }

func hex(rgb uint32) color.RGBA {
	return color.RGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 255}
}

// NameOf returns the name of the colour with this value on a light background, or "".
func NameOf(light color.Color) string {
	tone := color.RGBAModel.Convert(light)
	for _, c := range all() {
		if tone == c.Light {
			return c.Name
		}
	}
	return ""
}

// Hex returns a colour as #rrggbb.
func Hex(c color.Color) string {
	k := color.NRGBAModel.Convert(c).(color.NRGBA)
	return fmt.Sprintf("#%02x%02x%02x", k.R, k.G, k.B)
}

// CSS returns the rules of the classes f-NAME, which fill, and s-NAME, which stroke. On a dark screen they use the
// counterparts for a dark background.
func CSS() string {
	var light, dark strings.Builder
	for _, c := range all() {
		rule := ".f-%[1]s{fill:%[2]s}.s-%[1]s{stroke:%[2]s}"
		fmt.Fprintf(&light, rule, c.Name, Hex(c.Light))
		fmt.Fprintf(&dark, rule, c.Name, Hex(c.Dark))
	}
	return light.String() + "@media screen and (prefers-color-scheme:dark){" + dark.String() + "}"
}

// Colours and weights of texts on terminals (ECMA-48, 8.3.117). A user's theme defines the sixteen colours.
const (
	bold   = "1"
	faint  = "2"
	red    = "1;31"
	green  = "1;32"
	yellow = "1;33"
)

// levelStyles holds the styles of notices.
var levelStyles = map[Level]string{Good: green, Warning: yellow, Bad: red, Note: bold}

// paint returns a text in a style, if colours are enabled.
func (p plain) paint(style, s string) string {
	return words.Either(!p.colour || style == "" || s == "", s, "\x1b["+style+"m"+s+"\x1b[0m")
}
