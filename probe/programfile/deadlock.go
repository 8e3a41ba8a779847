package programfile

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
)

// walker is one process.
type walker struct {
	*Program
	rank  int32
	needs []need // of each call

	begun int     // calls that have begun
	ended int     // calls that have ended
	open  []int32 // calls that an MPI_Waitall completes, if they aren't done
}

// need is what must have begun before the work of a call can be done.
type need struct {
	always *gate // nil: nothing
	strict *gate // beside that, if the walk is strict
}

// gate holds calls that must all have begun. The first ones, before next, have.
type gate struct {
	calls []at
	next  int
}

// run lets each process go on until it has made all of its calls or must wait, and returns an error if some wait for
// ever.
func (w *matcher) run(strict bool) error {
	w.strict = strict
	for _, r := range w.ranks {
		r.begun, r.ended, r.open = 0, 0, nil
		for _, x := range r.needs {
			for _, g := range [...]*gate{x.always, x.strict} {
				if g != nil {
					g.next = 0
				}
			}
		}
	}
	waiting := map[at][]*walker{} // for this call to begin
	for ready := w.ranks; len(ready) > 0; ready = ready[1:] {
		for r := ready[0]; r.ended < len(r.Calls); r.ended++ {
			here := r.here()
			if r.begun == r.ended {
				if r.begun++; w.call(here).Op.Starts() {
					r.open = append(r.open, here.call)
				}
				ready = append(ready, waiting[here]...)
				delete(waiting, here)
			}
			if other, waits := w.waitsFor(here); waits {
				waiting[other] = append(waiting[other], r)
				break
			}
		}
	}
	for _, r := range w.ranks {
		if r.ended < len(r.Calls) {
			return w.deadlock(r)
		}
	}
	return nil
}

// here returns the call that a process is in.
func (r *walker) here() at { return at{r.rank, int32(r.ended)} }

// waitsFor returns the call that a process in a call waits for. waits is false if the process can leave its call.
func (w *matcher) waitsFor(here at) (other at, waits bool) {
	r, c := w.ranks[here.rank], w.call(here)
	switch {
	case c.Op.Starts():
		return other, false
	case c.Op == mpi.Wait:
		return w.lacks(at{here.rank, int32(c.Of)})
	case c.Op == mpi.Waitall:
		for ; len(r.open) > 0; r.open = r.open[1:] { // what is done stays so
			if other, waits = w.lacks(at{here.rank, r.open[0]}); waits {
				return other, waits
			}
		}
	}
	return w.lacks(here)
}

// lacks returns a call that hasn't begun, without which the work of a call can't be done. lacks is false if it is done.
func (w *matcher) lacks(a at) (other at, lacks bool) {
	x := w.need(a)
	for _, g := range [...]*gate{x.always, x.strict} {
		if g == nil || g == x.strict && g != x.always && !w.strict {
			continue
		}
		for ; g.next < len(g.calls); g.next++ {
			if other = g.calls[g.next]; w.ranks[other.rank].begun <= int(other.call) {
				return other, true
			}
		}
	}
	return other, false
}

// mostWaiting is the number of processes of a deadlock that an error names.
const mostWaiting = 6

// deadlock returns the error of processes that wait for each other: those on the way from one that waits, each for the
// next, until one comes again.
func (w *matcher) deadlock(first *walker) error {
	var texts []string
	seen := map[*walker]bool{}
	for r := first; !seen[r] && len(texts) < mostWaiting; {
		seen[r] = true
		if r.ended == len(r.Calls) {
			texts = append(texts, fmt.Sprintf("rank %d has made all its calls", r.rank))
			break
		}
		other, _ := w.waitsFor(r.here())
		texts = append(texts, fmt.Sprintf("%s waits for rank %d", w.named(r.here()), other.rank))
		r = w.ranks[other.rank]
	}
	return w.wrong(first.here(), "deadlock: %s", strings.Join(texts, ", "))
}
