package local

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

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
