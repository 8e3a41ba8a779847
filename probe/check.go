package probe

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/rating"
)

const (
	// mostProcesses is the most that a result may have: far more than any machine, but small enough that no computation
	// overflows.
	mostProcesses = 1 << 26
)

// Check returns an error if the measurements of a result from outside are wrong: an unknown kernel, a process out of
// range, a time that no clock gives. Derive and all outputs work on a result that passes. Verify of report/ofprobe
// proves that the figures follow from the samples.
func (r *Result) Check() error {
	switch {
	case r.Benchmark != Benchmark:
		return fmt.Errorf("benchmark is %q, want %q", r.Benchmark, Benchmark)
	case r.SchemaVersion < 1 || r.SchemaVersion > SchemaVersion:
		return fmt.Errorf("schema_version is %d, this program knows up to %d", r.SchemaVersion, SchemaVersion)
	case r.Processes < 1 || r.Processes > mostProcesses:
		return fmt.Errorf("processes is %d", r.Processes)
	case !rating.IsTime(r.WallSeconds):
		return fmt.Errorf("wall_seconds is %v", r.WallSeconds)
	case !rating.IsTime(r.CPU.Flops) || !rating.IsTime(r.CPU.Target):
		return fmt.Errorf("cpu is %+v", r.CPU)
	case r.Whole() && r.Imported == "" && r.Complete != (r.Ended == ""):
		return fmt.Errorf("complete is %t, and it ended early by %q", r.Complete, r.Ended)
	}
	if err := job.CheckPlacement(r.Placement, r.Processes); err != nil {
		return err
	}
	if err := r.Settings.checkFor(r.Processes); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	if len(r.Factors) > 0 {
		if err := CheckFactors(r.Factors, r.Processes); err != nil {
			return fmt.Errorf("factors: %w", err)
		}
	}
	if err := r.checkPrograms(); err != nil {
		return err
	}
	judged := 0
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if err := r.checkBlock(b); err != nil {
			return fmt.Errorf("blocks[%d]: %w", i, err)
		}
		for j := range b.Rows {
			if b.Rows[j].Pairs != nil {
				judged += b.Processes
			}
		}
		if judged > mostProcesses {
			return fmt.Errorf("blocks[%d]: the rows of pairs have more than %d processes together", i, mostProcesses)
		}
	}
	return nil
}

func (r *Result) checkBlock(b *Block) error {
	k, ok := r.Kernel(b)
	switch {
	case !ok:
		return fmt.Errorf("unknown kernel %q of %q", b.Kernel, b.Component)
	case b.Completion != "" && !slices.Contains(kernel.Completions, b.Completion),
		b.WindowKind != "" && !slices.Contains(kernel.WindowKinds, b.WindowKind), b.Target != "" &&
			b.Target != kernel.TargetComputes:
		return fmt.Errorf("completion %q, window %q, target %q", b.Completion, b.WindowKind, b.Target)
	case b.Mode != kernel.Plain && !slices.Contains(k.Modes, b.Mode):
		return fmt.Errorf("%s has no mode %q", b.Kernel, b.Mode)
	case b.Processes < 1 || b.Processes > r.Processes:
		return fmt.Errorf("%d processes of %d", b.Processes, r.Processes)
	case b.Pass < 0 || b.Pass > r.Settings.Passes:
		return fmt.Errorf("pass %d of %d", b.Pass, r.Settings.Passes)
	case b.Waiting < 0 || b.Waiting > r.Processes-b.Processes:
		return fmt.Errorf("%d processes wait, %d of %d are active", b.Waiting, b.Processes, r.Processes)
	case len(b.Groups)*b.Processes > r.Processes:
		return fmt.Errorf("%d groups of %d processes, of %d in all", len(b.Groups), b.Processes, r.Processes)
	}
	seen := map[int]bool{}
	for _, ranks := range b.Groups {
		if len(ranks) != b.Processes {
			return fmt.Errorf("a group of %d processes, not %d", len(ranks), b.Processes)
		}
		for _, rank := range ranks {
			if rank < 0 || rank >= r.Processes || seen[rank] {
				return fmt.Errorf("rank %d is not one of %d, or in two groups", rank, r.Processes)
			}
			seen[rank] = true
		}
	}
	for i := range b.Rows {
		err := checkRow(b, &b.Rows[i])
		for _, x := range b.Rows[i].Samples {
			if err == nil {
				err = x.checkEach(k, r.Processes)
			}
		}
		if err == nil {
			err = checkStride(k, &b.Rows[i])
		}
		if err == nil {
			err = checkPairs(k, b, &b.Rows[i])
		}
		if err != nil {
			return fmt.Errorf("%s: rows[%d]: %w", b.Kernel, i, err)
		}
	}
	return nil
}

// CheckLengths returns an error unless the rows of a result of this version have the lengths that the settings ask for,
// in their order. Lengths that are selected while a block is measured are any.
func (r *Result) CheckLengths() error {
	plan := &Plan{Config: Config{Settings: r.Settings}}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		k, ok := r.Kernel(b)
		if !ok || !r.Whole() || r.Imported != "" {
			continue
		}
		if _, refined := r.Settings.refinement(k); refined {
			continue
		}
		planned := plan.lengths(k)
		for j, row := range b.Rows {
			if j == len(planned) || row.Bytes != planned[j] {
				return fmt.Errorf("blocks[%d]: %s: rows[%d] has %d bytes, the settings ask for %v", i, b.Kernel, j,
					row.Bytes, planned)
			}
		}
	}
	return nil
}

func checkRow(b *Block, row *Row) error {
	switch {
	case row.Bytes < 0 || row.Repetitions < 0 || row.Checked < 0 || row.Defects < 0:
		return fmt.Errorf("a negative number: %d bytes, %d repetitions, %d checked, %d defects", row.Bytes,
			row.Repetitions, row.Checked, row.Defects)
	case row.Missing != "" && !slices.Contains([]string{outOfMemory, intOverflow, timeOut, failed}, row.Missing):
		return fmt.Errorf("missing is %q", row.Missing)
	case row.Missing != "" && (len(row.Samples)+len(row.Series) > 0 || row.Pairs != nil):
		return fmt.Errorf("%s, but there are samples", row.Missing)
	case row.Missing == "" && (len(row.Samples)+len(row.Series) == 0 && row.Pairs == nil || row.Repetitions < 1):
		return fmt.Errorf("no samples")
	case len(row.Samples) > 0 && len(row.Series) > 0:
		return fmt.Errorf("both samples and series")
	case len(row.Samples) > max(1, len(b.Groups)):
		return fmt.Errorf("%d samples of %d groups", len(row.Samples), len(b.Groups))
	}
	if err := checkSeries(b, row); err != nil {
		return err
	}
	for _, x := range row.Samples {
		v := reflect.ValueOf(x)
		for i := range v.NumField() {
			if v.Field(i).Kind() == reflect.Float64 && !rating.IsTime(v.Field(i).Float()) {
				return fmt.Errorf("%s is %v", v.Type().Field(i).Name, v.Field(i).Float())
			}
		}
		if x.Min > x.Max {
			return fmt.Errorf("the smallest time is %v, the largest %v", x.Min, x.Max)
		}
	}
	return nil
}

// checkSeries checks the series of a row, and the clocks that they were read from.
func checkSeries(b *Block, row *Row) error {
	for i, x := range row.Series {
		n := len(x.Max)
		switch {
		case n == 0 || n > mostPrecise:
			return fmt.Errorf("series[%d]: %d repetitions, want 1 to %d", i, n, mostPrecise)
		case len(x.Min) != 0 && len(x.Min) != n || len(x.Mean) != len(x.Min):
			return fmt.Errorf("series[%d]: %d times, %d of the quickest process, %d means", i, n, len(x.Min),
				len(x.Mean))
		case x.Group < 0 || x.Group >= max(1, len(b.Groups)):
			return fmt.Errorf("series[%d]: group %d of %d", i, x.Group, len(b.Groups))
		case !slices.Contains([]string{"", "t_ovrl", "t_pure", "t_cpu", "t_passive"}, x.Time):
			return fmt.Errorf("series[%d]: unknown time %q", i, x.Time)
		case !slices.Contains([]Ending{Precise, AtMost, OutOfTime}, x.Ended):
			return fmt.Errorf("series[%d]: unknown ending %q", i, x.Ended)
		}
	}
	if len(row.Series) > 0 && row.Repetitions != int64(len(row.Series[0].Max)) {
		return fmt.Errorf("%d repetitions, %d in the series", row.Repetitions, len(row.Series[0].Max))
	}
	o := row.Offsets
	if o == nil {
		return nil
	}
	for _, l := range []Look{o.Before, o.After} {
		if n := len(l.At); len(l.Offsets) != n || len(l.Uncertainties) != n {
			return fmt.Errorf("offsets: %d clocks, %d offsets, %d uncertainties", n, len(l.Offsets),
				len(l.Uncertainties))
		}
	}
	return nil
}

// checkPairs returns an error unless the times of pairs of a row are those of its kernel. Imported rows have none.
func checkPairs(k *kernel.Kernel, b *Block, row *Row) error {
	switch {
	case row.Pairs == nil:
		return nil
	case k.Class != kernel.Pairs:
		return fmt.Errorf("times of pairs, of a kernel of class %s", k.Class)
	case len(row.Samples)+len(row.Series) > 0:
		return fmt.Errorf("times of pairs, and other samples")
	}
	return row.Pairs.Check(b.Processes, k.Recipe.Directed)
}
