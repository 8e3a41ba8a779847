// Package ofbeffio makes the documents of a b_eff_io result: its report with tables and figures, the summary, the
// protocol, lines for scripts; it compares results, and proves them.
//
// # Comparison
//
// Compared is the partition of each result that is best by the first one's rules. Of repetitions there are only the
// passes over the read access; whole ones read all that the first pass did. The paper's rating is a sum over access
// methods and types, release 2.1's a product of powers of such sums: both split by access method and type as package
// ofbeff splits b_eff. Chunks are compared by their size on disk, over the patterns that both results have.
package ofbeffio
