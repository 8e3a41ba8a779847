package tools

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/report/lazy"
)

// beffTitle is a line of the head of each of the original b_eff's files (b_eff.c, SECTION-HEAD).
var beffTitle = lazy.MustCompile(`(?m)^b_eff\.c, Revision (\S+) from `)

// beffLine is the last line of .sum and of .short (CONVENTIONS of its readers).
var beffLine = lazy.MustCompile(`^b_eff(\w*) = +([\d.]+) MB/s = +([\d.]+) \* +(\d{1,9}) PEs with +(\d{1,9}) MB/PE ` +
	`on (\S+) (\S+) (\S+) (.*) (\S+)\s*$`)

// beffAll is the row of the table in the summary: processes, b_eff, Lmax, at Lmax over rings and randoms and over
// rings, three latencies, ping-pong.
var beffAll = lazy.MustCompile(`^accumulated \| +(\d{1,9}) +([\d.]+) +([\d.]+) MB +([\d.]+) +([\d.]+) +([\d.]+) +` +
	`([\d.]+) +([\d.]+) +([\d.]+)\s*$`)

var (
	beffNames   = lazy.MustCompile(`(\d{1,3})=(\S+(?: \S+)*)`)
	beffLengths = lazy.MustCompile(`^msglng=((?: \d{1,12})+)\s*$`)
	beffMemory  = lazy.MustCompile(`^MEMORY_PER_PROCESSOR = (\d{1,9}) MBytes`)
	beffSystem  = lazy.MustCompile(`^ +(system name|hostname|OS release|OS version|machine) +: (.*?)\s*$`)
	// a row of VALUES: length, method, pattern, the repetitions' minima, their maximum
	beffValue = lazy.MustCompile(`^ +(\d{1,12})?(?: +mthd(\d))? +p(\d{2,3}) min=(?: +[\d.-]+)+ -> +` +
		`([\d.]+|------) \(`)
)

// beffReader holds the part of a file that was read.
type beffReader struct {
	r        *foreign.Result
	section  string
	lengths  []int64
	patterns []string
	methods  []string
	memory   int64

	byLength [][]float64        // rows of the section by message length
	values   map[[3]int]float64 // by pattern, length and method
	length   int64              // of the rows of VALUES that are read
	method   int
	exact    map[string]float64 // figures with decimals, of .short
	rounded  []float64          // the row of the table in the summary
	ended    bool
}

// readBEff reads the original b_eff's .sum, .short or .prot, or all of one run behind each other.
func readBEff(t *text, r *foreign.Result) error {
	r.Program = "b_eff"
	x := &beffReader{r: r, values: map[[3]int]float64{}, exact: map[string]float64{}}
	if err := t.each(x.line); err != nil {
		return err
	}
	if len(x.lengths) == 0 {
		return errors.New("there are no message lengths in it: its head is cut off")
	}
	x.figures()
	x.overLengths()
	x.perPattern()
	r.Complete = x.ended && !t.open
	return nil
}

func (x *beffReader) line(line string) error {
	switch {
	case strings.HasPrefix(line, "SECTION-"):
		name, begin := strings.CutSuffix(strings.TrimPrefix(strings.TrimSpace(line), "SECTION-"), "-BEGIN")
		x.section = ""
		if begin {
			x.section = name
		}
		x.ended = !begin // each file ends behind a section
		return nil
	case x.section == "HEAD":
		return x.head(line)
	case x.section == "VALUES":
		return x.value(line)
	case x.section == "BY-MSGLNG":
		return x.lengthRow(line)
	}
	if m := beffLine().FindStringSubmatch(line); m != nil {
		return x.rating(m)
	}
	if m := beffAll().FindStringSubmatch(line); m != nil {
		return x.summary(m)
	}
	if m := beffSystem().FindStringSubmatch(line); m != nil {
		h := &x.r.Host
		*map[string]*string{"system name": &h.System, "hostname": &h.Name, "OS release": &h.Release,
			"OS version": &h.Version, "machine": &h.Machine}[m[1]] = m[2]
	}
	if text, is := strings.CutPrefix(line, "Date of measurement: "); is {
		x.r.Started = date(text, iorDate)
	}
	if text, is := strings.CutPrefix(line, "Total execution wall clock time ="); is {
		if v, err := number(strings.Fields(text + " x")[0]); err == nil {
			x.r.WallSeconds = v
		}
	}
	return x.exactly(line)
}

// head reads the head, which all files have.
func (x *beffReader) head(line string) error {
	if m := beffTitle().FindStringSubmatch(line); m != nil {
		if x.r.ProgramVersion != "" && x.r.ProgramVersion != m[1] {
			return fmt.Errorf("revision %.20s behind %.20s: import each run alone", m[1], x.r.ProgramVersion)
		}
		x.r.ProgramVersion = m[1]
	}
	if m := beffMemory().FindStringSubmatch(line); m != nil {
		x.memory, _ = whole(m[1])
	}
	if m := beffLengths().FindStringSubmatch(line); m != nil {
		var list []int64
		for _, field := range strings.Fields(m[1]) {
			n, err := whole(field)
			if err != nil {
				return err
			}
			list = append(list, n)
		}
		if x.lengths != nil && !slices.Equal(x.lengths, list) {
			return errors.New("other message lengths than above: these files are of several runs")
		}
		x.lengths = list
		return nil
	}
	text, used := strings.CutPrefix(line, "Used methods:")
	if used {
		x.methods = nil
	}
	if strings.HasPrefix(line, "Used patterns:") {
		x.patterns = nil
	}
	for _, m := range beffNames().FindAllStringSubmatch(strings.ReplaceAll(text, "  ", "\t"), -1) {
		name := strings.TrimSpace(strings.ReplaceAll(strings.Split(m[2], "\t")[0], "\t", " "))
		switch n := count(m[1]); {
		case used && n == len(x.methods):
			x.methods = append(x.methods, name)
		case !used && n == len(x.patterns) && n < 1000:
			x.patterns = append(x.patterns, name)
		}
	}
	return nil
}

// value reads a row of VALUES: the largest bandwidth of all repetitions, per process.
func (x *beffReader) value(line string) error {
	m := beffValue().FindStringSubmatch(line)
	if m == nil {
		if strings.Contains(line, " min=") {
			return errors.New("want the repetitions' bandwidths and their maximum behind min=")
		}
		return nil
	}
	if m[1] != "" {
		x.length, _ = whole(m[1])
	}
	if m[2] != "" {
		x.method = count(m[2])
	}
	if m[4] == "------" { // the method can't do the pattern
		return nil
	}
	v, err := figure(m[4], mega)
	if err != nil {
		return err
	}
	p, l := count(m[3]), slices.Index(x.lengths, x.length)
	if l < 0 || p >= len(x.patterns) || x.method >= len(x.methods) {
		return fmt.Errorf("%d bytes, method %d, pattern %d: the head doesn't name these", x.length, x.method, p)
	}
	x.values[[3]int{p, l, x.method}] = v
	return nil
}

// lengthRow reads a row of the section by message length: the accumulated bandwidth, and per process the averages of
// all, of rings, of randoms and of each method.
func (x *beffReader) lengthRow(line string) error {
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return nil
	}
	n, err := whole(fields[0])
	if err != nil {
		return nil // words
	}
	if len(fields) != 5+len(x.methods) {
		return fmt.Errorf("%d figures in %d columns", len(fields), 5+len(x.methods))
	}
	if i := len(x.byLength); i >= len(x.lengths) || x.lengths[i] != n {
		return fmt.Errorf("%d bytes isn't the next of the message lengths", n)
	}
	var row []float64
	for _, field := range fields[1:] {
		v, err := figure(field, mega)
		if err != nil {
			return err
		}
		row = append(row, v)
	}
	x.byLength = append(x.byLength, row)
	return nil
}

// rating reads the last line.
func (x *beffReader) rating(m []string) error {
	v, err := figure(m[2], mega)
	if err != nil {
		return err
	}
	if x.r.Rating != nil && x.r.Rating.Value != v {
		return errors.New("another b_eff than above: these files are of several runs")
	}
	x.r.Rating = &foreign.Rating{Name: "b_eff", Quantity: foreign.BytesPerSecond, Value: v}
	if m[1] != "" { // built with -D SHORT or -D TEST
		x.r.Rating.Name, x.r.Rating.NotValid = "b_eff"+m[1], true
	}
	x.r.Processes = count(m[4])
	x.memory, _ = whole(m[5])
	x.ended = true
	return nil
}

// summary reads the row of the table in the summary.
func (x *beffReader) summary(m []string) error {
	x.r.Processes = count(m[1])
	x.rounded = nil
	for _, field := range m[2:] {
		v, err := number(field)
		if err != nil {
			return err
		}
		x.rounded = append(x.rounded, v)
	}
	return nil
}

// beffExact are the lines of .short that have figures with decimals, in MByte/s or microseconds.
var beffExact = []struct {
	form lazy.Regexp
	name string
	unit float64
}{
	{lazy.MustCompile(`^b_eff at Lmax: +([\d.]+) MByte/s on`), foreign.AtLmax, mega},
	{lazy.MustCompile(`^b_eff at Lmax \(ring pattern\): +([\d.]+) MByte/s on`), foreign.RingsAtLmax, mega},
	{lazy.MustCompile(`^Ping-pong bandwidth at Lmax: +([\d.]+) MByte/s at`), foreign.PingPongAtLmax, mega},
}

func (x *beffReader) exactly(line string) error {
	for _, e := range beffExact {
		if m := e.form().FindStringSubmatch(line); m != nil {
			v, err := figure(m[1], e.unit)
			if err != nil {
				return err
			}
			x.exact[e.name] = v
		}
	}
	return nil
}

// figures adds the tables of the summary's figures. The latency of the rings in the table is per process as the others
// are; that of the line "Latency ring pattern" isn't.
func (x *beffReader) figures() {
	if len(x.rounded) != 8 || x.r.Rating == nil {
		return
	}
	bandwidths := foreign.Table{Test: "b_eff", Operation: foreign.EffectiveRate, Way: foreign.BestOfMethods,
		Processes: x.r.Processes, Columns: []foreign.Column{mainColumn("bandwidth", foreign.BytesPerSecond, "MByte/s")},
		Settings: x.settings()}
	latencies := bandwidths
	latencies.Columns = []foreign.Column{mainColumn("latency", foreign.Seconds, "microsec")}
	bandwidths.Rows = []foreign.Row{{Label: foreign.BEff, Values: []float64{x.r.Rating.Value}}}
	for i, label := range map[int]string{2: foreign.AtLmax, 3: foreign.RingsAtLmax, 7: foreign.PingPongAtLmax} {
		v, is := x.exact[label]
		if !is {
			v = x.rounded[i] * mega
		}
		if v > 0 {
			bandwidths.Rows = append(bandwidths.Rows, foreign.Row{Label: label, Values: []float64{v}})
		}
	}
	slices.SortFunc(bandwidths.Rows[1:], func(a, b foreign.Row) int { return strings.Compare(a.Label, b.Label) })
	for i, label := range []string{foreign.LatencyOfBoth, foreign.LatencyOfRings, foreign.LatencyOfPingPong} {
		if v := x.rounded[4+i]; v > 0 {
			latencies.Rows = append(latencies.Rows, foreign.Row{Label: label, Values: []float64{v / 1e6}})
		}
	}
	x.r.Tables = append(x.r.Tables, bandwidths, latencies)
}

// settings returns the settings that all tables share.
func (x *beffReader) settings() []foreign.Setting {
	return []foreign.Setting{{Name: "memory per process", Value: fmt.Sprintf("%d MiB", x.memory)},
		{Name: "Lmax", Value: fmt.Sprintf("%d bytes", x.lengths[len(x.lengths)-1])}}
}

// overLengths adds the tables by message length: rings and randoms together, accumulated over the processes, and each
// kind per process.
func (x *beffReader) overLengths() {
	if len(x.byLength) == 0 {
		return
	}
	mbytes := func(name string) foreign.Column { return mainColumn(name, foreign.BytesPerSecond, "MByte/s") }
	all := foreign.Table{Test: "rings and randoms", Operation: foreign.Rings, Way: foreign.BestOfMethods, Lengths: true,
		Processes: x.r.Processes, Settings: x.settings(), Columns: []foreign.Column{mbytes("accumulated")}}
	rings, randoms := all, all
	rings.Test, rings.Operation = "rings", foreign.NaturalRing
	rings.Columns = []foreign.Column{mbytes("per process")}
	randoms.Test, randoms.Operation, randoms.Columns = "randoms", foreign.RandomRing, rings.Columns
	for _, method := range x.methods {
		all.Columns = append(all.Columns, column(method+" per process", foreign.BytesPerSecond, "MByte/s"))
	}
	for i, row := range x.byLength {
		n := x.lengths[i]
		all.Rows = append(all.Rows, foreign.Row{Bytes: n, Values: append([]float64{row[0]}, row[4:]...)})
		rings.Rows = append(rings.Rows, foreign.Row{Bytes: n, Values: row[2:3]})
		randoms.Rows = append(randoms.Rows, foreign.Row{Bytes: n, Values: row[3:4]})
	}
	x.r.Tables = append(x.r.Tables, all, rings, randoms)
}

// perPattern adds a table of each pattern: the largest bandwidths per process, of the best method and of each.
func (x *beffReader) perPattern() {
	if len(x.values) == 0 {
		return
	}
	for p, name := range x.patterns {
		t := foreign.Table{Test: fmt.Sprintf("p%02d %s", p, name), Lengths: true, Processes: x.r.Processes,
			Settings: x.settings(), Columns: []foreign.Column{
				mainColumn("best, per process", foreign.BytesPerSecond, "MByte/s")}}
		for _, method := range x.methods {
			t.Columns = append(t.Columns, column(method, foreign.BytesPerSecond, "MByte/s"))
		}
		for l, n := range x.lengths {
			row, best := foreign.Row{Bytes: n, Values: []float64{0}}, 0.0
			for m := range x.methods {
				v := x.values[[3]int{p, l, m}] // 0: the method can't do it
				row.Values, best = append(row.Values, v), max(best, v)
			}
			if row.Values[0] = best; best > 0 {
				t.Rows = append(t.Rows, row)
			}
		}
		if len(t.Rows) > 0 {
			x.r.Tables = append(x.r.Tables, t)
		}
	}
}
