package house

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDefinitionsNameTests checks that all tests and scripts that docs/studies/definitions.md and docs/security.md name
// exist.
func TestDefinitionsNameTests(t *testing.T) {
	project := os.DirFS("../..")
	var code strings.Builder
	require.NoError(t, fs.WalkDir(project, ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := fs.ReadFile(project, path)
		code.Write(data)
		return err
	}))
	for page, least := range map[string]int{"docs/studies/definitions.md": 20, "docs/security.md": 12} {
		text, err := fs.ReadFile(project, page)
		require.NoError(t, err)
		names := regexp.MustCompile("`(Test[A-Za-z0-9]+)(?:/([a-z0-9]+))?`").FindAllSubmatch(text, -1)
		require.Greater(t, len(names), least, page)
		for _, name := range names {
			require.Contains(t, code.String(), "func "+string(name[1])+"(", page)
			if script := string(name[2]); script != "" {
				_, err := fs.Stat(project, "cmd/beff/testdata/script/"+script+".txtar")
				require.NoError(t, err, page)
			}
		}
	}
}
