package conformance

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/fault"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
)

// measured changes the measurements of all runs of a rank.
func measured(rank int, change func(m *mpi.Measurement)) fault.Fault {
	return fault.Fault{Rank: rank, Run: func(_ int, run fault.Run) (mpi.Measurement, error) {
		m, err := run()
		change(&m)
		return m, err
	}}
}

// failing makes the process return an *mpi.Error after its n-th run. The other processes don't notice.
func failing(rank, n int) fault.Fault {
	return fault.Fault{Rank: rank, Run: func(i int, run fault.Run) (mpi.Measurement, error) {
		m, err := run()
		if i == n && err == nil {
			return mpi.Measurement{}, &mpi.Error{Call: mpi.Sendrecv.String(), Rank: rank, Text: "injected fault"}
		}
		return m, err
	}}
}

// dying makes the process return an error instead of its n-th run and all later runs. The others wait for the process.
func dying(rank, n int) fault.Fault {
	return fault.Fault{Rank: rank, Run: func(i int, run fault.Run) (mpi.Measurement, error) {
		if i >= n {
			return mpi.Measurement{}, fmt.Errorf("run: rank %d died", rank)
		}
		return run()
	}}
}

// slow adds seconds to the time that a rank measures in each run.
func slow(rank int, seconds float64) fault.Fault {
	return measured(rank, func(m *mpi.Measurement) { m.Seconds += seconds })
}

// twice makes a rank run everything twice.
func twice(rank int) fault.Fault {
	return fault.Fault{Rank: rank, Run: func(_ int, run fault.Run) (mpi.Measurement, error) {
		if m, err := run(); err != nil {
			return m, err
		}
		return run()
	}}
}

// silent drops the errors of a rank.
func silent(rank int) fault.Fault {
	return fault.Fault{Rank: rank, Run: func(_ int, run fault.Run) (mpi.Measurement, error) {
		m, _ := run()
		return m, nil
	}}
}

// spoiled changes all programs of a rank.
func spoiled(rank int, change func(p *mpi.Program)) fault.Fault {
	return fault.Fault{Rank: rank, Compile: func(_ int, p *mpi.Program) *mpi.Program {
		q := *p
		q.Places, q.Loop = slices.Clone(p.Places), slices.Clone(p.Loop)
		q.Before, q.After = slices.Clone(p.Before), slices.Clone(p.After)
		change(&q)
		return &q
	}}
}

// everywhere returns a fault for each of the three ranks.
func everywhere(of func(rank int) fault.Fault) []fault.Fault {
	return []fault.Fault{of(0), of(1), of(2)}
}

// without removes a call.
func without(op mpi.Op) func(p *mpi.Program) {
	return func(p *mpi.Program) {
		for i := range p.Loop {
			if p.Loop[i].Op == op {
				p.Loop[i] = mpi.Call{}
			}
		}
	}
}

// shift moves all places by a byte.
func shift(p *mpi.Program) {
	for i := range p.Places {
		p.Places[i].Offset = max(0, p.Places[i].Offset-1)
	}
}

// fixRoots stops the rotation of roots.
func fixRoots(p *mpi.Program) {
	for i := range p.Loop {
		p.Loop[i].Rotate = false
	}
}

// summing replaces all reductions by sums. If only one process does so, its result differs from the others' results.
func summing(p *mpi.Program) {
	for i := range p.Loop {
		p.Loop[i].Reduce = mpi.Sum
	}
}

// replace makes all calls of op calls of by.
func replace(p *mpi.Program, op, by mpi.Op) {
	for i := range p.Loop {
		if p.Loop[i].Op == op {
			p.Loop[i].Op = by
		}
	}
}

// at lists faults.
func at(faults ...fault.Fault) []fault.Fault { return faults }

var (
	blind    = func(m *mpi.Measurement) { m.Mismatch = nil }
	timeless = func(m *mpi.Measurement) { m.Seconds = 0 }
	hasty    = func(m *mpi.Measurement) { m.Seconds /= 1000 }
)

// TestCasesSeeFaults runs cases on engines with a fault. Each case must fail, and must pass without the fault.
func TestCasesSeeFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		faults []fault.Fault
	}{
		{"Sendrecv", at(spoiled(1, shift))},
		{"Forms", at(spoiled(1, shift))},
		{"Waits", at(spoiled(0, shift))},
		{"RandomMessages", at(spoiled(2, shift))},
		{"AlltoallvWithoutPlaces", at(spoiled(0, shift))},
		{"Walk", at(spoiled(1, without(mpi.Walk)))},
		{"Walk", at(twice(1))},
		{"Stamp", at(twice(0))},
		{"Check", at(twice(0))},
		{"Check", at(spoiled(2, without(mpi.Check)))},
		{"Check", at(measured(1, blind))},
		{"WrongMarks", at(fault.WrongByte(1, 0))},
		{"WrongMarks", at(measured(0, blind))},
		{"Patterns", at(spoiled(1, without(mpi.Stamp)))},
		{"Patterns", at(fault.WrongByte(2, 3))},
		{"Start", everywhere(func(r int) fault.Fault { return spoiled(r, func(p *mpi.Program) { p.Start = nil }) })},
		{"ProgramBarrier", everywhere(func(r int) fault.Fault { return spoiled(r, without(mpi.Barrier)) })},
		{"Start", at(slow(0, 1000))},
		{"Seconds", at(slow(0, 1000))},
		{"Seconds", at(measured(1, timeless))},
		{"Compute", at(measured(1, hasty))},
		{"Compute", at(slow(1, 1000))},
		{"Sendrecv", at(failing(1, 2))},
		{"Sendrecv", at(dying(1, 2))},
		{"Patterns", at(dying(0, 5))},
		{"Collectives", at(fault.WrongDelivery(1, mpi.Allgatherv))},
		{"Collectives", at(fault.WrongDelivery(2, mpi.Scatter))},
		{"Collectives", everywhere(func(r int) fault.Fault { return spoiled(r, fixRoots) })},
		{"Collectives", at(fault.WrongDelivery(0, mpi.Reduce))},
		{"Collectives", at(spoiled(1, summing))},
		{"CollectiveWalk", at(spoiled(1, without(mpi.Stamp)))},
		{"Exploit", at(measured(1, timeless))},
		{"Synchronous", at(spoiled(0, func(p *mpi.Program) { replace(p, mpi.Ssend, mpi.Send) }))},
		{"Ready", at(spoiled(1, shift))},
		{"Pieces", at(spoiled(1, func(p *mpi.Program) { p.Places[24].Pieces = nil }))},
		{"PiecesAdvancing", at(spoiled(2, shift))},
		{"Copy", at(spoiled(0, without(mpi.Copy)))},
		{"Combine", at(spoiled(1, summing))},
		{"Touch", at(spoiled(2, without(mpi.TouchSend)))},
		{"SendrecvReplace", at(spoiled(0, shift))},
		{"Collectives", at(fault.WrongDelivery(1, mpi.Alltoall))},
		{"Nonblocking", at(fault.WrongDelivery(0, mpi.Iallreduce))},
		{"WindowPut", at(spoiled(1, without(mpi.Put)))},
		{"WindowRequests", at(spoiled(2, func(p *mpi.Program) { replace(p, mpi.Rget, mpi.Rput) }))},
		{"WindowPieces", at(spoiled(0, shift))},
		{"WindowSync", at(spoiled(1, without(mpi.Stamp)))},
		{"WindowKept", at(spoiled(1, without(mpi.Get)))},
		{"Truncation", at(silent(1))},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Error(t, runCase(t, c.name, c.faults...))
			passes(t, c.name)
		})
	}
}

// passed holds the cases that have passed without a fault.
var passed = map[string]bool{}

// passes requires that a case passes without a fault. It runs once, whatever the number of its faults.
func passes(t *testing.T, name string) {
	if !passed[name] {
		require.NoError(t, runCase(t, name))
		passed[name] = true
	}
}

// runCase runs one case on three ranks.
func runCase(t *testing.T, name string, faults ...fault.Fault) error {
	t.Helper()
	for _, c := range cases {
		if c.name == name {
			cache := &resultCache{}
			return local.Run(3, func(e mpi.Engine) error {
				return c.run(fault.Inject(e, faults...), cache,
					func(string, ...any) {})
			})
		}
	}
	t.Fatalf("no case %s", name)
	return nil
}

func TestCasesHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for i, c := range cases {
		require.False(t, seen[c.name], c.name)
		require.Equal(t, i == len(cases)-1, c.last, c.name)
		seen[c.name] = true
	}
}

// TestEveryCallHasCases fails if a call was added to the table without a case.
func TestEveryCallHasCases(t *testing.T) {
	tried := slices.Concat(required, messages)
	for _, c := range cases {
		tried = append(tried, c.ops...)
	}
	for _, e := range allEpochs {
		tried = append(append(tried, e.open...), e.close...)
	}
	for _, op := range mpi.Ops() {
		require.True(t, slices.Contains(tried, op), "no case tries %v", op)
	}
}
