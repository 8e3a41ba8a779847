package method

import (
	"cmp"
	"errors"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// session holds the programs of a row on one process, one for each of its threads. They are compiled, entered, run as
// often as a method needs, and closed. A process outside of the groups has no programs, but takes part in agreements.
type session struct {
	*Measurer
	s     *kernel.Setup
	steps []*kernel.Step
	team  mpi.Team          // nil if there are no programs
	all   []mpi.Measurement // of the threads in the last run
	// Set when the steps' calls before the timed part have been made, so that the calls after it must follow.
	entered bool
}

// single is a team of one thread.
type single struct{ mpi.Runner }

func (x single) Run(l mpi.Loops) ([]mpi.Measurement, error) {
	got, err := x.Runner.Run(l)
	return []mpi.Measurement{got}, err
}

// begin returns a session with the steps of a row.
func (m *Measurer) begin(s *kernel.Setup) *session {
	o := &session{Measurer: m, s: s}
	if s.Comm != nil {
		for _, one := range s.Threads() {
			o.steps = append(o.steps, one.Kernel.Builder.Build(one))
		}
	}
	return o
}

// open makes a row's programs and everything that they need, and meets the other processes of the world. If the data
// will be checked, it renews the receive areas.
func (m *Measurer) open(s *kernel.Setup, checked bool) (*session, error) {
	if err := m.rewindAll(s); err != nil {
		return nil, err
	}
	o := m.begin(s)
	if err := o.compile((*kernel.Setup).Program); err != nil {
		return nil, err
	}
	if checked && mpi.MovesData(m.Engine) {
		if err := o.renew(); err != nil {
			return nil, err
		}
	}
	err := o.enter()
	// IMB's barriers (N_BARR) except for the last one, which the program makes right before it reads the clock.
	for i := cmp.Or(m.Settings.Barriers, settings.Default.Barriers); i > 1 && err == nil; i-- {
		err = m.World.Barrier()
	}
	return o, err
}

// compile makes the programs. All processes of the world call it. If the library can't express a message on one
// process, all return an error, so that the run can continue.
func (o *session) compile(program func(*kernel.Setup, *kernel.Step) *mpi.Program) error {
	err := o.compiled(o.make(program))
	if err != nil {
		o.shut() // another process has no programs
	}
	return err
}

func (o *session) shut() {
	if o.team != nil {
		o.team.Close()
		o.team = nil
	}
}

// make makes the programs of this process.
func (o *session) make(program func(*kernel.Setup, *kernel.Step) *mpi.Program) (err error) {
	var programs []*mpi.Program
	for i, x := range o.steps {
		programs = append(programs, program(o.s.Threads()[i], x))
	}
	if o.s.Kernel.Builder.Threads.OneMemory {
		for _, p := range programs {
			p.Team = programs
		}
	}
	switch len(programs) {
	case 0:
	case 1:
		var runner mpi.Runner
		if runner, err = o.Engine.Compile(programs[0]); err == nil {
			o.team = single{runner}
		}
	default:
		o.team, err = o.Engine.(mpi.Threaded).Team(programs)
	}
	return err
}

// compiled returns the error of the lowest rank that could not compile. If all errors are overflows, it is
// mpi.ErrOverflow, and the run continues.
func (m *Measurer) compiled(err error) error {
	const overflow, failure = 1, 2
	mine := 0.0
	switch {
	case errors.Is(err, mpi.ErrOverflow):
		mine = overflow
	case err != nil:
		mine = failure
	}
	worst, comm := m.Most(mine)
	switch {
	case comm != nil:
		return comm
	case worst == 0:
		return nil
	case worst == overflow:
		return &mpi.AgreedError{Err: mpi.ErrOverflow}
	case mine < worst:
		err = nil // others have a worse error
	}
	return m.Agree(m.World, err)
}

// renew renews the receive areas. It first starts persistent collective calls once, because libraries had errors only
// from the second start onwards.
func (o *session) renew() error {
	if len(o.steps) == 0 {
		return nil
	}
	if slices.ContainsFunc(o.steps[0].Each, startsAgain) {
		if _, err := o.team.Run(mpi.Loops{Timed: 1}); err != nil {
			return err
		}
	}
	return o.inOwnWindow(o.s, func() error {
		for _, one := range o.s.Owners() {
			one.ClearReceived()
		}
		return nil
	})
}

// startsAgain reports whether a call starts the same collective operation in each repetition.
func startsAgain(c mpi.Call) bool {
	return c.Op.Persistent() && c.Op.Family() == mpi.NonblockingCollective
}

// enter makes the steps' calls before the timed part.
func (o *session) enter() error {
	for _, x := range o.steps {
		if err := o.execute(o.s.Outside(x, x.Enter)); err != nil {
			return err
		}
	}
	o.entered = true
	return nil
}

// calm makes runs wait for a quiet core first, if the engine can do that. Loops of IMB are short, unlike the loops of
// the other benchmarks.
func (o *session) calm() {
	if one, is := o.team.(single); is {
		calm(one.Runner)
	}
}

func calm(r mpi.Runner) {
	if c, ok := r.(mpi.IdleWaiter); ok {
		c.WaitIdle()
	}
}

// run runs loops of the programs, and returns the measurement of the first thread. After a failed call the programs
// stay open, because their requests may be open.
func (o *session) run(l mpi.Loops) (got mpi.Measurement, err error) {
	if o.team == nil {
		return got, nil
	}
	began := o.Now()
	if o.all, err = o.team.Run(l); err != nil {
		return got, err
	}
	o.looped += o.Now().Sub(began)
	if got = o.all[0]; got.Failure != nil && o.s.Results.Failure == nil {
		o.s.Results.Failure = got.Failure
	}
	return got, nil
}

// close ends the programs and makes the steps' calls after the timed part. Unless r is nil, it checks the data that the
// steps have left and counts the errors in r.
func (o *session) close(r *reading) error {
	o.shut()
	for i, x := range o.steps {
		if o.entered {
			if err := o.execute(o.s.Outside(x, x.Leave)); err != nil {
				return err
			}
		}
		if r == nil || !mpi.MovesData(o.Engine) {
			continue
		}
		if err := o.execute(o.s.Outside(x, x.Proof)); err != nil {
			return err
		}
		if err := o.inOwnWindow(o.s, func() error { return r.check(o.Measurer, o.s.Threads()[i], x) }); err != nil {
			return err
		}
	}
	return nil
}

// rewindAll calls rewind on all processes of groups, and all return the same error.
func (m *Measurer) rewindAll(s *kernel.Setup) (err error) {
	if s.Files == nil {
		return nil
	}
	if s.Comm != nil {
		err = m.rewind(s)
	}
	return m.Agree(m.World, err)
}

// execute runs untimed calls once.
func (m *Measurer) execute(p *mpi.Program) error {
	if p == nil {
		return nil
	}
	_, err := m.Execute(p, mpi.Loops{Timed: 1})
	return err
}

// executeQuietly is Execute on a quiet core.
func (m *Measurer) executeQuietly(p *mpi.Program, n mpi.Loops) (got mpi.Measurement, err error) {
	runner, err := m.Engine.Compile(p)
	if err != nil {
		return got, err
	}
	calm(runner)
	if got, err = runner.Run(n); err == nil {
		runner.Close()
	}
	return got, err
}

// inOwnWindow calls do while this process may load from its window and store to it.
func (m *Measurer) inOwnWindow(s *kernel.Setup, do func() error) error {
	if !s.Kernel.Builder.TouchesWindow() {
		return do()
	}
	own := func(op mpi.Op) error {
		return m.execute(&mpi.Program{Comm: s.Comm, Places: []mpi.Place{s.At(s.Rank(), 0, 0)},
			Loop: []mpi.Call{{Op: op, Recv: mpi.One(0)}}})
	}
	if err := own(mpi.WinLock); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return own(mpi.WinUnlock)
}
