package ior

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/pagecache"
)

// Config holds the tests of a run, in their order, and the room that files may take where a stonewall says when writing
// ends: bytes, and files of tests of metadata. 0: nobody knows.
type Config struct {
	Tests       []Settings
	Room, Files int64
}

// Plan holds all measurements of a run. It is the same on all processes.
type Plan struct {
	Config
	Processes int
	Directory string `json:"-"` // of the files, which is this run's own; empty: they are where the tests say
}

// NewPlan returns the plan of a configuration for a number of processes, or an error if the configuration is wrong.
func NewPlan(processes int, c Config) (*Plan, error) {
	if len(c.Tests) == 0 {
		return nil, errors.New("no test")
	}
	p := &Plan{Config: c, Processes: processes}
	for i := range c.Tests {
		if err := c.Tests[i].Check(processes); err != nil {
			return nil, err
		}
		if of := p.maker(i); c.Tests[i].Metadata != nil && (of >= i && c.Tests[i].Metadata.Phase != Write ||
			c.Tests[of].Metadata == nil) {
			return nil, fmt.Errorf("no test %q before %q makes files", c.Tests[i].Of, c.Tests[i].Name)
		}
	}
	return p, nil
}

// maker returns the test that makes the files of a test: another one, or itself.
func (p *Plan) maker(test int) int {
	of := slices.IndexFunc(p.Tests, func(s Settings) bool { return s.Name == p.Tests[test].Of })
	if of < 0 || p.Tests[test].Of == "" {
		return test
	}
	return of
}

// Measurements returns the number of phases of all tests.
func (p *Plan) Measurements() (n int) {
	for i := range p.Tests {
		for _, a := range Accesses() {
			if p.Tests[i].Measures(a) {
				n += p.Tests[i].Repetitions
			}
		}
	}
	return n
}

// Bytes returns the most bytes that files have at the same time; 0 where a stonewall ends the writing.
func (p *Plan) Bytes() (most int64) {
	for i := range p.Tests {
		switch s := &p.Tests[i]; {
		case s.Measures(Write) && s.Stonewall > 0:
			return 0
		case s.Measures(Write):
			most = max(most, s.Bytes(p.Processes))
		}
	}
	return most
}

// Trim drops what can't be gone on with: of files in the run's own directory, which are gone, a repetition that
// isn't whole, and all if a later test needs what an earlier one has left. Files that a user keeps are there; those
// of several repetitions may be of a later one that the journal doesn't have yet.
func (p *Plan) Trim(m *Measured) {
	whole := len(m.Samples)
	for i := range p.Tests {
		if p.Tests[i].Of != "" {
			whole = 0
		}
	}
	for ; whole > 0; whole-- {
		s := &m.Samples[whole-1]
		if of := p.Tests[s.Test]; s.Access == Read || !of.Read || of.Keep && of.Repetitions == 1 {
			break
		}
	}
	m.Samples = m.Samples[:whole]
}

// Left returns the files that a run has made so far, and keeps. Of those of a test it looks for the first one alone.
func (p *Plan) Left(m *Measured) (list []string) {
	for _, test := range m.Begun {
		if s := &p.Tests[test]; s.Keep {
			paths := s.Paths(p.Processes)
			if _, err := os.Lstat(paths[0]); err == nil {
				list = append(list, paths...)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Measured is the outcome of a measurement on process 0. On other processes it is meaningless.
type Measured struct {
	Samples     []Sample
	WallSeconds float64
	Begun       []int // tests whose files the run has begun to write, so that they are its own
}

// Since returns the news of a measurement: all that before lacks. It reports false if there is nothing.
func (m *Measured) Since(before *Measured) (Measured, bool) {
	news := Measured{m.Samples[len(before.Samples):], m.WallSeconds, m.Begun[len(before.Begun):]}
	return news, len(news.Samples)+len(news.Begun) > 0
}

// Add adds news to a measurement.
func (m *Measured) Add(news Measured) {
	m.Samples, m.WallSeconds = append(m.Samples, news.Samples...), news.WallSeconds
	m.Begun = append(m.Begun, news.Begun...)
}

// measurer is the state of one process while it measures.
type measurer struct {
	rating.Process[Measured]
	plan    *Plan
	files   mpi.Files
	out     *Measured
	earlier float64 // seconds of earlier parts
	parts   int     // samples of earlier parts
	self    mpi.Comm
	memory  mpi.Buffer
	stop    func() bool     // reports whether the run is to end
	made    map[string]bool // files that this run has made, and not removed
	reached map[int]int64   // transfers of each process that a test has written
	done    map[done]bool   // by earlier parts of the run
	trees   map[int]*tree   // of tests of metadata that make files
}

// done is a phase that an earlier part of the run has measured.
type done struct {
	test, repetition int
	access           Access
}

// Measure makes all measurements of the plan. All processes of e call it. An *mpi.AgreedError is returned by all
// processes alike; any other error leaves the others waiting, so the job must be aborted.
func (p *Plan) Measure(e mpi.Engine, watch rating.Observer[Measured]) (*Measured, error) {
	m := &measurer{Process: rating.NewProcess(e, watch), plan: p, out: &Measured{}, stop: watch.Stop,
		made: map[string]bool{}, reached: map[int]int64{}, done: map[done]bool{}, trees: map[int]*tree{}}
	if watch.Earlier != nil {
		m.resume(watch.Earlier)
	}
	files, ok := e.(mpi.Files)
	if !ok || !e.Supports(mpi.FileWriteAt) {
		return m.out, &mpi.AgreedError{Err: fmt.Errorf("the engine %s has no files", e.Library().Engine)}
	}
	m.files = files
	if err := m.Begin(p.Processes, m.setUp); err != nil {
		return m.out, err
	}
	err := m.run()
	m.out.WallSeconds = m.earlier + m.Seconds()
	if err != nil && !mpi.Agreed(err) {
		return m.out, err
	}
	return m.out, m.Release(errors.Join(err, m.clear()), []mpi.Comm{m.self}, []mpi.Buffer{m.memory})
}

// resume takes over what an earlier part of the run has measured, and the files that it has left.
func (m *measurer) resume(from *Measured) {
	m.out.Samples, m.out.Begun, m.earlier = slices.Clone(from.Samples), slices.Clone(from.Begun), from.WallSeconds
	m.parts = len(from.Samples)
	for i := range from.Samples {
		s := &from.Samples[i]
		m.done[done{s.Test, s.Repetition, s.Access}] = true
		if s.Access == Write {
			m.reached[s.Test] = s.all(&m.plan.Tests[s.Test])
		}
	}
	for _, i := range from.Begun {
		if s := &m.plan.Tests[i]; s.Keep && m.plan.Directory == "" {
			m.made[s.path("", m.World.Rank())] = true
		}
	}
}

// add adds a sample, on process 0.
func (m *measurer) add(s Sample) {
	m.out.Samples = append(m.out.Samples, s)
	m.keep()
}

// keep passes what there is to the observer.
func (m *measurer) keep() {
	m.out.WallSeconds = m.earlier + m.Seconds()
	m.Keep(*m.out)
}

// room returns how many more things of some bytes each process may write in a test before its stonewall, or an error if
// there is no room for one. Tests that are still to write share what is left. All processes know the same.
func (m *measurer) room(test int, bytes int64) (int64, error) {
	if s := &m.plan.Tests[test]; m.plan.Room == 0 || s.Stonewall == 0 || s.Existing {
		return math.MaxInt64, nil
	}
	left, writers := m.plan.Room, int64(0)
	for i := range m.plan.Tests {
		s := &m.plan.Tests[i]
		if s.Keep || s.Metadata != nil {
			left -= m.reached[i] * s.unitBytes(Write) * int64(m.plan.Processes)
		}
		if i >= test && s.Measures(Write) {
			writers++
		}
	}
	return m.share(left/max(bytes, 1), writers, fmt.Sprintf("%d bytes", m.plan.Room))
}

// share returns what each process may have of what is left for some tests of all there was.
func (m *measurer) share(left, tests int64, of string) (int64, error) {
	each := left / tests / int64(m.plan.Processes)
	if each < 1 {
		return 0, &mpi.AgreedError{Err: fmt.Errorf("no room for more files: of %s too little is left", of)}
	}
	return each, nil
}

func (m *measurer) setUp() (err error) {
	longest := int64(0)
	for i := range m.plan.Tests {
		longest = max(longest, m.plan.Tests[i].Transfer)
	}
	if m.memory, err = m.Engine.NewBuffer(max(longest, unit)); err != nil {
		return err
	}
	data := m.memory.Bytes() // numbers that no storage compresses
	for at := 0; at+unit <= len(data); at += unit {
		x := scrambled(uint64(m.World.Rank()), uint64(at))
		for i := range unit {
			data[at+i] = byte(x >> (8 * i))
		}
	}
	m.self, err = m.World.Split(m.World.Rank(), 0)
	return err
}

func (m *measurer) run() error {
	for i := range m.plan.Tests {
		filled, err := rating.Fill(m.Engine, m.plan.Tests[i].Filled)
		if err = m.Agree(m.World, err); err == nil {
			err = m.repeat(i)
		}
		if filled != nil {
			filled.Free()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// repeat makes the repetitions of a test.
func (m *measurer) repeat(test int) error {
	s := &m.plan.Tests[test]
	for n := range s.Repetitions {
		for _, a := range Accesses() {
			if !s.Measures(a) || m.done[done{test, n, a}] {
				continue
			}
			if err := m.phase(test, n, a); err != nil {
				return err
			}
			if err := m.Stopped(nil); err != nil {
				return err
			}
		}
		if !s.Keep {
			if err := m.Agree(m.World, m.remove(s)); err != nil {
				return err
			}
		}
	}
	return nil
}

// where names a phase.
func (m *measurer) where(test, n int, a Access) string {
	s := &m.plan.Tests[test]
	name := string(a)
	if s.Name != "" {
		name = s.Name
	}
	if s.Repetitions > 1 {
		name += fmt.Sprintf(", repetition %d of %d", n+1, s.Repetitions)
	}
	return name
}

// agree returns the error of any process on all of them, with the phase.
func (m *measurer) agree(where string, err error) error {
	if err != nil {
		err = fmt.Errorf("%s: %w", where, err)
	}
	return m.Agree(m.World, err)
}

// left guesses the time of the phases that are left: that of a stonewall, and as much for what reads what it has
// written; of others the mean so far.
func (m *measurer) left(worked time.Duration) (all time.Duration) {
	n := len(m.out.Samples)
	mean := worked
	if here := n - m.parts; here > 0 {
		mean /= time.Duration(here)
	}
	for i := range m.plan.Tests {
		for _, a := range Accesses() {
			if !m.plan.Tests[i].Measures(a) {
				continue
			}
			for range m.plan.Tests[i].Repetitions {
				if n--; n >= 0 {
					continue
				}
				if wall := m.plan.Tests[m.plan.maker(i)].Stonewall; wall > 0 {
					all += time.Duration(wall * float64(time.Second))
				} else {
					all += mean
				}
			}
		}
	}
	return all
}

// writer returns the rank whose data this process moves.
func (m *measurer) writer(s *Settings, a Access) int {
	if a == Write {
		return m.World.Rank()
	}
	return (m.World.Rank() + s.Shift) % m.World.Size()
}

// phase measures one access of a repetition.
func (m *measurer) phase(test, n int, a Access) error {
	s, where := &m.plan.Tests[test], m.where(test, n, a)
	m.Progress(func(p *rating.Progress) { p.Doing, p.Left = where, m.left(p.Worked) })
	m.Enter(0, func() string { return where })
	path := s.path(m.plan.Directory, m.writer(s, a))
	if err := m.agree(where, m.ready(s, a, path)); err != nil {
		return err
	}
	if a == Write && !s.Existing {
		delete(m.reached, test)
		if m.First() && !slices.Contains(m.out.Begun, test) {
			m.out.Begun = append(m.out.Begun, test)
			m.keep()
		}
	}
	if err := m.Engine.Collect(); err != nil {
		return err
	}
	if s.Metadata != nil {
		if err := m.walk(test); err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
		return nil
	}
	x := &phase{measurer: m, s: s, access: a, path: path, where: where, test: test}
	if err := x.aim(); err != nil {
		return err
	}
	before := x.glance()
	if err := x.measure(); err != nil {
		return err
	}
	return x.keep(n, before)
}

// ready prepares the files before a phase: what this run has written is removed before it is written again, and a cold
// test drops from memory what it reads. A file is this run's own, and removed at its end, if it wasn't there before.
func (m *measurer) ready(s *Settings, a Access, path string) error {
	switch {
	case s.Metadata != nil:
		return nil
	case a == Write && !s.FilePerProcess && !m.First():
		return nil
	case a == Write && s.Existing:
		if absent(path) == nil {
			m.made[path] = true
		}
		return nil
	case a == Write:
		if err := m.remove(s); err != nil {
			return err
		}
		if err := absent(path); errors.As(err, new(*os.PathError)) {
			return m.failed("lstat", err)
		} else if err != nil {
			return err
		}
		m.made[path] = true
		return nil
	case !s.Cold:
		return nil
	}
	if s.Write || s.Existing { // what this node has written itself
		if own := s.path(m.plan.Directory, m.World.Rank()); own != path {
			if err := pagecache.Drop(own); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
	}
	return pagecache.Drop(path)
}

// remove removes the files of a test that this run has made.
func (m *measurer) remove(s *Settings) error {
	path := s.path(m.plan.Directory, m.World.Rank())
	if !m.made[path] || !s.FilePerProcess && !m.First() {
		return nil
	}
	delete(m.made, path)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return m.failed("unlink", err)
	}
	return nil
}

// failed returns an error of the system that a call of this process had on a path.
func (m *measurer) failed(call string, err error) error {
	text := err.Error()
	if of := (*os.PathError)(nil); errors.As(err, &of) {
		text = of.Path + ": " + of.Err.Error()
	}
	return &mpi.Error{Call: call, Rank: m.World.Rank(), Text: text}
}

// clear removes the files that are left of a run that an error has ended.
func (m *measurer) clear() (err error) {
	for i := range m.plan.Tests {
		if s := &m.plan.Tests[i]; !s.Keep {
			err = errors.Join(err, m.remove(s))
		}
	}
	return m.Agree(m.World, err)
}
