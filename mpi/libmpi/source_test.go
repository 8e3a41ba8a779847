package libmpi_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoGoMemory searches for functions that return the address of a Go slice's elements. MPI must not send from or
// receive into Go's memory (package comment).
func TestNoGoMemory(t *testing.T) {
	files := goFiles(t)
	delete(files, "device.go") // a driver's copy has ended when it returns
	for path, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				require.NotContains(t, []string{"SliceData", "StringData"}, s.Sel.Name, path)
			}
			return true
		})
	}
}

// goFiles parses the package's files except its tests.
func goFiles(t *testing.T) map[string]*ast.File {
	paths, err := filepath.Glob("*.go")
	require.NoError(t, err)
	files := map[string]*ast.File{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		files[path], err = parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		require.NoError(t, err)
	}
	return files
}
