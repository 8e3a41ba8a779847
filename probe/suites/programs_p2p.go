package suites

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// p2pBuilders holds the builders of IMB-P2P 2021.11.
func p2pBuilders() map[string]*kernel.Builder {
	blocking := []mpi.Op{mpi.Send, mpi.Recv}
	crossing := []mpi.Op{mpi.Irecv, mpi.Send, mpi.Wait}
	paired := kernel.Builder{Processes: kernel.Processes{Needs: evenProcesses}}
	return map[string]*kernel.Builder{
		"PingPong": withTouching(blocking, pairsPingPong, paired),
		"PingPing": withTouching(crossing, pairsPingPing, paired),
		"Unirandom": withTouching(blocking, uniRandom, kernel.Builder{Processes: kernel.Processes{Drawn: true},
			Data: kernel.Data{Packed: true}}),
		"Birandom": withTouching(crossing, biRandom, kernel.Builder{Processes: kernel.Processes{Drawn: true},
			Data: kernel.Data{Packed: true}}),
		"Corandom": withTouching(crossing, coRandom, kernel.Builder{Processes: kernel.Processes{Drawn: true},
			Data: kernel.Data{Packed: true}}),
		"Stencil2D": stencil(2),
		"Stencil3D": stencil(3),
		"SendRecv_Replace": withTouching([]mpi.Op{mpi.SendrecvReplace}, replacing,
			kernel.Builder{Data: kernel.Data{Singles: true, Prepare: fillReplaced}}),
	}
}

// withTouching completes a builder whose processes touch their messages.
func withTouching(ops []mpi.Op, build func(s *kernel.Setup) *kernel.Step, r kernel.Builder) *kernel.Builder {
	r.Ops, r.Build = append(slices.Clone(ops), mpi.TouchSend, mpi.TouchRecv), build
	return &r
}

// evenProcesses returns the condition for pairs, or "" if the number of processes meets it.
func evenProcesses(processes int) string {
	if processes%2 == 0 {
		return ""
	}
	return "an even number of processes"
}

// p2pStep is a process's step of IMB-P2P under construction.
type p2pStep struct {
	s       *kernel.Setup
	x       *kernel.Step
	places  map[int]int // by the peer; for messages to send, by -1-peer
	arrived []arrival
	done    int64 // repetitions whose calls are added
}

// arrival is the number of calls after which a message has arrived, and the sender of the message.
type arrival struct{ calls, from int }

func newP2PStep(s *kernel.Setup) *p2pStep {
	return &p2pStep{s: s, x: &kernel.Step{}, places: map[int]int{}}
}

// place returns the span of the place of messages to or from a peer. All messages have the same memory.
func (w *p2pStep) place(sends bool, peer int) mpi.Span {
	a, key := &w.s.Recv, peer
	if sends {
		a, key = &w.s.Send, -1-peer
	}
	if _, ok := w.places[key]; !ok {
		w.places[key] = len(w.x.Places)
		w.x.Places = append(w.x.Places, w.s.In(a, 0, w.s.Bytes, peer))
	}
	return mpi.One(w.places[key])
}

func (w *p2pStep) call(c ...mpi.Call) { w.x.Each = append(w.x.Each, c...) }

// touchSent returns the calls that write into messages before they are sent.
func touchSent(s *kernel.Setup, places mpi.Span) []mpi.Call {
	if s.Bytes == 0 || !s.Options.IMB.TouchesSent() {
		return nil
	}
	return []mpi.Call{{Op: mpi.TouchSend, Send: places, Tag: touchByte(s.Rank())}}
}

// touchReceived returns the calls that read messages that have arrived.
func touchReceived(s *kernel.Setup, places mpi.Span) []mpi.Call {
	if s.Bytes == 0 || !s.Options.IMB.TouchesReceived() {
		return nil
	}
	return []mpi.Call{{Op: mpi.TouchRecv, Recv: places}}
}

func (w *p2pStep) send(to int) {
	place := w.place(true, to)
	w.call(touchSent(w.s, place)...)
	w.call(mpi.Call{Op: mpi.Send, Send: place, Tag: kernel.Tag})
}

func (w *p2pStep) receive(from int) {
	place := w.place(false, from)
	w.call(mpi.Call{Op: mpi.Recv, Recv: place, Tag: kernel.Tag})
	w.call(touchReceived(w.s, place)...)
	w.arrived = append(w.arrived, arrival{len(w.x.Each), from})
}

// cross sends a message while it receives another one.
func (w *p2pStep) cross(to, from int) {
	into, out := w.place(false, from), w.place(true, to)
	first := len(w.x.Each)
	w.call(mpi.Call{Op: mpi.Irecv, Recv: into, Tag: kernel.Tag})
	w.call(touchSent(w.s, out)...)
	w.call(mpi.Call{Op: mpi.Send, Send: out, Tag: kernel.Tag}, mpi.Call{Op: mpi.Wait, Of: first})
	w.call(touchReceived(w.s, into)...)
	w.arrived = append(w.arrived, arrival{len(w.x.Each), from})
}

// step returns the step. The message that arrived last is checked.
func (w *p2pStep) step() *kernel.Step {
	last := -1
	for _, a := range w.arrived {
		if a.calls <= len(w.x.AfterLoops) || len(w.x.AfterLoops) == 0 {
			last = a.from
		}
	}
	if last < 0 && len(w.arrived) > 0 { // none arrived after the loops
		last = w.arrived[len(w.arrived)-1].from
	}
	if last >= 0 {
		w.x.Wants = []kernel.Want{wantTouched(w.s, &w.s.Recv, 0, w.s.Bytes, last, 0)}
	}
	return w.x
}

// touchByte returns the byte that a process writes into each cache line of its messages.
func touchByte(rank int) int { return 1 + rank%255 }

// wantTouched returns the data of a message that its sender has touched, which began at position in the send area.
func wantTouched(s *kernel.Setup, a *kernel.Area, at, length int64, sender int, position int64) kernel.Want {
	w := s.Want(a, at, length, sender, position)
	if !s.Options.IMB.TouchesSent() {
		return w
	}
	plain := w.Fill
	w.Fill = func(data []byte, from int64) {
		plain(data, from)
		first := (mpi.Line - (from-position)%mpi.Line) % mpi.Line
		for i := first; i < int64(len(data)); i += mpi.Line {
			data[i] = byte(touchByte(sender))
		}
	}
	return w
}

// pairsPingPong sends messages back and forth between processes half of the ranks apart.
func pairsPingPong(s *kernel.Setup) *kernel.Step {
	w := newP2PStep(s)
	partner, lower := paired(s)
	if lower {
		w.send(partner)
	}
	w.receive(partner)
	if !lower {
		w.send(partner)
	}
	return w.step()
}

// pairsPingPing sends messages in both directions at once between processes half of the ranks apart.
func pairsPingPing(s *kernel.Setup) *kernel.Step {
	w := newP2PStep(s)
	partner, _ := paired(s)
	w.cross(partner, partner)
	return w.step()
}

// maxDrawn is the number of repetitions with random partners that a program holds. The program cycles through them:
// their partners change as often as in all of IMB's repetitions, and their calls stay in a cache.
const maxDrawn = 250

// begin begins a step whose repetitions draw their partners, and returns how many repetitions the step holds.
func (w *p2pStep) begin() int {
	w.x.Cycle = min(w.s.Run.Repetitions, maxDrawn)
	return int(w.x.Cycle)
}

// endRepetition ends a repetition. The repetitions that remain after whole cycles of the program run after the loops.
func (w *p2pStep) endRepetition() {
	if w.done++; w.done == w.s.Run.Repetitions%w.x.Cycle {
		w.x.AfterLoops = slices.Clip(w.x.Each)
	}
}

// uniRandom sends messages between random pairs. A process outside of a pair proceeds to the next one.
func uniRandom(s *kernel.Setup) *kernel.Step {
	w := newP2PStep(s)
	return w.pairs(func(other int, sends bool) {
		if sends {
			w.send(other)
		} else {
			w.receive(other)
		}
	})
}

// biRandom sends messages in both directions at once between random pairs.
func biRandom(s *kernel.Setup) *kernel.Step {
	w := newP2PStep(s)
	return w.pairs(func(other int, _ bool) { w.cross(other, other) })
}

// pairs draws as many pairs for each repetition as there are processes, and calls meet for each pair of this process.
func (w *p2pStep) pairs(meet func(other int, sends bool)) *kernel.Step {
	size, drawn := w.s.Size(), 0
	for from, to := range patterns.RandomPairs(size, w.begin()*size) {
		switch w.s.Rank() {
		case from:
			meet(to, true)
		case to:
			meet(from, false)
		}
		if drawn++; drawn%size == 0 {
			w.endRepetition()
		}
	}
	return w.step()
}

// coRandom sends messages around a ring that is drawn for each repetition.
func coRandom(s *kernel.Setup) *kernel.Step {
	w := newP2PStep(s)
	size := s.Size()
	for ring := range patterns.RandomRings(size, w.begin()) {
		at := slices.Index(ring, s.Rank())
		w.cross(ring[(at+1)%size], ring[(at+size-1)%size])
		w.endRepetition()
	}
	return w.step()
}

// stencil returns the builder of messages with all neighbours in a grid.
func stencil(dimensions int) *kernel.Builder {
	return withTouching([]mpi.Op{mpi.Irecv, mpi.Isend, mpi.Waitall},
		func(s *kernel.Setup) *kernel.Step { return stencilStep(s, patterns.Grid(s.Size(), dimensions)) },
		kernel.Builder{
			Processes: kernel.Processes{Grid: dimensions,
				Needs: func(processes int) string {
					if patterns.Grid(processes, dimensions) != nil {
						return ""
					}
					return fmt.Sprintf("a number of processes that fills a grid of %d dimensions, such as %d",
						dimensions,
						1<<dimensions)
				}},
			Data: kernel.Data{Sizes: func(s *kernel.Setup) (send, recv int64) {
				all := int64(2*dimensions) * s.Bytes
				return all, all
			}},
		})
}

// stencilStep returns the step of a process in a grid, which exchanges messages with all neighbours at the same time.
// If a process is a neighbour twice, its messages arrive in the order in which they were sent.
func stencilStep(s *kernel.Setup, sides []int) *kernel.Step {
	neighbours := patterns.Stencil(sides, s.Rank())
	n := len(neighbours)
	x := &kernel.Step{}
	var receives, sends []mpi.Call
	for i, peer := range neighbours {
		x.Places = append(x.Places, s.In(&s.Send, int64(i)*s.Bytes, s.Bytes, peer))
		sends = append(sends, mpi.Call{Op: mpi.Isend, Send: mpi.One(i), Tag: kernel.Tag})
		receives = append(receives, mpi.Call{Op: mpi.Irecv, Recv: mpi.One(n + i), Tag: kernel.Tag})
	}
	for i, peer := range neighbours {
		x.Places = append(x.Places, s.In(&s.Recv, int64(i)*s.Bytes, s.Bytes, peer))
		before := len(lists.Where(neighbours[:i], func(rank int) bool { return rank == peer }))
		slot := placeOf(patterns.Stencil(sides, peer), s.Rank(), before)
		x.Wants = append(x.Wants, wantTouched(s, &s.Recv, int64(i)*s.Bytes, s.Bytes, peer, int64(slot)*s.Bytes))
	}
	x.Each = slices.Concat(touchSent(s, mpi.Span{Count: n}), receives, sends, []mpi.Call{{Op: mpi.Waitall}},
		touchReceived(s, mpi.Span{First: n, Count: n}))
	return x
}

// placeOf returns the index in a list of a rank, after skipping it a number of times.
func placeOf(list []int, rank, before int) int {
	for i, r := range list {
		if r != rank {
			continue
		}
		if before == 0 {
			return i
		}
		before--
	}
	return -1
}

// replacing passes messages around the ring, each in the memory of the message before it. Data that have gone around
// for many repetitions prove little about the last one, so an untimed repetition is checked. Like IMB, replacing reads
// the received data only once, after all repetitions.
func replacing(s *kernel.Setup) *kernel.Step {
	place := mpi.One(0)
	x := &kernel.Step{Places: []mpi.Place{s.In(&s.Recv, 0, s.Bytes, s.Right()), s.In(&s.Recv, 0, s.Bytes, s.Left())}}
	x.Each = append(touchSent(s, place), mpi.Call{Op: mpi.SendrecvReplace, Send: place, Recv: mpi.One(1),
		Tag: kernel.Tag})
	x.AfterLoops = touchReceived(s, mpi.One(1))
	if s.Run.Single {
		x.Wants = []kernel.Want{wantTouched(s, &s.Recv, 0, s.Bytes, s.Left(), 0)}
	}
	return x
}

// fillReplaced fills the memory of messages that are replaced.
func fillReplaced(s *kernel.Setup) { kernel.FillSlots(&s.Recv, s.SendData(s.Rank())) }
