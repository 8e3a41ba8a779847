//go:build !race

package local_test

// raced says that the race detector is on.
const raced = false
