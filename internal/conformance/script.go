package conformance

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/effective-bandwidth/beff/mpi"
)

// gap is the number of bytes between places. These bytes must never change.
const gap = 8

// script holds the programs of one process of a case, and their memory. Cases build the scripts of all processes. The
// reference runs all of them, and on an engine each process runs its own.
type script struct {
	*mpi.Program // the latest one
	rank, size   int
	left, right  int            // neighbours in the ring of all processes
	main         *block         // for places without a space
	blocks       []*block       // the first one is main
	windows      []*windowBlock // of some of these blocks
	files        []*openFile
	programs     []*mpi.Program
	turns        []turn
	mayRefuse    bool // the engine may refuse the operands of a program
}

// turn is one run of a program. All memory gets new contents before it.
type turn struct {
	program int
	mpi.Loops
	ends int64 // the number of loops after which a failure ends the run, or 0
}

// newScript returns the script of a process.
func newScript(rank, size int, build func(x *script)) *script {
	x := &script{rank: rank, size: size, left: (rank + size - 1) % size, right: (rank + 1) % size}
	x.main = x.memory(gap)
	x.begin()
	build(x)
	return x
}

// begin begins a program, and returns its number. If the script has no turns, each program runs in two turns.
func (x *script) begin() int {
	x.Program = &mpi.Program{}
	x.programs = append(x.programs, x.Program)
	return len(x.programs) - 1
}

// run adds turns of the latest program.
func (x *script) run(loops ...mpi.Loops) {
	for _, n := range loops {
		x.turns = append(x.turns, turn{program: len(x.programs) - 1, Loops: n})
	}
}

// order returns the turns of all programs.
func (x *script) order() []turn {
	if x.turns != nil {
		return x.turns
	}
	var all []turn
	for i := range x.programs {
		all = append(all, turn{program: i, Loops: once},
			turn{program: i, Loops: mpi.Loops{Untimed: 1, Timed: 2}})
	}
	return all
}

// memory adds a block of memory.
func (x *script) memory(size int64) *block {
	b := &block{size: size}
	x.blocks = append(x.blocks, b)
	return b
}

// window adds a window of a new block.
func (x *script) window(size int64) *windowBlock {
	w := &windowBlock{block: x.memory(size)}
	x.windows = append(x.windows, w)
	return w
}

// put adds a place. A place without a space is put after all others in the main memory, with a gap.
func (x *script) put(place mpi.Place) mpi.Span {
	if place.Space == nil {
		unit := place.Type.Size()
		place.Space, place.Offset = x.main, place.Offset+(x.main.size+unit-1)/unit*unit
		x.main.size = place.Offset + place.Extent() + gap
	}
	return mpi.One(x.Place(place))
}

// to adds a place for a message to a peer, and from adds a place for a message from a peer.
func (x *script) to(peer int, length int64) mpi.Span {
	return x.put(mpi.Place{Length: length, Peer: peer})
}

func (x *script) from(peer int, length int64) mpi.Span { return x.to(peer, length) }

// latest returns the span of the n places that were added last.
func (x *script) latest(n int) mpi.Span { return mpi.Span{First: len(x.Places) - n, Count: n} }

// period is the number of bytes after which the data of fill repeat. It is a prime, so that no segment or cache line is
// a multiple of it.
const period = 65521

// fill writes pseudo-random bytes that three numbers determine.
func fill(data []byte, from, to, number int) {
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[0:], uint64(from))
	binary.LittleEndian.PutUint64(seed[8:], uint64(to))
	binary.LittleEndian.PutUint64(seed[16:], uint64(number))
	n := min(len(data), period)
	rand.NewChaCha8(seed).Read(data[:n])
	for n < len(data) {
		n += copy(data[n:], data[:n])
	}
}

// fill writes the contents of block i of a process before a turn.
func (b *block) fill(data []byte, rank, i, turn int) {
	if b.kind == mpi.Byte {
		fill(data, rank, i, turn)
		return
	}
	const most = 101 // the number of values before they repeat
	unit := int(b.kind.Size())
	n := min(len(data)/unit, most) * unit
	for at := 0; at < n; at += unit {
		arithmetic[b.kind].encode(data[at:], int64((rank+1)*31+at/unit*7+i*13+turn*17)%most)
	}
	for n > 0 && n < len(data) {
		n += copy(data[n:], data[:n])
	}
}

// referenceResults holds the scripts of all processes, and the reference's results after each turn.
type referenceResults struct {
	sync.Once
	scripts []*script
	after   [][][][]byte        // by turn, rank and block
	files   [][]fileContent     // by turn and file
	seen    [][]mpi.Measurement // by turn and rank
}

// play runs the programs of all processes by the reference.
func (w *referenceResults) play(size int, build func(x *script)) {
	r := &reference{pending: map[int]*collectiveCall{}, signals: map[signal]int{}}
	for rank := range size {
		x := newScript(rank, size, build)
		w.scripts = append(w.scripts, x)
		expanded := *x
		expanded.programs = slices.Clone(x.programs)
		for i, p := range x.programs {
			expanded.programs[i] = p.Expanded(rank, size)
		}
		r.processes = append(r.processes, &referenceProcess{script: &expanded, open: map[int]done{},
			unsent: map[int]*partitionedSend{}, at: map[*mpi.Program][]int64{}, loops: map[*mpi.Program]int64{}})
	}
	for _, x := range w.scripts {
		for i, window := range x.windows {
			for _, other := range w.scripts {
				window.all = append(window.all, other.windows[i].block)
			}
		}
	}
	for i := range w.scripts[0].files {
		all := &fileContent{}
		for _, x := range w.scripts {
			x.files[i].fileContent = all
		}
	}
	for n, t := range w.scripts[0].order() {
		for rank, x := range w.scripts {
			for i, b := range x.blocks {
				b.data = make([]byte, b.size)
				b.fill(b.data, rank, i, n)
			}
		}
		for rank, x := range w.scripts {
			for _, o := range x.files {
				o.prepare(t, rank == 0)
			}
		}
		r.run(t)
		w.files = append(w.files, w.scripts[0].copyFiles())
		after, seen := make([][][]byte, size), make([]mpi.Measurement, size)
		for rank, a := range r.processes {
			for _, b := range a.blocks {
				after[rank] = append(after[rank], b.data)
			}
			seen[rank] = a.seen
		}
		w.after, w.seen = append(w.after, after), append(w.seen, seen)
	}
}

// resultCache holds the reference's results of the latest scripts. The processes of this program share it.
type resultCache struct {
	mu   sync.Mutex
	list []*cachedResults
}

// cachedResults are the results of the script with a serial number on a number of processes.
type cachedResults struct {
	serial, size int
	referenceResults
}

// of returns the reference's results of the script with a serial number.
func (k *resultCache) of(serial, size int, build func(x *script)) *referenceResults {
	k.mu.Lock()
	i := slices.IndexFunc(k.list, func(x *cachedResults) bool { return x.serial == serial && x.size == size })
	if i < 0 {
		const most = 4
		k.list = append(k.list[max(0, len(k.list)-most):], &cachedResults{serial: serial, size: size})
		i = len(k.list) - 1
	}
	x := k.list[i]
	k.mu.Unlock()
	x.Do(func() { x.play(size, build) })
	return &x.referenceResults
}

// engineRun runs the script of one process on an engine.
type engineRun struct {
	*process
	*script
	comm    mpi.Comm
	buffers []mpi.Buffer
	runners map[int]mpi.Runner // by the numbers of programs
	paths   []string           // of the files
}

// play runs the script of this process on the engine, and compares all memory and the measurement with the reference
// after each turn. All processes must call it, including processes that aren't in c.
func (p *process) play(c mpi.Comm, build func(x *script)) {
	serial := p.begun
	p.begun++
	if c == nil {
		return
	}
	want := p.cache.of(serial, c.Size(), build)
	s := &engineRun{process: p, script: newScript(c.Rank(), c.Size(), build), comm: c, runners: map[int]mpi.Runner{}}
	p.scope(func() {
		s.open()
		s.openFiles(serial)
		for n, t := range s.order() {
			s.turn(n, t, want)
		}
		for _, w := range s.windows {
			p.must(w.created.Close())
		}
		for _, o := range s.files {
			p.must(o.file.Close())
		}
	})
}

// open makes the memory and the windows.
func (s *engineRun) open() {
	for _, b := range s.blocks {
		i := slices.IndexFunc(s.windows, func(w *windowBlock) bool { return w.block == b })
		if i < 0 {
			s.buffers = append(s.buffers, s.buffer(b.size))
			continue
		}
		w := s.windows[i]
		created, memory := s.newWindow(s.Engine.(mpi.Windows), s.comm, b.size, w.kept)
		s.buffers = append(s.buffers, memory)
		if w.created = created; w.freed {
			s.must(created.Free())
		}
	}
}

// bound returns a program with the engine's communicator, memory, windows and files.
func (s *engineRun) bound(program mpi.Program) *mpi.Program {
	program.Comm, program.Start = s.comm, s.comm
	if s.start != nil {
		program.Start = s.start
	}
	program.Places = slices.Clone(program.Places)
	for i := range program.Places {
		switch space := program.Places[i].Space.(type) {
		case *block:
			program.Places[i].Space = s.buffers[slices.Index(s.blocks, space)]
		case *windowBlock:
			program.Places[i].Space = space.created
		case *openFile:
			program.Places[i].Space = space.file
		}
	}
	return &program
}

// turn runs one turn. If there are windows, all processes meet before and after comparing memory, which others may
// access during their runs.
func (s *engineRun) turn(n int, t turn, want *referenceResults) {
	s.prepareFiles(t)
	r := s.runners[t.program]
	if r == nil {
		var err error
		r, err = s.Compile(s.bound(*s.programs[t.program]))
		if s.mayRefuse && unfit(err) {
			return
		}
		s.must(err)
		s.ends = append(s.ends, r.Close)
		s.runners[t.program] = r
	}
	for i, b := range s.buffers {
		s.blocks[i].fill(b.Bytes(), s.script.rank, i, n)
	}
	m := s.process.run(r, t.Loops)
	s.meet()
	rank := s.script.rank
	for i, b := range s.buffers {
		s.compare(n, t, i, b.Bytes(), want.after[n][rank][i])
	}
	s.sameSeen(m, want.seen[n][rank])
	s.compareFiles(want.files[n])
	s.meet()
}

// meet is a barrier if there are windows.
func (s *engineRun) meet() {
	if len(s.windows) > 0 {
		s.must(s.comm.Barrier())
	}
}

// sameSeen compares the measurement of a run with the reference's.
func (p *process) sameSeen(m, want mpi.Measurement) {
	if m.Wrong != want.Wrong || m.Loops != want.Loops {
		p.errorf("%d wrong chunks in %d loops instead of %d in %d", m.Wrong, m.Loops, want.Wrong, want.Loops)
	}
	switch f, failure := m.Failure, want.Failure; {
	case f == nil && failure == nil:
	case f == nil || failure == nil || f.Call != failure.Call || !strings.HasSuffix(f.Text, ": "+failure.Text) ||
		f.Rank != p.rank: // the engine's text begins with the path
		p.errorf("failure %+v instead of %+v", f, failure)
	}
	if want.Mismatch != nil {
		mismatch := *want.Mismatch
		mismatch.Rank, want.Mismatch = p.rank, &mismatch
	}
	p.sameMismatch(m.Mismatch, want.Mismatch)
	if len(m.Further) != len(want.Further) {
		p.errorf("%d further mismatches instead of %d", len(m.Further), len(want.Further))
		return
	}
	for i, further := range want.Further { // a copy, because groups of processes share want
		further.Rank = p.rank
		p.sameMismatch(&m.Further[i], &further)
	}
}

// firstWrong returns the index of the first byte that differs, or -1.
func firstWrong(found, want []byte) int {
	if bytes.Equal(found, want) {
		return -1
	}
	at := 0
	for found[at] == want[at] {
		at++
	}
	return at
}

// same records an error at the first byte of found that differs from want.
func (p *process) same(what string, found, want []byte) {
	if at := firstWrong(found, want); at >= 0 {
		p.errorf("%s: byte %d of %d is %#x instead of %#x", what, at, len(want), found[at], want[at])
	}
}

// compare records the first wrong byte of a block, and the last place that starts before it.
func (s *engineRun) compare(n int, t turn, i int, found, want []byte) {
	at := firstWrong(found, want)
	if at < 0 {
		return
	}
	where, p := "no place", s.programs[t.program]
	for number, place := range p.Places {
		space := place.Space
		if w, ok := space.(*windowBlock); ok {
			space = w.block
		}
		if space == s.blocks[i] && place.Offset <= int64(at) {
			where = fmt.Sprintf("place %d, %d bytes, at %d", number, place.Length, place.Offset)
		}
	}
	s.errorf("turn %d, %+v: byte %d of memory %d (%s) is %#x instead of %#x; program %+v", n, t, at, i, where,
		found[at], want[at], p.Loop)
}
