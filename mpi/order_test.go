package mpi_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// TestOrderMeansNothing searches all code of the repository for places that compare the numbers of calls, or compute
// with them. Code should ask a call for its family and operands instead.
func TestOrderMeansNothing(t *testing.T) {
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir():
			for _, found := range orderedGo(t, path) {
				t.Error(found)
			}
		case filepath.Ext(path) == ".c" || filepath.Ext(path) == ".h":
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			for _, found := range orderedC(string(text)) {
				t.Errorf("%s: %s", path, found)
			}
		}
		return nil
	}))
}

// TestOrderIsSeen shows that the test above finds such places.
func TestOrderIsSeen(t *testing.T) {
	for source, want := range map[string]int{
		"func f(c mpi.Call) bool { return c.Op >= mpi.Put }":                          1,
		"func f(op mpi.Op) bool { return mpi.Put <= op && op <= mpi.CompareAndSwap }": 2,
		"func f(op mpi.Op) mpi.Op { return op - mpi.Bcast }":                          1,
		"func f(op mpi.Op) { for ; ; op++ {} }":                                       1,
		"func f(op mpi.Op) bool { return op == mpi.Put || len(op.String()) > 3 }":     0,
		"func f(list []mpi.Op) bool { return len(list) > int(list[0]) }":              0,
	} {
		dir := t.TempDir()
		source = "package p\n\nimport \"github.com/effective-bandwidth/beff/mpi\"\n\n" + source
		require.NoError(t, os.WriteFile(filepath.Join(dir, "p.go"), []byte(source), 0o666))
		require.Len(t, orderedGo(t, dir), want, source)
	}
	require.Len(t, orderedC("c->op < BEFF_PUT\n op>=BEFF_GET; BEFF_WALK - op"), 3)
	require.Empty(t, orderedC("c->op == BEFF_PUT; c[-1].op == BEFF_LAP ? p->mark : 0; c->op; size > 3"))
}

// orderedC returns the expressions in C that compare a call or compute with one.
func orderedC(text string) []string {
	var names []string
	for _, op := range mpi.Ops() {
		names = append(names, strings.ToUpper(strings.TrimPrefix(op.String(), "MPI_")))
	}
	call := `\bBEFF_(` + strings.Join(names, "|") + `)\b`
	return regexp.MustCompile(`\bop\s*([<>]=?|[-+])\s*\w+|([<>]=?|[-+])\s*`+call+`|`+call+`\s*([<>]=?|[-+])`).
		FindAllString(text, -1)
}

// orderedGo returns the places in a folder's Go files, of all build tags, that compare calls or compute with them.
func orderedGo(t *testing.T, dir string) (found []string) {
	set := token.NewFileSet()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	packages := map[string][]*ast.File{}
	for _, path := range paths {
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		packages[f.Name.Name] = append(packages[f.Name.Name], f)
	}
	for _, files := range packages {
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		// Declarations of packages other than mpi are unknown here, which is no error.
		config := types.Config{Importer: onlyMPI{t}, FakeImportC: true, Error: func(error) {}}
		_, _ = config.Check(dir, set, files, info)
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				if n != nil && ordering(info, n) {
					found = append(found, fmt.Sprintf("%s: compares or computes with calls", set.Position(n.Pos())))
				}
				return true
			})
		}
	}
	return found
}

func ordering(info *types.Info, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op != token.EQL && n.Op != token.NEQ {
			return isOp(info, n.X) || isOp(info, n.Y)
		}
	case *ast.IncDecStmt:
		return isOp(info, n.X)
	case *ast.AssignStmt:
		return n.Tok != token.ASSIGN && n.Tok != token.DEFINE && isOp(info, n.Lhs[0])
	}
	return false
}

// isOp reports whether an expression is of type mpi.Op.
func isOp(info *types.Info, e ast.Expr) bool {
	named, ok := info.Types[e].Type.(*types.Named)
	return ok && named.Obj().Name() == "Op" && (named.Obj().Pkg().Name() == "mpi")
}

// onlyMPI imports package mpi from its source.
type onlyMPI struct{ t *testing.T }

func (i onlyMPI) Import(path string) (*types.Package, error) {
	if path != "github.com/effective-bandwidth/beff/mpi" {
		return nil, fmt.Errorf("not imported: %s", path)
	}
	set := token.NewFileSet()
	paths, err := filepath.Glob("*.go")
	require.NoError(i.t, err)
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		require.NoError(i.t, err)
		files = append(files, f)
	}
	config := types.Config{Importer: onlyMPI{i.t}, Error: func(error) {}}
	made, _ := config.Check(path, set, files, nil)
	return made, nil
}
