package beff

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// warmLengths is the number of shortest lengths that are measured after one untimed exchange (release 3.6).
const warmLengths = 18

// Measured is the outcome of a measurement on process 0. On other processes it is meaningless.
type Measured struct {
	Samples     []Sample
	WallSeconds float64 // from the first barrier to the end of the last measurement
	LoopSeconds float64 // part of it in timed loops and their untimed exchanges, by the slowest process in each

	Separate []Sample `json:"Apart,omitempty"` // samples of the methods that are measured separately

	settled, settledSeparate int // number of leading samples whose means are final
}

// measurer is the state of one process while it measures.
type measurer struct {
	rating.Process[Measured]
	plan         *Plan
	sides        []side
	out          *Measured
	runs         uint64 // number of measurements so far, which the marks contain
	forecast     forecast
	ownSeconds   []float64 // this process's seconds for each sample of the current length
	otherSamples []Sample  // the second list of samples: see finishLength
	comms        []mpi.Comm

	// Values from the parts of the run before it was resumed.
	earlierSamples map[index]*Sample
	earlierSeconds float64
	lastBegunPass  int

	slowestMeasurement float64 // mean seconds of a measurement in the slowest pass

	estimate     rating.Value // b_eff by the whole passes so far, on process 0
	ratings      []float64    // b_eff of each of these passes
	repetitions  []float64    // b_eff of each of their repetitions
	neededPasses int          // number of passes after which an adaptive run should end, by the estimate

	buffers [2]mpi.Buffer // for sending and for receiving
}

// Measure makes all measurements of the plan that earlier parts of the run lack. All processes of e call it, and their
// number must be the plan's. Process 0 gets all samples so far, even with an error. An *mpi.AgreedError (wrong data,
// rating.ErrStopped) is returned on all processes. After any other error the other processes still wait, so the job
// must be aborted. The means of a length's samples (Sample.Mean) are set when all of them are measured.
func (p *Plan) Measure(e mpi.Engine, watch rating.Observer[Measured]) (*Measured, error) {
	out, err := p.measure(e, watch)
	if err == nil && p.separate != nil {
		err = p.measureSeparate(e, watch, out)
	}
	return out, err
}

// measure makes the measurements of the rating.
func (p *Plan) measure(e mpi.Engine, watch rating.Observer[Measured]) (*Measured, error) {
	m := &measurer{Process: rating.NewProcess(e, watch), plan: p, out: &Measured{}, neededPasses: rating.MinPasses}
	m.resume(watch.Earlier)
	if err := m.Begin(p.Processes, m.setUp); err != nil {
		return m.out, err
	}
	err := m.measureAll()
	if mpi.Agreed(err) {
		// all processes are here, so the samples of the unfinished length count
		err = errors.Join(err, m.finishLength())
	}
	return m.out, m.Release(err, m.comms, m.buffers[:])
}

// setUp makes the communicators and buffers. Patterns of the same topology share a communicator. It is collective.
func (m *measurer) setUp() (err error) {
	for i := range m.buffers {
		if m.buffers[i], err = m.plan.Buffers.NewBuffer(m.Engine, m.plan.BufferSize()); err != nil {
			return err
		}
	}
	carts := map[string]mpi.Comm{}
	for _, pattern := range m.plan.Patterns {
		c := m.World
		if t := pattern.Topology; len(t.Dims) > 0 {
			key := fmt.Sprint(t)
			if _, ok := carts[key]; !ok {
				if carts[key], err = m.World.Cart(t.Dims, t.Periodic); err != nil {
					return err
				}
				m.comms = append(m.comms, carts[key])
				// In a Cartesian communicator the neighbours are the grid's, and not the partners of a ring.
				if c := carts[key]; c != nil && slices.Contains(m.plan.Methods, Neighbour) {
					if carts[key], err = c.Split(0, c.Rank()); err != nil {
						return err
					}
					m.comms = append(m.comms, carts[key])
				}
			}
			c = carts[key]
		}
		s := side{comm: c, send: m.buffers[0], recv: m.buffers[1], traffic: trafficOf(pattern)}
		if c != nil {
			s.exchanges = pattern.Exchanges(c.Rank())
		}
		m.sides = append(m.sides, s)
	}
	return nil
}

// measureAll goes through passes, repetitions, lengths, patterns and methods, in that order.
func (m *measurer) measureAll() error {
	for pass := 0; ; pass++ {
		if another, err := m.anotherPass(pass); err != nil || !another {
			return err
		}
		began := m.Seconds()
		if err := m.measurePass(pass); err != nil {
			return err
		}
		measurements := m.plan.measurements(pass+1) - m.plan.measurements(pass)
		m.slowestMeasurement = max(m.slowestMeasurement, (m.Seconds()-began)/float64(measurements))
		m.updateEstimate(pass + 1)
	}
}

// measurePass makes all measurements of a pass. It takes no loop lengths from other passes.
func (m *measurer) measurePass(pass int) error {
	rule := m.plan.loopRule()
	for repetition := range m.plan.Repetitions {
		for length, bytes := range m.plan.Lengths {
			here := index{pass: pass, repetition: repetition, length: length}
			m.forecast.begin(m.Seconds())
			if err := m.prepare(rule, here, bytes); err != nil {
				return err
			}
			if len(m.forecast.seconds) == 0 { // preparations before the first visit don't count, as they happen once
				m.forecast.begin(m.Seconds())
			}
			rule.start(repetition, length)
			if err := m.forEach(here, func(a index) error { return m.sample(rule, a) }); err != nil {
				return err
			}
			if err := m.finishLength(); err != nil {
				return err
			}
			m.forecast.end(m.Seconds(), length, float64(m.plan.measurementsPerLength(pass)))
		}
		if pass == 0 && repetition < m.plan.Repetitions-1 {
			m.updateEstimate(1)
		}
	}
	return nil
}

// prepare makes the untimed exchanges before a length. A length that an earlier part of the run has needs none.
func (m *measurer) prepare(rule loopRule, here index, bytes int64) error {
	n := rule.prerun(here.repetition, here.length)
	if m.measuredEarlier(here) {
		return nil
	}
	if rewinds(m.plan.BufferSize(), bytes) {
		if _, err := m.Execute(rewind(m.World, bytes, m.buffers[:]...), mpi.Loops{Timed: 1}); err != nil {
			return err
		}
	}
	if n == 0 {
		return nil
	}
	return m.forEach(here, func(a index) error {
		t, err := m.run(a, n)
		rule.accept(a, n, t.max)
		return err
	})
}

// forEach calls f for every pattern and method of a length. It collects garbage after each pattern, because a thousand
// embedded ranks leave more garbage in a whole length than their buffers hold.
func (m *measurer) forEach(here index, f func(index) error) error {
	for i := range m.plan.Patterns {
		for method := range m.plan.Methods {
			if !m.plan.measures(here.pass, i, method) {
				continue
			}
			if err := f(index{here.pass, here.repetition, here.length, i, method}); err != nil {
				return err
			}
		}
		if err := m.Engine.Collect(); err != nil {
			return err
		}
	}
	return nil
}

// sample repeats a measurement until the rule accepts it.
func (m *measurer) sample(rule loopRule, a index) error {
	if s := m.earlierSamples[a]; s != nil {
		rule.resume(a, s.Loops, s.Seconds)
		return nil
	}
	m.progress(a)
	for loops := rule.loops(a); loops > 0; loops = rule.loops(a) {
		if loops >= loopLimit {
			return &mpi.AgreedError{Err: errClock(m.plan.Patterns[a.pattern], loops)}
		}
		t, err := m.run(a, loops)
		if err != nil {
			return err
		}
		if !rule.accept(a, loops, t.max) {
			continue
		}
		m.forecast.sample(m.Seconds(), t.max/float64(loops))
		m.ownSeconds = append(m.ownSeconds, t.own)
		if m.World.Rank() == 0 {
			m.out.Samples = append(m.out.Samples, Sample{
				Pattern: a.pattern, Length: a.length, Method: a.method, Repetition: a.repetition, Loops: loops,
				Seconds: rating.Picoseconds(t.max), Min: rating.Picoseconds(t.min), Pass: a.pass,
			})
			m.keep()
		}
		return nil
	}
	return nil
}

// times holds the seconds of one run: this process's own (0 if it has no messages), and the largest and smallest of the
// processes with messages.
type times struct{ own, max, min float64 }

// execute runs a step. In memory that a driver allocates, one loop before the timed loops has marks, and one after
// them: a driver's copy of a mark would take longer than a short message. With --prove all loops have marks.
func (m *measurer) execute(s side, method Method, length int64, n mpi.Loops) (got mpi.Measurement, err error) {
	phases := []mpi.Loops{n}
	if m.plan.Buffers != "" && !m.plan.Prove {
		phases = []mpi.Loops{{Timed: 1}, n, {Timed: 1}}
	}
	for i, loops := range phases {
		m.runs++
		program := s.step(method, length, m.runs)
		program.Start = m.World
		timed := i == len(phases)/2
		if timed && len(phases) > 1 {
			program.Loop = slices.DeleteFunc(program.Loop, func(c mpi.Call) bool {
				return c.Op == mpi.Stamp || c.Op == mpi.Check
			})
		}
		x, err := m.Execute(program, loops)
		if err != nil {
			return got, err
		}
		wrong := cmp.Or(got.Mismatch, x.Mismatch)
		if timed {
			got = x
		}
		got.Mismatch = wrong
	}
	return got, nil
}

// run executes one step loops times, and agrees with the other processes on the outcome.
func (m *measurer) run(a index, loops int64) (times, error) {
	s, method, length := m.sides[a.pattern], m.plan.Methods[a.method], m.plan.Lengths[a.length]
	m.Enter(m.plan.expected(loops), func() string { return m.plan.describe(a) })
	n := mpi.Loops{Timed: loops}
	if a.length < warmLengths {
		n.Untimed = 1
	}
	got, err := m.execute(s, method, length, n)
	if err != nil {
		return times{}, fmt.Errorf("%s: %w", m.plan.describe(a), err)
	}
	t, err := m.agree(a, s.takesPart(), got)
	m.out.LoopSeconds += t.max * float64(n.Untimed+n.Timed) / float64(n.Timed)
	return t, err
}

// agree combines the processes' outcomes. One reduction is enough for the times, wrong data and requests to stop.
func (m *measurer) agree(a index, takesPart bool, got mpi.Measurement) (times, error) {
	const seconds, fastest, mismatch, stop = 0, 1, 2, 3
	v := [4]float64{seconds: got.Seconds, fastest: math.Inf(-1), stop: m.StopRequest()}
	t := times{}
	if takesPart {
		t.own, v[fastest] = got.Seconds, -got.Seconds
	}
	if all := got.All; all != nil {
		part := float64(m.plan.Patterns[a.pattern].Processes) / float64(m.World.Size())
		t.own, v[seconds], v[fastest] = all.Mean*part, all.Max, -all.Min
	}
	if got.Mismatch != nil {
		v[mismatch] = float64(m.World.Rank() + 1)
	}
	if err := m.World.Allreduce(v[:], mpi.Max); err != nil {
		return t, err
	}
	t.max, t.min = v[seconds], -v[fastest]
	if v[mismatch] > 0 {
		_, err := job.DecideOn(m.World, int(v[mismatch])-1, func() (struct{}, error) {
			memory := strings.TrimSpace(m.plan.Place() + " memory of host " + m.Engine.Host())
			return struct{}{}, fmt.Errorf("%w: %s, in %s: %w", rating.ErrWrongData, m.plan.describe(a), memory,
				got.Mismatch)
		})
		return t, err
	}
	return t, rating.Stopped(v[stop])
}

// expected returns the seconds that these loops should take, or 0 if the rules set no time: for one loop, and in
// release 3.6.
func (p *Plan) expected(loops int64) float64 {
	if loops == 1 || p.Rules == Rules36 {
		return 0
	}
	_, longest := p.window()
	return longest
}

// describe describes a measurement in words.
func (p *Plan) describe(a index) string {
	return fmt.Sprintf("pattern %s, method %v, length %d, repetition %d%s", p.Patterns[a.pattern].Name,
		p.Methods[a.method], p.Lengths[a.length], a.repetition+1, p.passText(", pass %d", a.pass))
}

// finishLength completes the samples of a length with the means over the processes, and passes them to the observer.
func (m *measurer) finishLength() error {
	if err := m.World.Allreduce(m.ownSeconds, mpi.Sum); err != nil {
		return err
	}
	if m.World.Rank() == 0 {
		// The observer may still read the samples that it got last, so they must not change. So there are two lists,
		// used in turn: a copy of all samples for each length would make the work grow with the square of the passes.
		last := m.out.Samples
		m.out.Samples = append(m.otherSamples, last[len(m.otherSamples):]...)
		m.otherSamples = last[:len(last)-len(m.ownSeconds)]
		samples := m.out.Samples[len(m.otherSamples):]
		for i := range samples {
			processes := m.plan.Patterns[samples[i].Pattern].Processes
			samples[i].Mean = rating.Picoseconds(m.ownSeconds[i] / float64(processes))
		}
		m.out.settled = len(m.out.Samples)
		m.keep()
	}
	m.ownSeconds = m.ownSeconds[:0]
	return nil
}

// keep passes the samples so far to the observer.
func (m *measurer) keep() {
	m.out.WallSeconds = m.earlierSeconds + m.Seconds()
	m.Keep(*m.out)
}
