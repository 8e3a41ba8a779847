package house

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each test that docs/definitions.md names exists.
func TestDefinitionsNameTests(t *testing.T) {
	project := os.DirFS("../..")
	text, err := fs.ReadFile(project, "docs/definitions.md")
	require.NoError(t, err)
	var code strings.Builder
	require.NoError(t, fs.WalkDir(project, ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := fs.ReadFile(project, path)
		code.Write(data)
		return err
	}))
	names := regexp.MustCompile("`(Test[A-Za-z0-9]+)`").FindAllSubmatch(text, -1)
	require.Greater(t, len(names), 20)
	for _, name := range names {
		require.Contains(t, code.String(), "func "+string(name[1])+"(", "docs/definitions.md")
	}
}
