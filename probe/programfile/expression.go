package programfile

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// formula computes a number from the values of names.
type formula func(*values) (int64, error)

// Errors of computing.
var (
	errOverflow = errors.New("a number is beyond 2^63")
	errZero     = errors.New("a division by 0")
)

// operator is a function of two numbers between them.
type operator struct {
	text  string
	level int // operators of higher levels bind more closely
	of    func(a, b int64) (int64, error)
}

// level of the operators.
const (
	levelOr = iota + 1
	levelAnd
	levelCompare
	levelSum
	levelProduct
)

// operators has a row for each operator. Both sides are computed always.
var operators = []operator{
	{"||", levelOr, func(a, b int64) (int64, error) { return truth(a != 0 || b != 0), nil }},
	{"&&", levelAnd, func(a, b int64) (int64, error) { return truth(a != 0 && b != 0), nil }},
	{"==", levelCompare, func(a, b int64) (int64, error) { return truth(a == b), nil }},
	{"!=", levelCompare, func(a, b int64) (int64, error) { return truth(a != b), nil }},
	{"<", levelCompare, func(a, b int64) (int64, error) { return truth(a < b), nil }},
	{"<=", levelCompare, func(a, b int64) (int64, error) { return truth(a <= b), nil }},
	{">", levelCompare, func(a, b int64) (int64, error) { return truth(a > b), nil }},
	{">=", levelCompare, func(a, b int64) (int64, error) { return truth(a >= b), nil }},
	{"+", levelSum, add},
	{"-", levelSum, subtract},
	{"*", levelProduct, multiply},
	{"/", levelProduct, divide},
	{"%", levelProduct, remainder},
}

// truth returns the number of a condition: 1 if it holds, else 0.
func truth(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// add returns a + b, or errOverflow.
func add(a, b int64) (int64, error) {
	sum := a + b
	if (sum > a) != (b > 0) && b != 0 {
		return 0, errOverflow
	}
	return sum, nil
}

// subtract returns a - b, or errOverflow.
func subtract(a, b int64) (int64, error) {
	difference := a - b
	if (difference < a) != (b > 0) && b != 0 {
		return 0, errOverflow
	}
	return difference, nil
}

// multiply returns a * b, or errOverflow.
func multiply(a, b int64) (int64, error) {
	if a == 0 || b == 0 {
		return 0, nil
	}
	product := a * b
	if product/b != a || a == -1 && b == math.MinInt64 || b == -1 && a == math.MinInt64 {
		return 0, errOverflow
	}
	return product, nil
}

// divide returns a / b, rounded towards 0, or errZero or errOverflow.
func divide(a, b int64) (int64, error) {
	switch {
	case b == 0:
		return 0, errZero
	case a == math.MinInt64 && b == -1:
		return 0, errOverflow
	}
	return a / b, nil
}

// remainder returns a % b, which has the sign of a, or errZero.
func remainder(a, b int64) (int64, error) {
	switch b {
	case 0:
		return 0, errZero
	case -1:
		return 0, nil
	}
	return a % b, nil
}

// functions are the functions of one and of two arguments.
var (
	functions1 = map[string]func(a int64) (int64, error){"log2": log2, "pow2": pow2}
	functions2 = map[string]func(a, b int64) (int64, error){
		"min": func(a, b int64) (int64, error) { return min(a, b), nil },
		"max": func(a, b int64) (int64, error) { return max(a, b), nil },
	}
)

// log2 returns the logarithm, rounded down.
func log2(a int64) (int64, error) {
	if a < 1 {
		return 0, fmt.Errorf("log2(%d)", a)
	}
	return int64(bits.Len64(uint64(a))) - 1, nil
}

// pow2 returns 2 to the power of a.
func pow2(a int64) (int64, error) {
	if a < 0 || a > 62 {
		return 0, fmt.Errorf("pow2(%d): want 0 to 62", a)
	}
	return 1 << a, nil
}

// deepest is the most operators and parentheses that may be inside of each other.
const deepest = 200

// expression parses an expression whose operators are at least of a level.
func (p *parser) expression(level int) (formula, error) {
	if p.depth++; p.depth > deepest {
		return nil, fmt.Errorf("it is nested too deeply")
	}
	defer func() { p.depth-- }()
	left, err := p.operand()
	for err == nil {
		i := slices.IndexFunc(operators, func(o operator) bool { return p.is(o.text) && o.level >= level })
		if i < 0 {
			return left, nil
		}
		p.next()
		var right formula
		if right, err = p.expression(operators[i].level + 1); err == nil {
			left = joined(left, right, operators[i].of)
		}
	}
	return nil, err
}

// joined returns the formula of a function of two others.
func joined(left, right formula, of func(a, b int64) (int64, error)) formula {
	return func(v *values) (int64, error) {
		a, err := left(v)
		if err != nil {
			return 0, err
		}
		b, err := right(v)
		if err != nil {
			return 0, err
		}
		return of(a, b)
	}
}

// applied returns the formula of a function of another one.
func applied(to formula, of func(a int64) (int64, error)) formula {
	return func(v *values) (int64, error) {
		a, err := to(v)
		if err != nil {
			return 0, err
		}
		return of(a)
	}
}

// operand parses a number, a name, a function, an expression in parentheses, or one of these behind a sign.
func (p *parser) operand() (formula, error) {
	t := p.peek()
	switch {
	case t.kind == number:
		p.next()
		return func(*values) (int64, error) { return t.value, nil }, nil
	case p.is("-"), p.is("!"):
		p.next()
		of, err := p.expression(levelProduct + 1)
		if t.text == "-" {
			return applied(of, func(a int64) (int64, error) { return subtract(0, a) }), err
		}
		return applied(of, func(a int64) (int64, error) { return truth(a == 0), nil }), err
	case p.is("("):
		p.next()
		inner, err := p.expression(levelOr)
		if err == nil {
			err = p.take(")")
		}
		return inner, err
	case t.kind == word:
		p.next()
		if p.is("(") {
			return p.function(t.text)
		}
		return p.name(t.text)
	}
	return nil, fmt.Errorf("want a number or a name, not %s", t)
}

// function parses the arguments of a function.
func (p *parser) function(name string) (formula, error) {
	one, two := functions1[name], functions2[name]
	if one == nil && two == nil {
		return nil, fmt.Errorf("unknown function %s: there are log2, max, min and pow2", name)
	}
	p.next()
	first, err := p.expression(levelOr)
	if err != nil {
		return nil, err
	}
	if one != nil {
		return applied(first, one), p.take(")")
	}
	if err := p.take(","); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	second, err := p.expression(levelOr)
	if err != nil {
		return nil, err
	}
	return joined(first, second, two), p.take(")")
}

// name parses a name that has a value.
func (p *parser) name(name string) (formula, error) {
	use, known := p.names.get(name)
	if !known {
		return nil, fmt.Errorf("unknown name %s: there are %s", name, p.names)
	}
	if differs := use & p.forbidden; differs != 0 {
		return nil, fmt.Errorf("%s depends on the %s, which this must not", name, differs)
	}
	p.used |= use
	return func(v *values) (int64, error) {
		n, there := v.get(name)
		if !there {
			return 0, fmt.Errorf("%s has no value", name)
		}
		return n, nil
	}, nil
}
