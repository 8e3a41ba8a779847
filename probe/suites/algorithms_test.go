package suites

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// heap is memory of a walker.
type heap struct{ data []byte }

func (h *heap) Size() int64   { return int64(len(h.data)) }
func (h *heap) Bytes() []byte { return h.data }
func (h *heap) Free()         {}

// walker is a rank whose calls are done one by one, by a scheduler that knows all of them.
type walker struct {
	step   *kernel.Step
	setup  *kernel.Setup
	next   int          // call
	posted map[int]bool // calls of receives that no message has matched yet
	at     bool         // the barrier
}

// walk is a set of ranks with the messages between them, in order.
type walk struct {
	ranks    []*walker
	messages map[[3]int][][]byte // from, to, tag
	moved    int64
}

// runs returns the parts of a place's memory, in the order of the message.
func runs(p mpi.Place) (list [][]byte) {
	data := p.Space.(*heap).data
	if p.Pieces == nil {
		return [][]byte{data[p.Offset:][:p.Length]}
	}
	for _, piece := range p.Pieces {
		list = append(list, data[p.Offset+piece.Offset:][:piece.Length])
	}
	return list
}

func packed(p mpi.Place) (all []byte) {
	for _, run := range runs(p) {
		all = append(all, run...)
	}
	return all
}

func unpacked(p mpi.Place, data []byte) {
	for _, run := range runs(p) {
		data = data[copy(run, data):]
	}
}

// take receives the next message for a call, or reports that none is there. Receives of the same peer and tag that were
// posted before come first (MPI 4.1, 3.5).
func (w *walk) take(t *testing.T, me, call int) bool {
	x := w.ranks[me]
	c := x.step.Each[call]
	p := x.step.Places[c.Recv.First]
	for before := range call {
		other := x.step.Each[before]
		if x.posted[before] && x.step.Places[other.Recv.First].Peer == p.Peer && other.Tag == c.Tag &&
			!w.take(t, me, before) {
			return false
		}
	}
	key := [3]int{p.Peer, me, c.Tag}
	if len(w.messages[key]) == 0 {
		return false
	}
	message := w.messages[key][0]
	w.messages[key] = w.messages[key][1:]
	require.Len(t, message, int(p.Length), "rank %d receives from %d", me, p.Peer)
	unpacked(p, message)
	delete(x.posted, call)
	return true
}

// complete completes the posted receives up to a call, in their order.
func (w *walk) complete(t *testing.T, me, last int) bool {
	x := w.ranks[me]
	for call := range x.step.Each {
		if x.posted[call] && call <= last && !w.take(t, me, call) {
			return false
		}
	}
	return true
}

// advance does calls of a rank until one has to wait, and reports whether it did any.
func (w *walk) advance(t *testing.T, me int) (did bool) {
	x := w.ranks[me]
	for ; x.next < len(x.step.Each); x.next++ {
		c := x.step.Each[x.next]
		var from, into mpi.Place
		if c.Send.Count > 0 {
			from = x.step.Places[c.Send.First]
		}
		if c.Recv.Count > 0 {
			into = x.step.Places[c.Recv.First]
		}
		switch c.Op {
		case mpi.Rsend:
			there := false
			other := w.ranks[from.Peer].step
			for call := range w.ranks[from.Peer].posted {
				there = there || other.Places[other.Each[call].Recv.First].Peer == me && other.Each[call].Tag == c.Tag
			}
			require.True(t, there, "rank %d sends to %d, which has posted no receive", me, from.Peer)
			fallthrough
		case mpi.Send, mpi.Isend:
			key := [3]int{me, from.Peer, c.Tag}
			w.messages[key] = append(w.messages[key], packed(from))
			w.moved += from.Length
		case mpi.Recv:
			if !w.take(t, me, x.next) {
				return did
			}
		case mpi.Irecv:
			x.posted[x.next] = true
		case mpi.Wait:
			if !w.complete(t, me, c.Of) {
				return did
			}
		case mpi.Waitall:
			if !w.complete(t, me, len(x.step.Each)) {
				return did
			}
		case mpi.Copy:
			unpacked(into, packed(from))
		case mpi.Combine:
			combine(packed(from), runs(into)[0])
		case mpi.Barrier:
			x.at = true
			for _, other := range w.ranks {
				if !other.at {
					return did
				}
			}
		default:
			t.Fatalf("%v", c.Op)
		}
		did = true
	}
	return did
}

// combine adds numbers of 4 bytes.
func combine(from, into []byte) {
	at := func(data []byte) float32 { return math.Float32frombits(binary.NativeEndian.Uint32(data)) }
	for i := 0; i < len(from); i += 4 {
		copy(into[i:], kernel.AppendNumber(nil, mpi.Float32, float64(at(from[i:])+at(into[i:]))))
	}
}

// runAlgorithm lets all ranks of an algorithm do their calls, with sends that never wait, and requires that all end
// with the right data and no message left.
func runAlgorithm(t *testing.T, k *kernel.Kernel, size, root int, bytes int64, factors []float64) *walk {
	t.Helper()
	w := &walk{messages: map[[3]int][][]byte{}}
	first := kernel.Setup{Kernel: k, Bytes: bytes, Ranks: size, Run: kernel.Run{Repetitions: 1, Root: root},
		Options: kernel.Options{Factors: factors, Fragments: 3}}
	first.LayOut(0, 0, 1)
	first.Recv.Length += first.Blocks().Total + bytes*int64(size) // room for any root, besides the row's own
	for rank := range size {
		s := first
		s.Comm = member{rank: rank, size: size}
		for _, a := range s.Areas() {
			a.Buffer = &heap{make([]byte, a.Length)}
		}
		s.Prepare()
		w.ranks = append(w.ranks, &walker{step: k.Builder.Build(&s), setup: &s, posted: map[int]bool{}})
	}
	for did := true; did; {
		did = false
		for rank := range size {
			did = w.advance(t, rank) || did
		}
	}
	for rank, x := range w.ranks {
		require.Equal(t, len(x.step.Each), x.next, "%s: rank %d of %d, root %d, waits", k.Name, rank, size, root)
		require.Empty(t, x.posted)
		for _, want := range x.step.Wants {
			wrong, _ := want.Defects(1)
			require.Zero(t, wrong, "%s: rank %d of %d, root %d", k.Name, rank, size, root)
		}
	}
	for key, left := range w.messages {
		require.Empty(t, left, "%s: %v", k.Name, key)
	}
	return w
}

// Every algorithm works on 1 to 33 processes, and on up to 9 with every root: sends match receives, each block arrives
// once, and the edges of trees carry their subtrees.
func TestAlgorithms(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, k := range Kernels() {
		if k.Algorithm == nil {
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			for size := 1; size <= 33; size++ {
				var factors []float64
				if k.Builder.Data.Varied {
					for range size {
						factors = append(factors, float64(random.IntN(4)))
					}
				}
				for root := range size {
					if between := root > 2 && root < size-1 && root != size/2; between && size > 9 {
						continue
					}
					w := runAlgorithm(t, k, size, root, 4, factors)
					counts := w.ranks[0].setup.Blocks().Counts
					tree := k.Algorithm.Shape.Build(counts, root)
					moved := 4 * int64(size-1)
					if k.Algorithm.Parts {
						moved = tree.Moved(counts)
					}
					require.Equal(t, moved, w.moved, "%d processes, root %d", size, root)
				}
			}
		})
	}
}

// Blocks of Gatherv_flat_sync that are longer than its first part come in two messages.
func TestGatherSyncParts(t *testing.T) {
	k, _, _ := Find(kernel.MPIB, "Gatherv_flat_sync")
	for _, bytes := range []int64{0, firstPart - 1, firstPart, firstPart + 1, 3 * firstPart} {
		w := runAlgorithm(t, k, 3, 1, bytes, nil)
		messages := 1 // the empty one from the root
		for _, c := range w.ranks[2].step.Each {
			if c.Op == mpi.Send {
				messages++
			}
		}
		want := 2
		if bytes > firstPart {
			want = 3
		}
		require.Equal(t, want, messages, bytes)
	}
}

// Sorted flat algorithms order the ranks by the lengths of their blocks, the root's included.
func TestSortedFlat(t *testing.T) {
	for name, want := range map[string][]int{
		"Scatterv_flat": {0, 1, 2, 3}, "Scatterv_sorted_flat_asc": {1, 3, 0, 2},
		"Scatterv_sorted_flat_dsc": {2, 0, 1, 3},
	} {
		k, _, _ := Find(kernel.MPIB, name)
		w := runAlgorithm(t, k, 4, 0, 10, []float64{2, 0.5, 3, 0.5})
		var order []int
		for _, c := range w.ranks[0].step.Each {
			order = append(order, w.ranks[0].step.Places[c.Send.First].Peer)
		}
		require.Equal(t, want, order, name)
	}
}

// TestBlocks: counts are ⌊length·factor⌋, and blocks are adjacent.
func TestBlocks(t *testing.T) {
	s := &kernel.Setup{Bytes: 10, Ranks: 4, Options: kernel.Options{Factors: []float64{2, 0.55, 0, 1.45}}}
	require.Equal(t, kernel.Blocks{Counts: []int64{20, 5, 0, 14}, Starts: []int64{0, 20, 25, 25}, Total: 39,
		Longest: 20},
		s.Blocks())
	s.Options.Factors = nil
	require.Equal(t, int64(40), s.Blocks().Total)
}

// TestRuns checks that several blocks make one place, with pieces only if the blocks aren't adjacent.
func TestRuns(t *testing.T) {
	k, _, _ := Find(kernel.MPIB, "Scatter_binomial")
	s := &kernel.Setup{Kernel: k, Bytes: 4, Ranks: 5}
	b := s.Blocks()
	require.Equal(t, mpi.Place{Offset: 4, Length: 12, Peer: 9}, runOf(s, &kernel.Area{}, b, []int{1, 2, 3}, 9))
	require.Equal(t, mpi.Place{Length: 12, Pieces: []mpi.Piece{{Offset: 12, Length: 8}, {Length: 4}}},
		runOf(s, &kernel.Area{}, b, []int{3, 4, 0}, 0))
	require.Equal(t, mpi.Place{}, runOf(s, &kernel.Area{}, kernel.Blocks{Counts: make([]int64, 5),
		Starts: make([]int64, 5)}, []int{3},
		0))
}

// Each algorithm belongs to a kernel of the library, which it is compared with.
func TestAlgorithmsHaveLibrary(t *testing.T) {
	flats := 0
	for _, own := range Kernels() {
		if a := own.Algorithm; a != nil {
			k, _, ok := Find(kernel.MPI1, a.Operation)
			require.True(t, ok)
			require.Equal(t, k.Type, own.Type)
			require.NotNil(t, a.Shape.Build)
			flats++
		}
	}
	require.Equal(t, 4+4+6+6+9+10, flats)
	require.Len(t, patterns.Shapes(), 7)
}
