package local

import (
	"runtime/debug"
	"sync"
)

// collector is the garbage collector, which is off while a Run goes on.
var collector switched

type switched struct {
	mu      sync.Mutex
	runs    int
	percent int // of before the first of runs
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
