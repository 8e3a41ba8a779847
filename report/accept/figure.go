package accept

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// Figure is the subject of a requirement: a figure of whole results, such as b_eff, or a column of the rows of a test,
// such as osu.allreduce.t_avg or ior.write.bandwidth.
type Figure struct {
	Name string
	Unit rating.Unit
	Less bool // less is better

	of     *suite
	test   string         // kernel or another program's test; empty for a figure of whole results
	kernel *kernel.Kernel // kernel of the rows; nil for other programs and whole results
	column string
}

// suite is a group of tests, with the information that finds their rows.
type suite struct {
	name       string
	components []kernel.Component // of probes; nil for another program
	prefix     string             // prefix of the kernels' names, which users leave out
	program    string             // beginning of the name of the program whose imported output has the same tests
}

// suitesOf has a row for each group of tests. Several components of IMB have tests with the same name, so each
// component is a suite as well.
var suitesOf = []suite{
	{name: "osu", components: []kernel.Component{kernel.OSU}, prefix: "osu_", program: "OSU"},
	{name: "imb-mpi1", components: []kernel.Component{kernel.MPI1}, program: "IMB"},
	{name: "imb-nbc", components: []kernel.Component{kernel.NBC}, program: "IMB"},
	{name: "imb-mpi4", components: []kernel.Component{kernel.MPI4}, program: "IMB"},
	{name: "imb-rma", components: []kernel.Component{kernel.RMA}, program: "IMB"},
	{name: "imb-ext", components: []kernel.Component{kernel.EXT}, program: "IMB"},
	{name: "imb-p2p", components: []kernel.Component{kernel.P2P}, program: "IMB"},
	{name: "imb", components: []kernel.Component{kernel.MPI1, kernel.NBC, kernel.RMA, kernel.EXT, kernel.P2P,
		kernel.MPI4}, program: "IMB"},
	{name: "mpiblib", components: []kernel.Component{kernel.MPIB}, program: "MPIBlib"},
	{name: "pgas", components: []kernel.Component{kernel.PGAS}},
	{name: "cut", components: []kernel.Component{kernel.Cut}, prefix: "Cut_"},
	{name: "ior", program: "IOR"}, {name: "mdtest", program: "mdtest"}, {name: "io500", program: "IO500"},
	{name: "elbencho", program: "elbencho"}, {name: "hpcc", program: "HPCC"},
}

// rowsOfProbes is the table with the columns that figures of tests refer to.
const rowsOfProbes = "probe_rows"

// measures returns the columns of a probe's rows that requirements may refer to.
var measures = sync.OnceValue(func() (list []tidy.Column) {
	for _, t := range report.AllTables() {
		for _, c := range t.Columns {
			if t.Name == rowsOfProbes && c.Kind == tidy.Real && (c.Unit == "s" || c.Unit == "B/s" || c.Unit == "1/s") {
				list = append(list, c)
			}
		}
	}
	return list
})

// quantities are the units of columns, with the quantity in results of other programs.
var quantities = map[string]struct {
	unit rating.Unit
	of   foreign.Quantity
}{
	"s":   {rating.Latency, foreign.Seconds},
	"B/s": {rating.Bandwidth, foreign.BytesPerSecond},
	"1/s": {rating.Rate, foreign.PerSecond},
}

// mains are names of the main columns of other programs' results, with their units.
var mains = map[string]string{"time": "s", "t_avg": "s", "mean": "s", "bandwidth": "B/s", "rate": "1/s"}

// NewFigure returns the figure with a name. Its error suggests similar names.
func NewFigure(name string) (*Figure, error) {
	parts := strings.SplitN(name, ".", 3)
	if len(parts) == 1 {
		for _, f := range ranking.AllFigures() {
			if f.Key == name {
				return &Figure{Name: name, Unit: f.Unit, Less: f.Less}, nil
			}
		}
		return nil, fmt.Errorf("unknown figure %q%s", name, meant(name, append(ranking.FigureKeys(), suiteNames()...)))
	}
	i := slices.IndexFunc(suitesOf, func(s suite) bool { return s.name == parts[0] })
	if i < 0 {
		return nil, fmt.Errorf("unknown figure %q: no suite %q%s", name, parts[0], meant(parts[0], suiteNames()))
	}
	if len(parts) < 3 {
		return nil, fmt.Errorf("unknown figure %q: want SUITE.TEST.COLUMN, such as osu.allreduce.t_avg", name)
	}
	s := &suitesOf[i]
	f := &Figure{Name: name, of: s, test: parts[1], column: parts[2]}
	if s.components == nil {
		return f, f.ofProgram()
	}
	if err := f.find(); err != nil {
		return nil, fmt.Errorf("unknown figure %q: %w", name, err)
	}
	at := slices.IndexFunc(measures(), func(c tidy.Column) bool { return c.Name == f.column })
	if at < 0 {
		return nil, fmt.Errorf("unknown figure %q: no column %q%s", name, f.column, meant(f.column,
			lists.Each(measures(), func(c tidy.Column) string { return c.Name })))
	}
	unit := measures()[at].Unit
	f.Unit, f.Less = quantities[unit].unit, unit == "s"
	return f, nil
}

// find finds the test's kernel: one with the same name, or otherwise one whose name differs only in case.
func (f *Figure) find() error {
	var tests []string
	var alike, same []*kernel.Kernel
	for _, k := range suites.Kernels() {
		if !slices.Contains(f.of.components, k.Component) {
			continue
		}
		test := strings.TrimPrefix(k.Name, f.of.prefix)
		tests = append(tests, test)
		if strings.EqualFold(test, f.test) {
			alike = append(alike, k)
		}
		if test == f.test {
			same = append(same, k)
		}
	}
	found := words.Either(len(same) > 0, same, alike)
	if len(found) > 1 { // like beff probe: PingPong means IMB-MPI1's, unless the suite is imb-p2p
		found = slices.DeleteFunc(found, func(k *kernel.Kernel) bool { return k.Component == kernel.P2P })
	}
	if len(found) == 0 {
		return fmt.Errorf("no test %q%s", f.test, meant(f.test, tests))
	}
	if len(found) > 1 {
		names := lists.Each(found, func(k *kernel.Kernel) string {
			return suites.Of(k.Component).Group() + "." + k.Name + "." + f.column
		})
		return fmt.Errorf("several suites have %s: want %s", f.test, words.Joined(names, "or"))
	}
	f.kernel = found[0]
	f.test = f.kernel.Name
	return nil
}

// ofProgram completes a figure of another program, whose tests have that program's names.
func (f *Figure) ofProgram() error {
	unit, known := mains[f.column]
	if !known {
		return fmt.Errorf("unknown figure %q: no column %q%s", f.Name, f.column,
			meant(f.column, []string{"time", "bandwidth", "rate"}))
	}
	f.Unit, f.Less = quantities[unit].unit, unit == "s"
	return nil
}

// meant suggests a similar name, or lists the known ones.
func meant(wrong string, names []string) string {
	if text := words.DidYouMean(wrong, names); text != "" {
		return text
	}
	return ": want " + words.Some(names)
}

func suiteNames() []string { return lists.Each(suitesOf, func(s suite) string { return s.name }) }

// Benchmarks returns the benchmarks whose results may have the figure.
func (f *Figure) Benchmarks() (list []string) {
	switch {
	case f.of == nil:
		all := []string{beff.Benchmark, beffio.Benchmark, probe.Benchmark, foreign.Benchmark}
		return lists.Where(all, func(b string) bool {
			return slices.ContainsFunc(ranking.Figures(b), func(x rating.Figure) bool { return x.Key == f.Name })
		})
	case f.of.components != nil:
		list = append(list, probe.Benchmark)
	}
	if f.of.program != "" {
		list = append(list, foreign.Benchmark)
	}
	return list
}

// Command returns the arguments of beff that measure the figure at some lengths (-1 for no length), or nil if another
// program measures it.
func (f *Figure) Command(lengths ...int64) []string {
	switch {
	case f.kernel != nil:
		component := strings.ToLower(string(f.kernel.Component))
		words := []string{"probe", component + ":" + strings.TrimPrefix(f.test, component+"_")}
		if lengths[0] >= 0 {
			words = append(words, "--msgsize", strings.Trim(strings.ReplaceAll(fmt.Sprint(lengths), " ", ","), "[]"))
		}
		return words
	case f.of != nil:
		return nil
	}
	switch f.Benchmarks()[0] {
	case beff.Benchmark:
		return []string{"run"}
	case beffio.Benchmark:
		return []string{"io"}
	case probe.Benchmark:
		return []string{"probe", "PingPong"}
	}
	return nil
}

// Program returns the program that measures the figure if beff doesn't.
func (f *Figure) Program() string {
	if f.of == nil {
		return "another program"
	}
	return f.of.program
}

// Shown formats a value with its unit.
func (f *Figure) Shown(value float64) string {
	const rounding = 1e-12 // a mean of logarithms may be a little less than the value of its only run
	value *= 1 + rounding
	if f.Unit.Base == rating.Bandwidth.Base {
		return words.Bandwidths.Text(value, digits)
	}
	return strings.TrimSpace(words.Digits(f.Unit.In(value), digits) + " " + f.Unit.Shown)
}

// digits is the number of digits of values in sheets.
const digits = 5
