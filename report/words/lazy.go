package words

import (
	"regexp"
	"sync"
)

// Regexp returns a regular expression, which is compiled by the first call.
type Regexp func() *regexp.Regexp

// MustCompile returns a Regexp for text. Its first call panics if text is not a valid regular expression.
func MustCompile(text string) Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
