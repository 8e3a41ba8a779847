package tidy

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

// Row looks up a column by name in a row, and returns it with its value, which is nil if the row has none. It reports
// false if there is no such column.
type Row func(name string) (Column, any, bool)

// Condition selects rows. Its zero value selects all rows.
type Condition struct {
	all   []func(Row) bool
	names []string
	known map[string]bool // names for which some row had a value
}

// NewCondition parses conditions such as
//
//	processes=128, library~"Open MPI", (valid or noisy), b_eff>=5 GB/s, date<2026-10, !noisy
//
// The operators = != < <= > >= compare a column with a number and its unit, with a text regardless of case, or with a
// date, as far as the date is given. ~ and !~ match a regular expression regardless of case. A name without an operator
// refers to a column of 1 and 0. "," and "and" bind closer than "or"; "!" and "not" negate the next condition. The
// function columns returns all columns of a name that rows may have, or all columns if the name is empty. Rows must
// meet all of the texts. A text may come from a stranger's sheet, so its length is limited.
func NewCondition(texts []string, columns func(name string) []Column) (*Condition, error) {
	c := &Condition{known: map[string]bool{}}
	for _, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		const most = 8 << 10
		if len(text) > most {
			return nil, fmt.Errorf("a condition of %d bytes: want at most %d", len(text), most)
		}
		p := &parser{Condition: c, rest: text, columns: columns}
		holds, err := p.parseOr()
		if err == nil && p.rest != "" {
			err = p.misread()
		}
		if err != nil {
			return nil, err
		}
		c.all = append(c.all, holds)
	}
	return c, nil
}

// Names returns the names of all columns in the condition.
func (c *Condition) Names() []string { return c.names }

// Holds reports whether a row meets the condition.
func (c *Condition) Holds(r Row) bool {
	for _, name := range c.names {
		if !c.known[name] {
			_, x, _ := r(name)
			c.known[name] = x != nil
		}
	}
	return !slices.ContainsFunc(c.all, func(holds func(Row) bool) bool { return !holds(r) })
}

// NeverKnown returns the first name for which no row has had a value so far, or "" if there is none.
func (c *Condition) NeverKnown() string {
	return lists.First(c.names, func(name string) bool { return !c.known[name] })
}

// KeyOf converts a name to the form of column names: lower case, with _ instead of -.
func KeyOf(name string) string { return strings.ReplaceAll(strings.ToLower(name), "-", "_") }

// parser parses a condition.
type parser struct {
	*Condition
	rest    string
	columns func(string) []Column
}

// misread returns the error for a text that can't be parsed.
func (p *parser) misread() error {
	return fmt.Errorf("%q: want conditions such as processes=128, library~\"Open MPI\", valid",
		strings.TrimSpace(p.rest))
}

// takes consumes the next word or sign if it matches form, and returns form's first group.
func (p *parser) takes(form words.Regexp) (string, bool) {
	m := form().FindStringSubmatch(p.rest)
	if m == nil {
		return "", false
	}
	p.rest = p.rest[len(m[0]):]
	return m[1], true
}

// unitForm matches a unit that follows a blank.
const unitForm = `(?:(?:[kMGTP]?B/s|[kKMGT]i?B|B|ns|us|µs|ms|s|min)\b|%)`

// The tokens of conditions, with the blanks around them.
var (
	orForm    = words.MustCompile(`^\s*(or)\b\s*`)
	andForm   = words.MustCompile(`^\s*(,|and\b)\s*`)
	notForm   = words.MustCompile(`^\s*(!|not\b)\s*`)
	openForm  = words.MustCompile(`^\s*(\()\s*`)
	closeForm = words.MustCompile(`^\s*(\))\s*`)
	nameForm  = words.MustCompile(`^\s*([A-Za-z][\w-]*)\s*`)
	opForm    = words.MustCompile(`^(!=|<=|>=|!~|=|<|>|~)\s*`)
	valueForm = words.MustCompile(`^("[^"]*"|'[^']*'|[^\s,"'()]+(?:\s+` + unitForm + `)?)\s*`)
)

// parseOr parses conditions joined by "or".
func (p *parser) parseOr() (func(Row) bool, error) {
	all, err := p.parseAnd()
	for err == nil {
		if _, more := p.takes(orForm); !more {
			break
		}
		one := all
		var other func(Row) bool
		other, err = p.parseAnd()
		all = func(r Row) bool { return one(r) || other(r) }
	}
	return all, err
}

// parseAnd parses conditions joined by "," or "and". A trailing comma is allowed.
func (p *parser) parseAnd() (func(Row) bool, error) {
	all, err := p.parseOne()
	for err == nil {
		if _, more := p.takes(andForm); !more || p.rest == "" {
			break
		}
		one := all
		var other func(Row) bool
		other, err = p.parseOne()
		all = func(r Row) bool { return one(r) && other(r) }
	}
	return all, err
}

// parseOne parses a single condition.
func (p *parser) parseOne() (func(Row) bool, error) {
	if _, is := p.takes(notForm); is {
		holds, err := p.parseOne()
		return func(r Row) bool { return !holds(r) }, err
	}
	if _, is := p.takes(openForm); is {
		holds, err := p.parseOr()
		if _, closed := p.takes(closeForm); err == nil && !closed {
			err = fmt.Errorf("%q: want the ) of a (", p.rest)
		}
		return holds, err
	}
	name, is := p.takes(nameForm)
	if !is {
		return nil, p.misread()
	}
	list := p.columns(name)
	if len(list) == 0 {
		return nil, Unknown(name, p.columns(""))
	}
	p.names = append(p.names, name)
	op, compared := p.takes(opForm)
	if !compared {
		if !slices.ContainsFunc(list, func(c Column) bool { return c.Unit == YesNo }) {
			return nil, fmt.Errorf("%q: want a value, such as processes=128", name)
		}
		op, p.rest = "=", "1 "+p.rest
	}
	value, given := p.takes(valueForm)
	if !given {
		return nil, p.misread()
	}
	return comparison(name, op, strings.Trim(value, `"'`), list)
}

// Unknown returns the error for a name that no column has.
func Unknown(name string, all []Column) error {
	names := lists.Unique(lists.Each(all, func(c Column) string { return c.Name }))
	return fmt.Errorf("unknown column %q%s", name, cmp.Or(words.DidYouMean(name, names), ": want "+words.Some(names)))
}

// comparison returns a function that compares the named column of a row with value. The column may be any of list;
// value must fit the kind and unit of at least one of them.
func comparison(name, op, value string, list []Column) (func(Row) bool, error) {
	type kind struct {
		Kind
		unit string
	}
	tests := map[kind]func(any) bool{}
	var wrong error
	for _, c := range list {
		test, err := newTest(c, op, value)
		if err != nil {
			wrong = fmt.Errorf("%s%s%s: %w", name, op, value, err)
			continue
		}
		tests[kind{c.Kind, c.Unit}] = test
	}
	if len(tests) == 0 {
		return nil, wrong
	}
	return func(r Row) bool {
		c, x, _ := r(name)
		test := tests[kind{c.Kind, c.Unit}]
		return x != nil && test != nil && test(x)
	}, nil
}

// orders maps operators to functions of the result of comparing the cell with the value.
var orders = map[string]func(int) bool{
	"=": func(o int) bool { return o == 0 }, "!=": func(o int) bool { return o != 0 },
	"<": func(o int) bool { return o < 0 }, "<=": func(o int) bool { return o <= 0 },
	">": func(o int) bool { return o > 0 }, ">=": func(o int) bool { return o >= 0 },
}

// units maps the unit of a column to the units in which values may be given. Values of bandwidths and times must have a
// unit, because tables show bandwidths and times in several units.
var units = map[string]map[string]float64{
	"B/s": {"B/s": 1, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12, "PB/s": 1e15},
	"s":   {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60},
	"B": {"": 1, "B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 1 << 10, "MiB": 1 << 20,
		"GiB": 1 << 30, "TiB": 1 << 40, "PiB": 1 << 50},
	"MiB": {"": 1, "B": 1. / (1 << 20), "KiB": 1. / (1 << 10), "MiB": 1, "GiB": 1 << 10, "TiB": 1 << 20},
	"%":   {"": 1, "%": 1},
}

// bare are the units for columns whose values have none.
var bare = map[string]float64{"": 1}

// dateForm matches the beginning of a date.
var dateForm = words.MustCompile(`^\d{4}(-|$)`)

// newTest returns a function that reports whether a value of column c compares with value as op requires.
func newTest(c Column, op, value string) (func(any) bool, error) {
	as, ordered := orders[op]
	switch {
	case !ordered:
		re, err := regexp.Compile("(?i)" + value)
		return func(x any) bool { return re.MatchString(words.Cell(x)) == (op == "~") }, err
	case c.Kind != Text:
		want, err := Quantity(value, c.Unit)
		return func(x any) bool { return as(near(number(x), want)) }, err
	case c.Unit == Date:
		if !dateForm().MatchString(value) {
			return nil, errors.New("want a date such as 2026-10-31 or 2026-10")
		}
		value = strings.Replace(value, "T", " ", 1)
		return func(x any) bool {
			text := x.(string)
			return as(strings.Compare(text[:min(len(text), len(value))], value))
		}, nil
	}
	return func(x any) bool { return as(strings.Compare(strings.ToLower(x.(string)), strings.ToLower(value))) }, nil
}

// Quantity parses a number with a unit, and converts it to the column's unit.
func Quantity(value, unit string) (float64, error) {
	digits := strings.TrimRight(value, "kKMGTPBinsuµm/%")
	x, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	known := units[unit]
	if known == nil {
		known = bare
	}
	factor, has := known[value[len(digits):]]
	switch {
	case err == nil && has:
		return x * factor, nil
	case len(known) > 1:
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(known)), func(name string) bool { return name == "" })
		return 0, fmt.Errorf("want a number with a unit: %s", strings.Join(names, ", "))
	}
	return 0, errors.New("want a number")
}

// number converts a value of a numeric column to float64.
func number(x any) float64 {
	if n, is := x.(int64); is {
		return float64(n)
	}
	return x.(float64)
}

// near compares two numbers, which count as equal if they differ by at most a millionth.
func near(x, want float64) int {
	switch d := x - want; {
	case d*d <= 1e-12*want*want:
		return 0
	case d < 0:
		return -1
	}
	return 1
}
