// Package beff36 writes a b_eff result as the original, HLRS release 3.6, writes its files: .sum, .short and .prot with
// the same sections, columns and places, and .plot with the same blocks of data for gnuplot. Programs that read the
// original's files read these. Prose is ours, and the title says who wrote the file.
//
// The original has three repetitions of one pass. Of several passes the files have the repetitions of all, and the
// averages over the patterns are made of the geometric mean of the passes, as the rating is. A figure that was not
// measured is 0, as there.
package beff36
