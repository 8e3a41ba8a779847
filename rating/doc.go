// Package rating holds the parts of a run and of its result that are the same for every benchmark.
package rating
