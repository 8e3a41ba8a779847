// Package compare compares results of any benchmark. It computes ratios, decides whether a ratio exceeds the spread of
// the repetitions, splits it into parts, and writes a document. It doesn't depend on any benchmark: a Kind defines what
// is compared, and the benchmark computes the intervals of its figures.
package compare
