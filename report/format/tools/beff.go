package tools

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// beffTitle matches the title in the header of each file of the original b_eff (b_eff.c, SECTION-HEAD).
var beffTitle = words.MustCompile(`(?m)^b_eff\.c, Revision (\S+) from `)

// beffFirst matches the line that a run begins with.
var beffFirst = words.MustCompile(`b_eff\.c, Revision \S+ from `)

// beffLine matches the last line of .sum (CONVENTIONS of its readers).
var beffLine = words.MustCompile(`^b_eff(\w*) = +([\d.]+) MB/s = +([\d.]+) \* +(\d{1,9}) PEs with +(\d{1,9}) MB/PE ` +
	`on (\S+) (\S+) (\S+) (.*) (\S+)\s*$`)

// beffAll matches the row of the summary's table: processes, b_eff, Lmax, bandwidths at Lmax over rings and randoms and
// over rings, three latencies, and the ping-pong's bandwidth.
var beffAll = words.MustCompile(`^accumulated \| +(\d{1,9}) +([\d.]+) +([\d.]+) MB +([\d.]+) +([\d.]+) +([\d.]+) +` +
	`([\d.]+) +([\d.]+) +([\d.]+)\s*$`)

var (
	beffLengths = words.MustCompile(`^msglng=((?: \d{1,12})+)\s*$`)
	beffMemory  = words.MustCompile(`^MEMORY_PER_PROCESSOR = (\d{1,9}) MBytes`)
)

// beffReader holds the part of a file that was read.
type beffReader struct {
	*run
	inHead  bool
	lengths []int64
	memory  int64
	rounded []float64 // row of the summary's table
	ended   bool
}

// newBEff returns a reader of the original b_eff's .sum.
func newBEff(t *run) reading {
	t.r.Program = "b_eff"
	return &beffReader{run: t, inHead: true}
}

func (x *beffReader) end() error {
	if len(x.lengths) == 0 {
		return errors.New("it has no message lengths: its header is cut off")
	}
	x.figures()
	x.r.Complete = x.ended && !x.open
	return nil
}

func (x *beffReader) line(line string) error {
	switch {
	case x.open:
		return nil // figures may lack digits
	case strings.HasPrefix(line, "SECTION-"):
		x.inHead = strings.HasPrefix(line, "SECTION-HEAD-BEGIN")
		return nil
	case x.ended && beffTitle().MatchString(line):
		return errAnother
	case x.inHead:
		return x.head(line)
	}
	if m := beffLine().FindStringSubmatch(line); m != nil {
		return x.rating(m)
	}
	if m := beffAll().FindStringSubmatch(line); m != nil {
		return x.summary(m)
	}
	factOfSum(x.r, line)
	if text, is := strings.CutPrefix(line, "Total execution wall clock time ="); is {
		if v, err := number(strings.Fields(text + " x")[0]); err == nil {
			x.r.WallSeconds = v
		}
	}
	return nil
}

var sumFact = words.MustCompile(`^ +(system name|hostname|OS release|OS version|machine|rated \w+) *: ?(.*?)\s*$`)

// factOfSum stores a fact from a .sum file of b_eff or b_eff_io, written by the original or by beff. Facts are about
// the machine, the rated system, or the date.
func factOfSum(r *foreign.Result, line string) {
	if m := sumFact().FindStringSubmatch(line); m != nil {
		h, value := &r.Host, words.OneLine(m[2])
		if of, rated := strings.CutPrefix(m[1], "rated "); rated {
			r.System = r.System.With(of, value)
			return
		}
		*map[string]*string{"system name": &h.System, "hostname": &h.Name, "OS release": &h.Release,
			"OS version": &h.Version, "machine": &h.Machine}[m[1]] = value
	}
	if text, is := strings.CutPrefix(line, "Date of measurement: "); is {
		started(r, text, iorDate, zonedDate)
	}
}

// head reads a line of the header.
func (x *beffReader) head(line string) error {
	if m := beffTitle().FindStringSubmatch(line); m != nil {
		if x.r.ProgramVersion != "" && x.r.ProgramVersion != m[1] {
			return fmt.Errorf("revision %.20s after %.20s: import each run separately", m[1], x.r.ProgramVersion)
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
			return errors.New("the message lengths change: these files are from several runs")
		}
		x.lengths = list
	}
	return nil
}

// rating reads the last line.
func (x *beffReader) rating(m []string) error {
	v, err := figure(m[2], mega)
	if err != nil {
		return err
	}
	if x.r.Rating != nil && x.r.Rating.Value != v {
		return errors.New("the value of b_eff changes: these files are from several runs")
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

// summary reads the row of the summary's table.
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

// figures adds the tables of the summary's figures. The table's latency of the rings is per process like the other
// latencies, unlike the latency in the line "Latency ring pattern".
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
		if v := x.rounded[i] * mega; v > 0 {
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
	return []foreign.Setting{{Name: foreign.MemoryPerProcess, Value: fmt.Sprintf("%d MiB", x.memory)},
		{Name: "Lmax", Value: fmt.Sprintf("%d bytes", x.lengths[len(x.lengths)-1])}}
}
