package probe

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/programfile"
)

// UserKernel returns the kernel of a program file. It has a bandwidth if the file says how much is moved.
func UserKernel(f *programfile.File) *Kernel {
	k := &Kernel{Name: f.Name, Component: USER, Class: Collective, Calls: "the calls of " + f.Source, Halves: 1,
		Least: 1, program: f, recipe: userRecipe(f)}
	if f.Moves {
		k.Class, k.Moved = Parallel, 1
	}
	return k
}

// userRecipe returns the recipe of a program file.
func userRecipe(f *programfile.File) *recipe {
	r := &recipe{ops: f.Ops(), alone: true, fixedRoot: true, packed: f.Packed(),
		build: func(s *scene) *step { return userStep(s, f) },
		memory: func(s *scene) (send, recv int64) {
			l := layOutProgram(s, f)
			return l.filled, l.others
		},
		prepare: func(s *scene) { fillProgram(s, f) },
	}
	if f.File >= 0 {
		r.file = (&access{pointer: explicit, reads: true, sized: func(s *scene) int64 { return fileSize(s, f) }}).use()
		r.ops = append(r.ops, mpi.FileWriteAt)
	}
	if f.Window >= 0 {
		r.window = recvSide
		if f.Areas[f.Window].Filled {
			r.window = sendSide
		}
	}
	if f.Locks() { // a process locks its own window to load from it: see touchesWindow
		r.ops = append(r.ops, mpi.WinLock, mpi.WinUnlock)
	}
	return r
}

// userLayout holds the offsets of a program's areas: those with data of the process' own in the send area, the others
// in the receive area.
type userLayout struct {
	offsets, sizes []int64
	filled, others int64 // bytes in all
}

// areaAlignment is the multiple of bytes that areas begin at.
const areaAlignment = 64

// layOutProgram returns the layout of a row. A size that can't be computed is an error of Resolve too.
func layOutProgram(s *scene, f *programfile.File) (l userLayout) {
	sizes, err := f.Sizes(s.size(), s.bytes)
	if err != nil {
		return l
	}
	l.sizes = sizes
	for i, size := range sizes {
		end := &l.others
		if f.Areas[i].Filled {
			end = &l.filled
		}
		start := upTo(*end, areaAlignment)
		if i == f.File {
			start, end = 0, new(int64) // it isn't in memory
		}
		l.offsets = append(l.offsets, start)
		*end = min(start+size, MostMemory) // more than any machine has
	}
	return l
}

// userStep returns the calls of a process.
func userStep(s *scene, f *programfile.File) *step {
	p, err := f.Resolve(programfile.At{Rank: s.rank(), Size: s.size(), Root: s.root, Bytes: s.bytes})
	if err != nil {
		return &step{err: &refusal{err}}
	}
	l, x := layOutProgram(s, f), &step{each: p.Calls}
	for _, place := range p.Places {
		a := &s.recv
		if f.Areas[place.Area].Filled {
			a = &s.send
		}
		to := s.in(a, l.offsets[place.Area]+place.Offset, place.Length, place.Peer)
		to.Type = place.Type
		if place.Window {
			to.Space = s.window
		}
		if place.File {
			to.Space = s.files.file
		}
		x.places = append(x.places, to)
	}
	if f.Repeats() && !s.single {
		p.Checks = nil // they hold for a single repetition
	}
	for _, c := range p.Checks {
		first, end := c.Rank, c.Rank+1
		if c.Rank == programfile.Sum {
			first, end = 0, s.size()
		}
		x.wants = append(x.wants, want{area: &s.recv, at: l.offsets[c.Place.Area] + c.Place.Offset,
			length: c.Place.Length, fill: userData(f, c.Source, first, end, s.size()), start: c.Position,
			unit: c.Place.Type.Size()})
	}
	if f.Window >= 0 {
		x.leave = []mpi.Call{{Op: mpi.Barrier}} // others may still access this process' memory
	}
	if err := s.program(x).Validate(); err != nil {
		return &step{err: &refusal{f.Refused(p, s.rank(), err)}}
	}
	return x
}

// userData returns the data of an area of the processes from first to before end, or their sum. The bytes of each area
// of each process are others.
func userData(f *programfile.File, area, first, end, size int) filler {
	if kind := f.Areas[area].Type; kind != mpi.Byte {
		return sums(kind, first, end, 1)
	}
	return pattern(first + area*size)
}

// fileSize returns the bytes of a program's file.
func fileSize(s *scene, f *programfile.File) int64 {
	if sizes := layOutProgram(s, f).sizes; sizes != nil && f.File >= 0 {
		return sizes[f.File]
	}
	return 0 // there is none, or Resolve has the error
}

// fillProgram fills the areas with the process' own data, in all slots.
func fillProgram(s *scene, f *programfile.File) {
	l := layOutProgram(s, f)
	for i, start := range l.offsets {
		if !f.Areas[i].Filled {
			continue
		}
		fill := userData(f, i, s.rank(), s.rank()+1, s.size())
		for slot := range s.send.slots {
			fill(s.send.buffer.Bytes()[slot*s.send.stride+start:][:l.sizes[i]], 0)
		}
	}
}
