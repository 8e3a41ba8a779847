// Package beffio is the effective I/O bandwidth benchmark b_eff_io: it plans and measures the patterns over any engine that has files,
// computes the averages, and holds the result type.
//
// "Paper" is Rabenseifner and Koniges, Effective Communication and File-I/O Bandwidth Benchmarks, LNCS 2131, 2001, Sec. 4 and 5. Where it
// is silent, the rules are those of the HLRS release 2.1. Sizes are in bytes, times in seconds, bandwidths in bytes per second.
//
// A run keeps to its time T, which release 2.1 does not: what follows the time-driven initial write takes as long as it takes there. Here a
// short pilot run of the largest partition tells how long each pattern takes for a second of initial write. By that the time that is left is
// divided anew before each pattern (schedule.go): in proportion to the units of the paper's Table 2, as in release 2.1, but so that the whole
// takes T. A file system that reads fast thus gets larger files; one that reads slowly doesn't keep its users waiting. Where time is left
// nevertheless, the whole read access is repeated, as the files are still as cold or as warm as before; its figures are those of all passes.
package beffio
