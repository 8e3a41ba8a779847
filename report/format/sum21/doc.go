// Package sum21 writes the .sum files of b_eff_io release 2.1 (HLRS, 2001): a table of bandwidths with three decimals
// for each partition, averages, a verdict by three criteria, and the maximum.
//
// Write makes one of any result, as existing readers take it. The format holds bandwidths only: bytes, calls and times
// are not in it.
package sum21
