package ior

import (
	"fmt"
	"path/filepath"

	"github.com/effective-bandwidth/beff/mpi"
)

// A process' transfers are loops of a program. Where their offsets advance by one stride, a loop is one transfer; of
// short blocks in a shared file it is a block. Random ones, and long blocks of several segments, are batches of a
// program each. A stonewall is looked at between loops, so that they are short where there is one.

const (
	// batch is the most transfers of a program's loop.
	batch = 4096
	// markWidth is the bytes of a mark at both ends of a transfer, or at the begin of a short one.
	markWidth = 8
)

// steps are transfers that follow each other: a loop of some transfers, and how often it runs.
type steps struct {
	offsets []int64 // of the transfers of the first loop
	advance int64   // bytes from one loop to the next
	loops   int64
}

// steps returns transfers of a process from a number on, of all that there are: those that one program makes, whose
// loop has some transfers at most.
func (s *Settings) steps(rank, processes int, from, all, most int64) steps {
	per := s.Block / s.Transfer
	at := func(i int64) int64 { return s.offset(rank, processes, s.at(i, all, rank)) }
	row := s.Block * int64(processes)
	switch {
	case s.Random || s.Scattered:
	case s.FilePerProcess || s.Segments == 1:
		return steps{[]int64{at(from)}, s.Transfer, all - from}
	case per == 1:
		return steps{[]int64{at(from)}, row, all - from}
	case per <= most && from%per == 0 && all-from >= per:
		list := make([]int64, per)
		for i := range list {
			list[i] = at(from + int64(i))
		}
		return steps{list, row, (all - from) / per}
	default: // the rest of a block
		return steps{[]int64{at(from)}, s.Transfer, min(per-from%per, all-from)}
	}
	list := make([]int64, min(most, all-from))
	for i := range list {
		list[i] = at(from + int64(i))
	}
	return steps{list, 0, 1}
}

// at returns the transfer that a process makes at a place of its order.
func (s *Settings) at(i, transfers int64, rank int) int64 {
	switch per := s.Block / s.Transfer; {
	case s.Scattered:
		return s.permuted(i, transfers, rank)
	case s.Random:
		return i/per*per + s.permuted(i%per, per, rank)
	}
	return i
}

// permuted returns a number of a permutation of some transfers.
func (s *Settings) permuted(i, transfers int64, rank int) int64 {
	all, half := uint64(transfers), uint(1)
	for uint64(1)<<(2*half) < all {
		half++
	}
	mask := uint64(1)<<half - 1
	x := uint64(i)
	for again := true; again; again = x >= all { // until it is one of them
		left, right := x>>half, x&mask
		for round := range uint64(4) {
			left, right = right, left^(scrambled(s.Seed+uint64(rank)*0x9E3779B97F4A7C15+round, right)&mask)
		}
		x = left<<half | right
	}
	return int64(x)
}

// scrambled returns a random number for a seed and a value (SplitMix64).
func scrambled(seed, x uint64) uint64 {
	z := (seed + x + 1) * 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// path returns the path of the file that holds a process' data.
func (s *Settings) path(folder string, rank int) string {
	name := s.File
	if folder != "" {
		name = filepath.Join(folder, filepath.Base(s.File))
	}
	if s.FilePerProcess {
		name = fmt.Sprintf("%s.%08d", name, rank)
	}
	return name
}

// call returns the call of a transfer.
func (s *Settings) call(a Access) mpi.Op {
	switch {
	case a == Write && s.Collective:
		return mpi.FileWriteAtAll
	case a == Write:
		return mpi.FileWriteAt
	case s.Collective:
		return mpi.FileReadAtAll
	}
	return mpi.FileReadAt
}

// program returns the loop of steps. Each transfer has marks by the process that has written it and by its offset.
func (s *Settings) program(c mpi.Comm, a Access, file mpi.File, memory mpi.Buffer, of steps, writer int) *mpi.Program {
	p := &mpi.Program{Comm: c}
	for _, at := range of.offsets {
		place := mpi.Place{Space: memory, Length: s.Transfer, Type: mpi.Float64}
		if a == Write || s.Compare {
			place.Mark = mpi.Mark{Width: markWidth, Key: scrambled(0, uint64(writer))&^(1<<40-1) + uint64(at/unit),
				PerLoop: uint64(of.advance / unit)}
		}
		data := mpi.One(p.Place(place))
		disk := mpi.One(p.Place(mpi.Place{Space: file, Offset: at, Advance: of.advance, Length: s.Transfer,
			Type: mpi.Float64}))
		switch {
		case a == Write:
			p.Call(mpi.Call{Op: mpi.Stamp, Send: data}, mpi.Call{Op: s.call(a), Send: data, Recv: disk})
			if s.SyncEach {
				p.Call(mpi.Call{Op: mpi.FileSync, Recv: disk})
			}
		default:
			p.Call(mpi.Call{Op: s.call(a), Send: disk, Recv: data})
			if s.Compare {
				p.Call(mpi.Call{Op: mpi.Check, Recv: data})
			}
		}
	}
	if s.Collective && !s.FilePerProcess { // calls on a file of its own are collective over the process alone
		p.Call(mpi.Call{Op: mpi.Decide})
	}
	return p
}
