package method

import (
	"cmp"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// pairRunner runs the programs of a kernel for pairs of processes, several pairs at once.
type pairRunner struct {
	*Measurer
	s      *kernel.Setup
	idle   mpi.Runner
	warm   int64   // untimed repetitions before each run
	checks bool    // the data of runs are checked
	seen   reading // of all checks
}

// newPairRunner returns the runner of a row's pairs. warm is the default number of untimed repetitions. It returns the
// error of a library that can't express the messages.
func (m *Measurer) newPairRunner(s *kernel.Setup, warm int64) (x pairRunner, err error) {
	x = pairRunner{Measurer: m, s: s, warm: warm}
	if w := m.Settings.Repetitions.WarmUp; w != nil {
		x.warm = *w
	}
	if x.idle, err = m.Engine.Compile(&mpi.Program{Start: m.World}); err != nil {
		return x, err
	}
	for _, measures := range []bool{true, false} {
		if s.Comm != nil {
			s.Pairing = &kernel.Pairing{Peer: (s.Rank() + 1) % s.Size(), Measures: measures}
		}
		o := m.begin(s)
		if err := o.compile((*kernel.Setup).Program); err != nil {
			return x, err
		}
		o.shut()
	}
	return x, nil
}

// patience returns the seconds that a row may take.
func (x *pairRunner) patience() float64 {
	return cmp.Or(x.Settings.Repetitions.SampleTime, settings.Default.SampleTime)
}

// directions returns the number of programs of a pair. In the second one the other process of a pair sends
// and measures.
func (x *pairRunner) directions() int {
	if x.s.Kernel.Builder.Directed {
		return 2
	}
	return 1
}

// run runs n repetitions of a pair. A process that takes no part, or whose pair is done, runs an empty program. So all
// processes meet in the barrier before the program, and runs follow each other.
func (x *pairRunner) run(with *kernel.Pairing, n int64, each bool) (got mpi.Measurement, err error) {
	if with == nil || n == 0 {
		return x.idle.Run(mpi.Loops{Timed: 1})
	}
	x.s.Pairing = with
	o := x.begin(x.s)
	err = o.make(func(s *kernel.Setup, step *kernel.Step) *mpi.Program {
		p := s.Program(step)
		p.Start = x.World
		return p
	})
	var r *reading
	if x.checks && err == nil {
		r, err = &x.seen, o.renew()
	}
	if err != nil {
		return got, err
	}
	o.calm()
	if got, err = o.run(mpi.Loops{Untimed: x.warm, Timed: n, Each: each}); err != nil {
		return got, err
	}
	x.s.Results.Used += n + x.warm
	err = o.close(r)
	x.seen.checked = min(x.seen.checked, 1)
	return got, err
}
