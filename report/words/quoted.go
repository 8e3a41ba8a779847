package words

import (
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
)

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
