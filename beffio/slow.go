package beffio

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// OnceCall is a call that each process makes once, outside of the timed loop. Only the slowest process's call is kept.
type OnceCall struct {
	// Duration in seconds.
	Seconds float64 `json:"seconds" jsonschema:"minimum=0"`
	// When it began, in seconds since the beginning of the run.
	At float64 `json:"at" jsonschema:"minimum=0"`
	// Rank of its process.
	Rank int64 `json:"rank" jsonschema:"minimum=0"`
}

// timeCall makes a call of this process, and returns when it began and how long it took.
func (m *measurer) timeCall(call func() error) (OnceCall, error) {
	at := m.Seconds()
	err := call()
	return OnceCall{Seconds: m.Seconds() - at, At: m.earlier.WallSeconds + at}, err
}

// slowestOnceCalls returns for each of these calls the slowest one over all processes of c, and the lowest rank if
// several are equally slow. The elements are nil if calls aren't timed. It is collective.
func (m *measurer) slowestOnceCalls(c mpi.Comm, mine ...OnceCall) ([]*OnceCall, error) {
	list := make([]*OnceCall, len(mine))
	if !m.plan.counts() {
		return list, nil
	}
	slowest := lists.Each(mine, func(x OnceCall) float64 { return x.Seconds })
	if err := c.Allreduce(slowest, mpi.Max); err != nil {
		return nil, err
	}
	var ranksAndTimes []float64
	for i, x := range mine {
		if x.Seconds == slowest[i] {
			ranksAndTimes = append(ranksAndTimes, -float64(c.Rank()), x.At)
		} else {
			ranksAndTimes = append(ranksAndTimes, math.Inf(-1), math.Inf(-1))
		}
	}
	if err := c.Allreduce(ranksAndTimes, mpi.Max); err != nil {
		return nil, err
	}
	for i := range list {
		rank, at := -ranksAndTimes[2*i], max(ranksAndTimes[2*i+1], 0)
		list[i] = &OnceCall{nanoseconds(slowest[i]), nanoseconds(at), int64(rank)}
	}
	return list, nil
}

// check returns an error if a run with these quantiles can't have the call in a partition of this many processes.
func (x *OnceCall) check(processes int, quantiles []float64) error {
	switch {
	case x == nil:
		return nil
	case len(quantiles) == 0:
		return errors.New("the run has a slow call, but doesn't count the times of calls")
	}
	return rating.CheckSlowest([]rating.SlowCall{{Seconds: x.Seconds, At: x.At, Rank: x.Rank}}, processes, 1)
}

// checkSlow returns an error unless the slow calls can belong to a sample.
func (r *Result) checkSlow(s *Sample) error {
	if x := s.Slowest; x != nil {
		if s.Pass == 0 || len(r.Quantiles) == 0 {
			return fmt.Errorf("pass %d has a slowest call, with quantiles of %v %%", s.Pass, r.Quantiles)
		}
		if err := rating.CheckSlowest([]rating.SlowCall{*x}, r.Partitions[s.Partition], s.Calls); err != nil {
			return err
		}
	}
	if x := s.SyncCall; x != nil && math.Abs(x.Seconds-s.Sync) > 1e-9*(1+x.Seconds) {
		return fmt.Errorf("the slowest MPI_File_sync took %v s, but the sample has %v s", x.Seconds, s.Sync)
	}
	return errors.Join(s.ViewCall.check(r.Partitions[s.Partition], r.Quantiles),
		s.SyncCall.check(r.Partitions[s.Partition], r.Quantiles))
}

// SlowCall is one of the slowest calls of a partition.
type SlowCall struct {
	rating.SlowCall // Repetition and Offset are -1 for a call outside of loops
	Call            string
	Access          Access
	Type            patterns.IOType
	Pattern         int // -1 for a call on the file that all patterns of the type use
}

// Once reports whether a process makes the call once, outside of loops.
func (x SlowCall) Once() bool { return x.Repetition < 0 }

// SlowCalls returns the slowest calls of all patterns and files of a partition, the slowest first.
func (r *Result) SlowCalls(n int) (list []SlowCall) {
	once := func(x *OnceCall, slow SlowCall, call string) {
		if x != nil {
			slow.SlowCall = rating.SlowCall{Seconds: x.Seconds, At: x.At, Rank: x.Rank, Repetition: -1, Offset: -1}
			slow.Call = call
			list = append(list, slow)
		}
	}
	for s := range lists.Elements(r.Samples) {
		if s.Partition != n {
			continue
		}
		slow := SlowCall{Access: s.Access, Type: r.typeOf(s.Pattern), Pattern: s.Pattern}
		once(s.ViewCall, slow, "MPI_File_set_view")
		once(s.SyncCall, slow, mpi.FileSync.String())
		slow.Call = (&Config{NoShared: r.NoShared}).call(s.Access, slow.Type).String()
		for _, slow.SlowCall = range s.slowest() {
			list = append(list, slow)
		}
	}
	for f := range lists.Elements(r.Files) {
		if f.Partition == n {
			slow := SlowCall{Access: f.Access, Type: TypeNamed(f.Type), Pattern: -1}
			once(f.OpenCall, slow, mpi.FileOpen.String())
			once(f.CloseCall, slow, mpi.FileClose.String())
		}
	}
	slices.SortStableFunc(list, func(a, b SlowCall) int { return cmp.Compare(b.Seconds, a.Seconds) })
	return list
}

// slowest returns the slowest calls in a sample's loops, as far as the sample has kept them.
func (s *Sample) slowest() []rating.SlowCall {
	switch {
	case s.Times != nil:
		return s.Times.Slowest
	case s.Slowest != nil:
		return []rating.SlowCall{*s.Slowest}
	}
	return nil
}

// String names the call and its place.
func (x SlowCall) String() string {
	switch {
	case x.Pattern < 0:
		return fmt.Sprintf("%s of the %v file for %s", x.Call, x.Type, x.Access)
	case x.Once():
		return fmt.Sprintf("%s of pattern %d (%v) for %s", x.Call, x.Pattern, x.Type, x.Access)
	}
	return fmt.Sprintf("%s of pattern %d (%v)", x.Access, x.Pattern, x.Type)
}
