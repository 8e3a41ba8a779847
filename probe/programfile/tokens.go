package programfile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// kind is the kind of a token.
type kind int

const (
	end kind = iota
	number
	word
	sign
)

// token is a word, a number or a sign of an expression.
type token struct {
	kind  kind
	text  string
	value int64
}

func (t token) String() string {
	if t.kind == end {
		return "its end"
	}
	return strconv.Quote(t.text)
}

// tokenForm is the form of a token, with a group for each kind.
var tokenForm = regexp.MustCompile(
	`^(?:([0-9]+)|([A-Za-z_][A-Za-z_0-9]*)|(\|\||&&|[=!<>]=|\.\.|[-<>+*/%!()\[\],]))`)

// tokens splits an expression.
func tokens(text string) (list []token, err error) {
	for text = unblank(text); text != ""; text = unblank(text) {
		m := tokenForm.FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("%q does not belong into an expression", []rune(text)[0])
		}
		t := token{text: m[0]}
		for t.kind = number; m[t.kind] == ""; t.kind++ {
		}
		if t.kind == number {
			if t.value, err = strconv.ParseInt(t.text, 10, 64); err != nil {
				return nil, errOverflow
			}
		}
		list, text = append(list, t), text[len(t.text):]
	}
	return list, nil
}

func unblank(text string) string { return strings.TrimLeft(text, " \t\r\n") }

// use is a set of the values that an expression depends on and that differ where a file is resolved.
type use int

const (
	usesRank use = 1 << iota
	usesRoot
	usesBytes
	usesLoop // the name of an each, or peer
)

func (u use) String() string {
	switch {
	case u&usesRank != 0:
		return "rank"
	case u&usesRoot != 0:
		return "root"
	case u&usesBytes != 0:
		return "length"
	}
	return "loop"
}

// scope holds names with what they stand for, the innermost last.
type scope[T any] struct {
	names []string
	of    []T
}

// add adds a name, which hides an older one.
func (s *scope[T]) add(name string, of T) { s.names, s.of = append(s.names, name), append(s.of, of) }

// drop removes the last name.
func (s *scope[T]) drop() { s.names, s.of = s.names[:len(s.names)-1], s.of[:len(s.of)-1] }

// get returns what a name stands for.
func (s *scope[T]) get(name string) (of T, there bool) {
	for i, known := range slices.Backward(s.names) {
		if known == name {
			return s.of[i], true
		}
	}
	return of, false
}

func (s *scope[T]) String() string { return strings.Join(s.names, ", ") }

// known holds what the names that an expression may use depend on, values their values.
type (
	known  = scope[use]
	values = scope[int64]
)

// parser parses the text of one value of the file.
type parser struct {
	rest      []token
	names     *known
	forbidden use
	used      use
	depth     int
}

// parse calls a rule of the grammar, which must use the whole text.
func parse[T any](text string, names *known, forbidden use, rule func(p *parser) (T, error)) (T, use, error) {
	p := &parser{names: names, forbidden: forbidden}
	var err error
	var value T
	if p.rest, err = tokens(text); err == nil {
		value, err = rule(p)
	}
	if err == nil && p.peek().kind != end {
		err = fmt.Errorf("%s is too much", p.peek())
	}
	if err != nil {
		err = fmt.Errorf("%q: %w", text, err)
	}
	return value, p.used, err
}

func (p *parser) peek() token {
	if len(p.rest) == 0 {
		return token{}
	}
	return p.rest[0]
}

func (p *parser) next() { p.rest = p.rest[1:] }

// is reports whether the next token is a sign or a word.
func (p *parser) is(text string) bool {
	t := p.peek()
	return t.text == text && (t.kind == sign || t.kind == word)
}

// take passes over a sign or a word that must come.
func (p *parser) take(text string) error {
	if !p.is(text) {
		return fmt.Errorf("want %q, not %s", text, p.peek())
	}
	p.next()
	return nil
}

// takeWord passes over a word of any text.
func (p *parser) takeWord() (string, error) {
	t := p.peek()
	if t.kind != word {
		return "", fmt.Errorf("want a name, not %s", t)
	}
	p.next()
	return t.text, nil
}
