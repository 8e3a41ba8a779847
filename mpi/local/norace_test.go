//go:build !race

package local_test

// raced is true if the race detector is on.
const raced = false
