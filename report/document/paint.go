package document

import "github.com/effective-bandwidth/beff/report/words"

// Colours and weights of texts on terminals (ECMA-48, 8.3.117). A user's theme defines the sixteen colours.
const (
	bold   = "1"
	faint  = "2"
	red    = "1;31"
	green  = "1;32"
	yellow = "1;33"
)

// levelColours holds the colours of notices.
var levelColours = map[Level]string{Good: green, Warning: yellow, Bad: red, Note: bold}

// paint returns a text in a style, if colours are enabled.
func (p plain) paint(style, s string) string {
	return words.Either(!p.colour || style == "" || s == "", s, "\x1b["+style+"m"+s+"\x1b[0m")
}
