package ranking

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Filter reports whether a list takes a result.
type Filter func(*Entry) bool

// condition is the form of one condition: a state, or a column with what its cell must be; then a comma, "and", or the
// end.
var condition = regexp.MustCompile(`^\s*(!?)\s*([A-Za-z][\w-]*)\s*(?:(!=|<=|>=|!~|=|<|>|~)\s*` +
	`("[^"]*"|'[^']*'|[^\s,"']+))?\s*(?:,|\s+and\s|$)`)

// states are the conditions without a value.
var states = map[string]Filter{
	"valid":    func(e *Entry) bool { return e.Status.Valid() },
	"noisy":    func(e *Entry) bool { return e.Status == Noisy },
	"verified": func(e *Entry) bool { return e.Status != Unverified },
}

// NewFilter returns the filter of conditions that all must hold, such as
//
//	processes=128, library~"Open MPI", valid, b_eff>=5000, date<2026-10, !noisy
//
// A column's key, as Columns has them, is compared with a value in the column's unit: = != < <= > >= with numbers, or
// with the letters of a text. ~ and !~ look for a regular expression in any case of letters.
func NewFilter(text string) (Filter, error) {
	var all []Filter
	for rest := text; strings.TrimSpace(rest) != ""; {
		m := condition.FindStringSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("%q: want conditions such as processes=128, library~\"Open MPI\", valid",
				strings.TrimSpace(rest))
		}
		rest = rest[len(m[0]):]
		f, err := newCondition(m[2], m[3], strings.Trim(m[4], `"'`))
		if err != nil {
			return nil, err
		}
		if m[1] == "!" {
			holds := f
			f = func(e *Entry) bool { return !holds(e) }
		}
		all = append(all, f)
	}
	return func(e *Entry) bool {
		return !slices.ContainsFunc(all, func(f Filter) bool { return !f(e) })
	}, nil
}

// newCondition returns the filter of one condition; op is empty for a state.
func newCondition(name, op, value string) (Filter, error) {
	if op == "" {
		f, ok := states[strings.ToLower(name)]
		if !ok {
			return nil, fmt.Errorf("%q: want a column with a value, such as processes=128, or %s", name,
				strings.Join(slices.Sorted(maps.Keys(states)), ", "))
		}
		return f, nil
	}
	var of []column
	for _, c := range list {
		if strings.EqualFold(c.key(), name) && !c.ofRow {
			of = append(of, c)
		}
	}
	if len(of) == 0 {
		return nil, unknownColumn(name, fields())
	}
	holds, err := test(of[0].Numbers, name, op, value)
	if err != nil {
		return nil, err
	}
	return func(e *Entry) bool {
		for _, c := range of {
			if c.has(e.Benchmark) {
				cell := c.cell(&Row{Entry: e, Runs: 1})
				return !isEmpty(cell) && holds(cell.Value, cell.Text)
			}
		}
		return false
	}, nil
}

// fields returns the keys of the columns that results have before they are joined to rows.
func fields() (keys []string) {
	for _, c := range list {
		if !c.ofRow && !slices.Contains(keys, c.key()) {
			keys = append(keys, c.key())
		}
	}
	return keys
}

// orders are the operators on numbers and on letters, by how the cell compares with the value.
var orders = map[string]func(int) bool{
	"=": func(o int) bool { return o == 0 }, "!=": func(o int) bool { return o != 0 },
	"<": func(o int) bool { return o < 0 }, "<=": func(o int) bool { return o <= 0 },
	">": func(o int) bool { return o > 0 }, ">=": func(o int) bool { return o >= 0 },
}

// dated is how dates begin.
var dated = regexp.MustCompile(`^\d{4}(-|$)`)

// test returns the function that reports whether a cell is as wanted.
func test(numbers bool, name, op, value string) (func(x *float64, text string) bool, error) {
	holds, ordered := orders[op]
	switch {
	case !ordered:
		re, err := regexp.Compile("(?i)" + value)
		if err != nil {
			return nil, fmt.Errorf("%s%s%q: %w", name, op, value, err)
		}
		return func(_ *float64, text string) bool { return re.MatchString(text) == (op == "~") }, nil
	case name == "date" && !dated.MatchString(value):
		return nil, fmt.Errorf("%s%s%s: want a date such as 2026-10-31 or 2026-10", name, op, value)
	case numbers:
		want, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, fmt.Errorf("%s%s%s: want a number", name, op, value)
		}
		return func(x *float64, _ string) bool { return x != nil && holds(near(*x, want)) }, nil
	}
	return func(_ *float64, text string) bool {
		return holds(strings.Compare(strings.ToLower(text), strings.ToLower(value)))
	}, nil
}

// near compares two numbers. They are equal if they differ by less than a millionth.
func near(x, want float64) int {
	switch d := x - want; {
	case d*d <= 1e-12*want*want:
		return 0
	case d < 0:
		return -1
	}
	return 1
}
