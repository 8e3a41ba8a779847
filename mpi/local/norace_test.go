//go:build !race

package local_test

// raced is whether the race detector is on.
const raced = false
