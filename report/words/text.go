package words

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Figure writes a number; a dash stands for what was not measured.
func Figure(x float64, decimals int) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.*f", decimals, x)
}

// Seconds writes T: with as many decimals as it has.
func Seconds(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") }

// Numbers returns a list of numbers with commas.
func Numbers(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
}

// Grouped returns a number with a comma behind each thousand.
func Grouped(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Processes returns a number of processes with its noun.
func Processes(n int) string { return Count(n, "process") }

// Count returns a number with its noun, in the plural unless the number is 1.
func Count(n int, noun string) string { return fmt.Sprintf("%d %s", n, Plural(noun, n)) }

// Plural returns a noun in the plural unless the number is 1.
func Plural(noun string, n int) string {
	switch {
	case n == 1:
		return noun
	case strings.HasSuffix(noun, "s"):
		return noun + "es"
	case strings.HasSuffix(noun, "py"), strings.HasSuffix(noun, "ry"):
		return strings.TrimSuffix(noun, "y") + "ies"
	}
	return noun + "s"
}

// Joined returns a list in words, with a conjunction before its last entry: "a, b or c".
func Joined(list []string, conjunction string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " " + conjunction + " " + list[last]
}

// OneLine returns a foreign text as one line, with a blank for each character that is not visible. Its own blanks stay:
// formats of others align by them.
func OneLine(text string) string { return strings.TrimSpace(clean(text, ' ')) }

// Line returns a foreign text as one line, with mark for each character that is not visible, and single blanks.
func Line(text string, mark rune) string {
	return strings.Join(strings.FieldsFunc(clean(text, mark), func(r rune) bool { return r == ' ' }), " ")
}

// clean returns a text with blanks for its breaks, and mark for each other character that is not visible.
func clean(text string, mark rune) string {
	return strings.Map(func(r rune) rune {
		switch {
		case Visible(r):
			return r
		case unicode.IsSpace(r), r == '\u2028', r == '\u2029':
			return ' '
		}
		return mark
	}, text)
}

// Visible reports whether a character shows itself, is a space within a line, or joins letters of one word. Control
// characters, those that change the direction of text and others without width are not visible.
func Visible(r rune) bool {
	return unicode.IsPrint(r) || unicode.Is(unicode.Zs, r) || unicode.Is(unicode.Join_Control, r)
}

// Either returns yes where something holds, else no.
func Either[T any](holds bool, yes, no T) T {
	if holds {
		return yes
	}
	return no
}

// Some joins the first entries of a list, and says how many more there are.
func Some(list []string) string { return First(8, list, "; ", "") }

// First joins so many entries of a list with a separator, and says how many more of a kind there are.
func First(most int, list []string, separator, kind string) string {
	if more := len(list) - most; more > 1 {
		list = append(slices.Clone(list[:most]), strings.TrimSpace(fmt.Sprintf("and %d more %s", more, kind)))
	}
	return strings.Join(list, separator)
}
