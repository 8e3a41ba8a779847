package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// openers are the functions of package os that open a file by its path.
var openers = map[string]bool{"Open": true, "OpenFile": true, "ReadFile": true, "Create": true, "WriteFile": true}

// opening lists the files and directories of the program that may open paths by themselves. All others call
// internal/input to read, and publish to write, which only open regular files.
var opening = map[string]string{
	"internal/input/":                     "the function that opens files",
	"cmd/beff/internal/host/":             "/proc and /sys",
	"cmd/beff/internal/flow/journal.go":   "this program",
	"cmd/beff/internal/publish/output.go": "files that are written",
	"cmd/beff/internal/publish/part.go":   "parts of files that are written",
	"rating/journal/file.go":              "the journal of a run",
	"report/database/database.go":         "a database that is made or added to",
	"mpi/local/file.go":                   "the files that are rated",
	"mpi/libmpi/plugin/build.go":          "sources in a temporary directory",
	"mpi/libmpi/plugin/note.go":           "a plug-in, which is trusted",
	"internal/conformance/":               "files of tests",
	"packaging/":                          "",
	"tools/":                              "",
	"report/internal/":                    "",
	"rating/pagecache/":                   "the run's files",
}

// TestFilesAreOpenedInOnePlace checks that only input.Open and publish.Replace open files of users and strangers.
func TestFilesAreOpenedInOnePlace(t *testing.T) {
	seen := map[string]bool{}
	files(t, func(name string) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, filepath.Join(root, name), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok || !openers[s.Sel.Name] {
				return true
			}
			if of, ok := s.X.(*ast.Ident); !ok || of.Name != "os" {
				return true
			}
			for known := range opening {
				if name == known || strings.HasSuffix(known, "/") && strings.HasPrefix(name, known) {
					seen[known] = true
					return true
				}
			}
			t.Errorf("%v uses os.%s: input.Open and publish.Replace open files", set.Position(s.Pos()), s.Sel.Name)
			return true
		})
	}, ".go")
	for known := range opening {
		require.True(t, seen[known], "%s opens nothing any more", known)
	}
}
