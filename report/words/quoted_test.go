package words

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// A shell reads each quoted word as one word, unchanged.
func TestQuoted(t *testing.T) {
	require.Equal(t, `beff run --note 'it'\''s' -o a`,
		ShellQuoted([]string{"beff", "run", "--note", "it's", "-o", "a"}))
	words := []string{"", "a b", "$(id)", "`id`", "a;b", "x\ny", "~", "{0:4}", "*", `\`, `"`, "UCX_TLS=tcp", "-", "é"}
	said, err := exec.Command("sh", "-c", `printf '%s\0' `+ShellQuoted(words)).Output()
	require.NoError(t, err)
	want := ""
	for _, w := range words {
		want += w + "\x00"
	}
	require.Equal(t, want, string(said))
}
