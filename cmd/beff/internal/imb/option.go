package imb

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/words"
)

// Grammar is the style of a command line's options. Values are the same in both, except that in IMB's grammar a size
// without a unit is in the guide's unit.
type Grammar int

// The grammars.
const (
	Beff  Grammar = 1 << iota // beff probe: --off-cache=8MiB
	Guide                     // beff imb mpi1 and similar commands: -off_cache 8
)

// Option is a row of the table that defines both command lines.
//
// To add an option, add a row to the table, and a field to settings.Settings (or to probing.Request, if results don't
// hold it):
//   - its default is a constant of package probe, which the help text shows;
//   - its value is parsed by a function in values.go, which checks only the form; Set calls probe.Settings.Check, which
//     checks all ranges, after each option, so that its error follows the option's name;
//   - Example is the value that tests use, in both grammars.
type Option struct {
	Name       string   // in the guide, without its dash; for beff's own options without the two dashes
	Group      string   // the group of beff probe's flags (empty: a key of campaign files, but no flag)
	Short      string   // another name of one of beff's own options: a letter without its dash
	Own        bool     // beff's own option: the same in both grammars
	Value      string   // name of the value in help texts (empty: the option has no value)
	Choices    []string // the allowed values (nil: any)
	List       bool     // values separated by commas, in IMB's grammar also by blanks
	Repeatable bool     // may be given several times, each time with one value
	Help       string   // a sentence without its capital and stop
	Default    string   // in words; with Choices, one of them
	Excludes   string   // options with the same word exclude each other; in IMB's grammar the last one counts
	Example    string   // a value that is not the default

	flag      string             // name in beff's grammar, without dashes (empty: Name)
	only      Grammar            // 0: both grammars have it
	of        []kernel.Component // components that it affects (nil: all)
	spellings []string
	optional  bool   // in IMB's grammar the value may be left out
	unit      string // unit of sizes without one in IMB's grammar, for size.Parse (empty: the value is no size)
	set       func(r *probing.Request, value, unit string) error
}

// The groups of beff probe's flags. Flags of Output are no keys of campaign files.
const (
	Kernels = "kernels"
	Timing  = "timing"
	Output  = "output"
)

// Components that options of IMB 2021.11 affect.
var (
	mpi1       = []kernel.Component{kernel.MPI1}
	collective = []kernel.Component{kernel.MPI1, kernel.NBC, kernel.MPI4}
	p2p        = []kernel.Component{kernel.P2P}
	meta       = []kernel.Component{kernel.Meta}
	mt         = []kernel.Component{kernel.MT}
	windows    = []kernel.Component{kernel.MPI1, kernel.MT, kernel.OSU}
	ofFiles    = []kernel.Component{kernel.IO}
	informed   = []kernel.Component{kernel.EXT, kernel.IO, kernel.RMA, kernel.PGAS, kernel.OSU, kernel.USER}
)

var (
	megabytes = []string{"1e6", "2^20"}
	policies  = toStrings([]settings.Policy{settings.Dynamic, settings.MultipleNP, settings.Auto, settings.Off})
	columns   = []settings.Columns{"interval", settings.PercentileColumns, settings.MPIBlibColumns,
		settings.PGASColumns}
	_, methods = suites.Words()
	counts     = append([]string{"known"}, settings.CountsWays...)

	statistics   = []settings.Statistic{settings.ByMean, settings.ByMedian}
	contigTypes  = []settings.ContigType{"base", "base_vec", "resize", "resize_vec"}
	dataTypes    = []string{"byte", "char", "int", "float", "double", "float16", "bfloat16"}
	redDataTypes = dataTypes[1:]
	onlyModes    = map[string]settings.Mode{"aggregate": settings.Aggregate, "non_aggregate": settings.NonAggregate}
)

const (
	noSuchType = "the MPI standard has no such type; the data are "
	// noInit is IMB's word for no call of MPI_Init at all.
	noInit = "nompinit"
	// pageSize is the least size of a memory page of any machine, in bytes.
	pageSize = 4096
)

// Options returns the rows of the table that a grammar has. In IMB's grammar beff's own options come last.
func Options(g Grammar) []*Option {
	var all, last []*Option
	for i := range table {
		switch o := &table[i]; {
		case o.only != 0 && o.only != g:
		case g == Guide && o.Own:
			last = append(last, o)
		default:
			all = append(all, o)
		}
	}
	return append(all, last...)
}

// Spellings returns the spellings of the option in a grammar, with dashes. The last one is the longest.
func (o *Option) Spellings(g Grammar) []string {
	switch {
	case o.spellings != nil && g == Guide:
		return o.spellings
	case g == Guide && !o.Own:
		return []string{"-" + o.Name}
	case o.Short != "":
		return []string{"-" + o.Short, "--" + o.Flag()}
	}
	return []string{"--" + o.Flag()}
}

// Spellings returns the spellings of all options in IMB's grammar.
func Spellings() []string {
	return lists.Flat(Options(Guide), func(o *Option) []string { return o.Spellings(Guide) })
}

// Flag returns the option's name in beff's grammar, without dashes.
func (o *Option) Flag() string { return cmp.Or(o.flag, strings.ReplaceAll(o.Name, "_", "-")) }

// Usage returns the option's spellings in IMB's grammar with the name of its value.
func (o *Option) Usage() string {
	value := o.Value
	if o.List {
		value += "…"
	}
	return strings.TrimSpace(strings.Join(o.Spellings(Guide), ", ") + " " + value)
}

// Explain returns the help text as a sentence, with the default, and in IMB's grammar with the unit. In beff's grammar
// it leaves out the default of an option with Choices, because kong shows it.
func (o *Option) Explain(g Grammar) string {
	var notes []string
	if g == Guide && o.unit != "" {
		notes = append(notes, "in "+o.unit+" without a unit")
	}
	if o.Default != "" && (g == Guide || o.Choices == nil) {
		notes = append(notes, "default "+o.Default)
	}
	text := o.Help
	if len(notes) > 0 {
		text += " (" + strings.Join(notes, "; ") + ")"
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// Set puts a value into a request. The error is one line that begins with the option as the user wrote it.
func (o *Option) Set(r *probing.Request, g Grammar, written, value string) error {
	unit := "B"
	if g == Guide && o.unit != "" {
		unit = o.unit
	}
	var err error
	if o.Choices != nil && !slices.Contains(o.Choices, value) {
		err = fmt.Errorf("want %s", either(o.Choices))
	}
	if err == nil {
		err = o.set(r, value, unit)
	}
	if err == nil {
		err = r.Settings.Check()
	}
	if err != nil {
		return fmt.Errorf("%s %q: %w", written, value, err)
	}
	if len(o.of) > 0 {
		spellings := o.Spellings(Guide)
		r.Limited = append(r.Limited, probing.Limited{Option: spellings[len(spellings)-1], To: o.of})
	}
	return nil
}

// either returns a list as a choice: "a, b or c".
func either(list []string) string { return words.Joined(list, "or") }

// short returns a size without a blank, as users write it: 8MiB.
func short(bytes size.Bytes) string { return strings.ReplaceAll(bytes.String(), " ", "") }
