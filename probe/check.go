package probe

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/fabric"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/pairs"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

const (
	// maxProcesses is the largest number of processes of a result: far more than any machine has, but small enough
	// that no computation overflows.
	maxProcesses = 1 << 26
)

// Check returns an error if the measurements of a result are wrong: an unknown kernel, a process out of range, a time
// that no clock gives. Derive and all outputs work on a result that passes. Verify of report/ofprobe proves that the
// figures follow from the samples.
func (r *Result) Check() error {
	if err := r.CheckIdentity(Benchmark, SchemaVersion); err != nil {
		return err
	}
	switch {
	case r.Processes < 1 || r.Processes > maxProcesses:
		return fmt.Errorf("processes is %d", r.Processes)
	case !rating.IsTime(r.WallSeconds):
		return fmt.Errorf("wall_seconds is %v", r.WallSeconds)
	case !rating.IsTime(r.CPU.Flops) || !rating.IsTime(r.CPU.Target):
		return fmt.Errorf("cpu is %+v", r.CPU)
	case r.Complete != (r.Ended == ""):
		return fmt.Errorf("complete is %t, and it ended early by %q", r.Complete, r.Ended)
	}
	if err := job.CheckPlacement(r.Placement, r.Processes); err != nil {
		return err
	}
	err := cmp.Or(r.Load.Check(r.Processes), r.Environment.CheckMemory(r.Settings.Memory.MessageMemory))
	if err != nil {
		return err
	}
	if err := suites.Check(&r.Settings, r.Processes); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	if len(r.Factors) > 0 {
		if err := settings.CheckFactors(r.Factors, r.Processes); err != nil {
			return fmt.Errorf("factors: %w", err)
		}
	}
	if err := r.checkFunctions(); err != nil {
		return err
	}
	for _, x := range r.Refused {
		if _, ok := r.Kernel(&measured.Block{Kernel: x.Kernel, Component: x.Component}); !ok {
			return fmt.Errorf("refused: unknown kernel %q of %q", x.Kernel, x.Component)
		}
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
		if judged > maxProcesses {
			return fmt.Errorf("blocks[%d]: the rows of pairs have more than %d processes together", i, maxProcesses)
		}
	}
	return nil
}

func (r *Result) checkBlock(b *measured.Block) error {
	k, ok := r.Kernel(b)
	switch {
	case !ok:
		return fmt.Errorf("unknown kernel %q of %q", b.Kernel, b.Component)
	case b.Completion != "" && !slices.Contains(settings.Completions, b.Completion),
		b.Sync != "" && !slices.Contains(settings.Synchronizations, b.Sync),
		b.WindowKind != "" && !slices.Contains(settings.WindowKinds, b.WindowKind), b.Target != "" &&
			b.Target != settings.TargetComputes:
		return fmt.Errorf("completion %q, window %q, target %q", b.Completion, b.WindowKind, b.Target)
	case len(b.Rows) > 0 && memoryReason(k, &r.Settings) != "":
		return fmt.Errorf("%s can't have its messages in memory of %s", b.Kernel, r.Settings.Memory.Place())
	case b.Mode != settings.Plain && !slices.Contains(k.Modes, b.Mode):
		return fmt.Errorf("%s has no mode %q", b.Kernel, b.Mode)
	case b.Processes < 1 || b.Processes > r.Processes:
		return fmt.Errorf("%d processes of %d", b.Processes, r.Processes)
	case b.Pass < 0 || b.Pass > r.Settings.Passes:
		return fmt.Errorf("pass %d of %d", b.Pass, r.Settings.Passes)
	case b.Waiting < 0 || b.Waiting > r.Processes-b.Processes:
		return fmt.Errorf("%d processes wait, %d of %d are active", b.Waiting, b.Processes, r.Processes)
	case len(b.Groups)*b.Processes > r.Processes:
		return fmt.Errorf("%d groups of %d processes, of %d in all", len(b.Groups), b.Processes, r.Processes)
	case b.WindowSize < 0 || b.WindowSize > settings.MaxCount || b.Threads < 0 || b.Threads > settings.MaxThreads:
		return fmt.Errorf("windows of %d messages, %d threads", b.WindowSize, b.Threads)
	case (b.Cut != nil) != (k.Class == kernel.AcrossCut), b.Cut != nil && len(b.Groups) != 1:
		return fmt.Errorf("a cut: %t, in %d groups, of a kernel of class %s", b.Cut != nil, len(b.Groups), k.Class)
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
	if err := errors.Join(b.Cut.Check(b.Processes), r.checkSplit(k, b)); err != nil {
		return err
	}
	for i := range b.Rows {
		if err := b.CheckRow(k, &b.Rows[i], r.Processes); err != nil {
			return fmt.Errorf("%s: rows[%d]: %w", b.Kernel, i, err)
		}
	}
	return nil
}

// CheckLengths returns an error unless the rows of a result of this version have the lengths that the settings ask for,
// in their order. It accepts any lengths that are selected while a block is measured.
func (r *Result) CheckLengths() error {
	for i := range r.Blocks {
		b := &r.Blocks[i]
		k, ok := r.Kernel(b)
		if !ok {
			continue
		}
		if _, refined := measured.Refinement(&r.Settings, k); refined {
			continue
		}
		if err := r.checkSides(b); err != nil {
			return fmt.Errorf("blocks[%d]: %s: %w", i, b.Kernel, err)
		}
		planned := suites.Way(&r.Settings, k).Lengths()
		for j, row := range b.Rows {
			if j == len(planned) || row.Bytes != planned[j] {
				return fmt.Errorf("blocks[%d]: %s: rows[%d] has %d bytes, the settings ask for %v", i, b.Kernel, j,
					row.Bytes, planned)
			}
		}
	}
	return nil
}

// checkSides returns an error unless a block's cut, its sides and its steps follow from the settings and the nodes of
// the placement. If only a part of the processes measured, the sides can't be checked.
func (r *Result) checkSides(b *measured.Block) error {
	if b.Cut == nil {
		return nil
	}
	for _, row := range b.Rows {
		if row.Crossing != nil && !slices.Equal(row.Crossing.Shifts, b.Cut.Shifts(r.Settings.Pairs.Steps)) {
			return fmt.Errorf("cut %q: the settings ask for other steps than %v", b.Cut.Name, row.Crossing.Shifts)
		}
	}
	if r.Settings.Who.Per != "" || len(r.Placement) == 0 {
		return nil
	}
	var nodes []fabric.Node
	for _, p := range r.Placement {
		ranks, err := p.List()
		if err != nil {
			return err
		}
		nodes = append(nodes, fabric.Node{Ranks: ranks, Units: p.Units})
	}
	cuts, err := fabric.Cuts(nodes, r.Settings.Pairs.Cuts)
	if err != nil {
		return err
	}
	if len(b.Groups) != 1 {
		return fmt.Errorf("cut %q: %d groups", b.Cut.Name, len(b.Groups))
	}
	for _, c := range cuts {
		if cut, ranks := pairs.NewCut(c); reflect.DeepEqual(cut, b.Cut) && slices.Equal(ranks, b.Groups[0]) {
			return nil
		}
	}
	return fmt.Errorf("cut %q: its sides don't follow from the nodes", b.Cut.Name)
}
