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

// names of programs: they are columns of tables, and parts of keys.
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

// reader turns YAML into a File.
type reader struct {
	file     *File
	names    *known
	requests []string // that calls have named so far
	depth    int
}

// wrong returns an error at a node.
func (r *reader) wrong(n *yaml.Node, format string, args ...any) error {
	return r.file.wrong(n.Line, -1, fmt.Errorf(format, args...))
}

// top reads the whole file. Its keys are read in the order in which they may refer to each other.
func (r *reader) top(n *yaml.Node) error {
	keys, err := r.mapping(n, "program", "needs", "let", "memory", "calls", "moves", "check")
	if err != nil {
		return err
	}
	f := r.file
	if err := r.program(n, keys["program"]); err != nil {
		return err
	}
	if keys["calls"] == nil {
		return r.wrong(n, "calls are missing")
	}
	if err := r.lets(keys["let"]); err != nil {
		return err
	}
	if f.needs, err = r.optional(keys["needs"], usesRank|usesRoot|usesBytes); err != nil {
		return err
	}
	if f.moves, err = r.optional(keys["moves"], usesRank|usesRoot); err != nil {
		return err
	}
	f.Moves = f.moves != nil
	if err := r.memory(keys["memory"]); err != nil {
		return err
	}
	if f.calls, err = r.list(keys["calls"]); err != nil {
		return err
	}
	r.fill(f.calls)
	return r.checks(keys["check"])
}

func (r *reader) program(n, name *yaml.Node) error {
	if name == nil {
		return r.wrong(n, "program, the name, is missing")
	}
	if name.Kind != yaml.ScalarNode || !nameForm.MatchString(name.Value) {
		return r.wrong(name, "program: want a name of up to 40 letters, digits, '.', '_' and '-' that begins with a "+
			"letter")
	}
	r.file.Name = name.Value
	return nil
}

// mapping returns the values of a mapping, which has some of the keys, each once. The error of an unknown key names
// those that there are.
func (r *reader) mapping(n *yaml.Node, keys ...string) (map[string]*yaml.Node, error) {
	pairs, err := r.pairs(n)
	if err != nil {
		return nil, err
	}
	values := map[string]*yaml.Node{}
	for _, p := range pairs {
		known := false
		for _, k := range keys {
			known = known || k == p.key
		}
		if !known {
			return nil, r.wrong(p.at, "unknown %q: there are %s", p.key, strings.Join(keys, ", "))
		}
		values[p.key] = p.value
	}
	return values, nil
}

// pair is an entry of a mapping.
type pair struct {
	key       string
	at, value *yaml.Node
}

// pairs returns the entries of a mapping, whose keys are different.
func (r *reader) pairs(n *yaml.Node) ([]pair, error) {
	if n.Kind != yaml.MappingNode {
		return nil, r.wrong(n, "want a mapping (key: value)")
	}
	var list []pair
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode:
			return nil, r.wrong(key, "want a word as key")
		case seen[key.Value]:
			return nil, r.wrong(key, "%q comes twice", key.Value)
		}
		seen[key.Value] = true
		list = append(list, pair{key.Value, key, n.Content[i+1]})
	}
	return list, nil
}

// expr reads an expression.
func (r *reader) expr(n *yaml.Node, forbidden use) (*expr, use, error) {
	if n.Kind != yaml.ScalarNode {
		return nil, 0, r.wrong(n, "want an expression")
	}
	of, uses, err := parse(n.Value, r.names, forbidden, func(p *parser) (formula, error) {
		return p.expression(levelOr)
	})
	if err != nil {
		return nil, 0, r.wrong(n, "%w", err)
	}
	return &expr{n.Value, n.Line, of}, uses, nil
}

func (r *reader) optional(n *yaml.Node, forbidden use) (*expr, error) {
	if n == nil {
		return nil, nil
	}
	e, _, err := r.expr(n, forbidden)
	return e, err
}

// lets reads the names of let, each of which may use those before it.
func (r *reader) lets(n *yaml.Node) error {
	if n == nil {
		return nil
	}
	pairs, err := r.pairs(n)
	if err != nil {
		return err
	}
	if len(pairs) > mostNames {
		return r.wrong(n, "more than %d names", mostNames)
	}
	for _, p := range pairs {
		if err := r.newName(p.at, p.key); err != nil {
			return err
		}
		e, uses, err := r.expr(p.value, 0)
		if err != nil {
			return err
		}
		r.file.lets = append(r.file.lets, let{p.key, e, uses})
		r.names.add(p.key, uses)
	}
	return nil
}

// newName returns an error if a name can't be given.
func (r *reader) newName(at *yaml.Node, name string) error {
	list, err := tokens(name)
	switch _, there := r.names.use(name); {
	case err != nil || len(list) != 1 || list[0].kind != word:
		return r.wrong(at, "%q is no name: want letters, digits and '_'", name)
	case there || name == "peer":
		return r.wrong(at, "the name %s is taken", name)
	}
	return nil
}

// memory reads the areas. Their sizes are the same on all processes, so that all agree on whether there is enough.
func (r *reader) memory(n *yaml.Node) error {
	if n == nil {
		return nil
	}
	pairs, err := r.pairs(n)
	if err != nil {
		return err
	}
	if len(pairs) > mostNames {
		return r.wrong(n, "more than %d areas", mostNames)
	}
	for _, p := range pairs {
		if list, err := tokens(p.key); err != nil || len(list) != 1 || list[0].kind != word {
			return r.wrong(p.at, "%q is no name of an area: want letters, digits and '_'", p.key)
		}
		size, _, err := r.expr(p.value, usesRank|usesRoot)
		if err != nil {
			return err
		}
		r.file.Areas, r.file.sizes = append(r.file.Areas, Area{Name: p.key}), append(r.file.sizes, size)
	}
	return nil
}

// place reads "area" or "area[offset, length]".
func (r *reader) place(n *yaml.Node) (place, error) {
	if n.Kind != yaml.ScalarNode {
		return place{}, r.wrong(n, "want an area, such as in or \"in[0, bytes]\"")
	}
	x, _, err := parse(n.Value, r.names, 0, r.placeIn(n.Line))
	if err != nil {
		return place{}, r.wrong(n, "%w", err)
	}
	return x, nil
}

// placeIn is the rule of a place.
func (r *reader) placeIn(line int) func(p *parser) (place, error) {
	return func(p *parser) (x place, err error) {
		name, err := p.takeWord()
		if err != nil {
			return x, err
		}
		if x.area = r.area(name); x.area < 0 {
			return x, fmt.Errorf("unknown area %s", name)
		}
		if !p.is("[") {
			return x, nil
		}
		p.next()
		for i, part := range []**expr{&x.offset, &x.length} {
			of, err := p.expression(levelOr)
			if err == nil {
				err = p.take([]string{",", "]"}[i])
			}
			if err != nil {
				return x, err
			}
			*part = &expr{"", line, of}
		}
		return x, nil
	}
}

func (r *reader) area(name string) int {
	for i, a := range r.file.Areas {
		if a.Name == name {
			return i
		}
	}
	return -1
}

// checks reads the comparisons.
func (r *reader) checks(n *yaml.Node) error {
	if n == nil {
		return nil
	}
	list := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		list = n.Content
	}
	for _, item := range list {
		c, err := r.check(item)
		if err != nil {
			return err
		}
		r.file.checks = append(r.file.checks, c)
	}
	return nil
}

// check reads a comparison, perhaps as "that" beside the condition "when".
func (r *reader) check(n *yaml.Node) (c check, err error) {
	var when *expr
	if n.Kind == yaml.MappingNode {
		keys, err := r.mapping(n, "when", "that")
		if err != nil {
			return c, err
		}
		if when, err = r.optional(keys["when"], 0); err != nil {
			return c, err
		}
		if keys["that"] == nil {
			return c, r.wrong(n, "when without that")
		}
		n = keys["that"]
	}
	if n.Kind != yaml.ScalarNode {
		return c, r.wrong(n, "want a text such as \"in[0, bytes] == out[0, bytes] of left\"")
	}
	if c, _, err = parse(n.Value, r.names, 0, r.checkIn(n.Line)); err != nil {
		return c, r.wrong(n, "%w", err)
	}
	c.when = when
	return c, nil
}

// checkIn is the rule of a check: "PLACE == PLACE of RANK" or "PLACE == sum of PLACE".
func (r *reader) checkIn(line int) func(p *parser) (check, error) {
	return func(p *parser) (c check, err error) {
		c.line = line
		in := r.placeIn(line)
		if c.have, err = in(p); err != nil {
			return c, err
		}
		if err := p.take("=="); err != nil {
			return c, err
		}
		sum := p.is("sum") && len(p.rest) > 2 && p.rest[1].text == "of" && r.area(p.rest[2].text) >= 0
		if sum {
			p.rest = p.rest[2:]
		}
		if c.want, err = in(p); err != nil {
			return c, err
		}
		have, want := r.file.Areas[c.have.area], r.file.Areas[c.want.area]
		switch {
		case !want.Filled:
			return c, fmt.Errorf("%s has no data that are known: calls receive into it, or none sends from it",
				want.Name)
		case have.Filled:
			return c, fmt.Errorf("no call receives into %s", have.Name)
		case sum && want.Type == mpi.Byte:
			return c, fmt.Errorf("%s holds bytes: sums are of areas that a reduction sends from", want.Name)
		case sum:
			return c, nil
		}
		if err := p.take("of"); err != nil {
			return c, err
		}
		of, err := p.expression(levelOr)
		c.of = &expr{"", line, of}
		return c, err
	}
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
	v.set("size", int64(size))
	v.set("bytes", bytes)
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
		v.set(l.name, n)
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
