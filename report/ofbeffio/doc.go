// Package ofbeffio handles b_eff_io's results. It reads and proves their documents, makes their report with tables and
// figures, and lines for scripts, and compares results.
//
// # Comparison
//
// The comparison takes the best partition of each result according to the first result's rules. Only reading is
// repeated, in passes. A whole pass reads as many bytes as the first pass. Chunks are compared by their size on disk,
// over the patterns that both results have.
package ofbeffio
