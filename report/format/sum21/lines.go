package sum21

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/report/lazy"
	"github.com/effective-bandwidth/beff/report/words"
)

// decimal returns the number that a regular expression has found.
func decimal(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

func count(text string) int64 { return int64(decimal(text)) }

func nothing(*file, *summary, []string) error { return nil }

func (f *file) readMemory(_ *summary, m []string) error {
	f.r.MemoryPerProcess = count(m[1]) * words.Mebi
	return nil
}

func (f *file) readChunk(_ *summary, m []string) error {
	f.chunk = figureAt{decimal(m[1]), f.line}
	return nil
}

func (f *file) readOptions(_ *summary, m []string) error {
	f.lineOptions, f.options = f.line, words.OneLine(m[4])
	for _, n := range strings.Split(m[1], ",") {
		processes := int(count(strings.TrimSpace(n)))
		if slices.Contains(f.r.Partitions, processes) {
			return fmt.Errorf("the partition of %d processes is there twice", processes)
		}
		f.r.Partitions = append(f.r.Partitions, processes)
		f.r.Processes = max(f.r.Processes, processes)
	}
	f.r.Duration, f.r.TotalMemory = decimal(m[2]), count(m[3])*words.Mebi
	given := strings.FieldsFunc(f.options, func(c rune) bool { return c == ',' || unicode.IsSpace(c) })
	for option, flag := range map[string]*bool{"-noshared": &f.r.NoShared, "-nounique": &f.r.NoUnique,
		"-rewrite": &f.r.RewriteAll, "-keep": &f.r.Keep} {
		*flag = slices.Contains(given, option)
	}
	return nil
}

func (f *file) readPath(_ *summary, m []string) error {
	f.r.FileSystem.Directory = words.OneLine(m[1])
	return nil
}

func (f *file) readHost(_ *summary, m []string) error {
	h := &f.r.Host
	fields := map[string]*string{"system name": &h.System, "hostname": &h.Name, "OS release": &h.Release,
		"OS version": &h.Version, "machine": &h.Machine}
	if field, ok := fields[m[1]]; ok {
		*field = words.OneLine(m[2])
	}
	if of, rated := strings.CutPrefix(m[1], "rated "); rated {
		f.r.System = f.r.System.With(of, words.OneLine(m[2]))
	}
	return nil
}

// readDate takes a local time for UTC, as the file does not give its zone.
func (f *file) readDate(_ *summary, m []string) (err error) {
	text := strings.TrimSpace(m[1])
	if f.r.Started, err = time.ParseInLocation(time.ANSIC, text, time.UTC); err != nil {
		return fmt.Errorf("date %q: want %q", words.OneLine(text), "Tue Nov 23 18:30:30 2004")
	}
	return nil
}

// readSummary begins a partition.
func (f *file) readSummary(_ *summary, m []string) error {
	if f.r.Duration == 0 || f.r.MemoryPerProcess == 0 {
		return fmt.Errorf("a summary before the lines MEMORY_PER_PROCESSOR and -N, or these are 0")
	}
	p := &summary{processes: int(count(m[1])), line: f.line, totals: map[beffio.Access]row{},
		means: map[beffio.Access]figureAt{}}
	if p.index = slices.Index(f.r.Partitions, p.processes); p.index < 0 {
		return fmt.Errorf("a summary of %d processes, but line %d has no such partition", p.processes, f.lineOptions)
	}
	f.parts, f.byProcesses[p.processes] = append(f.parts, p), p
	return f.sameMemory(m[2])
}

func (f *file) sameMemory(text string) error {
	if count(text) != f.r.MemoryPerProcess/words.Mebi {
		return fmt.Errorf("%s MByte/PE, but MEMORY_PER_PROCESSOR is %d", text, f.r.MemoryPerProcess/words.Mebi)
	}
	return nil
}

func cells(words []string) (list [5]cell, err error) {
	for i, word := range words {
		c := &list[i]
		if word == "-" {
			continue
		}
		c.there, c.value = true, decimal(word)
		if c.value < 0 {
			if c.value != wrongData {
				return list, fmt.Errorf("%s MB/s", word)
			}
			c.wrong, c.value = true, 0
		}
	}
	return list, nil
}

func (f *file) readRow(p *summary, m []string) (err error) {
	r := row{line: f.line, access: beffio.Access(m[4]), chunk: count(m[3])}
	if r.cells, err = cells(m[5:]); err != nil {
		return err
	}
	if r.chunk < 1 {
		return fmt.Errorf("chunks of %d bytes", r.chunk)
	}
	p.rows = append(p.rows, r)
	return f.fits(r)
}

func (f *file) readTotal(p *summary, m []string) (err error) {
	r := row{line: f.line, access: beffio.Access(m[2])}
	if r.cells, err = cells(m[3:]); err != nil {
		return err
	}
	for _, c := range r.cells {
		if c.there && c.value == 0 {
			return fmt.Errorf("no bandwidth of a pattern type")
		}
	}
	p.totals[r.access] = r
	return f.fits(r)
}

// fits refuses figures of rewriting that the options rule out.
func (f *file) fits(r row) error {
	for i, c := range r.cells {
		if c.there && i > 0 && r.access == beffio.Rewrite && !f.r.RewriteAll {
			return fmt.Errorf("type %d is rewritten, but line %d doesn't have -rewrite", i, f.lineOptions)
		}
	}
	return nil
}

func (f *file) readPattern2(p *summary, m []string) (err error) {
	p.pattern2 = &row{line: f.line}
	p.pattern2.cells, err = cells(m[1:])
	return err
}

func (f *file) readMean(p *summary, m []string) error {
	p.means[beffio.Access(m[1])] = figureAt{decimal(m[2]), f.line}
	return nil
}

func (f *file) readAmount(p *summary, m []string) error {
	p.amount = figureAt{decimal(m[1]), f.line}
	f.amounts = append(f.amounts, fmt.Sprintf("%s MBytes on %d processes", m[1], p.processes))
	return nil
}

func (f *file) readPercent(p *summary, m []string) error {
	total := decimal(m[2])
	if total != float64(f.r.TotalMemory/words.Mebi) {
		return fmt.Errorf("total memory of %s MBytes, but line %d has MT=%d", m[2], f.lineOptions,
			f.r.TotalMemory/words.Mebi)
	}
	// One decimal of the percentage, three of the amount.
	if want := 100 * p.amount.value / total; p.amount.line > 0 && total > 0 &&
		!near(decimal(m[1]), want, 0.05+0.05/total) {
		return fmt.Errorf("%s percent of %s MBytes: line %d gives %.1f", m[1], m[2], p.amount.line, want)
	}
	return nil
}

// rating reads figure, processes, memory and minutes.
func (f *file) rating(m []string) (*rated, error) {
	if minutes := minutes(&f.r); !near(decimal(m[4]), minutes, 0.05) {
		return nil, fmt.Errorf("scheduled time of %s minutes: T of line %d gives %.1f", m[4], f.lineOptions, minutes)
	}
	return &rated{figureAt{decimal(m[1]), f.line}, int(count(m[2]))}, f.sameMemory(m[3])
}

// minutes returns the scheduled time of a partition.
func minutes(r *beffio.Result) float64 { return r.Duration / float64(len(r.Partitions)) / 60 }

func (f *file) readRating(p *summary, m []string) (err error) {
	p.rating, err = f.rating(m)
	return err
}

func (f *file) readUnrated(p *summary, _ []string) error {
	p.unrated = f.line
	return nil
}

func (f *file) readPaper(p *summary, m []string) error {
	p.paper = figureAt{decimal(m[1]), f.line}
	return nil
}

func (f *file) readVerdict(p *summary, m []string) error {
	p.said, p.saidLine = m[1], f.line
	return nil
}

var errorCount = lazy.MustCompile(`^error count \((\d{1,15})\) == 0$`)

func (f *file) readCriterion(p *summary, m []string) error {
	number, reached := count(m[1]), m[3] == "reached"
	p.stated[number], p.reached[number] = f.line, reached
	want := reached
	switch number {
	case 1:
		// At the limit itself the other program may have rounded.
		if minutes := minutes(&f.r); !near(minutes, leastMinutes, 1e-6) {
			want = minutes > leastMinutes
		}
	case 2:
		want = !f.r.NoShared
	case 3:
		found := errorCount().FindStringSubmatch(m[2])
		if found == nil {
			return fmt.Errorf("%q is no count of errors", m[2])
		}
		p.errors = count(found[1])
		want = p.errors == 0
	}
	if reached != want {
		return fmt.Errorf("criterion %d is said to be %s, against the options and figures above", number, m[3])
	}
	return nil
}

func (f *file) readReason(_ *summary, m []string) error {
	for i, x := range reasons {
		if x.text == m[1] {
			f.reasons[i] = true
			return nil
		}
	}
	return fmt.Errorf("unknown reason %q", words.OneLine(m[1]))
}

func (f *file) readEnd(*summary, []string) error {
	f.behind = true
	return nil
}

func (f *file) readNoMaximum(*summary, []string) error {
	f.unrated = f.line
	return nil
}

func (f *file) readMaximum(_ *summary, m []string) (err error) {
	if f.byProcesses[int(count(m[2]))] == nil {
		return fmt.Errorf("the maximum is said to be on %s processes, of which there is no summary", m[2])
	}
	f.best, err = f.rating(m)
	return err
}
