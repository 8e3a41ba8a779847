// Package tools reads the output of other programs about bandwidths and latencies. Each program has a file here, and a
// row in Readers. A reader recognises its program's output by words that only this program prints. It marks
// contradictory output as doubtful, with the line. Figures are only converted to seconds and to bytes per second. Each
// table records what was measured and how.
package tools
