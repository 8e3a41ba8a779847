package suites

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/data"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/programfile"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// UserKernel returns the kernel of a program file. It has a bandwidth if the file says how much is moved.
func UserKernel(f *programfile.File) *kernel.Kernel {
	k := &kernel.Kernel{Name: f.Name, Component: kernel.USER, Class: kernel.Collective,
		Calls: "the calls of " + f.Source, Halves: 1,
		Least: 1, Program: f, Recipe: userRecipe(f)}
	if f.Moves {
		k.Class, k.Moved = kernel.Parallel, 1
	}
	return k
}

// userRecipe returns the recipe of a program file.
func userRecipe(f *programfile.File) *kernel.Recipe {
	r := &kernel.Recipe{Ops: f.Ops(), Singles: true, FixedRoot: true, Packed: f.Packed(),
		Build: func(s *kernel.Scene) *kernel.Step { return userStep(s, f) },
		Memory: func(s *kernel.Scene) (send, recv int64) {
			l := layOutProgram(s, f)
			return l.filled, l.others
		},
		Prepare: func(s *kernel.Scene) { fillProgram(s, f) },
	}
	if f.File >= 0 {
		r.File = (&access{pointer: explicit, reads: true, sized: func(s *kernel.Scene) int64 {
			return f.FileSize(s.Size(), s.Bytes)
		}}).use()
		r.Ops = append(r.Ops, mpi.FileWriteAt)
	}
	if f.Window >= 0 {
		r.Window = kernel.RecvSide
		if f.Areas[f.Window].Filled {
			r.Window = kernel.SendSide
		}
	}
	if f.Locks() { // a process locks its own window to load from it: see touchesWindow
		r.Ops = append(r.Ops, mpi.WinLock, mpi.WinUnlock)
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
func layOutProgram(s *kernel.Scene, f *programfile.File) (l userLayout) {
	sizes, err := f.Sizes(s.Size(), s.Bytes)
	if err != nil {
		return l
	}
	l.sizes = sizes
	for i, size := range sizes {
		end := &l.others
		if f.Areas[i].Filled {
			end = &l.filled
		}
		start := settings.UpTo(*end, areaAlignment)
		if i == f.File {
			start, end = 0, new(int64) // it isn't in memory
		}
		l.offsets = append(l.offsets, start)
		*end = min(start+size, settings.MostMemory) // more than any machine has
	}
	return l
}

// userStep returns the calls of a process.
func userStep(s *kernel.Scene, f *programfile.File) *kernel.Step {
	p, err := f.Resolve(programfile.At{Rank: s.Rank(), Size: s.Size(), Root: s.Root, Bytes: s.Bytes})
	if err != nil {
		return &kernel.Step{Err: &kernel.Refusal{Err: err}}
	}
	l, x := layOutProgram(s, f), &kernel.Step{Each: p.Calls}
	for _, place := range p.Places {
		a := &s.Recv
		if f.Areas[place.Area].Filled {
			a = &s.Send
		}
		to := s.In(a, l.offsets[place.Area]+place.Offset, place.Length, place.Peer)
		to.Type = place.Type
		if place.Window {
			to.Space = s.Window
		}
		if place.File {
			to.Space = s.Files.File
		}
		x.Places = append(x.Places, to)
	}
	if f.Repeats() && !s.Single {
		p.Checks = nil // they hold for a single repetition
	}
	for _, c := range p.Checks {
		first, end := c.Rank, c.Rank+1
		if c.Rank == programfile.Sum {
			first, end = 0, s.Size()
		}
		x.Wants = append(x.Wants, kernel.Want{Area: &s.Recv, At: l.offsets[c.Place.Area] + c.Place.Offset,
			Length: c.Place.Length, Fill: userData(f, c.Source, first, end, s.Size()), Start: c.Position,
			Unit: c.Place.Type.Size(), Kind: f.Areas[c.Source].Type})
	}
	if f.Window >= 0 {
		x.Leave = []mpi.Call{{Op: mpi.Barrier}} // others may still access this process' memory
	}
	if err := s.Program(x).Validate(); err != nil {
		return &kernel.Step{Err: &kernel.Refusal{Err: f.Refused(p, s.Rank(), err)}}
	}
	return x
}

// userData returns the data of an area of the processes from first to before end, or their sum. The bytes of each area
// of each process are others.
func userData(f *programfile.File, area, first, end, size int) data.Filler {
	if kind := f.Areas[area].Type; kind != mpi.Byte {
		return data.Sums(kind, first, end, 1)
	}
	return data.Pattern(first + area*size)
}

// fillProgram fills the areas with the process' own data, in all slots.
func fillProgram(s *kernel.Scene, f *programfile.File) {
	l := layOutProgram(s, f)
	for i, start := range l.offsets {
		if !f.Areas[i].Filled {
			continue
		}
		fill := userData(f, i, s.Rank(), s.Rank()+1, s.Size())
		for slot := range s.Send.Slots {
			fill(s.Send.Buffer.Bytes()[slot*s.Send.Stride+start:][:l.sizes[i]], 0)
		}
	}
}
