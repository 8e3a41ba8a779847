package beffio

import (
	"encoding/binary"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
)

// Verification is how much of the data read is compared with the data written.
type Verification string

const (
	// VerifySampled checks the marks of each chunk. After each pattern it also compares the data of the last call, in
	// long chunks only samples of it.
	VerifySampled Verification = "sampled"
	// VerifyFull compares all bytes of each chunk. The comparison counts in the time for marks.
	VerifyFull Verification = "full"
)

const (
	markWidth = 8 // bytes
	// Data longer than longestWhole bytes are sampled.
	longestWhole = 4 << 20
	samples      = 64
	sampleBytes  = 64 << 10
)

// scrambled returns the word of a process's data at a position in words (SplitMix64, whose state is a counter).
func scrambled(seed uint64, position int64) uint64 {
	const golden = 0x9E3779B97F4A7C15
	z := (seed + uint64(position) + 1) * golden
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// scramble fills memory with numbers that no storage compresses, different ones for each seed.
func scramble(data []byte, seed uint64) {
	for at := 0; at+8 <= len(data); at += 8 {
		binary.LittleEndian.PutUint64(data[at:], scrambled(seed, int64(at/8)))
	}
}

// unmark restores the data in memory that the marks of a pattern have overwritten. So the memory is the same before
// each pattern, and data that are read can be compared with it.
func unmark(data []byte, seed uint64, r patterns.IORow) {
	put := func(at int64) { binary.LittleEndian.PutUint64(data[at:], scrambled(seed, at/8)) }
	for at := int64(0); r.Disk > 0 && at+r.Disk <= r.Memory; at += r.Disk {
		put(at)
		if r.Disk >= 2*markWidth {
			put(at + r.Disk - markWidth)
		}
	}
}

// compareLast compares the data of the last call with the data written, in long chunks only samples of them. It adds
// wrong chunks to the outcome. The comparison doesn't count in the pattern's time.
func (m *measurer) compareLast(o *outcome) error {
	if m.plan.Verify == VerifyFull || o.Loops == 0 || o.row.Memory == 0 || o.Failure != nil {
		return nil
	}
	got, err := m.Execute(m.comparison(o), mpi.Loops{Timed: 1})
	if err != nil {
		return err
	}
	o.Wrong += got.Wrong
	for _, w := range mismatches(&got) {
		w.Loop = o.Loops - 1
		if o.row.Memory > longestWhole {
			w.Inside += markWidth + int64(w.Place/2)*stride(o.row.Memory)
		}
		if o.Mismatch == nil {
			o.Mismatch = &w
		} else {
			o.Further = append(o.Further, w)
		}
	}
	return nil
}

// stride returns the distance of the samples of a long chunk.
func stride(memory int64) int64 { return (memory - 2*markWidth) / samples / 8 * 8 }

// comparison returns a program that compares the last call's data: either all data between the marks, chunk by chunk,
// or samples from the inside of one long chunk.
func (m *measurer) comparison(o *outcome) *mpi.Program {
	p := &mpi.Program{Comm: m.self}
	compare := func(at, length int64, mark mpi.Mark) {
		from := p.Place(mpi.Place{Space: m.buffers[0], Offset: at, Length: length})
		into := p.Place(mpi.Place{Space: m.buffers[1], Offset: at, Length: length, Mark: mark})
		p.Call(mpi.Call{Op: mpi.Compare, Send: mpi.One(from), Recv: mpi.One(into)})
	}
	if o.row.Memory <= longestWhole {
		mark := o.mark
		mark.Key += uint64(o.Loops-1) * mark.PerLoop
		compare(0, o.row.Memory, mark)
		return p
	}
	for i := range int64(samples) {
		compare(markWidth+i*stride(o.row.Memory), sampleBytes, mpi.Mark{})
	}
	return p
}
