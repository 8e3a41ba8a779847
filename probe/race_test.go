//go:build race

package probe_test

// raced is whether the race detector is on. It reports transfers to the same place.
const raced = true
