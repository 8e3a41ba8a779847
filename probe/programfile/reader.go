package programfile

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

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
	keys, err := r.mapping(n, "program", "needs", "let", "memory", "window", "file", "calls", "moves", "check")
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
	if err := r.window(keys["window"]); err != nil {
		return err
	}
	if err := r.onDisk(keys["file"]); err != nil {
		return err
	}
	if f.calls, err = r.list(keys["calls"]); err != nil {
		return err
	}
	if err := r.oneWay(keys["calls"]); err != nil {
		return err
	}
	r.fill(f.calls)
	return r.checks(keys["check"])
}

// program reads the program's name.
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
		if !slices.Contains(keys, p.key) {
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

// optional reads an expression that may be left out: then it is nil.
func (r *reader) optional(n *yaml.Node, forbidden use) (*expr, error) {
	if n == nil {
		return nil, nil
	}
	e, _, err := r.expr(n, forbidden)
	return e, err
}

// named returns the entries of an optional mapping of names. The error of too many calls them by what they name.
func (r *reader) named(n *yaml.Node, what string) ([]pair, error) {
	if n == nil {
		return nil, nil
	}
	pairs, err := r.pairs(n)
	if err == nil && len(pairs) > mostNames {
		err = r.wrong(n, "more than %d %s", mostNames, what)
	}
	return pairs, err
}

// isName reports whether a text is one word of expressions.
func isName(text string) bool {
	list, err := tokens(text)
	return err == nil && len(list) == 1 && list[0].kind == word
}

// lets reads the names of let, each of which may use those before it.
func (r *reader) lets(n *yaml.Node) error {
	pairs, err := r.named(n, "names")
	if err != nil {
		return err
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
	switch _, there := r.names.get(name); {
	case !isName(name):
		return r.wrong(at, "%q is no name: want letters, digits and '_'", name)
	case there || name == "peer":
		return r.wrong(at, "the name %s is taken", name)
	}
	return nil
}

// memory reads the areas. Their sizes are the same on all processes, so that all agree on whether there is enough.
func (r *reader) memory(n *yaml.Node) error {
	pairs, err := r.named(n, "areas")
	if err != nil {
		return err
	}
	for _, p := range pairs {
		if !isName(p.key) {
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
