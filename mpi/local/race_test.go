//go:build race

package local_test

// raced is true if the race detector is on. The detector allows only 8128 goroutines and slows them down.
const raced = true
