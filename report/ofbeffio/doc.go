// Package ofbeffio is the room of b_eff_io's results. It reads and proves their documents, makes their report with
// tables and figures, the protocol and lines for scripts, and compares results.
//
// # Comparison
//
// The comparison takes the partition of each result that is best by the first one's rules. Only the read access is
// repeated, in passes. A whole pass reads all bytes of the first one. The paper's rating is a sum over access methods
// and types, and that of release 2.1 a product of powers of such sums. Both split by access method and type as b_eff
// splits in package ofbeff. Chunks are compared by their size on disk, over the patterns that both results have.
package ofbeffio
