package prove

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDistinct(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}`:       "",
		`{"a":"a","b":"a"}`:                               "",
		`[["a","a"],"a"]`:                                 "",
		`{"a":1,"a":1}`:                                   `"a" is there twice`,
		`{"a":1,"b":2,"a":{}}`:                            `"a" is there twice`,
		`{"x":[{"b":[1,{}],"c":{},"b":null}]}`:            `"b" is there twice`,
		`{"\u0061":1,"a":2}`:                              `"a" is there twice`,
		`{"a":"` + strings.Repeat("x", mostText) + `"}`:   "",
		`{"a":"` + strings.Repeat("x", mostText+1) + `"}`: "a text of 262145 bytes",
	} {
		err := distinct([]byte(text))
		if want == "" {
			require.NoError(t, err, "%.40s", text)
		} else {
			require.ErrorContains(t, err, want, "%.40s", text)
		}
	}
}
