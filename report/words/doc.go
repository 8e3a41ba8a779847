// Package words formats numbers of bytes and of things, bandwidths, and foreign texts for all reports. It doesn't
// depend on any benchmark.
package words
