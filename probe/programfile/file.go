package programfile

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/effective-bandwidth/beff/mpi"
)

// Limits of a file.
const (
	MostText  = 1 << 18 // bytes
	MostCalls = 1 << 20 // of a process, unrolled
	mostNames = 100     // of let, of memory
)

// File is a parsed program file.
type File struct {
	Source string // the file's name, for errors
	Name   string // of the program
	Text   string
	Areas  []Area
	// Window is the index of the area that other processes may access, -1 if there is none.
	Window int
	// File is the index of the area that is a file of all processes, -1 if there is none. It takes no memory.
	File int
	// Moves is true if the file says how many bytes a repetition moves.
	Moves bool

	hidden int   // lines before those that the user wrote
	needs  *expr // nil: nothing
	moves  *expr
	lets   []let
	sizes  []*expr // of the areas
	calls  []node
	checks []check
}

// Area is a piece of a process' memory.
type Area struct {
	Name string
	// Filled is true if calls send from the area and never receive into it. Then it holds the process' own data.
	Filled bool
	// Type of its elements: that of the reductions that work on it, else Byte.
	Type mpi.Type
}

// expr is an expression with its place in the file.
type expr struct {
	text string
	line int
	of   formula
}

// let is a name for an expression.
type let struct {
	name string
	expr *expr
	uses use
}

// place is a part of an area.
type place struct {
	area           int
	offset, length *expr // nil: the whole area
}

// check is a comparison of a received place with what another process sent.
type check struct {
	line       int
	have, want place
	of         *expr // rank; nil: the sum over all ranks
	when       *expr // nil: always
}

// Error is a mistake in a program file.
type Error struct {
	Source string
	Line   int // from 1 on; 0: of the whole file
	Rank   int // of the process; -1: any
	Err    error
}

func (e *Error) Error() string {
	s := e.Source
	if e.Line > 0 {
		s += fmt.Sprintf(":%d", e.Line)
	}
	if e.Rank >= 0 {
		s += fmt.Sprintf(": rank %d", e.Rank)
	}
	return s + ": " + oneLine(e.Err.Error())
}

func (e *Error) Unwrap() error { return e.Err }

// oneLine replaces breaks and other control characters.
func oneLine(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, text)
}

// nameForm is the form of a program's name, which is a column of tables and a part of keys.
var nameForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,39}$`)

// Inline returns the text of a program file of a list of calls: each process has the areas out and in of the row's
// length, and the neighbours left and right.
func Inline(calls string) string {
	text := inlineHead
	for line := range strings.Lines(calls) {
		text += "  " + line
	}
	return text + "\n"
}

// inlineHead is what comes before the calls. Errors count lines behind it.
const inlineHead = "program: inline\nlet: {left: (rank + size - 1) % size, right: (rank + 1) % size}\n" +
	"memory: {out: bytes, in: bytes}\ncalls:\n"

// Parse reads a program file. The source is its name.
func Parse(source, text string) (*File, error) {
	if len(text) > MostText {
		return nil, &Error{source, 0, -1, fmt.Errorf("longer than %d bytes", MostText)}
	}
	f := &File{Source: source, Text: text}
	if strings.HasPrefix(text, inlineHead) {
		f.hidden = strings.Count(inlineHead, "\n")
	}
	var root yaml.Node
	if err := yaml.Load([]byte(text), &root); err != nil {
		return nil, f.unread(err)
	}
	r := &reader{file: f, names: &known{}}
	r.names.add("size", 0)
	r.names.add("bytes", usesBytes)
	r.names.add("rank", usesRank)
	r.names.add("root", usesRoot)
	top := &root
	if top.Kind == yaml.DocumentNode && len(top.Content) == 1 {
		top = top.Content[0]
	}
	if err := r.top(top); err != nil {
		return nil, err
	}
	return f, nil
}

// unread returns the error of a text that is no YAML.
func (f *File) unread(err error) error {
	if strings.TrimSpace(f.Text) == "" {
		return f.wrong(0, -1, errors.New("it is empty"))
	}
	line := 0
	if one := (*yaml.LoadError)(nil); errors.As(err, &one) {
		line, err = one.Mark.Line, errors.New("no YAML: "+one.Message)
	}
	return f.wrong(line, -1, err)
}

// wrong returns an error at a line, on a rank or -1.
func (f *File) wrong(line, rank int, err error) error {
	if line > 0 {
		line = max(1, line-f.hidden)
	}
	return &Error{f.Source, line, rank, err}
}

// value computes an expression.
func (e *expr) value(v *values) (int64, error) {
	n, err := e.of(v)
	if err != nil && e.text != "" {
		err = fmt.Errorf("%q: %w", e.text, err)
	}
	return n, err
}

// sameValue computes an expression that has the same value on all processes, perhaps on the length.
func (f *File) sameValue(e *expr, size int, bytes int64, on use) (int64, error) {
	v := &values{}
	v.add("size", int64(size))
	v.add("bytes", bytes)
	if err := f.set(v, on, -1); err != nil {
		return 0, err
	}
	n, err := e.value(v)
	if err != nil {
		err = f.wrong(e.line, -1, err)
	}
	return n, err
}

// set adds the values of those lets that depend on nothing else than some values.
func (f *File) set(v *values, on use, rank int) error {
	for _, l := range f.lets {
		if l.uses&^on != 0 {
			continue
		}
		n, err := l.expr.value(v)
		if err != nil {
			return f.wrong(l.expr.line, rank, fmt.Errorf("%s: %w", l.name, err))
		}
		v.add(l.name, n)
	}
	return nil
}

// Needs returns the condition that a number of processes doesn't meet, in the file's words; empty: it meets it.
func (f *File) Needs(size int) (unmet string, err error) {
	if f.needs == nil {
		return "", nil
	}
	n, err := f.sameValue(f.needs, size, 0, 0)
	if err == nil && n == 0 {
		unmet = f.needs.text
	}
	return unmet, err
}

// Moved returns the bytes that all processes together move in a repetition, by the file.
func (f *File) Moved(size int, bytes int64) (int64, error) {
	n, err := f.sameValue(f.moves, size, bytes, usesBytes)
	if err == nil && n < 0 {
		err = f.wrong(f.moves.line, -1, fmt.Errorf("%q is %d", f.moves.text, n))
	}
	return n, err
}

// Sizes returns the bytes of each area.
func (f *File) Sizes(size int, bytes int64) ([]int64, error) {
	sizes := make([]int64, len(f.sizes))
	for i, e := range f.sizes {
		n, err := f.sameValue(e, size, bytes, usesBytes)
		if err == nil && (n < 0 || n > math.MaxInt64>>8) {
			err = f.wrong(e.line, -1, fmt.Errorf("the area %s has %d bytes", f.Areas[i].Name, n))
		}
		if err != nil {
			return nil, err
		}
		sizes[i] = n
	}
	return sizes, nil
}

// FileSize returns the bytes of the program's file; 0: it has none, or Resolve has the error.
func (f *File) FileSize(size int, bytes int64) int64 {
	if sizes, err := f.Sizes(size, bytes); err == nil && f.File >= 0 {
		return sizes[f.File]
	}
	return 0
}
