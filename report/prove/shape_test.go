package prove

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Numbers of any length and exponent are refused or checked, and never computed with for long.
func TestNumbers(t *testing.T) {
	schema := Compiled(func() string { return `{"properties":{"a":{"type":"array","items":{"minimum":0}}}}` })
	for text, want := range map[string]string{
		"1": "", "1.5e-300": "", "4.9e-324": "",
		"1e-99999999": "out of range", "1e99999999": "out of range", "1e-1000000": "out of range",
		"0e999999999999999999999": "out of range", "1E400": "out of range",
		"1" + strings.Repeat("0", 400):   "out of range",
		"0." + strings.Repeat("1", 1000): "out of range", "-1": "minimum",
	} {
		err := shape([]byte(`{"a":[`+text+`]}`), schema)
		if want == "" {
			require.NoError(t, err, text)
		} else {
			require.ErrorContains(t, err, want, "%.40s", text)
		}
	}
}
