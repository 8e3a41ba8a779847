// Package beffio is the effective I/O bandwidth benchmark b_eff_io. It plans and measures the patterns over any engine
// that has files, computes the averages, and defines the result type.
//
// "Paper" is Rabenseifner and Koniges, Effective Communication and File-I/O Bandwidth Benchmarks, LNCS 2131, 2001, Sec.
// 4 and 5. Where it gives no rule, HLRS release 2.1 does. Sizes are in bytes, times in seconds, bandwidths in bytes per
// second.
//
// The time T is shared as in release 2.1, in proportion to the units of the paper's Table 2 (schedule.go). This limits
// the initial write; the later accesses take as long as they need. Two things differ from the release. The expected
// time of a pattern's sync, judged by earlier syncs, is a part of the pattern's share. And a run ends within twice T,
// except for a long call: patterns that are ended early for that are reported, and if much is left unread, the result
// isn't valid. If time is left at the end, the whole read access is repeated. This shows the spread of its figures, but
// the rating uses only the first pass, as in release 2.1.
package beffio
