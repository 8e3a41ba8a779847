//go:build race

package local_test

// raced says that the race detector is on: it allows 8128 goroutines, and slows them down.
const raced = true
