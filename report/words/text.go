package words

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/effective-bandwidth/beff/internal/lists"
)

// Figure formats a number. 0, which means "not measured", is a dash.
func Figure(x float64, decimals int) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.*f", decimals, x)
}

// Seconds formats b_eff_io's time T, with a decimal only if it isn't 0.
func Seconds(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") }

// Numbers joins numbers with commas.
func Numbers(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
}

// Grouped formats a number with a comma after each group of thousands.
func Grouped(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Processes formats a number of processes with its noun.
func Processes(n int) string { return Count(n, "process") }

// Count formats a number with its noun, in the plural unless the number is 1.
func Count(n int, noun string) string { return fmt.Sprintf("%d %s", n, Plural(noun, n)) }

// Plural returns the plural of a noun unless n is 1.
func Plural(noun string, n int) string {
	switch {
	case n == 1, strings.HasSuffix(noun, "series"):
		return noun
	case strings.HasSuffix(noun, "s"):
		return noun + "es"
	case strings.HasSuffix(noun, "py"), strings.HasSuffix(noun, "ry"):
		return strings.TrimSuffix(noun, "y") + "ies"
	}
	return noun + "s"
}

// Joined joins a list with a conjunction before its last entry: "a, b or c".
func Joined(list []string, conjunction string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " " + conjunction + " " + list[last]
}

// OneLine puts a foreign text on one line, with a blank for each invisible character. Blanks within it stay, since
// other programs' formats align by them.
func OneLine(text string) string { return strings.TrimSpace(clean(text, ' ')) }

// Line puts a foreign text on one line, with mark for each invisible character and with single blanks.
func Line(text string, mark rune) string {
	return strings.Join(strings.FieldsFunc(clean(text, mark), func(r rune) bool { return r == ' ' }), " ")
}

// clean replaces breaks in a text by blanks, and other invisible characters by mark.
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

// Visible reports whether a character is printed, is a space within a line, or joins the letters of a word. Control
// characters, characters that change the direction of text, and others without width are invisible.
func Visible(r rune) bool {
	return unicode.IsPrint(r) || unicode.Is(unicode.Zs, r) || unicode.Is(unicode.Join_Control, r)
}

// Either returns yes if holds is true, otherwise no. Both are evaluated.
func Either[T any](holds bool, yes, no T) T {
	if holds {
		return yes
	}
	return no
}

// Some joins the first eight entries of a list with semicolons, followed by the number of further entries.
func Some(list []string) string { return First(8, list, "; ", "") }

// First joins the first most entries of a list with a separator, followed by the number of further entries of that
// kind.
func First(most int, list []string, separator, kind string) string {
	if more := len(list) - most; more > 1 {
		list = append(slices.Clone(list[:most]), strings.TrimSpace(fmt.Sprintf("and %d more %s", more, kind)))
	}
	return strings.Join(list, separator)
}

var plain = MustCompile(`^[A-Za-z0-9_./:=,@%+-]+$`)

// ShellQuoted joins words to a command line, quoted for a shell.
func ShellQuoted(texts []string) string {
	return strings.Join(lists.Each(texts, quoted), " ")
}

// quoted returns a word, quoted for a shell if necessary.
func quoted(word string) string {
	if plain().MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Regexp returns a regular expression, which is compiled by the first call.
type Regexp func() *regexp.Regexp

// MustCompile returns a Regexp for text. Its first call panics if text is not a valid regular expression.
func MustCompile(text string) Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
