package beffio

import (
	"fmt"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// begin informs the observer that this process begins a pattern, or opens or closes a file.
func (m *measurer) begin(a Access, n int, what string) {
	where := m.where(a, n, what)
	m.Enter(0, func() string { return where })
}

func (m *measurer) where(a Access, n int, what string) string {
	return fmt.Sprintf("%s of %s on %s", a, what, rating.Processes(m.plan.Partitions[n]))
}

// prepared holds a pattern's parameters on a process before it runs.
type prepared struct {
	share
	row  patterns.IORow // with the size of the fill
	mark mpi.Mark
	view mpi.View
}

// prepare decides on share and repetitions, and on the position of the pattern's data.
func (m *measurer) prepare(a Access, n int, r patterns.IORow) (prepared, error) {
	b := prepared{row: r}
	place := &m.pass.layout[n][r.Number]
	if r.Fill {
		b.row.Disk, b.row.Memory = m.pass.fill[n], m.pass.fill[n]
	}
	c := m.comms[n]
	var err error
	if m.pass.restoring != nil {
		b.share = m.restoredShare(r)
	} else if b.share, err = job.Decide(c, func() (share, error) {
		return m.pass.schedule.share(m.Seconds() - m.pass.origin), nil
	}); err != nil {
		return b, err
	}
	switch {
	case a == Read && m.plan.Cold != nil:
		least := []float64{float64(place.mine)}
		if err := c.Allreduce(least, mpi.Min); err != nil {
			return b, err
		}
		b.Loops = int64(least[0]) // the process whose data this one reads may have made fewer calls
	case a != Write:
		b.Loops = place.mine
	case !timeDriven(a, r):
		b.Loops = m.plan.sizeDriven(r, func(number int) int64 { return m.pass.layout[n][number].repetitions })
	}
	if b.row.Memory == 0 {
		b.Loops = 0
	}
	if a == Write {
		place.start = 0
		if first := m.plan.rows(r.Type)[0]; r.Number > first.Number {
			before := m.plan.Rows[r.Number-1]
			last := m.pass.layout[n][before.Number]
			place.start = last.start + advance(before, m.plan.Partitions[n], last.repetitions)
		}
	}
	if a != Read {
		place.by = a
	}
	owner := m.comm(a, n).Rank()
	where := m.plan.region(b.row, owner, m.plan.Partitions[n], place.start, m.pass.segment[n])
	b.view, b.mark = where.view, mark(place.by, n, b.row, owner, where)
	return b, nil
}

// pattern measures one pattern, from a barrier to the barrier after MPI_File_sync.
func (m *measurer) pattern(a Access, n int, r patterns.IORow, file mpi.File) error {
	c := m.comms[n]
	m.progress(a, n, r)
	m.begin(a, n, fmt.Sprintf("pattern %d (%v)", r.Number, r.Type))
	b, err := m.prepare(a, n, r)
	if err != nil {
		return err
	}
	var runner mpi.Runner
	if b.row.Memory > 0 {
		if runner, err = m.Engine.Compile(m.plan.step(c, file, m.buffers, a, b.row, b.mark)); err != nil {
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
	begin := m.Now()
	took := func() float64 { return m.Now().Sub(begin).Seconds() }
	// This agreement takes some 10 µs of the pattern's time. Without it, other processes could wait forever.
	viewCall, failed := m.timeCall(func() error { return file.SetView(b.view, hints) })
	if err := m.agree(c, m.where(a, n, fmt.Sprintf("pattern %d", r.Number)), failed); err != nil {
		if runner != nil {
			runner.Close()
		}
		return err
	}
	viewed := took()
	var got mpi.Measurement
	began := m.earlier.WallSeconds + m.Seconds()
	if runner != nil {
		const minBudget = 1e-6 // 0 would be no limit
		loops := mpi.Loops{Timed: b.Loops, Budget: max(b.Seconds-b.Before-viewed, minBudget), Deferred: b.Later,
			DecideEvery: decisions(a, b.row), Blocks: m.keepsBlocks()}
		if got, err = runner.Run(loops); err != nil {
			return fmt.Errorf("%s: %w", m.where(a, n, fmt.Sprintf("pattern %d", r.Number)), err)
		}
		runner.Close()
	}
	seen := outcome{Measurement: got, prepared: b, began: began, view: viewed, viewCall: viewCall, afterLoop: took()}
	return m.finish(a, n, r, file, seen, took)
}

// outcome holds a process's measurements of a pattern.
type outcome struct {
	mpi.Measurement
	prepared
	began     float64 // seconds since the run began
	view      float64 // seconds until all processes have set the view
	viewCall  OnceCall
	syncCall  OnceCall // zero if none was made
	afterLoop float64  // seconds from the pattern's beginning to the end of its loop
	barrier   float64  // seconds of the barriers after the loop
	seconds   float64  // seconds of the whole pattern
}

// finish ends the pattern: barrier, sync, barrier. The first barrier also combines the processes' errors.
func (m *measurer) finish(a Access, n int, r patterns.IORow, file mpi.File, o outcome, took func() float64) error {
	c, where := m.comms[n], m.where(a, n, fmt.Sprintf("pattern %d (%v)", r.Number, r.Type))
	stop := []float64{m.StopRequest(), 0}
	var failure error
	if o.Failure != nil {
		stop[1] = 1
		failure = fmt.Errorf("%s: %w; %s were written by this rank before this pattern", where, o.Failure,
			rating.Mebibytes(m.written))
	}
	known := m.ReportError(failure)
	if err := c.Allreduce(stop, mpi.Max); err != nil {
		return err
	}
	known()
	if stop[1] > 0 {
		return m.Agree(c, failure)
	}
	if stopped := rating.Stopped(stop[0]); stopped != nil {
		return stopped
	}
	var failed error
	if a != Read {
		o.syncCall, failed = m.timeCall(file.Sync)
	}
	if err := c.Barrier(); err != nil {
		return err
	}
	o.seconds = took()
	o.barrier = max(o.seconds-o.afterLoop-o.syncCall.Seconds, 0)
	if err := m.agree(c, where, failed); err != nil {
		return err
	}
	if a == Write && collective(r.Type) {
		if err := m.agree(c, where, m.checkLength(n, r, file, o)); err != nil {
			return err
		}
	}
	place := &m.pass.layout[n][r.Number]
	place.mine = o.Loops
	if a == Read {
		if err := m.compareLast(&o); err != nil {
			return err
		}
	} else {
		m.written += o.Loops * o.row.Memory
		unmark(m.buffers[0].Bytes(), uint64(m.World.Rank()), o.row)
	}
	if a == Write {
		place.repetitions = o.prepared.Loops
		if timeDriven(a, r) {
			place.repetitions = o.Loops
		}
	}
	if m.pass.restoring != nil {
		return nil
	}
	return m.keep(a, n, r, o)
}

// keep combines the processes' outcomes into a sample on process 0.
func (m *measurer) keep(a Access, n int, r patterns.IORow, o outcome) error {
	c := m.comms[n]
	lap := func(i int) mpi.LapTime {
		if i < len(o.Laps) {
			return o.Laps[i]
		}
		return mpi.LapTime{}
	}
	const marks, io, barrier, broadcast, sync, lastIO, lastBarrier, noMismatch, cut = 0, 1, 2, 3, 4, 5, 6, 7, 8
	maxima := []float64{
		marks: lap(lapMarks).Seconds, io: lap(lapIO).Seconds, barrier: lap(lapBarrier).Seconds + o.barrier,
		broadcast: lap(lapBroadcast).Seconds, sync: o.syncCall.Seconds, lastIO: lap(lapIO).Last,
		lastBarrier: lap(lapBarrier).Last + lap(lapBroadcast).Last, noMismatch: float64(-c.Size()), cut: 0,
	}
	if !timeDriven(a, r) && o.Loops < o.prepared.Loops {
		maxima[cut] = 1
	}
	if o.Mismatch != nil {
		maxima[noMismatch] = float64(-c.Rank())
	}
	const bytes, calls, wrong = 0, 1, 2
	sums := []float64{bytes: float64(o.Loops) * float64(o.row.Memory), calls: float64(o.Loops), wrong: float64(o.Wrong)}
	if err := c.Allreduce(maxima, mpi.Max); err != nil {
		return err
	}
	if err := c.Allreduce(sums, mpi.Sum); err != nil {
		return err
	}
	if first := int(-maxima[noMismatch]); first < c.Size() {
		if err := m.listWrongChunks(a, n, r, o, first); err != nil {
			return err
		}
	}
	var blocks *Blocks
	if m.keepsBlocks() && o.row.Memory > 0 {
		var err error
		if blocks, err = m.blocks(c, &o); err != nil {
			return err
		}
	}
	times, later, err := m.callTimes(a, n, &o)
	if err != nil {
		return err
	}
	once, err := m.slowestOnceCalls(c, o.viewCall, o.syncCall)
	if err != nil {
		return err
	}
	if a == Read {
		once[1] = nil
	}
	if c.Rank() != 0 {
		return nil
	}
	s, limit := m.pass.schedule, o.Loops == o.prepared.Loops
	outOfBytes := timeDriven(a, r) && r.Units > 0 && limit
	s.outOfBytes = s.outOfBytes || outOfBytes
	s.done(o.seconds, int64(sums[bytes]), maxima[sync])
	m.out.Samples = append(m.out.Samples, Sample{
		Partition: n, Access: a, Pattern: r.Number, Pass: m.pass.number, Round: m.pass.round,
		Bytes: int64(sums[bytes]), Seconds: o.seconds,
		Repetitions: o.Loops, Calls: int64(sums[calls]),
		Scheduled: o.prepared.share.Seconds, OutOfBytes: outOfBytes, OutOfTime: maxima[cut] > 0 && m.pass.number == 0,
		View: nanoseconds(o.view), Marks: maxima[marks], IO: maxima[io], Barrier: maxima[barrier],
		Broadcast: maxima[broadcast], Sync: maxima[sync], LastIO: maxima[lastIO], LastBarrier: maxima[lastBarrier],
		Errors: int64(sums[wrong]), Blocks: blocks, Times: times, Slowest: later, ViewCall: once[0], SyncCall: once[1],
	})
	m.out.WallSeconds = m.earlier.WallSeconds + m.Seconds()
	m.Keep(*m.out)
	return nil
}

// listWrongChunks adds the first wrong chunks of a pattern to the result, beginning with process first.
func (m *measurer) listWrongChunks(a Access, n int, r patterns.IORow, o outcome, first int) error {
	c, listed := m.comms[n], 0
	for first < c.Size() {
		list, err := job.DecideOn(c, first, func() ([]DataError, error) { return m.wrongChunks(a, n, r, o), nil })
		if err != nil {
			return err
		}
		list = list[:min(len(list), m.plan.Errors-listed)]
		if listed += len(list); c.Rank() == 0 && len(m.out.Errors) < maxErrors*m.plan.Errors {
			m.out.Errors = append(m.out.Errors, list...)
		}
		next := []float64{float64(c.Size())}
		if o.Mismatch != nil && c.Rank() > first && listed < m.plan.Errors {
			next[0] = float64(c.Rank())
		}
		if err := c.Allreduce(next, mpi.Min); err != nil {
			return err
		}
		first = int(next[0])
	}
	return nil
}

// wrongChunks returns this process's first wrong chunks of a pattern.
func (m *measurer) wrongChunks(a Access, n int, r patterns.IORow, o outcome) (list []DataError) {
	where := m.plan.region(o.row, m.comm(a, n).Rank(), m.plan.Partitions[n], m.pass.layout[n][r.Number].start,
		m.pass.segment[n])
	for _, w := range mismatches(&o.Measurement) {
		at := where.offset + w.Loop*where.loop + w.Chunk*where.chunk
		at += w.Inside
		if w.AtEnd {
			at += o.row.Disk - markWidth
		}
		list = append(list, DataError{
			Partition: n, Access: a, Pattern: r.Number, Rank: w.Rank, Repetition: w.Loop, Chunk: w.Chunk, Offset: at,
			Expected: fmt.Sprintf("%#016x", w.Expected), Found: fmt.Sprintf("%#016x", w.Found),
		})
	}
	return list
}

// mismatches returns the recorded wrong marks of a run.
func mismatches(got *mpi.Measurement) []mpi.Mismatch {
	if got.Mismatch == nil {
		return nil
	}
	return append([]mpi.Mismatch{*got.Mismatch}, got.Further...)
}

func (m *measurer) progress(a Access, n int, r patterns.IORow) {
	m.Progress(func(p *rating.Progress) {
		p.Doing = fmt.Sprintf("%s%s, pattern %d, %s", m.roundText(), m.doing(a), r.Number,
			rating.Processes(m.plan.Partitions[n]))
		elapsed := p.Elapsed - time.Duration(m.pass.origin*float64(time.Second))
		p.Left = max(m.plan.Duration-elapsed, 0)
		s := m.pass.schedule
		if left := time.Duration(s.left() * float64(time.Second)); s.outOfBytes {
			p.Left = min(p.Left, left)
		} else if m.pass.number == 0 {
			p.Left = max(p.Left, left)
		}
		p.Left += time.Duration(m.furtherSeconds() * float64(time.Second))
		p.Estimate = m.estimate
	})
}

// keepsBlocks reports whether the times of blocks of calls are kept. Adaptive runs and later passes have none.
func (m *measurer) keepsBlocks() bool { return m.pass.number == 0 && !m.plan.Adaptive() }

func (m *measurer) patterns(a Access, n int, t patterns.IOType, file mpi.File) error {
	for _, r := range m.plan.rows(t) {
		if err := m.pattern(a, n, r, file); err != nil {
			return err
		}
	}
	return nil
}
