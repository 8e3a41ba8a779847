package document

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansbolditalic"
	"codeberg.org/go-fonts/liberation/liberationsansitalic"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/bidi"
)

// fonts holds the styles of the font that figures are drawn with, by fpdf's names. A PDF embeds only the styles and
// glyphs that it uses.
var fonts = map[string][]byte{"": liberationsansregular.TTF, "B": liberationsansbold.TTF,
	"I": liberationsansitalic.TTF, "BI": liberationsansbolditalic.TTF}

// letters returns the regular style. All styles have the same set of glyphs.
var letters = sync.OnceValue(func() *sfnt.Font {
	f, err := sfnt.Parse(liberationsansregular.TTF)
	if err != nil {
		panic(err) // it is part of the program
	}
	return f
})

// printable replaces characters that the font lacks by U+FFFD. fpdf would show nothing for them, and a wrong character
// for those beyond U+FFFF.
func printable(s string) string {
	var buffer sfnt.Buffer
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			return r
		}
		if unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Join_Control, r) {
			return -1 // they shape their neighbours and have no glyph
		}
		if i, err := letters().GlyphIndex(&buffer, r); err != nil || i == 0 || r > 0xFFFF {
			return utf8.RuneError
		}
		return r
	}, s)
}

// visual returns a line in the order in which it is drawn from left to right: Hebrew, for example, is reversed.
func visual(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= 0x590 && r < 0x900 }) < 0 {
		return s
	}
	var p bidi.Paragraph
	if _, err := p.SetString(s); err != nil {
		return s
	}
	order, err := p.Order()
	if err != nil {
		return s
	}
	runs := make([]string, order.NumRuns())
	for i := range runs {
		run := order.Run(i)
		runs[i] = run.String()
		if run.Direction() == bidi.RightToLeft {
			runs[i] = bidi.ReverseString(runs[i])
		}
	}
	if !p.IsLeftToRight() { // package bidi returns the runs in reading order
		slices.Reverse(runs)
	}
	return strings.Join(runs, "")
}
