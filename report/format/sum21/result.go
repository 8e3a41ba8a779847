package sum21

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/words"
)

// result makes the result of what was read.
func (f *file) result() error {
	r := &f.r
	r.Benchmark, r.SchemaVersion, r.Rules = beffio.Benchmark, beffio.SchemaVersion, beffio.Rules21
	r.Engine = mpi.Library{Library: "not known"}
	r.Hints, r.HintsInForce, r.Errors, r.Placement = []beffio.HintRule{}, []beffio.HintsInForce{}, []beffio.DataError{},
		[]job.Placement{}
	r.Files, r.Samples = []beffio.FileSample{}, []beffio.Sample{}
	if err := f.patterns(); err != nil {
		return err
	}
	for _, p := range f.parts {
		if err := f.samples(p); err != nil {
			return err
		}
	}
	rank := func(a beffio.Access) int { return slices.Index(beffio.Accesses(), a) }
	slices.SortFunc(r.Samples, func(a, b beffio.Sample) int {
		return cmp.Or(cmp.Compare(rank(a.Access), rank(b.Access)), cmp.Compare(a.Partition, b.Partition),
			cmp.Compare(a.Pattern, b.Pattern))
	})
	slices.SortFunc(r.Files, func(a, b beffio.FileSample) int {
		return cmp.Or(cmp.Compare(rank(a.Access), rank(b.Access)), cmp.Compare(a.Partition, b.Partition),
			cmp.Compare(beffio.TypeNamed(a.Type), beffio.TypeNamed(b.Type)))
	})
	f.r.Derived = beffio.Derive(r)
	f.holes = f.findHoles()
	f.verdict()
	return nil
}

// patterns lists the patterns of the paper's table whose chunk size the file has. Of any other chunk size each type
// gets a pattern behind the paper's, without units of time, as the file does not say them.
func (f *file) patterns() error {
	r := &f.r
	var chunks []int64
	two := false
	for _, p := range f.parts {
		chunks = append(chunks, lists.Each(p.rows, func(row row) int64 { return row.chunk })...)
		two = two || p.pattern2 != nil && slices.ContainsFunc(p.pattern2.cells[:], func(c cell) bool { return c.there })
	}
	slices.Sort(chunks)
	if chunks = slices.Compact(chunks); len(chunks) == 0 {
		f.line = f.parts[0].line
		return fmt.Errorf("the summary has no rows")
	}
	// A table of one page at most: five patterns for each chunk size.
	if most := 15; len(chunks) > most {
		return fmt.Errorf("%d chunk sizes are more than %d", len(chunks), most)
	}
	r.MPart = patterns.MPart(r.MemoryPerProcess)
	if last := chunks[len(chunks)-1]; last >= 2*words.Mebi {
		r.MPart = last
	}
	if size := float64(r.MPart) / words.Mebi; f.chunk.line > 0 && !near(f.chunk.value, size, 0.0005) {
		f.line = f.chunk.line
		return fmt.Errorf("maximum chunk size of %.3f MBytes: the rows give %.3f", f.chunk.value, size)
	}
	next := firstOwn
	table := patterns.IO(r.MPart)
	for _, row := range table {
		p := beffio.Pattern{Number: row.Number, Type: row.Type, Disk: row.Disk, Memory: row.Memory, Units: row.Units}
		if row.Units > 0 && (isPattern2(p) && two || inTable(p) && slices.Contains(chunks, p.Disk)) {
			r.Patterns = append(r.Patterns, p)
		}
	}
	for _, chunk := range chunks {
		if slices.ContainsFunc(table, func(row patterns.IORow) bool { return row.Disk == chunk }) {
			continue
		}
		for _, t := range beffio.Types() {
			r.Patterns = append(r.Patterns, beffio.Pattern{Number: next, Type: t, Disk: chunk, Memory: chunk})
			next++
		}
	}
	return nil
}

// samples makes the samples of one partition.
func (f *file) samples(p *summary) error {
	r := &f.r
	first := len(r.Samples)
	add := func(a beffio.Access, pattern int, c cell) {
		if !c.there {
			return
		}
		s := beffio.Sample{Partition: p.index, Access: a, Pattern: pattern, Bandwidth: c.value * words.Mega}
		if c.wrong {
			s.Errors = 1
		}
		r.Samples = append(r.Samples, s)
	}
	for _, row := range p.rows {
		for i, t := range beffio.Types() {
			add(row.access, tablePattern(r, t, row.chunk), row.cells[i])
		}
	}
	if p.pattern2 != nil {
		for i, a := range beffio.Accesses() {
			add(a, 2, p.pattern2.cells[i])
		}
	}
	for a, row := range p.totals {
		for i, t := range beffio.Types() {
			if c := row.cells[i]; c.there {
				r.Files = append(r.Files, beffio.FileSample{Partition: p.index, Access: a, Type: t.String(),
					Bandwidth: c.value * words.Mega})
			}
		}
	}
	return f.spread(p, r.Samples[first:])
}

// spread gives the errors that the criterion counts to the first pattern that has some. Without any such pattern they
// were in calls that the table lacks, such as the first warm-up call, which gets a sample then.
func (f *file) spread(p *summary, samples []beffio.Sample) error {
	wrong, with := int64(0), -1
	for i, s := range samples {
		if wrong += s.Errors; s.Errors > 0 && with < 0 {
			with = i
		}
	}
	switch {
	case p.stated[3] > 0 && p.errors < wrong:
		f.line = p.stated[3]
		return fmt.Errorf("%d patterns on %d processes have errors, but the criterion counts %d", wrong, p.processes,
			p.errors)
	case with >= 0 && p.stated[3] > 0:
		samples[with].Errors += p.errors - wrong
	case p.errors > 0:
		warmUp := beffio.Pattern{Number: 0, Type: patterns.Scatter, Disk: words.Mebi, Memory: words.Mebi}
		if f.r.Pattern(0) == nil {
			f.r.Patterns = slices.Insert(f.r.Patterns, 0, warmUp)
		}
		f.r.Samples = append(f.r.Samples, beffio.Sample{Partition: p.index, Access: beffio.Write, Pattern: 0,
			Errors: p.errors})
	}
	return nil
}
