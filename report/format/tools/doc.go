// Package tools reads what other programs print about bandwidths and latencies: a file for each program, and a row in
// the table of Readers. A reader knows its program's output by words that only this program prints, and refuses what
// contradicts them, with the line. What a program printed isn't changed: times become seconds, bandwidths bytes per
// second, and each table says what was measured in which way.
package tools
