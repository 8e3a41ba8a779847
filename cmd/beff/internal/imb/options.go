package imb

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe"
)

// Grammar is how a command line writes options. The values are the same, but that in IMB's grammar a number without a
// unit has the guide's.
type Grammar int

// The grammars.
const (
	Beff  Grammar = 1 << iota // beff probe: --off-cache=8MiB
	Guide                     // beff imb-mpi1 and its sisters: -off_cache 8
)

// Option is a row of the table that both command lines are made of.
//
// To add an option, add a row to the table, and what it sets to probe.Settings (or Request, if no result tells it):
//   - its default is a constant of package probe, which the help text shows from there;
//   - its type's reader is one of those in values.go, which know the text alone; what a setting may be is said once, in
//     probe.Settings.Check, which is asked behind each option, so that its error stands behind the option's name;
//   - Example is what the tests give it, in both grammars.
type Option struct {
	Name    string   // the guide's, without its dash; of an option that is not IMB's, the word behind two dashes
	Short   string   // another one, a letter behind a dash; of beff's own options
	Own     bool     // beff's own: written in the same way in both grammars
	Value   string   // what the value is called; empty: there is none
	Choices []string // all values that there are; nil: any
	List    bool     // values separated by commas, in IMB's grammar by blanks, too
	Help    string   // a sentence without capital and stop
	Default string   // in words; of Choices, one of them
	Excepts string   // options with the same word here exclude each other; in IMB's grammar the last one counts
	Example string   // a value that is not the default

	only      Grammar // 0: both grammars have it
	spellings []string
	unit      string // of a size without one in IMB's grammar, as size.Parse knows it; empty: there is no size
	set       func(r *Request, value, unit string) error
}

// messages and files are the components' defaults; all but IMB-IO share the first ones.
var messages, files = probe.MPI1.Defaults(), probe.IO.Defaults()

// ofIO shows a default of messages, and that of files.
func ofIO(show func(probe.Defaults) string) string {
	return show(messages) + ", of IMB-IO " + show(files)
}

// table has beff's own options of a job first, then the guide's list ("Command-line Control"), then beff's own again.
var table = []Option{
	{Name: "ranks", Short: "n", Own: true, Value: "P", Example: "3",
		Help: "ranks of the embedded engine (default: the cores, at least 2). Under mpirun or srun the launcher sets " +
			"them",
		set: whole(func(r *Request) *int { r.Ranks = new(int); return r.Ranks })},
	{Name: "engine", Own: true, Value: "ENGINE", Choices: Engines, Default: Engines[0], Example: "local",
		Help: "what processes talk through: " + either(Engines) + ". Auto takes MPI under mpirun or srun, else " +
			"local, the embedded engine",
		set: word(func(r *Request) *string { return &r.Engine })},

	{Name: "npmin", Value: "P", Example: "3",
		Help:    "the least active processes: benchmarks run on P, 2P, 4P, … and all",
		Default: ofIO(func(d probe.Defaults) string { return strconv.Itoa(d.LeastProcs) }),
		set:     whole(func(r *Request) *int { return &r.Settings.LeastProcs })},
	{Name: "multi", Value: "0|1", Choices: []string{"0", "1"}, Example: "1",
		Help: "several groups at once. 0: the slowest group is shown, 1: all are",
		set:  parsed(strconv.Atoi, func(r *Request, outflag int) { r.Settings.Multi = &outflag })},
	{Name: "off_cache", Value: "SIZE[,LINE]", Example: "32MiB,128", unit: "MiB",
		Help: fmt.Sprintf("avoid the last level cache of that size, with lines of LINE bytes (%d if not given); -1: %s",
			probe.DefaultCacheLine, short(probe.DefaultCacheSize)),
		set: setCache},
	{Name: "iter", Value: "N[,VOL[,NONAGGR[,POLICY]]]", Example: "5,6,7,off",
		Help: "the most repetitions, the most that they move in units of 2^20 bytes, the most in non-aggregate mode",
		Default: ofIO(func(d probe.Defaults) string {
			return fmt.Sprintf("%d,%d,%d", d.MsgsPer, d.OverallVol>>20, d.MsgsNonAggr)
		}),
		set: parsed(parseIter, func(r *Request, i iter) { i.set(&r.Settings) })},
	{Name: "iter_policy", Value: "POLICY", Choices: policies, Default: string(probe.DefaultPolicy), Example: "auto",
		Help: "how repetitions become fewer where they would take too long: " + either(policies),
		set:  word(func(r *Request) *probe.Policy { return &r.Settings.Policy })},
	{Name: "time", Value: "TIME", Example: "2.5",
		Help:    "how long a message length may take, such as 90s, or a number of seconds",
		Default: strconv.FormatFloat(probe.DefaultSampleTime, 'g', -1, 64), set: setTime},
	{Name: "mem", Value: "SIZE", Example: "3MiB", unit: "GiB",
		Help: "memory of a process for messages", Default: short(probe.DefaultMemory), set: setMemory},
	{Name: "msglog", Value: "[MIN:]MAX", Example: "2:4", Excepts: "lengths",
		Help:    "message lengths 0 and 2^MIN to 2^MAX bytes",
		Default: ofIO(func(d probe.Defaults) string { return fmt.Sprintf("0:%d", d.LongestLog) }),
		set:     parsed(parseLog, func(r *Request, lengths []int64) { r.Settings.Lengths, r.Lengths = lengths, "" })},
	{Name: "msglen", Value: "FILE", Example: "lengths", Excepts: "lengths",
		Help: "message lengths, one in a line",
		set:  word(func(r *Request) *string { return &r.Lengths })},
	{Name: "map", Value: "PxQ", Example: "2x3",
		Help: "number the processes along the rows of a matrix",
		set:  parsed(parseMap, func(r *Request, sides []int) { r.Settings.Map = sides })},
	{Name: "include", Value: "NAME", List: true, Example: "Bcast,Barrier",
		Help: "benchmarks besides those that are named or run by default",
		set:  names(func(r *Request) *[]string { return &r.Include })},
	{Name: "exclude", Value: "NAME", List: true, Example: "Bcast,Barrier",
		Help: "benchmarks that don't run",
		set:  names(func(r *Request) *[]string { return &r.Exclude })},
	{Name: "input", Value: "FILE", Example: "names",
		Help: "names of benchmarks, one in a line",
		set:  word(func(r *Request) *string { return &r.Input })},
	{Name: "thread_level", Value: "LEVEL", Choices: mpi.ThreadLevels, Example: "funneled",
		Help: "MPI_Init_thread instead of MPI_Init, with the level " + either(mpi.ThreadLevels),
		set:  word(func(r *Request) *string { return &r.ThreadLevel })},
	{Name: "help", only: Guide, spellings: []string{"-h", "-help", "--help"}, Help: "show this",
		set: flag(func(r *Request) *bool { return &r.Help })},

	{Name: "imb-mbytes", Own: true, Value: "BYTES", Choices: megabytes, Default: megabytes[0], Example: megabytes[1],
		Help: "bytes of a Mbyte in the text: 1e6 as in today's IMB, 2^20 as in the user's guide",
		set:  func(r *Request, v, _ string) error { r.Settings.MegaBytesOf2 = v == megabytes[1]; return nil }},
	{Name: "directory", Short: "p", Own: true, Value: "DIR", Default: "the current one", Example: "disk",
		Help: "directory of the file system for the benchmarks of IMB-IO. All processes must see it; a scratch " +
			"directory is made in it, and removed at the end",
		set: word(func(r *Request) *string { return &r.Directory })},
	{Name: "dry-run", Own: true, Help: "print what would be measured, and stop",
		set: flag(func(r *Request) *bool { return &r.DryRun })},
	{Name: "output", Short: "o", Own: true, Value: "PREFIX", Example: "out",
		Help: "write PREFIX.json (everything), PREFIX.txt (IMB's text, which is printed too) and PREFIX.csv (a line " +
			"for each row)",
		set: func(r *Request, v, _ string) error { r.Output = &v; return nil }},
	{Name: "force", Own: true, Help: "overwrite existing output files",
		set: flag(func(r *Request) *bool { return &r.Force })},
}

// Engines are what users may ask for; the first is the default.
var Engines = []string{"auto", "mpi", "local"}

var (
	megabytes = []string{"1e6", "2^20"}
	policies  = []string{string(probe.Dynamic), string(probe.MultipleNP), string(probe.Auto), string(probe.Off)}
)

// Options returns the grammar's rows of the table; in IMB's grammar beff's own come last.
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

// Spellings returns the option as users of a grammar may write it, with dashes; the last one is the longest.
func (o *Option) Spellings(g Grammar) []string {
	switch {
	case o.spellings != nil:
		return o.spellings
	case g == Guide && !o.Own:
		return []string{"-" + o.Name}
	case o.Short != "":
		return []string{"-" + o.Short, "--" + o.Flag()}
	}
	return []string{"--" + o.Flag()}
}

// Flag returns the option's name in beff's grammar, without dashes.
func (o *Option) Flag() string { return strings.ReplaceAll(o.Name, "_", "-") }

// Usage returns how IMB's grammar writes the option.
func (o *Option) Usage() string {
	value := o.Value
	if o.List {
		value += "…"
	}
	return strings.TrimSpace(strings.Join(o.Spellings(Guide), ", ") + " " + value)
}

// Explain returns the help text of a grammar, with the guide's unit and the default. In beff's grammar that of Choices
// is left out: kong shows it.
func (o *Option) Explain(g Grammar) string {
	var notes []string
	if g == Guide && o.unit != "" {
		notes = append(notes, "sizes without a unit: "+o.unit)
	}
	if o.Default != "" && (g == Guide || o.Choices == nil) {
		notes = append(notes, "default: "+o.Default)
	}
	text := o.Help
	if len(notes) > 0 {
		text += " (" + strings.Join(notes, "; ") + ")"
	}
	if g == Beff {
		text = strings.ToUpper(text[:1]) + text[1:] + "."
	}
	return text
}

// Set puts a value into a request. The error is one line that begins with the option as its user wrote it.
func (o *Option) Set(r *Request, g Grammar, written, value string) error {
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
	return nil
}

// either lists words as a choice.
func either(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// short is a size as users write it.
func short(bytes size.Bytes) string { return strings.ReplaceAll(bytes.String(), " ", "") }
