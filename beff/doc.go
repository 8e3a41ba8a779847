// Package beff is the effective bandwidth benchmark b_eff: it plans and measures the patterns over any engine, computes
// the averages, and holds the result type.
//
// "Paper" is Rabenseifner and Koniges, Effective Communication and File-I/O Bandwidth Benchmarks, LNCS 2131, 2001.
// Where the paper is silent the rules are those of the HLRS release 3.6. Lengths are in bytes, times in seconds,
// bandwidths in bytes per second.
//
// A rating has three steps that can be used alone: NewPlan lists all measurements, Plan.Measure makes them on every
// process of a job, and Derive computes all averages from the samples alone.
package beff
