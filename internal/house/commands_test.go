package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// command finds the beginning of a text that tells a user what to type next.
var command = regexp.MustCompile("^\"(beff )?(report|compare|rank|trend|accept|model) |" +
	"^\" (-o|--resume|compare) |^\"/a-")

// quoting lists the functions that return words quoted for a shell.
var quoting = map[string]bool{"ShellQuoted": true, "compareArgs": true, "OneLine": true} // OneLine is for comments

// TestPrintedCommandsAreQuoted checks that names in printed commands are quoted by words.ShellQuoted, because a file
// may be called a;b. Most commands are made by launch.Line, which quotes all of its words.
func TestPrintedCommandsAreQuoted(t *testing.T) {
	seen, made := 0, 0
	files(t, func(name string) {
		product := strings.HasPrefix(name, "cmd/") || strings.HasPrefix(name, "report/")
		if strings.HasSuffix(name, "_test.go") || !product {
			return
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, filepath.Join(root, name), nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if call, is := n.(*ast.CallExpr); is && strings.HasPrefix(name, "cmd/") && nameOf(call.Fun) == "Line" {
				made++
			}
			sum, is := n.(*ast.BinaryExpr)
			if !is || sum.Op != token.ADD {
				return true
			}
			parts := terms(sum)
			begun := false // whether an earlier part begins a command
			for _, part := range parts {
				if text, is := part.(*ast.BasicLit); is {
					begun = begun || command.MatchString(text.Value)
					continue
				}
				if !begun {
					continue
				}
				seen++
				call, is := part.(*ast.CallExpr)
				assert.True(t, is && quoting[nameOf(call.Fun)], "%s: a word of a command isn't quoted",
					set.Position(part.Pos()))
			}
			return false
		})
	}, ".go")
	require.Greater(t, seen, 3)
	require.Greater(t, made, 8)
}

// terms returns the parts of a sum.
func terms(x ast.Expr) []ast.Expr {
	if sum, is := x.(*ast.BinaryExpr); is && sum.Op == token.ADD {
		return append(terms(sum.X), terms(sum.Y)...)
	}
	return []ast.Expr{x}
}

// nameOf returns the name of a function without its package's name.
func nameOf(f ast.Expr) string {
	switch f := f.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}
