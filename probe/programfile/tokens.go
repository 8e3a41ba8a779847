package programfile

import (
	"fmt"
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

// signs of two characters, and of one.
var (
	twoSigns = []string{"||", "&&", "==", "!=", "<=", ">=", ".."}
	oneSigns = "<>+-*/%!()[],"
)

// tokens splits an expression.
func tokens(text string) (list []token, err error) {
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			continue
		case isDigit(c):
			n := span(text[i:], isDigit)
			value, err := strconv.ParseInt(text[i:i+n], 10, 64)
			if err != nil {
				return nil, errOverflow
			}
			list = append(list, token{number, text[i : i+n], value})
			i += n
			continue
		case isLetter(c):
			n := span(text[i:], func(c byte) bool { return isLetter(c) || isDigit(c) })
			list = append(list, token{word, text[i : i+n], 0})
			i += n
			continue
		}
		n := 0
		for _, two := range twoSigns {
			if strings.HasPrefix(text[i:], two) {
				n = 2
			}
		}
		if n == 0 && strings.IndexByte(oneSigns, c) >= 0 {
			n = 1
		}
		if n == 0 {
			return nil, fmt.Errorf("%q does not belong into an expression", []rune(text[i:])[0])
		}
		list = append(list, token{sign, text[i : i+n], 0})
		i += n
	}
	return list, nil
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

// span returns the number of bytes at the beginning of text for which is holds.
func span(text string, is func(byte) bool) int {
	n := 0
	for n < len(text) && is(text[n]) {
		n++
	}
	return n
}

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

// known holds the names that an expression may use, the innermost last.
type known struct {
	names []string
	uses  []use
}

func (k *known) add(name string, u use) { k.names, k.uses = append(k.names, name), append(k.uses, u) }
func (k *known) drop()                  { k.names, k.uses = k.names[:len(k.names)-1], k.uses[:len(k.uses)-1] }

// use returns what a name depends on.
func (k *known) use(name string) (use, bool) {
	for i := len(k.names) - 1; i >= 0; i-- {
		if k.names[i] == name {
			return k.uses[i], true
		}
	}
	return 0, false
}

func (k *known) String() string { return strings.Join(k.names, ", ") }

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
