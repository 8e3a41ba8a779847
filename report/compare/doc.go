// Package compare compares results of any benchmark: ratios, whether a ratio is larger than the spread of the
// repetitions, how it splits into parts, and one document of all that. It knows no benchmark: a Kind says what is
// compared. How a figure's interval comes about is the benchmark's.
package compare
