// Package resultfile writes result documents: JSON as report/schema describes it, indented, but with one line for each
// element of the list that is nearly all of a document, and sealed with a digest. All benchmarks have the same layout.
//
// Documents are read and proven by the rooms of the benchmarks. The lines of b_eff's samples are read here, by the
// layout that they are written in.
package resultfile
