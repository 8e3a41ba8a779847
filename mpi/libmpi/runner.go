package libmpi

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// space is a space of places: a buffer, a window, a file or paths.
type space interface{ c() *plugin.Space }

// runner is a compiled program. All data that the C loop reads are on the C heap.
type runner struct {
	api    *plugin.Library
	prog   *plugin.Program
	calls  []mpi.Op // the calls of prog, in its order
	world  *comm
	comm   *comm            // of the program, or nil
	loops  int64            // number of loops whose times fit in prog.Each
	types  []plugin.Handle  // derived types made for this program
	ops    []plugin.Handle  // reductions made for this program
	arrays []unsafe.Pointer // on the C heap, made for this program
	pins   []*pin           // of a staged program
	device *device

	// Numbers of persistent requests in the whole program, and in the calls that have been compiled so far.
	persistent, compiled int32
}

var (
	_ mpi.Runner     = (*runner)(nil)
	_ mpi.IdleWaiter = (*runner)(nil)
)

// Compile implements mpi.Engine.
func (e *engine) Compile(p *mpi.Program) (mpi.Runner, error) {
	if err := mpi.CheckSupport(e, p); err != nil {
		return nil, err
	}
	prog, err := alloc[plugin.Program](e.world.api, 1)
	if err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	r := &runner{api: e.world.api, prog: prog, world: e.world, device: e.device}
	r.prog.Start, r.prog.Signal = r.api.Constants.NoComm, r.api.Constants.NoComm
	if p.Start != nil {
		r.prog.Start = p.Start.(*comm).c.Comm
	}
	if p.Signal != nil {
		r.prog.Signal = p.Signal.(*comm).c.Comm
	}
	if p.Comm != nil {
		r.comm = p.Comm.(*comm)
		r.prog.Comm = r.comm.c
	}
	if slices.ContainsFunc(p.Places, onDevice) {
		if err = e.checkDevice(p); err == nil && e.stages(p) {
			p, err = r.stage(e.device, p)
		}
	}
	if err == nil {
		err = r.compilePlaces(p.Places)
	}
	if err == nil {
		err = r.compileCalls(p)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// compilePlaces fills in the records of all places.
func (r *runner) compilePlaces(places []mpi.Place) (err error) {
	if r.prog.Places, err = allocFor[plugin.Place](r, len(places)); err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	r.prog.Nplaces = int32(len(places))
	out := unsafe.Slice(r.prog.Places, len(places))
	for i, in := range places {
		space := in.Space.(space).c()
		if space == nil {
			return fmt.Errorf("compile: place %d: the space is closed", i)
		}
		out[i] = plugin.Place{
			Space: space, Length: in.Length, Step: in.Step, Advance: in.Advance,
			Extent: in.Extent(), Peer: int32(in.Peer),
			Width: int32(in.Mark.Width), Key: in.Mark.Key, PerLoop: in.Mark.PerLoop, PerChunk: in.Mark.PerChunk,
			Chunk: in.Mark.Chunk,
		}
		out[i].Put(in.Offset)
		if in.Mark.Chunk == 0 {
			out[i].Chunk = max(in.Length, 1)
		}
		if in.Peer == mpi.AnySource {
			out[i].Peer = r.api.Constants.AnySource
		}
		if err := r.setType(&out[i], in); err != nil {
			return err
		}
	}
	return r.findAdvancing(out)
}

// findAdvancing lists the places that advance.
func (r *runner) findAdvancing(places []plugin.Place) (err error) {
	if r.prog.Advancing, err = allocFor[*plugin.Place](r, len(places)); err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	list := unsafe.Slice(r.prog.Advancing, len(places))
	for i := range places {
		if places[i].Advance > 0 {
			list[r.prog.Nadvancing] = &places[i]
			r.prog.Nadvancing++
		}
	}
	return nil
}

// setType sets the type and count of a place, in bytes for messages and in elements of the view for files.
func (r *runner) setType(out *plugin.Place, in mpi.Place) error {
	out.Unit = 1
	if f, ok := in.Space.(*file); ok && f.unit == element {
		out.Unit = element
		return r.units(&out.Count, &out.Type, in.Length/element, r.basic(mpi.Float64), element)
	}
	if len(in.Pieces) > 0 {
		return r.pieces(out, in.Pieces)
	}
	return r.elementsOf(&out.Count, &out.Type, in, in.Length)
}

// bytesType sets the type and count of n bytes.
func (r *runner) bytesType(count *int32, kind *plugin.Handle, n int64) error {
	return r.units(count, kind, n, r.basic(mpi.Byte), 1)
}

// units sets the type and count of n units of size bytes. If an int can't count them, it derives a type.
func (r *runner) units(count *int32, kind *plugin.Handle, n int64, unit plugin.Handle, size int) error {
	if n <= math.MaxInt32 {
		*kind, *count = unit, int32(n)
		return nil
	}
	if rc := r.api.LongType(n, unit, int32(size), kind); rc != success {
		return r.world.check("MPI_Type_create_struct", rc)
	}
	*count = 1
	r.types = append(r.types, *kind)
	return nil
}

// compileCalls fills in the records of all calls, and allocates the arrays that they need.
func (r *runner) compileCalls(p *mpi.Program) (err error) {
	r.prog.Nbefore, r.prog.Nloop = int32(len(p.Before)), int32(len(p.Loop))
	r.prog.Nafter = int32(len(p.After))
	n := len(p.Before) + len(p.Loop) + plugin.AfterLoop + len(p.After)
	if r.prog.Calls, err = allocFor[plugin.Call](r, n); err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	calls := unsafe.Slice(r.prog.Calls, n)
	for _, c := range p.Calls() {
		if c.Op.Persistent() {
			r.prog.Nrequests++ // persistent requests come first, and each belongs to one call
		}
	}
	r.persistent = r.prog.Nrequests
	reserved := make([]mpi.Call, plugin.AfterLoop) // Nop, until the C loop fills them in
	for i, section := range [][]mpi.Call{p.Before, p.Loop, reserved, p.After} {
		if err := r.compileSection(p, calls[:len(section)], section, min(i, len(p.Sections())-1)); err != nil {
			return err
		}
		calls = calls[len(section):]
	}
	if err = r.allocate(); err == nil {
		err = r.findReopens()
	}
	if err == nil {
		err = r.allocateTallies(p)
	}
	if err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	return nil
}

// allocateTallies allocates the buckets of the laps that have calls with Counts.
func (r *runner) allocateTallies(p *mpi.Program) (err error) {
	laps := unsafe.Slice(r.prog.Laps, int(r.prog.Nlaps))
	for _, c := range p.Calls() {
		if c.Counts && laps[c.Root].Tally.Counts == nil {
			if laps[c.Root].Tally.Counts, err = allocFor[int64](r, plugin.Buckets); err != nil {
				return err
			}
		}
	}
	return nil
}

// compileSection compiles the calls of one section, whose index in p.Sections is number. A section completes its
// requests, so the next one reuses their numbers. Persistent requests keep theirs.
func (r *runner) compileSection(p *mpi.Program, calls []plugin.Call, section []mpi.Call, number int) error {
	requests := r.persistent
	for i, in := range section {
		if err := errors.Join(checkFile(p.Places, in), checkWindow(p.Places, in)); err != nil {
			return err
		}
		if in.Op.Reads() {
			in.Send, in.Recv = in.Recv, in.Send
		}
		calls[i] = plugin.Call{
			Op: uint32(in.Op), Family: uint32(in.Op.Family()),
			Tag: int32(in.Tag), Root: int32(in.Root), Seconds: in.Seconds,
			Send: r.place(in.Send), Nsend: int32(in.Send.Count),
			Recv: r.place(in.Recv), Nrecv: int32(in.Recv.Count),
			Part: int32(in.Part), Parts: int32(in.Parts),
		}
		switch {
		case in.Op == mpi.Copy || in.Op == mpi.Stamp || in.Op == mpi.Check:
			setCopy(&calls[i], p, in)
		case in.Op.Persistent():
			calls[i].Request = r.compiled
			r.compiled++
			startTogether(calls, section, i)
		case in.Op == mpi.RecvEach:
			calls[i].Request = requests
			r.prog.Nrequests = max(r.prog.Nrequests, requests+int32(p.Comm.Size())-1)
		case in.Op.Starts():
			calls[i].Request = requests
			requests++
			r.prog.Nrequests = max(r.prog.Nrequests, requests)
		case in.Op.Family() == mpi.Partition && len(p.Team) > 0:
			calls[i].Request = requestOf(p.Team[0], number, in.Of)
		case in.Op.UsesRequest():
			calls[i].Request = calls[in.Of].Request
		case in.Op == mpi.Decide:
			r.prog.Decides = 1
		case in.Op == mpi.Lap:
			r.prog.Nlaps = max(r.prog.Nlaps, int32(in.Root+1))
		}
		extra, err := r.extra(p, in)
		if err != nil {
			return fmt.Errorf("compile: call %d (%v): %w", i, in.Op, err)
		}
		calls[i].Extra = extra
		r.calls = append(r.calls, in.Op)
	}
	return nil
}

// requestOf returns the number of the persistent request of a call of a section.
func requestOf(p *mpi.Program, section, call int) (number int32) {
	sections := p.Sections()
	for _, c := range append(slices.Concat(sections[:section]...), sections[section][:call]...) {
		if c.Op.Persistent() {
			number++
		}
	}
	return number
}

// startTogether makes call i of a section start its persistent request. If calls of the same name come directly before
// it, the first of these starts all requests.
func startTogether(calls []plugin.Call, section []mpi.Call, i int) {
	first := i
	for first > 0 && section[first-1].Op == section[i].Op {
		first--
	}
	calls[i].Starts = -1
	calls[first].Starts = int32(i - first + 1)
}

// findReopens lists, for each file, the first call that opens or closes it. It leaves out files of Paths.
func (r *runner) findReopens() (err error) {
	n := len(r.calls)
	first := map[*plugin.Space]bool{}
	if r.prog.Reopens, err = allocFor[*plugin.Call](r, n); err != nil {
		return err
	}
	list, calls := unsafe.Slice(r.prog.Reopens, n), unsafe.Slice(r.prog.Calls, n)
	for i, op := range r.calls {
		if op != mpi.FileOpen && op != mpi.FileClose || first[calls[i].Recv.Space] ||
			calls[i].Recv.Space.Paths.Text != nil {
			continue
		}
		first[calls[i].Recv.Space] = true
		list[r.prog.Nreopens] = &calls[i]
		r.prog.Nreopens++
	}
	return nil
}

// allocate allocates the laps, and the arrays of requests.
func (r *runner) allocate() (err error) {
	if r.prog.Laps, err = allocFor[plugin.Lap](r, int(r.prog.Nlaps)); err != nil {
		return err
	}
	if rc := r.api.Prepare(r.prog); rc != success {
		return fmt.Errorf("no memory for %d requests", r.prog.Nrequests)
	}
	return nil
}

// place returns the record of a span's first place. The record of an empty span is never read.
func (r *runner) place(s mpi.Span) *plugin.Place {
	return (*plugin.Place)(unsafe.Add(unsafe.Pointer(r.prog.Places), s.First*int(unsafe.Sizeof(plugin.Place{}))))
}

// Run implements mpi.Runner.
func (r *runner) Run(n mpi.Loops) (mpi.Measurement, error) {
	if err := r.prepare(n); err != nil {
		return mpi.Measurement{}, err
	}
	p := r.prog
	r.world.state.running(r)
	rc := r.api.Run(p)
	r.world.state.running(nil)
	if rc != success {
		call := "MPI_Barrier"
		if p.Failed >= 0 {
			call = calledIn(r.calls[p.Failed])
		}
		if d := r.device; d != nil && r.api.DeviceFailure() != success {
			return mpi.Measurement{}, fmt.Errorf("a copy from or to %s: %w", d.Name,
				d.failure(d.driver.copy, r.api.DeviceFailure()))
		}
		return mpi.Measurement{}, r.world.check(call, rc)
	}
	return r.measurement(n), nil
}

// prepare sets the loops of the next run, and allocates memory for their times if they are kept.
func (r *runner) prepare(n mpi.Loops) error {
	if err := n.Validate(); err != nil {
		return err
	}
	p := r.prog
	p.Loops = plugin.Loops{Untimed: n.Untimed, Timed: n.Timed, Budget: n.Budget, Deferred: n.Deferred,
		DecideEvery: n.DecideEvery}
	if n.Blocks {
		p.Loops.Blocks = 1
	}
	if n.Each {
		p.Loops.Each = 1
		return r.keepEach(n.Timed)
	}
	return nil
}

// measurement returns the measurement of the last run.
func (r *runner) measurement(n mpi.Loops) mpi.Measurement {
	p := r.prog
	m := mpi.Measurement{Begin: p.Begin, Seconds: p.Seconds, Loops: p.Loop - p.First, Wrong: p.Wrong,
		Failure: r.failure()}
	kept := min(m.Loops, n.Timed) // another process may have decided for more loops
	if n.Each {
		m.Each = copyTimes(p.Each, kept)
	}
	if n.Blocks {
		m.Blocks, m.PerBlock = slices.Clone(p.BlockEnds[:p.Nblocks]), p.LoopsPerBlock
		for i := len(m.Blocks) - 1; i > 0; i-- {
			m.Blocks[i] -= m.Blocks[i-1]
		}
	}
	for _, l := range unsafe.Slice(p.Laps, int(p.Nlaps)) {
		lap := mpi.LapTime{Seconds: l.Seconds, Last: l.Last, Tally: tallyOf(&l.Tally)}
		if n.Each {
			lap.Each = copyTimes(l.Each, kept)
		}
		m.Laps = append(m.Laps, lap)
	}
	r.addMismatches(&m)
	return m
}

// tallyOf returns the tally of a lap, or nil if its times aren't counted.
func tallyOf(t *plugin.Tally) *mpi.Tally {
	if t.Counts == nil {
		return nil
	}
	var slow []mpi.SlowLap
	for _, l := range t.Slowest[:t.Nslowest] {
		slow = append(slow, mpi.SlowLap(l))
	}
	return mpi.TallyOf(slices.Clone(unsafe.Slice(t.Counts, plugin.Buckets)), t.Min, t.Max, t.Sum, slow)
}

// addMismatches adds the wrong marks of a run to m.
func (r *runner) addMismatches(m *mpi.Measurement) {
	for i, w := range r.prog.Wrongs[:r.prog.Nwrongs] {
		is := mpi.Mismatch{Rank: r.world.worldRank, Place: int(w.Place), Loop: w.Loop, Chunk: w.Chunk,
			AtEnd: w.End != 0, Inside: w.Inside, Expected: w.Expected, Found: w.Found}
		if i == 0 {
			m.Mismatch = &is
		} else {
			m.Further = append(m.Further, is)
		}
	}
}

// WaitIdle implements mpi.IdleWaiter.
func (r *runner) WaitIdle() { r.prog.WaitIdle = 1 }

// keepEach allocates memory for the times of n loops and of their laps.
func (r *runner) keepEach(n int64) error {
	if n <= r.loops {
		return nil
	}
	free(r.api, r.prog.Each)
	r.prog.Each, r.loops = nil, 0
	each, err := alloc[float64](r.api, int(n)*int(1+r.prog.Nlaps))
	if err != nil {
		return fmt.Errorf("run: the times of %d loops: %w", n, err)
	}
	r.prog.Each, r.loops = each, n
	return nil
}

// copyTimes copies n times from the C heap.
func copyTimes(from *float64, n int64) []float64 { return slices.Clone(unsafe.Slice(from, n)) }

// failure returns the error of the first file call that failed.
func (r *runner) failure() *mpi.Error {
	p := r.prog
	if p.IoFailure == nil {
		return nil
	}
	index := (uintptr(unsafe.Pointer(p.IoFailure)) - uintptr(unsafe.Pointer(p.Calls))) / unsafe.Sizeof(plugin.Call{})
	op := r.calls[index]
	if op.OnPath() {
		return r.pathError(op)
	}
	path, call := pathOf(p.IoFailure.Recv)+": ", op.String()
	if p.IoRc != success {
		failed := r.world.failed(call, p.IoRc)
		failed.Text = path + withSystem(failed.Text, p.Lost)
		return failed
	}
	done := "written"
	if op.Reads() {
		done = "read"
	}
	length := p.IoFailure.Recv.Length
	text := fmt.Sprintf("%d of %d bytes were %s", p.Moved, length, done)
	if p.Moved < 0 {
		text = fmt.Sprintf("a part of %d bytes was %s, and it ends within an element", length, done)
	}
	if p.Moved == length {
		text = "it returned success, but a system call in it failed"
	}
	return &mpi.Error{Call: call, Rank: r.world.worldRank, Text: path + withSystem(text, p.Lost)}
}

// Close implements mpi.Runner.
func (r *runner) Close() {
	for _, t := range r.types {
		r.api.TypeFree(t)
	}
	for _, op := range r.ops {
		r.api.ReductionFree(op)
	}
	r.api.Release(r.prog)
	free(r.api, r.prog.Each)
	for _, p := range r.pins {
		p.used = false
	}
	for _, array := range r.arrays {
		r.api.Free(array)
	}
	free(r.api, r.prog)
}
