package words

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A foreign text becomes a single line, in which a mark replaces each invisible character.
func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		" two  words ":                      "two words",
		"a\nb\tc\r\nd\u2028e\u2029f\u0085g": "a b c d e f g",
		"\x1b[31mred":                       "?[31mred",
		"turned \u202eright\u2069":          "turned ?right?",
		"no\u200bwidth\ufeff\u00ad":         "no?width??",
		"bad \xff":                          "bad \ufffd",
		"1\u202f000\u00a0B":                 "1\u202f000\u00a0B",
		"\u05e9\u05dc\u05d5\u05dd µ \u6f22": "\u05e9\u05dc\u05d5\u05dd µ \u6f22",
		"\U0001f469\u200d\U0001f467":        "\U0001f469\u200d\U0001f467",
	} {
		require.Equal(t, want, Line(text, '?'), "%q", text)
	}
	require.Equal(t, "[31mred", OneLine("\x1b[31mred\x07"))
	require.Equal(t, "X=   2 GB", OneLine("X=   2 GB\n"), "alignment stays")
}

func TestCount(t *testing.T) {
	require.Equal(t, "0 results", Count(0, "result"))
	require.Equal(t, "1 result", Count(1, "result"))
	require.Equal(t, "2 results", Count(2, "result"))
	require.Equal(t, "2 series", Count(2, "series"))
	require.Equal(t, "1 process", Processes(1))
	require.Equal(t, "3 processes", Processes(3))
}

func TestJoined(t *testing.T) {
	for want, list := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"},
		"a, b or c": {"a", "b", "c"}} {
		require.Equal(t, want, Joined(list, "or"))
	}
}
