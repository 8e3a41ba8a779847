// Package osu writes results in the text of the OSU micro-benchmarks 7.4, line by line as they come, for scripts that
// read it. It has their heads, columns, widths and digits, and nothing else, because some readers take the last number
// of the output. Package report/format/tools reads the text.
package osu
