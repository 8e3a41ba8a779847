package beff_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
)

// withDriver is an engine with a driver that allocates memory.
type withDriver struct{ *scripted.Engine }

func (e withDriver) Device() (*mpi.Device, error) { return nil, nil }
func (e withDriver) LibrarySays() []mpi.Answer    { return nil }

func (e withDriver) NewDeviceBuffer(_ mpi.MemoryKind, size int64) (mpi.Buffer, error) {
	return e.NewBuffer(size)
}

var _ mpi.Placer = withDriver{}

// With --prove every loop is checked, so a fault in the third of several loops ends the run. Otherwise it is missed,
// because only one loop before the timed ones and one after them are checked. A run with --prove isn't a rating.
func TestProve(t *testing.T) {
	for _, c := range []struct {
		prove, fault, found bool
		missed              []string
	}{
		{fault: true, missed: []string{"devices"}},
		{prove: true, missed: []string{"times", "devices"}},
		{prove: true, fault: true, found: true, missed: []string{rating.RightData, rating.Complete}},
	} {
		s := &scripted.Engine{Processes: 2, Cost: scripted.Linear(1e-6, 1e9)}
		s.Fail = func(step scripted.Step) (*mpi.Mismatch, error) {
			checked := slices.ContainsFunc(step.Calls, func(c mpi.Call) bool { return c.Op == mpi.Check })
			if checked && c.fault && step.Loops.Timed >= 3 {
				return &mpi.Mismatch{Loop: 2}, nil
			}
			return nil, nil
		}
		plan, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: doubling, Prove: c.prove,
			MessageMemory: mpi.MessageMemory{Buffers: "cuda:device"}})
		require.NoError(t, err)
		m, err := plan.Measure(withDriver{s}, rating.Observer[beff.Measured]{Now: s.Now})
		require.Equal(t, c.found, err != nil)
		r := beff.NewResult(plan, m, known(2, rating.Run{Err: err}))
		var missed []string
		for _, x := range rating.Unmet(r.Criteria) {
			missed = append(missed, x.Name)
		}
		require.Equal(t, c.missed, missed)
		if c.prove {
			require.Equal(t, "all received data equal the sent data; every loop was checked", r.Criteria[0].Text)
		}
	}
	_, err := beff.NewPlan(2, beff.Config{Rules: beff.Rules2001, Memory: doubling, Prove: true})
	require.EqualError(t, err, "--prove is for --buffers: in the host's memory every loop is checked anyway")
}
