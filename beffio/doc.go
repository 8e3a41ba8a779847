// Package beffio is the effective I/O bandwidth benchmark b_eff_io: it plans and measures the patterns over any engine
// that has files, computes the averages, and holds the result type.
//
// "Paper" is Rabenseifner and Koniges, Effective Communication and File-I/O Bandwidth Benchmarks, LNCS 2131, 2001, Sec.
// 4 and 5. Where it is silent, the rules are those of the HLRS release 2.1. Sizes are in bytes, times in seconds,
// bandwidths in bytes per second.
//
// The time T is shared as in release 2.1, in proportion to the units of the paper's Table 2 (schedule.go): that limits
// the initial write, and the later accesses take as long as they take. Two things differ. What the sync of a pattern is
// expected to take, by those before it, is a part of the pattern's share. And a run ends within twice T, a long call
// aside: patterns that are ended early for that are reported, and if much is left unread, the result is not valid. If
// time is left at the end, the whole read access is repeated. That shows how its figures spread, but the rating uses
// the first pass alone, as in release 2.1.
package beffio
