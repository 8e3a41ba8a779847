package words

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// A foreign text becomes neither a formula nor a new line, and numbers stay numbers.
func TestCSV(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{`=HYPERLINK("http://evil","x")`, `"'=HYPERLINK(""http://evil"",""x"")"`}, {"@SUM(1)", "'@SUM(1)"},
		{"+1+1", "'+1+1"}, {"-cmd", "'-cmd"}, {"\t=1", "'=1"}, {"\r\n=1", "'=1"}, {"＝1", "'＝1"}, {"a\n=b\x1b", "a =b"},
		{"-", "-"}, {"--", "--"}, {"-1.5e-3", "-1.5e-3"}, {"+2", "+2"}, {"a,b", `"a,b"`},
		{"a;=1", `"a;'=1"`}, {"a;-;@b", `"a;-;'@b"`}, {"1+cmd|'x'!A0;x", `"1+cmd|'x'!A0;x"`},

		{1048576.0, "1048576"}, {1.5e-7, "1.5e-07"}, {0.1, "0.1"}, {-3.0, "-3"}, {math.NaN(), ""}, {int64(-7), "-7"},
		{-7, "-7"}, {nil, ""}, {true, "true"},
	} {
		var b bytes.Buffer
		w := NewCSV(&b)
		w.Line(c.value, "end")
		require.NoError(t, w.Flush())
		require.Equal(t, c.want+",end\n", b.String())
	}
}
