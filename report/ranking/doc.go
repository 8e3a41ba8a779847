// Package ranking puts results of many systems into one list, as the TOP500 does: by b_eff, one row for each system,
// where its results of other benchmarks stand in the same row.
package ranking
