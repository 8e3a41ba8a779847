package words

import (
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
)

var plain = MustCompile(`^[A-Za-z0-9_./:=,@%+-]+$`)

// Quoted returns words as a shell takes them.
func Quoted(texts []string) string {
	return strings.Join(lists.Each(texts, quoted), " ")
}

// quoted returns a word as a shell takes it.
func quoted(word string) string {
	if plain().MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
