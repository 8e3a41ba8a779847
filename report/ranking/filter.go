package ranking

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
)

// unitForm is the form of units.
const unitForm = `(?:[kMGTP]?B/s|[KMGT]iB|B|ns|us|µs|ms|s|min|%)`

// unitLetters are those that units end with, and the sign of a part.
const unitLetters = "kKMGTPBinsuµm/%"

// units has the units that figures may be given in, by the unit of their column.
var units = map[string]map[string]float64{
	"MB/s": {"B/s": 1e-6, "kB/s": 1e-3, "MB/s": 1, "GB/s": 1e3, "TB/s": 1e6, "PB/s": 1e9},
	"MiB":  {"B": 1. / (1 << 20), "KiB": 1. / (1 << 10), "MiB": 1, "GiB": 1 << 10, "TiB": 1 << 20},
	"µs":   {"ns": 1e-3, "us": 1, "µs": 1, "ms": 1e3, "s": 1e6},
	"s":    {"ms": 1e-3, "s": 1, "min": 60},
	"%":    {"%": 1},
}

// Filter reports whether a list takes a result.
type Filter func(*Entry) bool

// condition is the form of one condition: a state, or a column with what its cell must be; then a comma, "and", or the
// end.
var condition = regexp.MustCompile(`^\s*(!?)\s*([A-Za-z][\w-]*)\s*(?:(!=|<=|>=|!~|=|<|>|~)\s*` +
	`("[^"]*"|'[^']*'|[^\s,"']+(?:\s+` + unitForm + `)?))?\s*(?:,|\s+and\s|$)`)

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
// A column's key, as Columns has them, is compared with a value: = != < <= > >= with numbers, which may have a unit,
// with the letters of a text, or with a date as far as it is given. ~ and !~ look for a regular expression in any case
// of letters. Without a unit a number has the column's; a bandwidth has as many MB/s as shown says, nil: one.
func NewFilter(text string, shown func(*Entry) float64) (Filter, error) {
	var all []Filter
	for rest := text; strings.TrimSpace(rest) != ""; {
		m := condition.FindStringSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("%q: want conditions such as processes=128, library~\"Open MPI\", valid",
				strings.TrimSpace(rest))
		}
		rest = rest[len(m[0]):]
		f, err := newCondition(m[2], m[3], strings.Trim(m[4], `"'`), shown)
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
func newCondition(name, op, value string, shown func(*Entry) float64) (Filter, error) {
	if op == "" {
		f, ok := states[strings.ToLower(name)]
		if !ok {
			return nil, fmt.Errorf("%q: want a column with a value, such as processes=128, or %s", name,
				strings.Join(slices.Sorted(maps.Keys(states)), ", "))
		}
		return f, nil
	}
	of := map[string]column{} // by the benchmark
	var any column
	for _, benchmark := range order {
		for _, c := range columns(benchmark) {
			if _, there := of[benchmark]; !there && !c.ofRow && strings.EqualFold(c.key, name) {
				of[benchmark], any = c, c
			}
		}
	}
	if len(of) == 0 {
		return nil, unknownColumn(name, keys(func(c column) bool { return !c.ofRow }))
	}
	holds, bare, err := test(any.Column, op, value)
	if err != nil {
		return nil, fmt.Errorf("%s%s%s: %w", name, op, value, err)
	}
	return func(e *Entry) bool {
		c, has := of[e.Benchmark]
		if !has {
			return false
		}
		cell := c.cell(&Row{Entry: e, Runs: 1})
		if bare && c.Unit == rating.Bandwidth.Shown && shown != nil && cell.Value != nil {
			*cell.Value /= shown(e)
		}
		return !isEmpty(cell) && holds(cell.Value, cell.Text)
	}, nil
}

// orders are the operators on numbers and on letters, by how the cell compares with the value.
var orders = map[string]func(int) bool{
	"=": func(o int) bool { return o == 0 }, "!=": func(o int) bool { return o != 0 },
	"<": func(o int) bool { return o < 0 }, "<=": func(o int) bool { return o <= 0 },
	">": func(o int) bool { return o > 0 }, ">=": func(o int) bool { return o >= 0 },
}

// dated is how dates begin.
var dated = regexp.MustCompile(`^\d{4}(-|$)`)

// test returns the function that reports whether a cell of a column is as wanted, and whether the value has no unit.
func test(c document.Column, op, value string) (holds func(x *float64, text string) bool, bare bool, err error) {
	as, ordered := orders[op]
	switch {
	case !ordered:
		re, err := regexp.Compile("(?i)" + value)
		return func(_ *float64, text string) bool { return re.MatchString(text) == (op == "~") }, false, err
	case c.Numbers:
		number := strings.TrimRight(value, unitLetters)
		unit := value[len(number):]
		want, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		factor, known := units[c.Unit][unit]
		switch {
		case err == nil && unit == "":
			factor = 1
		case err == nil && known:
		case len(units[c.Unit]) > 0:
			return nil, false, fmt.Errorf("want a number, or one with a unit: %s",
				strings.Join(slices.Sorted(maps.Keys(units[c.Unit])), ", "))
		default:
			return nil, false, errors.New("want a number")
		}
		want *= factor
		return func(x *float64, _ string) bool { return x != nil && as(near(*x, want)) }, unit == "", nil
	case c.Name == "date":
		if !dated.MatchString(value) {
			return nil, false, errors.New("want a date such as 2026-10-31 or 2026-10")
		}
		value = strings.Replace(value, "T", " ", 1)
		return func(_ *float64, text string) bool {
			return as(strings.Compare(text[:min(len(text), len(value))], value))
		}, false, nil
	}
	return func(_ *float64, text string) bool {
		return as(strings.Compare(strings.ToLower(text), strings.ToLower(value)))
	}, false, nil
}

// Shown returns how many MB/s the unit has in which a list of results shows the bandwidths of one of them.
func Shown(entries []Entry, v View) func(*Entry) float64 {
	type table struct {
		rating.Class
		size
	}
	by := map[table]float64{}
	sections := Rank(entries, v.Every)
	for i := range sections {
		for _, s := range sections[i].classes(v) {
			of := s.document(0, v.columns(&sections[i]), v)
			_, unit := of.Blocks[0].(*document.Table).Bandwidths()
			for _, r := range s.Rows {
				by[table{r.Class, r.size()}] = unit
			}
		}
	}
	return func(e *Entry) float64 { return by[table{e.Class, e.size()}] }
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
