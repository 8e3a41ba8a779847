// Package words formats counts, sizes, bandwidths and dates for all reports, and makes untrusted texts safe to print.
// It doesn't depend on any benchmark.
package words
