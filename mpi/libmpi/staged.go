package libmpi

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// onDevice reports whether a place is in a device's memory.
func onDevice(place mpi.Place) bool {
	_, is := place.Space.(*deviceBuffer)
	return is
}

// usesDevice reports whether a call has places in a device's memory.
func usesDevice(p *mpi.Program, c mpi.Call) bool {
	return slices.ContainsFunc(p.Places[c.Send.First:c.Send.First+c.Send.Count], onDevice) ||
		slices.ContainsFunc(p.Places[c.Recv.First:c.Recv.First+c.Recv.Count], onDevice)
}

// moves reports whether the call is an MPI call that moves data between processes.
func moves(op mpi.Op) bool {
	f := op.Family()
	return f == mpi.PointToPoint || f == mpi.Collective || f == mpi.NonblockingCollective
}

// stages reports whether messages of a program are copied through the host's memory.
func (e *engine) stages(p *mpi.Program) bool {
	return (e.device.choice.Staged || p.Staged) &&
		slices.ContainsFunc(p.Calls(), func(c mpi.Call) bool { return moves(c.Op) })
}

// checkDevice returns an error for a call that isn't possible on a device's memory, because this process's own
// instructions would access the memory.
func (e *engine) checkDevice(p *mpi.Program) error {
	staged := e.stages(p)
	for _, c := range p.Calls() {
		why := ""
		switch {
		case !usesDevice(p, c) || c.Op == mpi.Walk || c.Op == mpi.Copy:
		case (c.Op == mpi.Stamp || c.Op == mpi.Check) && !slices.ContainsFunc(p.Places, func(x mpi.Place) bool {
			return x.Mark.Chunk > 0
		}):
		case !moves(c.Op) && (e.device.choice.Staged || !c.Op.OnWindow()) || c.Function != nil:
			why = "of a device's memory"
		case staged && (c.InPlace || c.Op.Partitioned() || c.Op == mpi.RecvEach || slices.ContainsFunc(p.Places,
			func(x mpi.Place) bool { return onDevice(x) && x.Form.Stride() > 1 })):
			why = "in place, in parts or with gaps, staged through the host's memory,"
		}
		if why != "" {
			return &mpi.UnsupportedError{Engine: "libmpi", Op: c.Op, Why: why}
		}
	}
	return nil
}

// On which processes a copy is made: the values of Call.Tag (calls.h).
const (
	always = iota
	atRoot
	elsewhere
)

// What a copy is: the values of Call.Parts. Copies within a device may return early.
const (
	copyWithin = iota + 1
	stampMarks
	checkMarks
)

// staging makes the staged form of a program. Calls that move data between processes have places in pinned memory of
// the host instead of the device's. Before a call, the data that it sends are copied there. When it is complete, the
// data that it has received are copied to the device. A place that moves from loop to loop has one place in the host's
// memory, as in an application.
type staging struct {
	r      *runner
	old    *mpi.Program
	places []mpi.Place // the program's places, then their places in the host's memory, then the places of copies
	host   map[mpi.Space]*buffer
}

// stage returns the program in its staged form. The runner releases the host's memory.
func (r *runner) stage(d *device, p *mpi.Program) (*mpi.Program, error) {
	s := &staging{r: r, old: p, places: slices.Clone(p.Places), host: map[mpi.Space]*buffer{}}
	size, offsets := map[mpi.Space]int64{}, make([]int64, len(p.Places))
	for i, place := range p.Places {
		if onDevice(place) {
			offsets[i] = place.Offset
			if place.Step > 0 {
				const line = 64
				offsets[i] = (size[place.Space] + line - 1) / line * line
			}
			size[place.Space] = max(size[place.Space], offsets[i]+place.Extent(), 1)
		}
	}
	for space, n := range size {
		memory, err := d.pin(n)
		if err != nil {
			return nil, fmt.Errorf("compile: %w", err)
		}
		r.pins = append(r.pins, memory)
		record, err := allocFor[plugin.Space](r, 1)
		if err != nil {
			return nil, fmt.Errorf("compile: %w", err)
		}
		record.Base, record.Size = (*byte)(memory.base), n
		s.host[space] = &buffer{api: r.api, space: record, lent: true}
	}
	for i, place := range p.Places {
		place.Offset = offsets[i]
		s.places = append(s.places, s.staged(place))
	}
	made := *p
	made.Before, made.Loop, made.After = s.calls(p.Before), s.calls(p.Loop), s.calls(p.After)
	made.Places = s.places
	return &made, nil
}

// staged returns the place in the host's memory of a place on the device, and any other place as it is.
func (s *staging) staged(place mpi.Place) mpi.Place {
	if host := s.host[place.Space]; host != nil {
		place.Space, place.Step, place.Advance = host, 0, 0
	}
	return place
}

// calls returns the staged form of the calls of a section.
func (s *staging) calls(old []mpi.Call) (calls []mpi.Call) {
	index := make([]int, len(old)) // of the old calls in the new list
	open := map[int][]mpi.Call{}   // copies that follow the completion of an old call
	for i := 0; i < len(old); {
		together := 1 // persistent calls that are one MPI_Startall stay together
		for old[i].Op.Persistent() && i+together < len(old) && old[i+together].Op == old[i].Op {
			together++
		}
		var completions [][]mpi.Call
		for _, c := range old[i : i+together] {
			before, after := s.copies(c)
			calls, completions = append(calls, before...), append(completions, after)
		}
		for at, c := range old[i : i+together] {
			after := completions[at]
			if c.Op.UsesRequest() {
				c.Of = index[c.Of]
			}
			if moves(c.Op) && usesDevice(s.old, c) {
				c.Send.First += len(s.old.Places)
				c.Recv.First += len(s.old.Places)
			}
			index[i] = len(calls)
			calls = append(calls, c)
			switch {
			case c.Op.Starts():
				open[i] = after
			case c.Op == mpi.Wait:
				calls = append(calls, open[old[i].Of]...)
				delete(open, old[i].Of)
			case c.Op == mpi.Waitall:
				for earlier := range old[:i] {
					calls = append(calls, open[earlier]...)
				}
				clear(open)
			default:
				calls = append(calls, after...)
			}
			i++
		}
	}
	return calls
}

// copies returns the copies that a call needs before it, and after its completion.
func (s *staging) copies(c mpi.Call) (before, after []mpi.Call) {
	if !moves(c.Op) {
		return nil, nil
	}
	sends, receives := always, always
	if sender, receiver := c.Op.AtRoot(); sender {
		sends = atRoot
	} else if receiver {
		receives = atRoot
	}
	switch op := c.Op.Blocking(); {
	case op == mpi.Bcast || op == mpi.BcastLarge:
		receives = elsewhere
	case op == mpi.Exscan && s.r.comm.rank == 0:
		return s.side(c.Send, c, sends, true), nil
	}
	return s.side(c.Send, c, sends, true), s.side(c.Recv, c, receives, false)
}

// side returns the copies of one side of a call, one copy for all adjacent places or pieces. A place that walks has a
// separate copy.
func (s *staging) side(span mpi.Span, c mpi.Call, when int, toHost bool) (calls []mpi.Call) {
	add := func(device, host int) {
		from, to := mpi.One(host), mpi.One(device)
		if toHost {
			from, to = to, from
		}
		calls = append(calls, mpi.Call{Op: mpi.Copy, Send: from, Recv: to, Root: c.Root, Rotate: c.Rotate, Tag: when})
	}
	var list []mpi.Place
	for i, place := range s.old.Places[span.First : span.First+span.Count] {
		if place.Step > 0 && onDevice(place) {
			add(span.First+i, len(s.old.Places)+span.First+i)
			continue
		}
		if len(place.Pieces) == 0 {
			list = append(list, place)
		}
		for _, piece := range place.Pieces {
			list = append(list, mpi.Place{Space: place.Space, Offset: place.Offset + piece.Offset, Length: piece.Length,
				Advance: place.Advance})
		}
	}
	for i := 0; i < len(list); {
		device := list[i]
		for i++; i < len(list); i++ {
			next := list[i]
			adjacent := next.Offset == device.Offset+device.Length
			if next.Space != device.Space || next.Advance != device.Advance || !adjacent &&
				(next.Offset != device.Offset || next.Length != device.Length) {
				break
			}
			if adjacent {
				device.Length += next.Length
			}
		}
		if !onDevice(device) || device.Length == 0 {
			continue
		}
		device.Peer, device.Type, device.Mark = 0, mpi.Byte, mpi.Mark{}
		n := len(s.places)
		s.places = append(s.places, device, s.staged(device))
		add(n, n+1)
	}
	return calls
}

// setCopy makes the record of a call that copies from or to a device's memory: all of a place, or its marks.
func setCopy(record *plugin.Call, p *mpi.Program, c mpi.Call) {
	if !usesDevice(p, c) {
		return
	}
	from, to := onDevice(p.Places[c.Send.First]), onDevice(p.Places[c.Recv.First])
	record.Op, record.Family = plugin.DeviceCopy, uint32(mpi.Completion)
	switch {
	case c.Op == mpi.Stamp:
		record.Parts = stampMarks
	case c.Op == mpi.Check:
		record.Parts = checkMarks
	case from && to:
		record.Parts = copyWithin
	}
	if c.Rotate {
		record.Part = 1
	}
}
