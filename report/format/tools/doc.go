// Package tools reads the output of other programs about bandwidths and latencies. It has a file for each program, and
// a row in the table of Readers. A reader recognises its program's output by words that only this program prints, and
// refuses contradictory output, with the line. Figures aren't changed: times become seconds, bandwidths bytes per
// second. Each table records what was measured and how.
package tools
