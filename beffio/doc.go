// Package beffio is the effective I/O bandwidth benchmark b_eff_io: it plans and measures the patterns over any engine
// that has files, computes the averages, and holds the result type.
//
// "Paper" is Rabenseifner and Koniges, Effective Communication and File-I/O Bandwidth Benchmarks, LNCS 2131, 2001, Sec.
// 4 and 5. Where it is silent, the rules are those of the HLRS release 2.1. Sizes are in bytes, times in seconds,
// bandwidths in bytes per second.
//
// A run keeps to its time T. Release 2.1 does not, because it limits only the initial write: the later accesses and all
// syncs take as long as they take. Here the remaining time is divided again before each pattern, in proportion to the
// units of the paper's Table 2 (schedule.go). A short pilot run of the largest partition finds patterns that take
// longer than their units of time. Patterns that are ended early nevertheless are reported, and if much is left unread,
// the result is not valid. If time is left at the end, the whole read access is repeated. That shows how its figures
// spread, but the rating uses the first pass alone, as in release 2.1.
package beffio
