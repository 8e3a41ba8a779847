package suites

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// prove sets the data that the last repetition must have left. Written data are read back. Processes use a shared
// pointer in an unknown order, so such data are audited.
func (a *access) prove(s *kernel.Setup, x *kernel.Step, length int64) {
	last := a.offset(s, s.Run.Repetitions-1)
	w := kernel.Want{Area: &s.Recv, Length: length, Unit: 1}
	unordered := a.pointer == shared && !a.collective
	switch {
	case a.reads && unordered:
		x.Audit = a.auditReads
		return
	case a.reads:
		w.Fill, w.Start = throughView(kernel.Pattern(kernel.FileOwner), s.Files.Position), last
	case unordered:
		x.Audit = a.auditWrites
		return
	default:
		w.Fill = s.SendData(s.Rank())
		x.Places = append(x.Places, mpi.Place{Space: s.Files.File, Offset: last, Length: length},
			mpi.Place{Space: s.Recv.Buffer, Length: length})
		n := len(x.Places)
		x.Proof = []mpi.Call{{Op: mpi.FileReadAt, Send: mpi.One(n - 2), Recv: mpi.One(n - 1)}}
	}
	x.Wants = []kernel.Want{w}
}

// throughView returns a filler for the data that a view shows of a file that fill fills.
func throughView(fill kernel.Filler, view kernel.PositionFunc) kernel.Filler {
	return func(data []byte, offset int64) {
		for len(data) > 0 {
			position, n := view(offset)
			n = min(n, int64(len(data)))
			fill(data[:n], position)
			data, offset = data[n:], offset+n
		}
	}
}

// auditWrites reads a file that processes have written through a shared pointer. It must contain each process's data
// once for each repetition.
func (a *access) auditWrites(s *kernel.Setup, move kernel.Mover) (defects int64, err error) {
	if s.Files.Comm.Rank() != 0 {
		return 0, nil
	}
	w := newWriters(s.Size(), s.Run.Repetitions, func(rank int) int64 { _, n := a.part(s, rank); return n }, s.SendData)
	for offset, end := int64(0), s.Run.Repetitions*s.Bytes; offset < end; {
		n := min(s.Recv.Length, end-offset)
		found := s.Recv.Buffer.Bytes()[:n]
		err := move(s, mpi.FileReadAt, mpi.Place{Space: s.Files.File, Offset: offset, Length: n},
			mpi.Place{Space: s.Recv.Buffer, Length: n})
		if err != nil {
			return defects, err
		}
		length, ok := w.take(found)
		if !ok {
			defects, length = defects+n, n
		}
		offset += length
	}
	return defects, nil
}

// writers identifies processes by their data. The first bytes of the data select one process or a few, so that only
// their data must be compared.
type writers struct {
	data    func(rank int) kernel.Filler
	part    func(rank int) int64
	left    []int64          // number of times that each process's data must still be found
	begins  map[string][]int // processes by the first bytes of their data
	lengths []int            // of these bytes, the longest first
	right   []byte
}

// newWriters returns writers for processes that have written a part each, a number of times.
func newWriters(processes int, times int64, part func(rank int) int64, data func(rank int) kernel.Filler) *writers {
	const word = 8 // bytes; no two processes have the same first word
	w := &writers{data: data, part: part, left: make([]int64, processes), begins: map[string][]int{}}
	for rank := range processes {
		n := int(min(part(rank), word))
		if n == 0 {
			continue
		}
		w.left[rank] = times
		begin := make([]byte, n)
		data(rank)(begin, 0)
		w.begins[string(begin)] = append(w.begins[string(begin)], rank)
		if !slices.Contains(w.lengths, n) {
			w.lengths = append(w.lengths, n)
		}
	}
	slices.SortFunc(w.lengths, func(a, b int) int { return b - a })
	return w
}

// take identifies the process whose data are at the start of found, counts them, and returns their bytes. ok is false
// if the data belong to no process, or have already been found often enough.
func (w *writers) take(found []byte) (length int64, ok bool) {
	for _, n := range w.lengths {
		if n > len(found) {
			continue
		}
		for _, rank := range w.begins[string(found[:n])] {
			length := w.part(rank)
			if w.left[rank] == 0 || length > int64(len(found)) {
				continue
			}
			w.right = append(w.right[:0], found[:length]...)
			w.data(rank)(w.right, 0)
			if bytes.Equal(found[:length], w.right) {
				w.left[rank]--
				return length, true
			}
		}
	}
	return 0, false
}

// auditReads checks the data that the processes have read through a shared pointer in the last repetition. They must be
// data of the file, and no two processes may have the same.
func (a *access) auditReads(s *kernel.Setup, _ kernel.Mover) (defects int64, err error) {
	_, length := a.part(s, s.Rank())
	found := s.Recv.Buffer.Bytes()[:length]
	position, known := locate(found, s.Run.Repetitions*s.Bytes)
	defects = kernel.CountDefects(found, kernel.Pattern(kernel.FileOwner), position, 1)
	mine := readPart{position, length}
	if !known || defects > 0 {
		mine = readPart{}
	}
	all, err := job.GatherNumbers(s.Files.Comm, []readPart{mine})
	return defects + overlapBytes(slices.Concat(all...)), err
}

// readPart is a part of a file that a process has read.
type readPart struct{ Position, Length int64 }

// overlapBytes returns the number of bytes that are in more than one part, counted once for each further part.
func overlapBytes(list []readPart) (bytes int64) {
	slices.SortFunc(list, func(a, b readPart) int { return cmp.Compare(a.Position, b.Position) })
	end := int64(0)
	for _, t := range list {
		if t.Length == 0 {
			continue
		}
		bytes += max(0, min(end, t.Position+t.Length)-t.Position)
		end = max(end, t.Position+t.Length)
	}
	return bytes
}

// locate returns the position of data within the first bytes of a file. known is false if they are not there, or at
// several positions, as is possible for short data.
func locate(found []byte, within int64) (position int64, known bool) {
	const word = 8
	right := make([]byte, min(len(found), 2*word))
	try := func(position int64) bool {
		if position < 0 || position > within-int64(len(found)) {
			return false
		}
		kernel.Pattern(kernel.FileOwner)(right, position)
		return bytes.Equal(found[:len(right)], right)
	}
	if len(found) >= 2*word {
		for skip := range int64(word) {
			position := kernel.WordIndex(binary.LittleEndian.Uint64(found[skip:]))*word - skip
			if try(position) {
				return position, true
			}
		}
		return 0, false
	}
	places, first := 0, int64(math.MaxInt64)
	for position := range within {
		if try(position) {
			places, first = places+1, min(first, position)
		}
	}
	if places == 0 {
		return 0, false
	}
	return first, places == 1
}
