//go:build !race

package probe_test

// raced is whether the race detector is on.
const raced = false
