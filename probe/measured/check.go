package measured

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// CheckRow returns an error if a row of a kernel's block can't have been measured in a job with the given number of
// processes.
func (b *Block) CheckRow(k *kernel.Kernel, row *Row, processes int) error {
	switch {
	case row.Bytes < 0 || row.Repetitions < 0 || row.Checked < 0 || row.Defects < 0 || !(row.Difference >= 0):
		return fmt.Errorf("a negative number: %d bytes, %d repetitions, %d checked, %d defects, difference %v",
			row.Bytes, row.Repetitions, row.Checked, row.Defects, row.Difference)
	case row.Difference > 0 && row.Defects == 0:
		return fmt.Errorf("a difference of %v, and no defects", row.Difference)
	case row.Missing != "" && !slices.Contains([]string{OutOfMemory, IntOverflow, TimeOut, Failed}, row.Missing):
		return fmt.Errorf("missing is %q", row.Missing)
	case row.Missing != "" && !row.empty():
		return fmt.Errorf("%s, but there are samples", row.Missing)
	case row.Missing == "" && (row.empty() || row.Repetitions < 1):
		return fmt.Errorf("no samples")
	case row.Noise != nil && (k.Class != kernel.Detours || len(row.Samples)+len(row.Series) > 0 || row.Pairs != nil):
		return fmt.Errorf("noise in a row of a kernel of class %s", k.Class)
	case row.Load != nil && (b.Split == 0 || len(row.Samples)+len(row.Series) > 0 || row.Pairs != nil ||
		row.Noise != nil):
		return fmt.Errorf("a load without a split, or with other samples")
	case len(row.Samples) > 0 && len(row.Series) > 0:
		return fmt.Errorf("both samples and series")
	case row.WarmUp < 0, row.WarmUp != 0 && k.Component != kernel.OSU && k.Builder.Threads.Of == nil:
		return fmt.Errorf("%d untimed repetitions in a row of a kernel of %s", row.WarmUp, k.Component)
	case len(row.Samples) > max(1, len(b.Groups)):
		return fmt.Errorf("%d samples for %d groups", len(row.Samples), len(b.Groups))
	}
	if err := row.Guideline.check(k, row); err != nil {
		return err
	}
	if err := errors.Join(row.checkItems(k, processes), row.checkFile(k, processes)); err != nil {
		return err
	}
	if err := row.Noise.Check(processes); err != nil {
		return err
	}
	if row.Load != nil {
		if err := row.Load.check(b, processes); err != nil {
			return err
		}
	}
	if err := checkSeries(b, row); err != nil {
		return err
	}
	for _, x := range row.Samples {
		if err := x.checkEach(k, b, processes); err != nil {
			return err
		}
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
	switch strided, partitioned := k.Strided(), k.Builder.Rows == kernel.Partitioned; {
	case row.Stride < 0 || row.Stride > settings.MaxStrided || (row.Stride > 0) != strided,
		row.Partitions < 0 || row.Partitions > mpi.MaxParts || (row.Partitions > 0) != partitioned:
		return fmt.Errorf("stride %d, %d partitions", row.Stride, row.Partitions)
	case !rating.IsTime(b.Delay) || b.Delay > 0 && !partitioned:
		return fmt.Errorf("a part of a message is late by %v", b.Delay)
	}
	if err := checkCut(k, b, row); err != nil {
		return err
	}
	return checkPairs(k, b, row)
}

// checkSeries checks the series of a row, and the offsets of the clocks that measured them.
func checkSeries(b *Block, row *Row) error {
	for i, x := range row.Series {
		n := len(x.Max)
		switch {
		case x.Counted != nil && n+len(x.Min)+len(x.Mean) > 0:
			return fmt.Errorf("series[%d]: both times and histograms", i)
		case x.Counted == nil && (n == 0 || n > settings.MaxPrecise):
			return fmt.Errorf("series[%d]: %d repetitions, want 1 to %d", i, n, settings.MaxPrecise)
		case len(x.Min) != 0 && len(x.Min) != n || len(x.Mean) != len(x.Min):
			return fmt.Errorf("series[%d]: %d times, %d of the quickest process, %d means", i, n, len(x.Min),
				len(x.Mean))
		case x.Group < 0 || x.Group >= max(1, len(b.Groups)):
			return fmt.Errorf("series[%d]: group %d of %d", i, x.Group, len(b.Groups))
		case !slices.Contains([]string{"", "t_ovrl", "t_pure", "t_cpu", "t_passive"}, x.Time):
			return fmt.Errorf("series[%d]: unknown time %q", i, x.Time)
		case !slices.Contains([]settings.Ending{settings.Precise, settings.AtMost, settings.OutOfTime}, x.Ended):
			return fmt.Errorf("series[%d]: unknown ending %q", i, x.Ended)
		}
		if x.Counted != nil {
			if err := x.Counted.check(); err != nil {
				return fmt.Errorf("series[%d]: %w", i, err)
			}
		}
	}
	if len(row.Series) > 0 && row.Repetitions != row.Series[0].N() {
		return fmt.Errorf("%d repetitions, %d in the series", row.Repetitions, row.Series[0].N())
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

// checkPairs returns an error unless a row's times of pairs fit its kernel.
func checkPairs(k *kernel.Kernel, b *Block, row *Row) error {
	switch {
	case row.Pairs == nil:
		return nil
	case k.Class != kernel.Pairs:
		return fmt.Errorf("times of pairs in a row of a kernel of class %s", k.Class)
	case len(row.Samples)+len(row.Series) > 0:
		return fmt.Errorf("times of pairs, and other samples")
	}
	return row.Pairs.Check(b.Processes, k.Builder.Directed)
}

// checkCut returns an error unless a row's times across a cut fit its kernel.
func checkCut(k *kernel.Kernel, b *Block, row *Row) error {
	switch {
	case row.Crossing == nil:
		return nil
	case k.Class != kernel.AcrossCut || len(row.Samples)+len(row.Series) > 0 || row.Pairs != nil:
		return fmt.Errorf("times across a cut in a row of a kernel of class %s, or next to other samples", k.Class)
	}
	return row.Crossing.Check(b.Cut, b.Processes, k.Builder.Directed)
}

// checkEach returns an error unless a sample has a time for each origin or thread of its kernel, and its extremes are
// theirs. Results of other programs have no times of single threads.
func (x *Sample) checkEach(k *kernel.Kernel, b *Block, processes int) error {
	threads := k.Builder.Threads.Of != nil
	switch {
	case (len(x.Each) > 0) != (k.Class == kernel.Partners || k.Class == kernel.Metadata) && !threads:
		return fmt.Errorf("%d times of origins in a row of a kernel of class %s", len(x.Each), k.Class)
	case len(x.Each) == 0:
		return nil
	case threads && (len(x.Each)%max(b.Threads, 1) != 0 || len(x.Each)/max(b.Threads, 1) > processes):
		return fmt.Errorf("%d times of threads, but %d processes with %d threads each", len(x.Each), processes,
			b.Threads)
	case !threads && len(x.Each) > processes:
		return fmt.Errorf("%d times of origins, but %d processes", len(x.Each), processes)
	case slices.Min(x.Each) != x.Min || slices.Max(x.Each) != x.Max:
		return fmt.Errorf("times of origins from %v to %v, extremes %v and %v", slices.Min(x.Each),
			slices.Max(x.Each), x.Min, x.Max)
	}
	return nil
}

// checkFile returns an error unless the row's facts about a file fit the kernel.
func (r *Row) checkFile(k *kernel.Kernel, processes int) error {
	a := k.Builder.File
	switch {
	case r.Pages == nil && len(r.SlowCalls) == 0:
		return nil
	case a == nil, r.Pages != nil && !a.Reads:
		return fmt.Errorf("pages of a file, or calls on a file, in a row of a kernel of class %s", k.Class)
	case len(r.SlowCalls) > 0 && (len(r.Series) == 0 || r.Series[0].Counted == nil):
		return fmt.Errorf("slowest calls of times that aren't in histograms")
	}
	return errors.Join(r.Pages.Check(), rating.CheckSlowest(r.SlowCalls, processes, settings.MaxCount))
}

// checkItems returns an error unless the row's numbers of items fit the kernel.
func (r *Row) checkItems(k *kernel.Kernel, processes int) error {
	switch {
	case (r.Items > 0) != (k.Class == kernel.Metadata && r.Missing == ""):
		return fmt.Errorf("%d items in a row of a kernel of class %s", r.Items, k.Class)
	case r.Items < 0 || r.Items > r.Repetitions*int64(processes):
		return fmt.Errorf("%d items of %d processes, %d repetitions", r.Items, processes, r.Repetitions)
	case r.Wall == nil:
		return nil
	case r.Wall.Items < 0 || r.Wall.Items > r.Items || r.Wall.MinItems < 0 || r.Wall.MinItems > r.Wall.Items ||
		!rating.IsTime(r.Wall.Seconds):
		return fmt.Errorf("a stonewall at %+v, of %d items", *r.Wall, r.Items)
	}
	return nil
}
