//go:build mpi

package libmpi_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWarnings compiles all C of the package, the Go files' too, with the compiler that CC names. Warnings are errors
// here, but not in a user's build, whose compiler may know new warnings.
func TestWarnings(t *testing.T) {
	compiler := os.Getenv("CC")
	if compiler == "" {
		compiler = "mpicc"
	}
	sources, err := filepath.Glob("*.c")
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	dir := t.TempDir()
	for path, f := range goFiles(t) {
		if preamble := preambleOf(f); preamble != "" {
			source := filepath.Join(dir, path+".c")
			require.NoError(t, os.WriteFile(source, []byte(preamble), 0o666))
			sources = append(sources, source)
		}
	}
	args := append(strings.Fields(compiler), "-I.", "-O2", "-Wall", "-Wextra", "-Wshadow", "-Werror",
		"-Wno-unused-function", "-c", "-o", os.DevNull)
	for _, source := range sources {
		out, err := exec.Command(args[0], append(args[1:], source)...).CombinedOutput()
		require.NoError(t, err, "%s: %s", source, out)
	}
}

// preambleOf returns the C text of a Go file.
func preambleOf(f *ast.File) string {
	for _, d := range f.Decls {
		imports, ok := d.(*ast.GenDecl)
		if !ok || imports.Tok != token.IMPORT || imports.Doc == nil {
			continue
		}
		if path := imports.Specs[0].(*ast.ImportSpec).Path.Value; path == `"C"` {
			return imports.Doc.Text()
		}
	}
	return ""
}

// TestNoGoMemory searches for functions that return the address of a Go slice's elements. MPI must not send from or
// receive into Go's memory (package comment).
func TestNoGoMemory(t *testing.T) {
	for path, f := range goFiles(t) {
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
