package house

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

const (
	module = "github.com/effective-bandwidth/beff/"
	root   = "../.."
)

// allowed is the table of allowed imports.
var allowed = func() map[string][]string {
	table, err := importTable(os.DirFS(root))
	if err != nil {
		panic(err)
	}
	return table
}()

// files calls f with each file of the project whose name has one of the endings, by its path below the root.
func files(t *testing.T, f func(name string), endings ...string) {
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root && path != ".." {
			return filepath.SkipDir
		}
		for _, ending := range endings {
			if !d.IsDir() && strings.HasSuffix(path, ending) {
				name, err := filepath.Rel(root, path)
				if err != nil {
					return err
				}
				f(filepath.ToSlash(name))
			}
		}
		return nil
	}))
}

// rowOf returns the row of a package in the table: the longest path that the package is in, and whether there is one.
func rowOf(dir string) (string, bool) {
	for {
		if _, ok := allowed[dir]; ok {
			return dir, true
		}
		i := strings.LastIndexByte(dir, '/')
		if i < 0 {
			return dir, false
		}
		dir = dir[:i]
	}
}

// permits reports whether a row of the table allows an import of a package.
func permits(from, to string) bool {
	r, ok := rowOf(to)
	return ok && (r == from || slices.Contains(allowed[from], r))
}

// TestImports checks imports against the table. It leaves out tests, which may import any package that they need.
func TestImports(t *testing.T) {
	seen := 0
	files(t, func(name string) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.ImportsOnly)
		require.NoError(t, err)
		from, ok := rowOf(filepath.ToSlash(filepath.Dir(name)))
		if !ok {
			t.Errorf("%s: its package has no row in the table of imports (imports_test.go)", name)
			return
		}
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			if only, ok := reserved[path]; ok && from != only && !strings.HasPrefix(from, only+"/") {
				t.Errorf("%s imports %s, which only %s may import", name, path, only)
			}
			to, ours := strings.CutPrefix(path, module)
			if !ours {
				continue
			}
			seen++
			if !permits(from, to) {
				t.Errorf("%s imports %s: package %s may not", name, to, from)
			}
		}
	}, ".go")
	require.Greater(t, seen, 100, "the project's imports were found")
}

// TestImportTable checks that a package report/ofX makes X a benchmark, and that a package below mpi is an engine.
func TestImportTable(t *testing.T) {
	table, err := importTable(fstest.MapFS{"report/ofbarriers/report.go": {}, "mpi/wrapped/engine.go": {},
		"mpi/op.go": {}})
	require.NoError(t, err)
	require.Contains(t, table["barriers"], "mpi/job")
	require.NotContains(t, table["barriers"], "mpi/wrapped")
	require.Contains(t, table["report"], "barriers")
	require.NotContains(t, table["report"], "mpi/wrapped")
	require.Equal(t, []string{"mpi"}, table["mpi/wrapped"])
	require.Subset(t, table["cmd"], []string{"barriers", "mpi/wrapped", "report"})
	require.NotContains(t, table["cmd"], "internal/conformance")
	require.NotContains(t, table, "mpi/op.go")
}

// TestImportsHaveNoCycle checks that the table has no cycle.
func TestImportsHaveNoCycle(t *testing.T) {
	const visiting, done = 1, 2
	state := map[string]int{}
	var visit func(string)
	visit = func(r string) {
		switch state[r] {
		case visiting:
			t.Errorf("%s imports itself through others", r)
			return
		case done:
			return
		}
		state[r] = visiting
		for _, a := range allowed[r] {
			visit(a)
		}
		state[r] = done
	}
	for r := range allowed {
		visit(r)
	}
}

// maxColumns is the largest number of columns of a line. A tab counts as four.
const maxColumns = 120

// wide are the beginnings of Markdown lines that may be wider: tables, code, pictures.
var wide = []string{"|", "    ", "!["}

// TestLinesAreNarrow limits the width of lines, so that a reviewer sees two versions side by side.
func TestLinesAreNarrow(t *testing.T) {
	files(t, func(name string) {
		if strings.Contains(name, "testdata/") {
			return
		}
		f, err := os.Open(filepath.Join(root, name))
		require.NoError(t, err)
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		code, fixed := false, rawStrings(t, name)
		for n := 1; lines.Scan(); n++ {
			line := lines.Text()
			if strings.HasSuffix(name, ".md") {
				code = code != strings.HasPrefix(line, "```")
				if code || slices.ContainsFunc(wide, func(p string) bool { return strings.HasPrefix(line, p) }) {
					continue
				}
			}
			if fixed[n] {
				continue
			}
			if columns := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); columns > maxColumns {
				t.Errorf("%s:%d has %d columns", name, n, columns)
			}
		}
		require.NoError(t, lines.Err())
	}, ".go", ".c", ".h", ".md")
}

// rawStrings returns the lines of a Go file that are in a raw string, because breaking them would change the string.
func rawStrings(t *testing.T, name string) map[int]bool {
	lines := map[int]bool{}
	if !strings.HasSuffix(name, ".go") {
		return lines
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, filepath.Join(root, name), nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING {
			for l := set.Position(s.Pos()).Line; l < set.Position(s.End()).Line; l++ {
				lines[l], lines[l+1] = true, true
			}
		}
		return true
	})
	return lines
}

// TestStructsAreShort limits the fields of structs in probe. Structs of documents are exempt, except the settings,
// because they have a field for each member of a document.
func TestStructsAreShort(t *testing.T) {
	files(t, func(name string) {
		if !strings.HasPrefix(name, "probe/") || strings.HasSuffix(name, "_test.go") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			s, is := n.(*ast.StructType)
			if !is {
				return true
			}
			fields, inDocument := 0, false
			for _, f := range s.Fields.List {
				fields += max(1, len(f.Names))
				inDocument = inDocument || f.Tag != nil && name != "probe/settings/settings.go"
			}
			if fields > Fields && !inDocument {
				t.Errorf("%s: a struct of %d fields", name, fields)
			}
			return true
		})
	}, ".go")
}
