package chart

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"github.com/effective-bandwidth/beff/report/words"
)

// longestName limits the part of a name that is used, in runes. Names come from untrusted files.
const longestName = 200

// Clean returns a name on one line that every format can show. "?" replaces control characters, characters that change
// the direction of writing, combining marks, and characters that the font lacks.
func Clean(name string) string {
	face := font.DefaultCache.Lookup(typeface, smallSize).Face
	var buffer sfnt.Buffer
	runes := []rune(words.Line(strings.ToValidUTF8(name[:min(len(name), 8*longestName)], "?"), '?'))
	for i, r := range runes {
		switch {
		case unicode.IsSpace(r):
			runes[i] = ' '
		case !unicode.IsPrint(r) || unicode.Is(unicode.M, r) || !hasGlyph(face, &buffer, r):
			runes[i] = '?'
		}
	}
	name = strings.Join(strings.Fields(string(runes[:min(len(runes), longestName)])), " ")
	return cmp.Or(name, "(no name)")
}

// hasGlyph reports whether a font can draw a character.
func hasGlyph(face *sfnt.Font, buffer *sfnt.Buffer, r rune) bool {
	index, err := face.GlyphIndex(buffer, r)
	return err == nil && index != 0
}

// shortened removes the middle of a cleaned name until it fits, because names with the same beginning mostly differ at
// the end.
func shortened(name string, style text.Style, width vg.Length) string {
	if style.Width(name) <= width {
		return name
	}
	runes := []rune(name)
	for keep := len(runes) - 1; keep > 1; keep-- {
		head := (keep + 1) / 2
		tail := runes[len(runes)-keep+head:]
		short := strings.TrimSpace(string(runes[:head])) + "…" + strings.TrimSpace(string(tail))
		if style.Width(short) <= width {
			return short
		}
	}
	return "…"
}

// Binary formats a power of two in the largest binary unit: 256, 4k, 1M.
func Binary(x float64) string {
	units := []string{"", "k", "M", "G", "T", "P", "E"}
	for len(units) > 1 && x >= 1024 {
		x, units = x/1024, units[1:]
	}
	return strconv.FormatFloat(x, 'f', -1, 64) + units[0]
}

// decimal formats m·10^d.
func decimal(m, d int) string {
	s := fmt.Sprintf("%de%d", m, d)
	if d < -4 || d > 6 {
		return s
	}
	x, _ := strconv.ParseFloat(s, 64) // exact, unlike a product
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// plain formats a number with few digits.
func plain(x float64) string {
	if x != 0 && (x >= 1e7 || x < 1e-5*(1-Tolerance)) {
		return fmt.Sprintf("%.3g", x)
	}
	return strconv.FormatFloat(math.Round(x*1e6)/1e6, 'f', -1, 64)
}
