package local

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// MaxRanks is the largest number of ranks that Run starts.
const MaxRanks = 16384

// world is the state that the ranks of one Run share.
type world struct {
	ranks        []*rank
	host         string
	began        time.Time // clock readings count from this time
	pollsPerTurn int       // polls of a waiting rank before others get a turn (progress.go)
	turnsToPark  int       // turns of others before it parks
	contexts     atomic.Uint32
	arena        arena

	aborted     atomic.Bool
	interrupted atomic.Bool

	mu      sync.Mutex // guards failure and ended
	failure error      // the first error that isn't mpi.ErrAborted
	ended   error      // the first error or call of Abort
}

// Run calls main on n goroutines, the ranks 0 to n-1, and returns once all have ended. The first rank that returns an
// error, panics or calls Abort ends the others, whose calls then fail with mpi.ErrAborted. Run returns the first error
// that isn't mpi.ErrAborted, an error that wraps mpi.ErrAborted if a rank only called Abort, or nil.
func Run(n int, main func(e mpi.Engine) error) error {
	if n < 1 || n > MaxRanks {
		return fmt.Errorf("run: %d ranks: want 1 to %d", n, MaxRanks)
	}
	w := newWorld(n)
	collector.stop()
	defer collector.start()
	var all sync.WaitGroup
	for _, r := range w.ranks {
		all.Go(func() { w.serve(r, main) })
	}
	all.Wait()
	if w.failure != nil {
		return w.failure
	}
	return w.ended
}

// Plan calls main on rank 0 of n ranks, without the others, to make plans. The communicator of all ranks behaves as if
// each rank passed the same data as rank 0. Nothing can be measured.
func Plan(n int, main func(e mpi.Engine) error) error {
	return Run(1, func(e mpi.Engine) error { return main(planner{e.(*rank), &mpi.SoloComm{Processes: n}}) })
}

// planner is the engine of Plan.
type planner struct {
	*rank
	all *mpi.SoloComm
}

func (p planner) World() mpi.Comm { return p.all }

func newWorld(n int) *world {
	w := &world{ranks: make([]*rank, n), began: time.Now(), pollsPerTurn: pollsPerTurn, turnsToPark: turnsToPark}
	if n > min(runtime.GOMAXPROCS(0), runtime.NumCPU()) {
		w.pollsPerTurn, w.turnsToPark = crowdedPolls, 0
	}
	w.host, _ = os.Hostname() // a machine without a name has an empty one
	for i := range w.ranks {
		w.ranks[i] = newRank(w, i)
	}
	everyone := newGroup(w, w.ranks)
	for i, r := range w.ranks {
		r.comm = newComm(everyone, r, i)
		r.comm.permanent = true
	}
	return w
}

// serve runs main on one rank and records its error or panic.
func (w *world) serve(r *rank, main func(e mpi.Engine) error) {
	err := fmt.Errorf("rank %d: ended by runtime.Goexit", r.number)
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("rank %d: panic: %v\n%s", r.number, cause, debug.Stack())
		}
		if err != nil {
			w.fail(err)
		}
	}()
	err = main(r)
}

// fail records a rank's error. It ends the other ranks unless all ranks return this error.
func (w *world) fail(err error) {
	w.mu.Lock()
	if w.failure == nil && !errors.Is(err, mpi.ErrAborted) {
		w.failure = err
	}
	if w.ended == nil {
		w.ended = err
	}
	w.mu.Unlock()
	if !mpi.Agreed(err) {
		w.abort()
	}
}

// abort makes all blocking calls return mpi.ErrAborted.
func (w *world) abort() {
	w.aborted.Store(true)
	for _, r := range w.ranks {
		r.wake()
	}
}

// check returns mpi.ErrAborted after an abort. Every call that may return an error begins with it.
func (w *world) check() error {
	if w.aborted.Load() {
		return mpi.ErrAborted
	}
	return nil
}

// collect collects garbage if there is enough of it to matter. A collection takes about 1 ms for two ranks, and 50 ms
// for a thousand.
func collect(ranks int) {
	const little, perRank = 2 << 20, 128 << 10
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(heap)
	if used, live := heap[0].Value.Uint64(), heap[1].Value.Uint64(); used > live+uint64(max(little, ranks*perRank)) {
		runtime.GC()
	}
}

// collector switches the garbage collector off while any Run is active.
var collector switched

type switched struct {
	mu      sync.Mutex
	runs    int
	percent int // the setting before the first of these runs
}

func (c *switched) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.runs == 0 {
		c.percent = debug.SetGCPercent(-1)
	}
	c.runs++
}

func (c *switched) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runs--
	if c.runs == 0 {
		debug.SetGCPercent(c.percent)
	}
}
