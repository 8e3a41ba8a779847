package tools

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// sumSign begins the .sum of b_eff_io.
const sumSign = "b_eff_io.c,"

var sumTitle = words.MustCompile(`b_eff_io\.c, Revision `)

// Parts of lines in b_eff_io's .sum.
const (
	sumCell  = `\s+(-?\d{1,9}\.\d{3}|-)`
	sumMean  = `\s*(\d{1,9}\.\d{3}) MB/s`
	sumCount = `\s*(\d{1,9})`
)

// sumForm is a kind of line of b_eff_io's .sum.
type sumForm struct {
	begins, form words.Regexp // a line that matches begins but not form is not from release 2.1
	processes    int          // submatch of form with the summary's number of processes; 0 for none
	read         func(*sumReader, []string) error
}

func sumLine(begin, rest string, processes int, read func(*sumReader, []string) error) sumForm {
	return sumForm{words.MustCompile(`^\s*` + begin), words.MustCompile(`^\s*` + begin + rest), processes, read}
}

// sumForms are the kinds of lines that are read. The first match counts.
var sumForms = []sumForm{
	sumLine(`b_eff_io\.c,`, ` Revision (2\.1\b.*)$`, 0, (*sumReader).release),
	sumLine(`MEMORY_PER_PROCESSOR`, ` =`+sumCount+` MBytes`, 0, func(x *sumReader, m []string) error {
		x.set(foreign.MemoryPerProcess, m[1]+" MiB")
		return nil
	}),
	sumLine(`-N `, `\s*(\d{1,9}(?:\s*,\s*\d{1,9})*)\s+(T=\d.*)$`, 0, (*sumReader).options),
	sumLine(`Summary of file`, ` I/O bandwidth accumulated on`+sumCount+` processes`, 0, (*sumReader).summary),
	sumLine(`(\d{1,9}) PEs\s+total-`, `(write|rewrite|read)`+strings.Repeat(sumCell, 5)+`\s*$`, 1,
		(*sumReader).total),
	sumLine(`(\d{1,9}) PEs`, sumCount+`\s+(\d{1,12})\s+(write|rewrite|read)`+strings.Repeat(sumCell, 5)+`\s*$`, 1,
		(*sumReader).row),
	sumLine(`bw_pat2=`, sumCell+` MB/s write,`+sumCell+` MB/s rewrite,`+sumCell+` MB/s read\s*$`, 0,
		(*sumReader).pattern2),
	sumLine(`weighted average`, ` bandwidth for (write|rewrite|read)\s*:`+sumMean+` on`+sumCount+` processes`, 3,
		func(x *sumReader, m []string) (err error) {
			x.part().printed[beffio.Access(m[1])], err = number(m[2])
			return err
		}),
	sumLine(`b_eff_io of these measurements =`, sumMean+` on`+sumCount+` processes`, 2,
		func(x *sumReader, m []string) (err error) {
			x.part().rating, err = number(m[1])
			return err
		}),
	sumLine(`((?:NOT )?VALID) for`, ` comparison`, 0, func(x *sumReader, m []string) error {
		x.invalid = x.invalid || m[1] != "VALID"
		return nil
	}),
	sumLine(`besides: the measurement was not finished`, ``, 0, func(x *sumReader, _ []string) error {
		x.unfinished = true
		return nil
	}),
	sumLine(`b_eff_io = `, sumMean+` on`+sumCount+` processes`, 0, func(x *sumReader, m []string) (err error) {
		x.best, err = number(m[1])
		return err
	}),
}

// sumReader holds the part of a file that was read.
type sumReader struct {
	*run
	settings   []foreign.Setting
	partitions []int
	parts      []*sumPart
	best       float64 // MB/s
	unfinished bool
	invalid    bool // according to the program itself
}

// sumPart is the summary of a partition.
type sumPart struct {
	beffio.Partition
	rows    []sumRow
	second  []sumCellOf // pattern 2, by access
	printed map[beffio.Access]float64
	rating  float64 // MB/s
}

// sumRow is a line of the table: the patterns of a chunk size, by type.
type sumRow struct {
	access beffio.Access
	chunk  int64
	cells  []sumCellOf
}

// sumCellOf is a figure in MB/s, a dash, or the mark of a pattern with wrong data.
type sumCellOf struct {
	value        float64
	there, wrong bool
}

// newSum returns a reader of a .sum of b_eff_io release 2.1, or of a file in its form. It computes b_eff_io from the
// table. A file is doubtful if its printed b_eff_io differs by more than three decimals explain.
func newSum(t *run) reading {
	t.r.Program = "b_eff_io"
	return &sumReader{run: t}
}

func (x *sumReader) end() error {
	if len(x.parts) == 0 {
		return errors.New("the file ends without a summary of any partition")
	}
	best := 0.0
	for _, p := range x.parts {
		p.derive(x.run)
		best = max(best, p.Release21)
		x.tables(p)
	}
	if x.best > 0 && !nearly(x.best, best/mega) {
		x.doubt("b_eff_io = %.3f MB/s, but the best partition has %.3f", x.best, best/mega)
	}
	if best > 0 {
		x.r.Rating = &foreign.Rating{Name: foreign.BEffIO, Quantity: foreign.BytesPerSecond, Value: best,
			NotValid: x.invalid}
	}
	x.r.Complete = x.complete() && !x.open
	return nil
}

func (x *sumReader) line(line string) error {
	for _, f := range sumForms {
		if !f.begins().MatchString(line) {
			continue
		}
		m := f.form().FindStringSubmatch(line)
		if m == nil {
			return fmt.Errorf("%q is not a line of release 2.1", words.OneLine(line))
		}
		if f.processes > 0 && (len(x.parts) == 0 || x.part().Processes != count(m[f.processes])) {
			return fmt.Errorf("%s processes outside of their summary", m[f.processes])
		}
		return f.read(x, m)
	}
	factOfSum(x.r, line)
	return nil
}

// part returns the summary that is being read.
func (x *sumReader) part() *sumPart { return x.parts[len(x.parts)-1] }

func (x *sumReader) set(name, value string) {
	x.settings = append(x.settings, foreign.Setting{Name: name, Value: words.OneLine(value)})
}

func (x *sumReader) release(m []string) error {
	if x.r.ProgramVersion != "" {
		return errAnother
	}
	x.r.ProgramVersion = words.OneLine(m[1])
	return nil
}

func (x *sumReader) options(m []string) error {
	for _, n := range strings.Split(m[1], ",") {
		x.partitions = append(x.partitions, count(strings.TrimSpace(n)))
	}
	x.r.Processes = slices.Max(x.partitions)
	x.set("options", m[2])
	return nil
}

// summary begins a partition.
func (x *sumReader) summary(m []string) error {
	n := count(m[1])
	if !slices.Contains(x.partitions, n) || slices.ContainsFunc(x.parts, func(p *sumPart) bool {
		return p.Processes == n
	}) {
		return fmt.Errorf("the summary of %d processes occurs twice, or is not listed by -N", n)
	}
	x.parts = append(x.parts, &sumPart{Partition: beffio.Partition{Processes: n},
		printed: map[beffio.Access]float64{}})
	return nil
}

func sumCells(fields []string) (list []sumCellOf, err error) {
	const wrongData = "-999.999"
	for _, field := range fields {
		var c sumCellOf
		switch field {
		case "-":
		case wrongData:
			c.there, c.wrong = true, true
		default:
			c.there = true
			if c.value, err = number(field); err != nil {
				return nil, err
			}
		}
		list = append(list, c)
	}
	return list, nil
}

func (x *sumReader) row(m []string) (err error) {
	row := sumRow{access: beffio.Access(m[4])}
	if row.chunk, err = whole(m[3]); err != nil || row.chunk < 1 {
		return fmt.Errorf("chunks of %s bytes", m[3])
	}
	p := x.part()
	if slices.ContainsFunc(p.rows, func(r sumRow) bool { return r.access == row.access && r.chunk == row.chunk }) {
		return fmt.Errorf("%s of %d bytes occurs twice", row.access, row.chunk)
	}
	if row.cells, err = sumCells(m[5:]); err == nil {
		p.rows = append(p.rows, row)
	}
	return err
}

func (x *sumReader) total(m []string) error {
	a, p := beffio.Access(m[2]), x.part()
	cells, err := sumCells(m[3:])
	if err != nil {
		return err
	}
	if slices.ContainsFunc(p.Accesses, func(have beffio.AccessMethod) bool { return have.Access == a }) {
		return fmt.Errorf("total-%s occurs twice", a)
	}
	of := beffio.AccessMethod{Access: a}
	for _, c := range cells {
		if c.there && c.value == 0 {
			return errors.New("a pattern type has no bandwidth")
		}
		of.Types = append(of.Types, c.value*mega)
	}
	p.Accesses = append(p.Accesses, of)
	return nil
}

func (x *sumReader) pattern2(m []string) (err error) {
	if len(x.parts) == 0 {
		return errors.New("outside of a summary")
	}
	x.part().second, err = sumCells(m[1:])
	return err
}

// nearly reports whether a printed figure follows from others with three decimals.
func nearly(printed, follows float64) bool {
	return math.Abs(printed-follows) <= 0.001+1e-9*follows
}

// derive computes the means and b_eff_io from the rows of totals, and records a doubt if the printed values differ.
func (p *sumPart) derive(t *run) {
	for m := range lists.Elements(p.Accesses) {
		types := lists.Where(beffio.Types(), func(t patterns.IOType) bool { return m.Types[t] > 0 })
		if m.Access == beffio.Rewrite && len(types) == 1 || len(types) == len(m.Types) {
			m.Bandwidth = beffio.MeanOfTypes(types, func(t patterns.IOType) float64 { return m.Types[t] })
		}
		if printed := p.printed[m.Access]; printed > 0 && !nearly(printed, m.Bandwidth/mega) {
			t.doubt("weighted average of %s on %d processes is %.3f MB/s: the row total-%s gives %.3f",
				m.Access, p.Processes, printed, m.Access, m.Bandwidth/mega)
		}
	}
	p.Paper, p.Release21 = beffio.RulesPaper.Formula().Of(&p.Partition), beffio.Rules21.Formula().Of(&p.Partition)
	if p.rating > 0 && !p.rates() {
		t.doubt("b_eff_io of %d processes is %.3f MB/s: the rows total-… give %.3f", p.Processes, p.rating,
			p.Release21/mega)
	}
}

// rates reports whether the printed rating is sqrt(S·R) for a sum S and a mean R of reading, both known to half a
// digit.
func (p *sumPart) rates() bool {
	const half, digits = 0.0005, 1e-9
	value, read := p.Release21/mega, p.Access(beffio.Read).Bandwidth/mega
	if value == 0 || read == 0 {
		return false
	}
	written := value * value / read
	low, high := math.Sqrt(max(written-half, 0)*max(read-half, 0)), math.Sqrt((written+half)*(read+half))
	return p.rating >= low*(1-digits)-half && p.rating <= high*(1+digits)+half
}

// tables adds the tables of a partition. For each access method these are its mean over the types, the types'
// bandwidths, and for each type the bandwidths by chunk size.
func (x *sumReader) tables(p *sumPart) {
	add := func(t foreign.Table) {
		if len(t.Rows) > 0 {
			x.r.Tables = append(x.r.Tables, t)
		}
	}
	for m := range lists.Elements(p.Accesses) {
		mean := foreign.BandwidthsOf(string(m.Access), p.Processes, x.settings)
		if m.Bandwidth > 0 {
			mean.Rows = []foreign.Row{{Values: []float64{m.Bandwidth}}}
		}
		types := foreign.BandwidthsOf(foreign.ByType(string(m.Access)), p.Processes, x.settings)
		for _, kind := range beffio.Types() {
			if v := m.Types[kind]; v > 0 {
				types.Rows = append(types.Rows, foreign.Row{Label: kind.String(), Values: []float64{v}})
			}
		}
		add(mean)
		add(types)
	}
	row := func(c sumCellOf, bytes int64, label string) foreign.Row {
		return foreign.Row{Bytes: bytes, Label: label, Values: []float64{c.value * mega}, Failed: c.wrong}
	}
	for _, a := range beffio.Accesses() {
		for _, kind := range beffio.Types() {
			t := foreign.BandwidthsOf(foreign.ByChunk(string(a), kind.String()), p.Processes, x.settings)
			t.Lengths = true
			for _, of := range p.rows {
				if c := of.cells[kind]; of.access == a && c.there {
					t.Rows = append(t.Rows, row(c, of.chunk, ""))
				}
			}
			add(t)
		}
	}
	second := foreign.BandwidthsOf(foreign.Pattern2, p.Processes, x.settings)
	for i, c := range p.second {
		if c.there {
			second.Rows = append(second.Rows, row(c, 0, string(beffio.Accesses()[i])))
		}
	}
	add(second)
}

// complete reports whether the file has all partitions' ratings and the maximum, and for each total, all figures of the
// type's patterns.
func (x *sumReader) complete() bool {
	if x.unfinished || x.best == 0 || len(x.parts) != len(x.partitions) {
		return false
	}
	type pattern struct {
		chunk int64
		kind  patterns.IOType
	}
	known, second := map[pattern]bool{}, 0
	for _, p := range x.parts {
		second = max(second, p.measuredBySecond())
		for _, row := range p.rows {
			for _, kind := range beffio.Types() {
				if row.cells[kind].there {
					known[pattern{row.chunk, kind}] = true
				}
			}
		}
	}
	for _, p := range x.parts {
		if p.rating == 0 || p.Release21 == 0 || p.measuredBySecond() != second {
			return false
		}
		for _, m := range p.Accesses {
			for of := range known {
				if m.Types[of.kind] > 0 && !slices.ContainsFunc(p.rows, func(row sumRow) bool {
					return row.access == m.Access && row.chunk == of.chunk && row.cells[of.kind].there
				}) {
					return false
				}
			}
		}
	}
	return true
}

// measuredBySecond returns the number of accesses for which pattern 2 has a figure.
func (p *sumPart) measuredBySecond() int {
	return lists.Count(p.second, func(c sumCellOf) bool { return c.there })
}
