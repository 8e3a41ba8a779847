package document

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The time to break a text grows in proportion to its length: ten times the text takes ten times the measuring, for one
// long word and for many words. It once grew with the square, and a name of a megabyte took a minute.
func TestWrapIsLinear(t *testing.T) {
	for name, text := range map[string]string{"word": "A", "words": "many words "} {
		measured := func(length int) (bytes int) {
			lines := wrap(strings.Repeat(text, length/len(text)), 100, func(s string) float64 {
				bytes += len(s)
				return float64(len(s))
			})
			require.GreaterOrEqual(t, len(lines), length/100-1, name)
			return bytes
		}
		require.InEpsilon(t, 10, float64(measured(100_000))/float64(measured(10_000)), 0.05, name)
	}
}
