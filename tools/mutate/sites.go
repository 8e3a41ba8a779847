package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// mutant is one change of one file.
type mutant struct {
	file       string // its path
	line       int    // from 1
	column     int    // from 1, in bytes
	function   string // the function with the change, "" at the top level
	begin, end int    // the bytes to replace
	text       string // the replacement
	before     string // the line, without surrounding white space
	after      string // the changed line
	body       body   // of the function
}

// body is the part of a function between its braces. It is empty at the top level, and for a function whose body can't
// be copied into a separate block: labels can't exist twice, and deferred calls see named results.
type body struct {
	begin, end  int  // bytes
	first, last int  // lines
	results     bool // the function has results
}

// key returns a mutant's name in equivalent.txt. It stays the same while its line and function do.
func (m mutant) key() string {
	return fmt.Sprintf("%s %s: %s => %s", filepath.Base(filepath.Dir(m.file)), m.function, m.before, m.after)
}

// operators lists the replacements of each binary operator, assignment, and increment or decrement.
var operators = map[token.Token][]token.Token{
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL},
	token.REM: {token.QUO}, token.SHL: {token.SHR}, token.SHR: {token.SHL}, token.AND: {token.OR},
	token.OR: {token.AND}, token.XOR: {token.OR},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
	token.MUL_ASSIGN: {token.QUO_ASSIGN}, token.QUO_ASSIGN: {token.MUL_ASSIGN},
	token.INC: {token.DEC}, token.DEC: {token.INC},
}

// names lists the replacements of Go's predeclared functions and constants.
var names = map[string]string{"min": "max", "max": "min", "true": "false", "false": "true"}

// selectors lists the replacements of functions in package math.
var selectors = map[string]string{"Floor": "Ceil", "Ceil": "Floor", "Round": "Floor"}

// mutants returns the changes of a file, in the order of their positions.
func mutants(path string) ([]mutant, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := finder{path: path, source: string(source), file: files.File(file.Pos())}
	for _, d := range file.Decls {
		f.function, f.body = "", body{}
		if d, ok := d.(*ast.FuncDecl); ok {
			f.function = d.Name.Name
			if d.Recv != nil {
				f.function = strings.TrimPrefix(f.textOf(d.Recv.List[0].Type), "*") + "." + f.function
			}
			f.body = f.bodyOf(d)
		}
		ast.Inspect(d, f.visit)
	}
	return f.found, nil
}

// finder walks through one file.
type finder struct {
	path     string
	source   string
	file     *token.File
	function string // the function that it is in
	body     body   // of this function
	found    []mutant
}

// bodyOf returns the body of a function, or an empty one if the body can't be copied.
func (f *finder) bodyOf(d *ast.FuncDecl) body {
	copies := d.Body != nil
	ast.Inspect(d, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.LabeledStmt, *ast.DeferStmt:
			copies = false
		}
		return true
	})
	if !copies {
		return body{}
	}
	return body{f.file.Offset(d.Body.Lbrace) + 1, f.file.Offset(d.Body.Rbrace), f.file.Line(d.Body.Lbrace),
		f.file.Line(d.Body.Rbrace), d.Type.Results != nil}
}

func (f *finder) textOf(n ast.Node) string {
	return f.source[f.file.Offset(n.Pos()):f.file.Offset(n.End())]
}

// visit collects the changes of one node, and reports whether its children are visited too.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok != token.IMPORT && n.Tok != token.TYPE
	case *ast.CallExpr:
		if makesText(f.textOf(n.Fun)) {
			return false
		}
		if id, ok := n.Fun.(*ast.Ident); ok {
			f.name(id)
		}
		if s, ok := n.Fun.(*ast.SelectorExpr); ok && f.textOf(s.X) == "math" {
			f.replace(s.Sel.Pos(), s.Sel.Name, selectors[s.Sel.Name])
		}
	case *ast.Ident:
		if n.Name == "true" || n.Name == "false" {
			f.name(n)
		}
	case *ast.BinaryExpr:
		if !isString(n.X) && !isString(n.Y) {
			f.operator(n.OpPos, n.Op)
		}
	case *ast.AssignStmt:
		if !isString(n.Rhs[0]) {
			f.operator(n.TokPos, n.Tok)
		}
	case *ast.IncDecStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.UnaryExpr:
		if n.Op == token.NOT || n.Op == token.SUB {
			f.replace(n.OpPos, n.Op.String(), " ")
		}
	case *ast.IfStmt:
		f.condition(n.Cond)
	case *ast.BasicLit:
		f.constant(n)
	}
	return true
}

// makesText reports whether a function only makes text for people.
func makesText(function string) bool {
	for _, prefix := range []string{"fmt.", "errors.", "strings.", "panic"} {
		if strings.HasPrefix(function, prefix) {
			return true
		}
	}
	return false
}

func isString(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.BinaryExpr:
		return isString(e.X) || isString(e.Y)
	}
	return false
}

func (f *finder) operator(at token.Pos, op token.Token) {
	for _, other := range operators[op] {
		f.replace(at, op.String(), other.String())
	}
}

func (f *finder) name(id *ast.Ident) { f.replace(id.Pos(), id.Name, names[id.Name]) }

// condition negates a condition that is neither a comparison nor a negation, which are changed elsewhere.
func (f *finder) condition(e ast.Expr) {
	switch e.(type) {
	case *ast.Ident, *ast.CallExpr, *ast.SelectorExpr:
		f.replace(e.Pos(), f.textOf(e), "!"+f.textOf(e))
	}
}

// constant adds one to an integer, subtracts one, or doubles a fraction.
func (f *finder) constant(lit *ast.BasicLit) {
	switch lit.Kind {
	case token.INT:
		n, err := strconv.ParseInt(lit.Value, 0, 64)
		if err != nil {
			return
		}
		f.replace(lit.Pos(), lit.Value, strconv.FormatInt(n+1, 10))
		if n > 0 {
			f.replace(lit.Pos(), lit.Value, strconv.FormatInt(n-1, 10))
		}
	case token.FLOAT:
		x, err := strconv.ParseFloat(lit.Value, 64)
		if err != nil {
			return
		}
		twice := strconv.FormatFloat(2*x, 'g', -1, 64)
		if x == 0 {
			twice = "1.0"
		} else if !strings.ContainsAny(twice, ".e") {
			twice += ".0"
		}
		f.replace(lit.Pos(), lit.Value, twice)
	}
}

// replace records one change, unless the replacement is empty.
func (f *finder) replace(at token.Pos, old, text string) {
	if text == "" {
		return
	}
	m := mutant{file: f.path, line: f.file.Line(at), function: f.function, begin: f.file.Offset(at), text: text}
	if m.begin >= f.body.begin { // in the body, not before it
		m.body = f.body
	}
	m.end = m.begin + len(old)
	first := strings.LastIndexByte(f.source[:m.begin], '\n') + 1
	m.column = m.begin - first + 1
	rest := strings.IndexByte(f.source[m.end:], '\n')
	last := len(f.source)
	if rest >= 0 {
		last = m.end + rest
	}
	m.before = strings.TrimSpace(f.source[first:last])
	m.after = strings.TrimSpace(f.source[first:m.begin] + text + f.source[m.end:last])
	f.found = append(f.found, m)
}

// apply returns the file with the change.
func (m mutant) apply() ([]byte, error) {
	source, err := os.ReadFile(m.file)
	if err != nil {
		return nil, err
	}
	return []byte(string(source[:m.begin]) + m.text + string(source[m.end:])), nil
}
