package programfile

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
)

// run lets each process go on until it has made all of its calls or must wait, and returns an error if some wait for
// ever.
func (w *matcher) run(strict bool) error {
	w.strict = strict
	for i := range w.rounds {
		w.rounds[i].arrived, w.rounds[i].late = 0, 0
	}
	for rank, r := range w.ranks {
		r.begun, r.ended, r.open, r.closed = 0, 0, nil, map[int]bool{}
		w.wake(rank)
	}
	for len(w.ready) > 0 {
		rank := w.ready[0]
		w.ready, w.ranks[rank].ready = w.ready[1:], false
		w.advance(rank)
	}
	for rank, r := range w.ranks {
		if r.ended < len(r.Calls) {
			return w.deadlock(rank)
		}
	}
	return nil
}

// wake notes that a process may be able to go on.
func (w *matcher) wake(rank int) {
	if r := w.ranks[rank]; !r.ready {
		r.ready, w.ready = true, append(w.ready, rank)
	}
}

// advance lets a process go on until it must wait.
func (w *matcher) advance(rank int) {
	for r := w.ranks[rank]; r.ended < len(r.Calls); r.end() {
		here := at{int32(rank), int32(r.ended)}
		if r.begun == r.ended {
			w.begin(here)
		}
		if w.waitsFor(here) != none {
			return
		}
	}
}

// begin lets a process enter its next call, and wakes those that may wait for it.
func (w *matcher) begin(here at) {
	r, c := w.ranks[here.rank], w.call(here)
	r.begun++
	if c.Op.Starts() {
		r.open = append(r.open, int(here.call))
	}
	for _, other := range []at{r.sent[here.call], r.got[here.call]} {
		if other != nowhere {
			w.wake(int(other.rank))
		}
	}
	k, is := r.round[int(here.call)]
	if !is {
		return
	}
	x := &w.rounds[k]
	if x.arrived++; x.arrived == len(w.ranks) || x.root == int(here.rank) {
		for rank := range w.ranks {
			w.wake(rank)
		}
	}
}

// end lets a process leave its call.
func (r *walker) end() {
	if c := r.Calls[r.ended]; c.Op == mpi.Wait {
		r.closed[c.Of] = true
	}
	r.ended++
}

// none is the rank that a process waits for if it doesn't wait.
const none = -1

// waitsFor returns the rank that a process in a call waits for, none if the call can end.
func (w *matcher) waitsFor(here at) int {
	r, c := w.ranks[here.rank], w.call(here)
	switch {
	case c.Op.Starts():
		return none
	case c.Op.Family() == mpi.PointToPoint || isCollective(c.Op):
		return w.unfinished(here)
	case c.Op == mpi.Wait:
		return w.unfinished(at{here.rank, int32(c.Of)})
	case c.Op == mpi.Waitall:
		for ; len(r.open) > 0; r.open = r.open[1:] { // what is finished stays so
			if call := r.open[0]; !r.closed[call] {
				if rank := w.unfinished(at{here.rank, int32(call)}); rank != none {
					return rank
				}
			}
		}
	}
	return none
}

// unfinished returns the rank without which the work of a call that has begun can't be done, none if it is done. A
// message is on its way once it is sent, unless the walk is strict or the call is MPI_Ssend.
func (w *matcher) unfinished(here at) int {
	r, c := w.ranks[here.rank], w.call(here)
	if k, is := r.round[int(here.call)]; is {
		return w.missing(&w.rounds[k], int(here.rank))
	}
	if from := r.got[here.call]; from != nowhere && !w.hasBegun(from) {
		return int(from.rank)
	}
	if to := r.sent[here.call]; (w.strict || c.Op == mpi.Ssend) && to != nowhere && !w.hasBegun(to) {
		return int(to.rank)
	}
	return none
}

// hasBegun reports whether a process has entered a call.
func (w *matcher) hasBegun(a at) bool { return w.ranks[a.rank].begun > int(a.call) }

// missing returns a rank without which a process can't leave a round, none if it can. Unless the walk is strict, a root
// that sends leaves when it wants, and others than a root that receives do.
func (w *matcher) missing(x *round, rank int) int {
	if x.arrived == len(w.ranks) {
		return none
	}
	if !w.strict && x.root >= 0 && x.sends == (rank == x.root) {
		return none
	}
	if !w.strict && x.root >= 0 && x.sends {
		if w.hasBegun(x.calls[x.root]) {
			return none
		}
		return x.root
	}
	for w.hasBegun(x.calls[x.late]) {
		x.late++
	}
	return x.late
}

// mostWaiting is the number of processes of a deadlock that an error names.
const mostWaiting = 6

// deadlock returns the error of processes that wait for each other: those on the way from one that waits, each for the
// next, until one comes again.
func (w *matcher) deadlock(rank int) error {
	var texts []string
	seen := map[int]bool{}
	for next := rank; !seen[next] && len(texts) < mostWaiting; {
		seen[next] = true
		r := w.ranks[next]
		here := at{int32(next), int32(r.ended)}
		if r.ended == len(r.Calls) {
			texts = append(texts, fmt.Sprintf("rank %d has made all its calls", next))
			break
		}
		waits := w.waitsFor(here)
		texts = append(texts, fmt.Sprintf("%s waits for rank %d", w.named(here), waits))
		next = waits
	}
	return w.wrong(at{int32(rank), int32(w.ranks[rank].ended)}, "deadlock: %s", strings.Join(texts, ", "))
}
