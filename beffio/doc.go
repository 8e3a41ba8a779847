// Package beffio is the effective I/O bandwidth benchmark b_eff_io: it plans and measures the patterns over any engine
// that has files, computes the averages, and holds the result type.
//
// "Paper" is Rabenseifner and Koniges, Effective Communication and File-I/O Bandwidth Benchmarks, LNCS 2131, 2001, Sec.
// 4 and 5. Where it is silent, the rules are those of the HLRS release 2.1. Sizes are in bytes, times in seconds,
// bandwidths in bytes per second.
//
// A run keeps to its time T, which release 2.1 does not: what follows the time-driven initial write takes as long as it
// takes there, and so do syncs. Here the time that is left is divided anew before each pattern, in proportion to the
// units of the paper's Table 2 (schedule.go). A short pilot run of the largest partition finds the patterns that take
// longer than their units say, which would have to be ended early; patterns that are ended early nevertheless are told,
// and if much is left unread, the result is not valid. Where time is left at the end, the whole read access is
// repeated: that shows how its figures spread, but the rating is made of the first pass alone, as in release 2.1.
package beffio
