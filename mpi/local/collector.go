package local

import (
	"runtime/debug"
	"sync"
)

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
