//go:build race

package local_test

// raced is whether the race detector is on. It allows only 8128 goroutines and slows them down.
const raced = true
