package mpi

import (
	"errors"
	"fmt"
	"slices"
)

// Nobody, as the Peer of a place of a neighbourhood call, is the missing neighbour at the edge of a Cartesian
// communicator's grid (MPI_PROC_NULL; MPI 4.1, 8.6). The place isn't used.
const Nobody = -2

// AnySource, as the Peer of a receiving place, takes a message from any process (MPI 4.1, 3.2.4).
const AnySource = -1

// Program describes the work of one process in one run of a benchmark's step: a loop, and calls before and after it.
//
// A pass of n loops is Before, n times Loop, After. The untimed loops of a run are one pass, if there are any, and the
// timed loops are another. The clock is read before Before and after After, because IMB's aggregate mode times the
// completion of all transfers together (IMB guide 4.0, "MPI-2 Benchmark Modes"). Calls that must not be timed belong in
// another program.
//
// Calls in Before belong to the pass's first loop, and calls in After to its last one: marks, places that advance and
// laps take them as calls of that loop. Each section completes the requests and split calls that it opens. Decide,
// StopOnSignal and rotating roots are allowed only in Loop.
type Program struct {
	// Comm is the communicator of all calls; ranks in Places are its ranks. It may be nil in a program without calls,
	// which a process outside of the pattern runs to take part in the collective calls around the run.
	Comm Comm
	// Start is the communicator whose processes meet in a barrier before each run. It is nil for no barrier.
	Start Comm
	// Signal is the communicator of the processes that signal the end of the program's loops, and of this process, if
	// it receives the signals for its group (StopOnSignal). Otherwise it is nil.
	Signal Comm
	Places []Place
	Before []Call // once in each pass, before its first loop
	Loop   []Call
	After  []Call // once in each pass, after its last loop
	// Traffic holds the messages of all processes in one loop, for engines that compute times instead of measuring them
	// (EngineKind.Simulated). It may be nil. Other engines don't use it.
	Traffic *Traffic
	// Team holds the programs of all threads of the process, if the threads share partitioned messages. The first
	// program starts the messages. The others make parts ready or wait for parts, and their Of is the index of a call
	// in the same section of the first program. Without shared messages it is nil.
	Team []*Program
	// Staged copies messages from and to a device's memory through the host's memory. An engine that was started with
	// this choice does so for all programs.
	Staged bool
}

// Traffic holds the messages of all processes in one loop. Programs with the same Traffic may differ in the lengths of
// the messages and in the calls that send them, but not in who sends to whom.
type Traffic struct {
	// Each calls yield for every message, with the message's round and its two ranks in the communicator. The round
	// numbers the calls that send one after the other.
	Each func(yield func(round, from, to int))
}

// Sections returns Before, Loop and After.
func (p *Program) Sections() [3][]Call { return [3][]Call{p.Before, p.Loop, p.After} }

// Calls returns the calls of all sections, one after the other.
func (p *Program) Calls() []Call { return slices.Concat(p.Before, p.Loop, p.After) }

// Place holds the position of a call's bytes, and their peer: Length bytes at Offset of a space. The place stays there,
// unless Walk calls move it (Step) or each loop does (Advance).
type Place struct {
	Space  Space // a Buffer of this process, a window, a file, or Paths
	Offset int64 // bytes from the start of the space, until the place moves
	Length int64 // bytes, a multiple of Type's size
	// Pieces are the runs of bytes that make up a place of several runs, in the order of the message. Their lengths add
	// up to Length, they don't overlap, and they have no marks. Messages, Put and Get may have such places (MPI 4.1,
	// 5.1.2: MPI_Type_create_hindexed, or a vector if the stride is regular). A place with pieces may advance, but not
	// walk.
	Pieces []Piece
	// Form is the layout of the elements in memory. Messages and most collective calls take any form.
	Form Form
	// Step is the number of bytes by which a Walk moves the space's position, or 0 if the place doesn't walk.
	Step int64
	// Advance is the number of bytes by which the place itself moves with each loop (see At), or 0. A place that
	// advances doesn't walk.
	Advance int64
	// Peer is the destination, source or target rank, or AnySource. Collective calls without peers don't use it.
	Peer int
	Type Type
	Mark Mark
}

// At returns the offset, in a loop, of a place that doesn't walk: Offset plus Advance for each loop. Loops are counted
// from 0 over all runs of the compiled program. If the place would reach beyond the end of its space, it continues at
// Offset modulo Advance, the lowest offset from which it comes to Offset again.
func (place Place) At(loop int64) int64 {
	if place.Advance == 0 {
		return place.Offset
	}
	first := place.Offset % place.Advance
	count := uint64((place.Space.Size()-place.Extent()-first)/place.Advance + 1)
	index := (uint64(place.Offset/place.Advance) + uint64(loop)%count) % count
	return first + int64(index)*place.Advance
}

// Call is one call of a program. Each Op's declaration names the fields that it uses.
type Call struct {
	Op     Op
	Send   Span // where data come from; the origin of one-sided calls, the memory of writes, the file of reads
	Recv   Span // where data go; the target of one-sided calls, the file of writes, the memory of reads
	Tag    int  // message tag, or the byte that TouchSend writes
	Root   int  // root process of a rooted call, lap of Lap
	Rotate bool // in loop i, counted over all runs, the root is (Root + i) modulo the processes
	Of     int  // index, in the same section, of the call that started the request
	// Parts is the number of parts of a partitioned message or of a PreadyRange; Part is the first or only part.
	Part, Parts int
	// InPlace makes the process pass MPI_IN_PLACE instead of one side of a collective call (MPI 4.1, 6.2 to 6.12; the
	// side is Op.InPlace). The call has the same places as without it, but the memory of that side isn't used. All
	// processes' calls must have it, though in a rooted call only the root passes MPI_IN_PLACE.
	InPlace bool
	Reduce  Reduction
	Seconds float64 // for Compute
	Times   int64   // for Exploit and FileSetSize
	Counts  bool    // for Lap: the time is also counted in the Tally of the lap
	// Function, if not nil, is called in place of a collective call (Op.Replaceable) by an engine that is a Loader.
	Function Function
}

// Span is the Count places in Program.Places that start with First.
type Span struct{ First, Count int }

// One returns the span of a single place.
func One(place int) Span { return Span{place, 1} }

// Mark describes the content of the first and last Width bytes of each chunk of a place, which reveals a message that
// was lost, mixed up or delivered early. In loop i, counted over all runs of the compiled program, chunk c carries Key
// + i·PerLoop + c·PerChunk (mod 2^(8·Width), little-endian) at its start, and the complement at its end. A chunk
// shorter than 2·Width has only the mark at its start.
type Mark struct {
	Width    int // 1 or 8, or 0 for no marks
	Key      uint64
	PerLoop  uint64
	Chunk    int64 // bytes, or 0 if the place is one chunk
	PerChunk uint64
}

// Type is the basic data type of a place (MPI 4.1, 3.2.2).
type Type uint8

// The basic types; the zero value is MPI_BYTE.
const (
	Byte Type = iota
	Int32
	Int64
	Float32
	Float64
	Int8 // MPI_SIGNED_CHAR, because MPI_CHAR isn't a number (MPI 4.1, 6.9.2)
)

// Size returns the bytes of one element.
func (t Type) Size() int64 { return [...]int64{1, 4, 8, 4, 8, 1}[t] }

// Reduction is the operation of a reducing call (MPI 4.1, 6.9.2).
type Reduction uint8

// The reductions.
const (
	Sum Reduction = iota
	Max
	Min

	reductions // number of reductions
)

// Validate returns an error for an unknown reduction.
func (r Reduction) Validate() error {
	if r >= reductions {
		return fmt.Errorf("unknown reduction %d", r)
	}
	return nil
}

// Place adds a place to the program and returns its index.
func (p *Program) Place(place Place) int {
	p.Places = append(p.Places, place)
	return len(p.Places) - 1
}

// Call adds calls to the program's loop.
func (p *Program) Call(calls ...Call) { p.Loop = append(p.Loop, calls...) }

// Validate returns an error if the program is wrong whatever the engine. Examples are a place outside of its space, a
// span outside of the program, a missing operand, a peer that doesn't exist, a vector call that no MPI could express,
// and a request that no call completes.
func (p *Program) Validate() error {
	if n := len(p.Before) + len(p.Loop) + len(p.After); p.Comm == nil && n > 0 {
		return fmt.Errorf("program: %d calls without a communicator", n)
	}
	for i, place := range p.Places {
		if err := place.validate(); err != nil {
			return fmt.Errorf("program: place %d: %w", i, err)
		}
	}
	for i := range p.Sections() {
		if err := p.validateSection(i); err != nil {
			return fmt.Errorf("program%s: %w", [...]string{", before", "", ", after"}[i], err)
		}
	}
	return nil
}

// loopSection is Loop's index in Sections.
const loopSection = 1

// validateSection checks the calls of one section.
func (p *Program) validateSection(section int) error {
	calls, isLoop := p.Sections()[section], section == loopSection
	open := map[int]bool{}
	for i, c := range calls {
		if err := p.validate(c, len(p.callsReferredTo(section, c))); err != nil {
			return fmt.Errorf("call %d (%v): %w", i, c.Op, err)
		}
		switch {
		case !isLoop && (c.Op == Decide || c.Op == StopOnSignal || c.Rotate):
			return fmt.Errorf("call %d (%v): it is only for loops", i, c.Op)
		case c.Op.Starts():
			open[i] = true
		case c.Op == Waitall || c.Op == RecvEach:
			clear(open)
		case (c.Op == Wait || c.Op == Test) && !open[c.Of]:
			return fmt.Errorf("call %d (%v): call %d has no open request", i, c.Op, c.Of)
		case c.Op == Test && calls[c.Of].Op.Family() == FileNonblocking:
			return fmt.Errorf("call %d (%v): it can't test the file call %d", i, c.Op, c.Of)
		case c.Op == Wait:
			delete(open, c.Of)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%d requests are never completed", len(open))
	}
	if err := errors.Join(p.validatePartitions(section), validateRequests(calls)); err != nil {
		return err
	}
	return p.validateSplit(calls)
}

func (place Place) validate() error {
	switch m := place.Mark; {
	case place.Space == nil:
		return fmt.Errorf("no space")
	case isPath(place.Space) && place.Length != 1:
		return fmt.Errorf("%d paths, takes one", place.Length)
	case place.Type > Int8:
		return fmt.Errorf("unknown type %d", place.Type)
	case place.Offset < 0 || place.Length < 0 || place.Step < 0 || place.Advance < 0:
		return fmt.Errorf("negative offset %d, length %d, step %d or advance %d", place.Offset, place.Length,
			place.Step, place.Advance)
	case place.Step > 0 && place.Advance > 0:
		return fmt.Errorf("it walks by %d bytes and advances by %d", place.Step, place.Advance)
	case place.Length > place.Space.Size() || place.Offset > place.Space.Size()-place.Length*place.Form.Stride():
		return fmt.Errorf("%d bytes from %d of a space of %d bytes", place.Length, place.Offset, place.Space.Size())
	case len(place.Pieces) > 0 && place.Form == Basic:
		return place.validatePieces()
	case place.Length%place.Type.Size() != 0:
		return fmt.Errorf("length %d is not a multiple of the type's %d bytes", place.Length, place.Type.Size())
	case m.Width != 0 && m.Width != 1 && m.Width != 8:
		return fmt.Errorf("marks of %d bytes", m.Width)
	case m.Width > 0 && int64(m.Width) > place.Length:
		return fmt.Errorf("marks of %d bytes on %d bytes", m.Width, place.Length)
	case m.Chunk < 0 || m.Chunk > 0 && (m.Chunk < int64(m.Width) || place.Length%m.Chunk != 0):
		return fmt.Errorf("chunks of %d bytes on %d bytes", m.Chunk, place.Length)
	}
	return place.validateForm()
}

func (p *Program) validate(c Call, calls int) error {
	if !c.Op.known() {
		return fmt.Errorf("unknown call %d", c.Op)
	}
	uses := c.Op.row().uses
	if err := p.validateSpan(c.Send, uses, false); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	if err := p.validateSpan(c.Recv, uses, uses&single != 0); err != nil {
		return fmt.Errorf("receive: %w", err)
	}
	switch {
	case uses&sends != 0 && c.Send.Count == 0:
		return fmt.Errorf("no place to send from")
	case uses&receives != 0 && c.Recv.Count == 0:
		return fmt.Errorf("no place to receive into")
	case c.Tag < 0:
		return fmt.Errorf("tag %d", c.Tag)
	case uses&rooted != 0 && (c.Root < 0 || c.Op != Lap && c.Root >= p.Comm.Size()):
		return fmt.Errorf("root %d of %d", c.Root, p.Comm.Size())
	case uses&refers != 0 && (c.Of < 0 || c.Of >= calls):
		return fmt.Errorf("refers to call %d of %d", c.Of, calls)
	case !(c.Seconds >= 0) || c.Times < 0 || c.Op == StopOnSignal && c.Times == 0:
		return fmt.Errorf("%v seconds, %d times", c.Seconds, c.Times)
	case c.Rotate && (uses&rooted == 0 || c.Op == Lap || c.Op == Decide):
		return fmt.Errorf("its root can't rotate")
	case c.Counts && c.Op != Lap:
		return fmt.Errorf("it has no time to count")
	case c.InPlace && c.Op.row().inPlace == 0:
		return fmt.Errorf("it can't work in place")
	}
	if err := c.Reduce.Validate(); err != nil {
		return err
	}
	if err := p.validateSpaces(c); err != nil {
		return err
	}
	if err := p.validateForms(c); err != nil {
		return err
	}
	if err := errors.Join(p.validatePersistent(c), p.validateParts(c)); err != nil {
		return err
	}
	return p.validateCollective(c)
}

// The following functions report whether a space is of a kind that a side of a call needs.
func isFile(s Space) bool   { _, ok := s.(File); return ok }
func isWindow(s Space) bool { _, ok := s.(Window); return ok }
func isPath(s Space) bool   { _, ok := s.(Paths); return ok }
func isMemory(s Space) bool { return !isFile(s) && !isWindow(s) && !isPath(s) }
func isEither(s Space) bool { return isFile(s) || isPath(s) }

// validateSpaces checks that the places are in the right kind of space: a file, a window, paths or memory.
func (p *Program) validateSpaces(c Call) error {
	uses := c.Op.row().uses
	if uses&anywhere != 0 {
		return nil
	}
	send, recv := isMemory, isMemory
	switch {
	case uses&onFile != 0 && uses&onPath != 0:
		recv = isEither
	case uses&(intoFile|onFile) != 0:
		recv = isFile
	case uses&fromFile != 0:
		send = isFile
	case uses&onPath != 0:
		send, recv = isPath, isPath
	case uses&intoPath != 0:
		recv = isPath
	case uses&fromPath != 0:
		send = isPath
	case uses&onWindow != 0:
		recv = isWindow
	}
	for i, side := range [...]Span{c.Send, c.Recv} {
		is := [...]func(Space) bool{send, recv}[i]
		for _, place := range p.Places[side.First : side.First+side.Count] {
			if !is(place.Space) {
				return fmt.Errorf("a place in a space of another kind: %T", place.Space)
			}
		}
	}
	if uses&(intoFile|fromFile|equalSides) != 0 {
		if s, r := p.Places[c.Send.First].Length, p.Places[c.Recv.First].Length; s != r {
			return fmt.Errorf("%d bytes to %d bytes", s, r)
		}
	}
	if err := p.validateWindow(c, uses); err != nil {
		return err
	}
	if c.Op == RecvEach {
		first := p.Places[c.Recv.First]
		first.Length *= int64(p.Comm.Size())
		if first.Step > 0 || first.Advance > 0 || first.Form != Basic {
			return fmt.Errorf("a place that moves, or with gaps")
		}
		return first.validate()
	}
	if c.Op == PathRename && p.Places[c.Send.First].Space == p.Places[c.Recv.First].Space {
		return fmt.Errorf("both paths are in the same Paths")
	}
	return p.validateElements(c, uses)
}

// validateElements checks the types and pieces of the places.
func (p *Program) validateElements(c Call, uses operands) error {
	send, recv := p.Places[c.Send.First:][:c.Send.Count], p.Places[c.Recv.First:][:c.Recv.Count]
	for _, side := range [][]Place{send, recv} {
		for _, place := range side {
			switch {
			case uses&pieces == 0 && c.Op.Family() != WindowState && len(place.Pieces) > 0:
				return fmt.Errorf("a place in pieces")
			case uses&numbers != 0 && place.Type == Byte:
				return fmt.Errorf("bytes are not numbers")
			case uses&oneElement != 0 && place.Length != place.Type.Size():
				return fmt.Errorf("%d bytes: want one element", place.Length)
			case uses&empty != 0 && place.Length > 0:
				return fmt.Errorf("%d bytes: want none", place.Length)
			case c.Op == CompareAndSwap && (place.Type == Float32 || place.Type == Float64):
				return fmt.Errorf("floating-point numbers can't be compared") // MPI 4.1, 12.3.4
			}
		}
	}
	if uses&(equalSides|same) == 0 {
		return nil
	}
	s, r := send[0], recv[0]
	switch {
	case uses&same != 0 && (s.Space != r.Space || s.Offset != r.Offset || s.Length != r.Length ||
		s.Advance != r.Advance):
		return fmt.Errorf("it must send and receive the same memory")
	case uses&same != 0:
		return nil
	case s.Type != r.Type:
		return fmt.Errorf("elements of type %d to elements of type %d", s.Type, r.Type)
	case s.Space == r.Space && s.Offset < r.Offset+r.Extent() && r.Offset < s.Offset+s.Extent():
		return fmt.Errorf("places that overlap")
	}
	return nil
}

// validateWindow checks the target of a one-sided call, and the operands of atomic calls.
func (p *Program) validateWindow(c Call, uses operands) error {
	if uses&onWindow == 0 {
		return nil
	}
	wanted := c.Op.row().memory
	target := p.Places[c.Recv.First]
	switch {
	case target.Peer < 0 || target.Peer >= p.Comm.Size():
		return fmt.Errorf("target %d of %d", target.Peer, p.Comm.Size())
	case wanted > 0 && (c.Send.Count != wanted || c.Recv.Count != 1):
		return fmt.Errorf("%d places in memory and %d in the window: want %d and 1", c.Send.Count, c.Recv.Count, wanted)
	}
	for _, place := range p.Places[c.Send.First : c.Send.First+c.Send.Count] {
		if place.Length != target.Length || place.Type != target.Type {
			return fmt.Errorf("%d bytes of memory, %d of the window, or not of the same type", place.Length,
				target.Length)
		}
	}
	return nil
}

// validateSpan checks the places of one side of a call. A vector call has a place for each peer, all in one buffer (MPI
// 4.1, 6.5).
func (p *Program) validateSpan(s Span, uses operands, anySource bool) error {
	switch {
	case s.First < 0 || s.Count < 0 || s.Count > len(p.Places) || s.First > len(p.Places)-s.Count:
		return fmt.Errorf("%d places from %d of %d", s.Count, s.First, len(p.Places))
	case uses&single != 0 && s.Count > 1:
		return fmt.Errorf("%d places, takes one", s.Count)
	case uses&peers == 0:
		return nil
	}
	seen := map[int]bool{}
	for _, place := range p.Places[s.First : s.First+s.Count] {
		switch {
		case place.Peer == AnySource && anySource:
		case place.Peer == Nobody && uses&neighbours != 0:
			continue
		case place.Peer < 0 || place.Peer >= p.Comm.Size():
			return fmt.Errorf("rank %d of %d", place.Peer, p.Comm.Size())
		case seen[place.Peer]:
			return fmt.Errorf("two messages for rank %d", place.Peer)
		case place.Space != p.Places[s.First].Space:
			return fmt.Errorf("places in different spaces")
		}
		seen[place.Peer] = true
	}
	return nil
}

// validateSplit returns an error if a section has only one half of a split call, or if two of them are open on one file
// (MPI 4.1, 14.4.5).
func (p *Program) validateSplit(calls []Call) error {
	open := map[Space]Call{}
	for i, c := range calls {
		begins := c.Op.Family() == SplitBegin
		if !begins && c.Op.Family() != SplitEnd {
			continue
		}
		file := p.Places[c.Recv.First].Space
		if c.Op.Reads() {
			file = p.Places[c.Send.First].Space
		}
		other, isOpen := open[file]
		switch {
		case begins && isOpen:
			return fmt.Errorf("call %d (%v): %v is open on the same file", i, c.Op, other.Op)
		case begins:
			open[file] = Call{Op: c.Op.End(), Send: c.Send, Recv: c.Recv}
		case !isOpen || other.Op != c.Op || other.Send != c.Send || other.Recv != c.Recv:
			return fmt.Errorf("call %d (%v): its first half is not open with the same places", i, c.Op)
		default:
			delete(open, file)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%d split calls have no second half", len(open))
	}
	return nil
}
