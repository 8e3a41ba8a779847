package main

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// keepEvery is how much measuring a run can lose.
const keepEvery = 10 * time.Second

// grace is how long a run may take to end in order after a signal: a launcher kills its processes a second after it has
// told them.
const grace = 400 * time.Millisecond

// keeper brings a run's files up to date now and then.
type keeper struct {
	*process
	out    *output
	saved  time.Time
	warned bool
}

// due writes what there is, if it is time to. The files are those of a run that ended with the error.
func (k *keeper) due(files func(err error) []outFile) {
	if time.Since(k.saved) < keepEvery {
		return
	}
	k.saved = time.Now()
	if err := k.out.keep(files(errors.New("it is still under way, or was killed"))); err != nil && !k.warned {
		k.warned = true // once: it will not get better
		fmt.Fprintf(k.stderr, "\nbeff: %v\n", err)
	}
}

// recording is a run of one process that works with files: what was measured is kept whatever ends the run, and the
// files are removed. M is what the benchmark has measured.
type recording[M any] struct {
	keeper
	engine    mpi.Engine
	documents func(m *M, err error) []outFile // of a run that ended with the error
	finish    func(m *M, err error) error     // writes the documents, and what goes to stdout, at the end
	clear     func() error                    // removes what the benchmark has written
	part      func()                          // what is left to do before a signal ends the process
	stopped   error                           // that of a run that a signal ended
	unit      string                          // what a signal may come in the middle of

	mu    sync.Mutex // guards what follows, and what finish uses: a signal may end the run from another goroutine
	kept  *M         // what there was last; nil: nothing
	ended bool
}

// first says whether this is rank 0.
func (r *recording[M]) first() bool { return r.engine.World().Rank() == 0 }

// keep remembers what there is, and writes it now and then.
func (r *recording[M]) keep(m M) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept = &m
	r.due(func(err error) []outFile { return r.documents(r.kept, err) })
}

// tell says that a signal came.
func (r *recording[M]) tell(s os.Signal) {
	if r.first() {
		fmt.Fprintf(r.stderr, "\nbeff: %v: stopping%s\n", s, r.where())
	}
}

// stop ends the run on a signal: in order if what is in flight ends soon, else without waiting for it.
func (r *recording[M]) stop(os.Signal) {
	if i, ok := r.engine.(mpi.Interrupter); ok {
		i.Interrupt()
	}
	time.Sleep(grace)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended || !r.first() {
		return
	}
	if err := r.finish(r.kept, r.stopped); err != nil {
		fmt.Fprintf(r.stderr, "beff: %v\n", err)
	}
	fmt.Fprintf(r.stderr, "beff: %v, in the middle of a %s\n", r.stopped, r.unit)
	r.part()
	os.Exit(exitFailed) // the directory's guard removes it
}

// where says what will be kept.
func (r *recording[M]) where() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil {
		return "; nothing was measured yet"
	}
	return r.out.where()
}

// end writes what was measured and removes the files. The error is that of the measurement, and what failed on rank 0
// behind it; failed tells more of that.
func (r *recording[M]) end(m *M, err error, failed func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	if agreed := (*mpi.AgreedError)(nil); err != nil && !errors.As(err, &agreed) {
		// The job will be aborted, and rank 0 may not live to remove anything.
		var unwritten error
		if r.first() {
			unwritten = r.finish(m, err)
		}
		return errors.Join(err, unwritten, r.clear())
	}
	_, late := job.Decide(r.engine.World(), func() (struct{}, error) {
		return struct{}{}, errors.Join(r.finish(m, err), r.clear(), failed())
	})
	if err == nil && late == nil {
		r.out.tell(r.stderr)
	}
	return errors.Join(err, late)
}
