package beffio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
)

// ErrStopped is why a measurement ended early on request.
var ErrStopped = errors.New("stopped before the end")

// Measured is what a measurement gives to process 0; on other processes it means nothing.
type Measured struct {
	Samples      []Sample
	Files        []FileSample
	Errors       []DataError
	Hints        []HintsInForce
	WallSeconds  float64 // from the first barrier to the end of the last measurement
	PilotSeconds float64 // of that
}

// Observer is how the outside follows a measurement. All functions may be nil.
type Observer struct {
	Now func() time.Time // the wall clock; nil: time.Now
	// asked on every process after each pattern; true on any of them ends the run with ErrStopped on all
	Stop     func() bool
	Progress func(Progress)  // called on process 0 before each pattern
	Keep     func(*Measured) // called on process 0 after each pattern
}

// Progress is how far a measurement is.
type Progress struct {
	Pilot     bool
	Processes int
	Access    Access
	Pattern   int
	Elapsed   time.Duration
	Left      time.Duration // of T
	Part      float64       // of T, 0 to 1
}

// pilotPart is how much of T the time-driven patterns' shares of the pilot are made of.
const pilotPart = 0.04

// longestPilot is the part of T after which the pilot leaves out the types that it has not measured.
const longestPilot = 0.08

// short is the plan of the pilot: with shorter long chunks, as many of them would take much of T.
func (p *Plan) short() *Plan {
	const longest = 8 << 20
	s := *p
	s.MPart = min(p.MPart, longest)
	s.Rows = patterns.IO(s.MPart)
	return &s
}

// mostErrors is how many wrong chunks are kept with all that is known of them.
const mostErrors = 20

// measurer is the state of one process while it measures.
type measurer struct {
	plan   *Plan
	engine mpi.Engine
	files  mpi.Files
	world  mpi.Comm
	watch  Observer
	dir    string
	begin  time.Time
	out    *Measured // nil in the pilot
	all    *Measured

	written int64 // bytes, by this process

	alone   mpi.Comm   // this process
	comms   []mpi.Comm // of the partitions; nil: this process is outside
	buffers [2]mpi.Buffer
	pass    pass
}

// pass is what the pilot and the run itself have each for themselves.
type pass struct {
	schedule *schedule // of process 0
	origin   float64   // when the schedule began, in seconds since the run's begin
	prefix   string    // of the files
	kept     bool      // the last access method leaves the files
	number   int       // of the pass over the read access
	readPass
	laid    [][]laid // by partition and row
	segment []int64  // by partition
	fill    []int64
}

// laid is where a pattern lies, and what this process has there.
type laid struct {
	start       int64
	repetitions int64  // that the initial write planned: the next pattern begins behind them, on all processes
	mine        int64  // that this process made last
	by          Access // that wrote them
}

// Measure measures everything in the plan with files in the directory dir, which all processes see. It is called by all
// processes of e, whose number must be the plan's. On process 0 the result holds what was measured, also when there is
// an error. An *mpi.AgreedError is returned by all processes alike (a file call that failed, ErrStopped); any other
// error leaves the others waiting, and the job must be aborted. Wrong data are no error here, but in the result.
func (p *Plan) Measure(e mpi.Engine, dir string, watch Observer) (*Measured, error) {
	if watch.Now == nil {
		watch.Now = time.Now
	}
	m := &measurer{plan: p, engine: e, world: e.World(), watch: watch, dir: dir, all: &Measured{}}
	files, ok := e.(mpi.Files)
	if !ok || !e.Supports(mpi.FileWrite) {
		return m.all, &mpi.AgreedError{Err: fmt.Errorf("the engine %s has no files", e.Library().Engine)}
	}
	m.files = files
	if m.world.Size() != p.Processes {
		return m.all, fmt.Errorf("measure: plan for %d processes, job of %d", p.Processes, m.world.Size())
	}
	if err := m.setUp(); err != nil {
		return m.all, fmt.Errorf("measure: %w", err)
	}
	if err := m.world.Barrier(); err != nil {
		return m.all, err
	}
	m.begin = watch.Now()
	err := m.runAll()
	m.all.WallSeconds = m.elapsed()
	// Where one process alone has failed, others may still write into its memory: it stays until the job is aborted.
	if agreed := (*mpi.AgreedError)(nil); err == nil || errors.As(err, &agreed) {
		err = errors.Join(err, m.free())
	}
	return m.all, err
}

// setUp makes the communicators and buffers.
func (m *measurer) setUp() (err error) {
	for i := range m.buffers {
		if m.buffers[i], err = m.engine.NewBuffer(m.plan.BufferSize()); err != nil {
			return err
		}
	}
	rank := m.world.Rank()
	scramble(m.buffers[0].Bytes(), uint64(rank))
	if m.alone, err = m.world.Split(rank, 0); err != nil {
		return err
	}
	for _, n := range m.plan.Partitions {
		color := 0
		if rank >= n {
			color = -1
		}
		c, err := m.world.Split(color, rank)
		if err != nil {
			return err
		}
		m.comms = append(m.comms, c)
	}
	return m.engine.Collect()
}

// scramble fills memory with numbers that no storage compresses, different ones for each seed (SplitMix64).
func scramble(data []byte, seed uint64) {
	state := seed * 0x9E3779B97F4A7C15
	for len(data) >= 8 {
		state += 0x9E3779B97F4A7C15
		z := state
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		binary.LittleEndian.PutUint64(data, z^z>>31)
		data = data[8:]
	}
}

func (m *measurer) free() error {
	all := m.alone.Free()
	for _, c := range m.comms {
		if c != nil {
			all = errors.Join(all, c.Free())
		}
	}
	for _, b := range m.buffers {
		b.Free()
	}
	return all
}

func (m *measurer) elapsed() float64 { return m.watch.Now().Sub(m.begin).Seconds() }

// runAll makes the pilot run and the run itself.
func (m *measurer) runAll() error {
	plan := m.plan
	m.plan = plan.short()
	largest := slices.Index(plan.Partitions, slices.Max(plan.Partitions))
	pilot := newSchedule(m.plan, m.plan.items(largest))
	pilot.pilot, pilot.seconds = true, plan.Duration.Seconds()*pilotPart/float64(plan.units())
	if err := m.run(pilot, "pilot", []int{largest}); err != nil {
		return fmt.Errorf("pilot run: %w", err)
	}
	m.plan, m.out, m.all.PilotSeconds = plan, m.all, m.elapsed()
	every := make([]int, len(m.plan.Partitions))
	for i := range every {
		every[i] = i
	}
	s := newSchedule(m.plan, m.plan.items(every...))
	s.learn(pilot)
	s.seconds = m.plan.Duration.Seconds() - m.elapsed()
	return m.run(s, "data", every)
}

// run goes through access methods and partitions.
func (m *measurer) run(s *schedule, prefix string, partitions []int) error {
	rows, n := len(m.plan.Rows), len(m.plan.Partitions)
	m.pass = pass{schedule: s, origin: m.elapsed(), prefix: prefix, laid: make([][]laid, n), segment: make([]int64, n),
		fill: make([]int64, n)}
	m.pass.kept, m.written = m.plan.Keep && prefix == "data", 0
	for i := range m.pass.laid {
		m.pass.laid[i] = make([]laid, rows)
	}
	for _, a := range []Access{Write, Rewrite} {
		if err := m.access(a, partitions); err != nil {
			return err
		}
	}
	for ; !m.pass.Last; m.pass.number++ {
		var err error
		m.pass.readPass, err = job.Decide(m.world,
			func() (readPass, error) { return s.readPass(m.pass.number, m.elapsed()-m.pass.origin), nil })
		if err != nil {
			return err
		}
		if err := m.access(Read, partitions); err != nil {
			return err
		}
	}
	return nil
}

func (m *measurer) access(a Access, partitions []int) error {
	for _, n := range partitions {
		err := error(nil)
		if m.comms[n] != nil {
			err = m.partition(a, n)
		}
		if err := m.everyone(err); err != nil {
			return err
		}
		if err := m.engine.Collect(); err != nil {
			return err
		}
	}
	return nil
}

// everyone tells the processes outside of a partition how it went inside, where all have the same error, and lets those
// outside stop the run.
func (m *measurer) everyone(err error) error {
	agreed := (*mpi.AgreedError)(nil)
	if err != nil && !errors.As(err, &agreed) {
		return err
	}
	stop := []float64{0}
	if errors.Is(err, ErrStopped) || m.watch.Stop != nil && m.watch.Stop() {
		stop[0] = 1
	}
	if failed := m.world.Allreduce(stop, mpi.Max); failed != nil {
		return failed
	}
	if stop[0] > 0 {
		return &mpi.AgreedError{Err: ErrStopped}
	}
	_, told := job.Decide(m.world, func() (struct{}, error) { return struct{}{}, err })
	return told
}

// partition measures all types that an access method measures.
func (m *measurer) partition(a Access, n int) error {
	for _, t := range Types() {
		if !m.plan.measures(a, t) {
			continue
		}
		if skipped, err := m.skip(a, n, t); err != nil {
			return err
		} else if skipped {
			continue
		}
		if t == patterns.Segmented && a == Write {
			m.pass.segment[n], m.pass.fill[n] = m.plan.segment(
				func(number int) int64 { return m.pass.laid[n][number].repetitions })
		}
		if err := m.fileType(a, n, t); err != nil {
			return err
		}
	}
	return nil
}

// skip leaves a type out of a pilot that has taken long enough, and all that would read what was not written.
func (m *measurer) skip(a Access, n int, t patterns.IOType) (bool, error) {
	if m.out != nil {
		return false, nil
	}
	rows := m.plan.rows(t)
	skip, err := job.Decide(m.comms[n], func() (bool, error) {
		long := m.elapsed() > longestPilot*m.plan.Duration.Seconds() && !(a == Write && t == patterns.Scatter)
		skip := long || a != Write && m.pass.laid[n][rows[0].Number].mine == 0
		if skip {
			m.pass.schedule.skip(len(rows))
		}
		return skip, nil
	})
	return skip, err
}

// modes are how the access methods open a file (release 2.1). The file is new: nothing that exists is ever opened for
// writing.
var modes = map[Access]mpi.FileMode{Write: mpi.Create | mpi.Exclusive | mpi.ReadWrite, Rewrite: mpi.ReadWrite,
	Read: mpi.ReadOnly}

func (m *measurer) mode(a Access) mpi.FileMode {
	mode := modes[a]
	if !m.plan.NoUnique {
		mode |= mpi.UniqueOpen
	}
	if a == Read && m.pass.Last && !m.pass.kept {
		mode |= mpi.DeleteOnClose
	}
	return mode
}

// fileType opens the file of a type, measures its patterns and closes it.
func (m *measurer) fileType(a Access, n int, t patterns.IOType) error {
	c, own := m.comms[n], m.comms[n]
	name := fmt.Sprintf("%s_%d_%s", m.pass.prefix, m.plan.Partitions[n], t)
	if t == patterns.Separated {
		own, name = m.alone, fmt.Sprintf("%s.%d", name, c.Rank())
	}
	var file mpi.File
	hints := m.plan.hints(m.plan.Partitions[n], a, t, 0)
	open, err := m.timed(c, func() (err error) {
		file, err = m.files.OpenFile(own, filepath.Join(m.dir, name), m.mode(a), hints)
		return err
	})
	if err := m.together(c, m.where(a, n, t.String()), err); err != nil {
		return err
	}
	if a != Read || !m.pass.Bare {
		if err = m.patterns(a, n, t, file); err == nil {
			err = m.hintsInForce(a, n, t, file)
		}
	}
	if err != nil && !isAgreed(err) {
		return err
	}
	closing, failed := m.timed(c, file.Close)
	if failed = m.together(c, m.where(a, n, t.String()), failed); err != nil || failed != nil {
		return errors.Join(err, failed)
	}
	if m.out != nil && c.Rank() == 0 {
		m.out.Files = append(m.out.Files, FileSample{Partition: n, Access: a, Type: t.String(), Pass: m.pass.number,
			Open: open, Close: closing})
	}
	return nil
}

func isAgreed(err error) bool {
	var agreed *mpi.AgreedError
	return errors.As(err, &agreed)
}

func (m *measurer) patterns(a Access, n int, t patterns.IOType, file mpi.File) error {
	for _, r := range m.plan.rows(t) {
		if err := m.pattern(a, n, r, file); err != nil {
			return err
		}
	}
	return nil
}

// timed runs f between two barriers. A failed barrier is the error that counts: the job must be aborted.
func (m *measurer) timed(c mpi.Comm, f func() error) (float64, error) {
	if err := c.Barrier(); err != nil {
		return 0, err
	}
	begin := m.watch.Now()
	err := f()
	if failed := c.Barrier(); failed != nil {
		return 0, failed
	}
	return m.watch.Now().Sub(begin).Seconds(), err
}

// together makes an error of any process that of all: the one with the lowest rank tells.
func (m *measurer) together(c mpi.Comm, where string, err error) error {
	v := []float64{float64(-c.Size())}
	if err != nil {
		v[0] = float64(-c.Rank())
	}
	if failed := c.Allreduce(v, mpi.Max); failed != nil {
		return failed
	}
	teller := int(-v[0])
	if teller == c.Size() {
		return nil
	}
	_, told := job.From(c, teller, func() (struct{}, error) { return struct{}{}, fmt.Errorf("%s: %w", where, err) })
	return told
}

func (m *measurer) where(a Access, n int, what string) string {
	return fmt.Sprintf("%s of %s on %d processes", a, what, m.plan.Partitions[n])
}

// begun is what a process knows of a pattern before it runs.
type begun struct {
	share
	row  patterns.IORow // with the fill's size
	mark mpi.Mark
	view mpi.View
}

// prepare decides share and repetitions, and says where the pattern lies.
func (m *measurer) prepare(a Access, n int, r patterns.IORow) (begun, error) {
	b := begun{row: r}
	place := &m.pass.laid[n][r.Number]
	if r.Fill {
		b.row.Disk, b.row.Memory = m.pass.fill[n], m.pass.fill[n]
	}
	c := m.comms[n]
	var err error
	b.share, err = job.Decide(c, func() (share, error) {
		return m.pass.schedule.share(m.elapsed() - m.pass.origin),
			nil
	})
	if err != nil {
		return b, err
	}
	switch {
	case a != Write:
		b.Loops = place.mine
	case !timeDriven(a, r):
		b.Loops = m.plan.sizeDriven(r, func(number int) int64 { return m.pass.laid[n][number].repetitions })
	}
	if b.row.Memory == 0 {
		b.Loops = 0
	}
	if a == Write {
		place.start = 0
		if first := m.plan.rows(r.Type)[0]; r.Number > first.Number {
			before := m.plan.Rows[r.Number-1]
			last := m.pass.laid[n][before.Number]
			place.start = last.start + advance(before, m.plan.Partitions[n], last.repetitions)
		}
	}
	if a != Read {
		place.by = a
	}
	where := m.plan.region(b.row, c.Rank(), m.plan.Partitions[n], place.start, m.pass.segment[n])
	set := n
	if m.out == nil {
		set = pilotSet
	}
	b.view, b.mark = where.view, mark(place.by, set, b.row, c.Rank(), where)
	return b, nil
}

// pattern measures one pattern: from a barrier to the barrier after MPI_File_sync.
func (m *measurer) pattern(a Access, n int, r patterns.IORow, file mpi.File) error {
	c := m.comms[n]
	m.progress(a, n, r)
	b, err := m.prepare(a, n, r)
	if err != nil {
		return err
	}
	memory := m.buffers[0]
	if a == Read {
		memory = m.buffers[1]
	}
	var runner mpi.Runner
	if b.row.Memory > 0 {
		if runner, err = m.engine.Compile(m.plan.step(c, file, memory, a, b.row, b.mark)); err != nil {
			return err
		}
	}
	disk := r.Disk
	if r.Fill {
		disk = fillDisk
	}
	hints := m.plan.hints(m.plan.Partitions[n], a, r.Type, disk)
	if err := c.Barrier(); err != nil {
		return err
	}
	begin := m.watch.Now()
	took := func() float64 { return m.watch.Now().Sub(begin).Seconds() }
	if err := m.together(c, m.where(a, n, fmt.Sprintf("pattern %d", r.Number)),
		file.SetView(b.view, hints)); err != nil {
		if runner != nil {
			runner.Close()
		}
		return err
	}
	var got mpi.Measurement
	if runner != nil {
		const leastBudget = 1e-6 // 0 would be no limit
		loops := mpi.Loops{Timed: b.Loops, Budget: max(b.Seconds-b.Before-took(), leastBudget), Later: b.Later}
		if got, err = runner.Run(loops); err != nil {
			return fmt.Errorf("%s: %w", m.where(a, n, fmt.Sprintf("pattern %d", r.Number)), err)
		}
		runner.Close()
	}
	seen := outcome{Measurement: got, begun: b, afterLoop: took()}
	return m.finish(a, n, r, file, seen, took)
}

// outcome is what a process knows of a pattern that ran.
type outcome struct {
	mpi.Measurement
	begun
	afterLoop float64 // seconds since the pattern began, without its last barriers
	barrier   float64 // seconds of the barriers after the loop
	sync      float64 // seconds
	seconds   float64 // all
}

// finish brings the pattern's end: barrier, sync, barrier; the first barrier also tells whether all is well.
func (m *measurer) finish(a Access, n int, r patterns.IORow, file mpi.File, o outcome, took func() float64) error {
	c, where := m.comms[n], m.where(a, n, fmt.Sprintf("pattern %d (%v)", r.Number, r.Type))
	stop := []float64{0, 0}
	if m.watch.Stop != nil && m.watch.Stop() {
		stop[0] = 1
	}
	if o.Failure != nil {
		stop[1] = 1
	}
	if err := c.Allreduce(stop, mpi.Max); err != nil {
		return err
	}
	begin := took()
	if stop[1] > 0 {
		return m.failed(c, where, o.Failure)
	}
	if stop[0] > 0 {
		return &mpi.AgreedError{Err: ErrStopped}
	}
	var failed error
	if a != Read {
		failed = file.Sync()
	}
	o.sync = took() - begin
	if err := c.Barrier(); err != nil {
		return err
	}
	o.seconds = took()
	o.barrier = max(o.seconds-o.afterLoop-o.sync, 0)
	if err := m.together(c, where, failed); err != nil {
		return err
	}
	if a == Write && collective(r.Type) {
		if err := m.together(c, where, m.checkLength(n, r, file, o)); err != nil {
			return err
		}
	}
	place := &m.pass.laid[n][r.Number]
	place.mine = o.Loops
	if a != Read {
		m.written += o.Loops * o.row.Memory
	}
	if a == Write {
		place.repetitions = o.begun.Loops
		if timeDriven(a, r) {
			place.repetitions = o.Loops
		}
	}
	return m.keep(a, n, r, o)
}

// checkLength sees what Open MPI's OMPIO doesn't report: MPI_File_write_all on a full disk returns success and the full
// count there.
func (m *measurer) checkLength(n int, r patterns.IORow, file mpi.File, o outcome) error {
	// Who has written the last byte knows best; what others see may be older.
	c, seen := m.comms[n], []float64{0}
	var err error
	if rank := c.Rank(); rank == 0 || rank == c.Size()-1 {
		var length int64
		length, err = file.Length()
		seen[0] = float64(length)
	}
	if failed := c.Allreduce(seen, mpi.Max); failed != nil {
		return failed
	}
	if err != nil {
		return err
	}
	end := m.pass.laid[n][r.Number].start + advance(o.row, m.plan.Partitions[n], o.Loops)
	if r.Type == patterns.SegmentedCollective {
		end += int64(m.plan.Partitions[n]-1) * m.pass.segment[n]
	}
	if o.Loops > 0 && seen[0] < float64(end) {
		return fmt.Errorf("%v returned success, but the file has %.0f of %d bytes: is the file system full?",
			m.plan.call(Write, r.Type), seen[0], end)
	}
	return nil
}

// failed makes the error of a file call that some processes saw fail.
func (m *measurer) failed(c mpi.Comm, where string, failure *mpi.Error) error {
	var err error
	if failure != nil {
		err = fmt.Errorf("%w; %s were written by this rank before this pattern", failure, mebibytes(m.written))
	}
	return m.together(c, where, err)
}

// keep combines what the processes saw, and makes a sample of it on process 0.
func (m *measurer) keep(a Access, n int, r patterns.IORow, o outcome) error {
	c := m.comms[n]
	lap := func(i int) mpi.LapTime {
		if i < len(o.Laps) {
			return o.Laps[i]
		}
		return mpi.LapTime{}
	}
	most := []float64{
		lap(lapMarks).Seconds, lap(lapIO).Seconds, lap(lapBarrier).Seconds + o.barrier, lap(lapBroadcast).Seconds,
		o.sync,
		lap(lapIO).Last, lap(lapBarrier).Last + lap(lapBroadcast).Last, float64(-c.Size()), 0,
	}
	if !timeDriven(a, r) && o.Loops < o.begun.Loops {
		most[8] = 1
	}
	if o.Mismatch != nil {
		most[7] = float64(-c.Rank())
	}
	sums := []float64{float64(o.Loops) * float64(o.row.Memory), float64(o.Loops), float64(o.Wrong)}
	if err := c.Allreduce(most, mpi.Max); err != nil {
		return err
	}
	if err := c.Allreduce(sums, mpi.Sum); err != nil {
		return err
	}
	if teller := int(-most[7]); teller < c.Size() && m.out != nil {
		if err := m.tell(a, n, r, o, teller); err != nil {
			return err
		}
	}
	if c.Rank() != 0 {
		return nil
	}
	s, limit := m.pass.schedule, o.Loops == o.begun.Loops
	outOfBytes := timeDriven(a, r) && r.Units > 0 && limit
	s.outOfBytes = s.outOfBytes || outOfBytes
	s.done(o.seconds, int64(sums[0]), most[4])
	if m.out == nil {
		return nil
	}
	m.out.Samples = append(m.out.Samples, Sample{
		Partition: n, Access: a, Pattern: r.Number, Pass: m.pass.number, Bytes: int64(sums[0]), Seconds: o.seconds,
		Repetitions: o.Loops, Calls: int64(sums[1]),
		Scheduled: o.begun.share.Seconds, OutOfBytes: outOfBytes, OutOfTime: most[8] > 0 && m.pass.number == 0,
		Marks: most[0], IO: most[1], Barrier: most[2], Broadcast: most[3], Sync: most[4], LastIO: most[5],
		LastBarrier: most[6], Errors: int64(sums[2]),
	})
	m.out.WallSeconds = m.elapsed()
	if m.watch.Keep != nil {
		m.watch.Keep(m.out)
	}
	return nil
}

// tell lets the first process that found wrong data say what it found.
func (m *measurer) tell(a Access, n int, r patterns.IORow, o outcome, teller int) error {
	c := m.comms[n]
	e, err := job.From(c, teller, func() (DataError, error) {
		w := o.Mismatch
		where := m.plan.region(o.row, c.Rank(), m.plan.Partitions[n], m.pass.laid[n][r.Number].start, m.pass.segment[n])
		at := where.offset + w.Loop*where.loop + w.Chunk*where.chunk
		if w.AtEnd {
			at += o.row.Disk - 8
		}
		return DataError{
			Partition: n, Access: a, Pattern: r.Number, Rank: w.Rank, Repetition: w.Loop, Chunk: w.Chunk, Offset: at,
			Expected: fmt.Sprintf("%#016x", w.Expected), Found: fmt.Sprintf("%#016x", w.Found),
		}, nil
	})
	if err == nil && c.Rank() == 0 && len(m.out.Errors) < mostErrors {
		m.out.Errors = append(m.out.Errors, e)
	}
	return err
}

// hintsInForce asks what the library made of the hints, where that differs from what it said of the type before.
func (m *measurer) hintsInForce(a Access, n int, t patterns.IOType, file mpi.File) error {
	if m.out == nil {
		return nil
	}
	hints, err := file.Hints()
	if err := m.together(m.comms[n], m.where(a, n, t.String()), err); err != nil {
		return err
	}
	for _, h := range slices.Backward(m.out.Hints) {
		if h.Type == t.String() {
			if slices.Equal(h.Hints, hints) {
				return nil
			}
			break
		}
	}
	if len(hints) > 0 {
		m.out.Hints = append(m.out.Hints, HintsInForce{Partition: n, Access: a, Type: t.String(), Hints: hints})
	}
	return nil
}

func (m *measurer) progress(a Access, n int, r patterns.IORow) {
	if m.watch.Progress == nil || m.world.Rank() != 0 {
		return
	}
	p := Progress{
		Pilot: m.out == nil, Processes: m.plan.Partitions[n], Access: a, Pattern: r.Number,
		Elapsed: m.watch.Now().Sub(m.begin),
	}
	p.Left = max(m.plan.Duration-p.Elapsed, 0)
	p.Part = min(float64(p.Elapsed)/float64(m.plan.Duration), 1)
	m.watch.Progress(p)
}
