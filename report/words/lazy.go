package words

import (
	"regexp"
	"sync"
)

// Regexp returns a regular expression, which its first call compiles.
type Regexp func() *regexp.Regexp

// MustCompile returns the regular expression of a text, whose first use panics if there is none.
func MustCompile(text string) Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
