// Package words formats counts, sizes, bandwidths, dates and foreign texts for all reports. It doesn't depend on any
// benchmark.
package words
