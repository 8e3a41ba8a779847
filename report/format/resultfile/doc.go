// Package resultfile has the layout and the digest of result documents, which are the same for all benchmarks: JSON as
// report/schema describes it, indented, but with one line for each element of the list that is nearly all of a
// document. The room of each benchmark has the Form of its documents, and reads and proves them.
package resultfile
