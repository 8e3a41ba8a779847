// Package ofbeffio handles b_eff_io's results. It reads and verifies their documents, makes reports with tables and
// figures, makes lines for scripts, and compares results.
//
// # Comparison
//
// The comparison takes the best partition of each result according to the first result's rules. Only reading is
// repeated within a run, so only figures of reading have an interval from passes. A pass counts if it read as many
// bytes as the first. Chunks are compared by their size on disk, over the patterns that both results have.
package ofbeffio
