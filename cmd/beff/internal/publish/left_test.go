package publish

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A run with a journal is resumed, a complete document is kept, and everything else is measured anew.
func TestLeftAt(t *testing.T) {
	for _, c := range []struct {
		files string // name, or name=text
		left  Left
	}{
		{"", Nothing}, {"r.json", Nothing}, {"r.json=x", Whole}, {"r.json.gz=x", Whole}, {"r.journal=x", Cut},
		{"r.journal=x r.json=x", Cut}, {"r.txt=x", Nothing}, {"r.json r.json.gz=x", Whole}, {"r.journal", Nothing},
	} {
		dir := t.TempDir()
		for _, file := range strings.Fields(c.files) {
			name, text, _ := strings.Cut(file, "=")
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		require.Equal(t, c.left, LeftAt(filepath.Join(dir, "r")), c.files)
	}
}
