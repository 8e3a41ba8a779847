package words

import (
	"io"
	"strings"
)

// Safe returns a writer to a terminal, or to a file that may be shown on one. It writes a blank for each invisible
// character, for example in escape sequences; line ends and tabs stay. A character must not be split between two calls
// of Write. If ascii is set, it writes this program's own symbols in ASCII.
func Safe(w io.Writer, ascii bool) io.Writer { return safe{w, ascii} }

type safe struct {
	to    io.Writer
	ascii bool
}

// signs are the symbols that this program writes, each followed by its form in ASCII.
var signs = strings.NewReplacer("±", "+-", "µ", "u", "−", "-", "–", "-", "×", "x", "·", "*", "≤", "<=", "→", "->",
	"…", "...", "•", "*", "►", ">", "\u00a0", " ", "\u2007", " ", "\u2008", " ",
	"▁", "_", "▂", ".", "▃", ":", "▄", "-", "▅", "=", "▆", "+", "▇", "*", "█", "#")

// ASCII returns a text with this program's own symbols in ASCII: "+- 3 %", "12 us". Other letters stay.
func ASCII(text string) string { return signs.Replace(text) }

// Unwrap returns the writer that a writer made by Safe writes to. Any other writer is returned unchanged.
func Unwrap(w io.Writer) io.Writer {
	if s, is := w.(safe); is {
		return s.to
	}
	return w
}

func (s safe) Write(p []byte) (int, error) {
	text := strings.Map(func(r rune) rune {
		if Visible(r) || r == '\n' || r == '\t' {
			return r
		}
		return ' '
	}, string(p))
	if s.ascii {
		text = ASCII(text)
	}
	if _, err := io.WriteString(s.to, text); err != nil {
		return 0, err
	}
	return len(p), nil
}
