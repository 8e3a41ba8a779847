// Package ofbeff handles b_eff's results. It reads and proves their documents, makes their report with tables and
// figures, and lines for scripts, and compares results.
//
// # Comparison
//
// Each result is compared with the first one: by the ratio of each figure, by whether the difference is larger than the
// figures' own intervals explain, and by patterns and message lengths. docs/sure.md and the section "How this was
// computed" of a comparison describe the method.
//
// # Length classes
//
// The class short has the 11 lengths up to 1 kB, where time is latency. The class middle has the next six lengths, and
// long the last four, up to Lmax. The first 13 lengths are fixed, the other 8 depend on the memory (paper, Sec. 3).
// Therefore a class is a range of positions in the list, and every result has the same number of lengths in each class.
// Rings are paired by their position in the list, too.
package ofbeff
