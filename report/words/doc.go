// Package words writes what all reports have in common in words: numbers of bytes, numbers of things, foreign texts in
// one line. It knows no benchmark.
package words
