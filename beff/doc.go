// Package beff is the effective bandwidth benchmark b_eff. It plans and measures the patterns over any engine, computes
// the averages, and defines the result type.
//
// "Paper" is Rabenseifner and Koniges, Effective Communication and File-I/O Bandwidth Benchmarks, LNCS 2131, 2001.
// Where the paper gives no rule, HLRS release 3.6 does. Lengths are in bytes, times in seconds, bandwidths in bytes per
// second.
//
// A rating has three steps, each usable by itself: NewPlan lists all measurements, Plan.Measure makes them on every
// process of a job, and Derive computes all averages from the samples.
package beff
