package house

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	module = "github.com/effective-bandwidth/beff/"
	root   = "../.."
)

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

// room returns the row of a package in the table: the longest path that the package is in, and whether there is one.
func room(dir string) (string, bool) {
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
	r, ok := room(to)
	return ok && (r == from || slices.Contains(allowed[from], r))
}

// Imports run one way. Tests are left out, because they may import any package that they need.
func TestImports(t *testing.T) {
	seen := 0
	files(t, func(name string) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.ImportsOnly)
		require.NoError(t, err)
		from, ok := room(filepath.ToSlash(filepath.Dir(name)))
		if !ok {
			t.Errorf("%s: its package has no row in the table of rooms", name)
			return
		}
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			if only, ok := reserved[path]; ok && from != only && !strings.HasPrefix(from, only+"/") {
				t.Errorf("%s imports %s, which is for %s alone", name, path, only)
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

// The table itself has no cycle: a room that imports another is above it.
func TestRoomsHaveFloors(t *testing.T) {
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
