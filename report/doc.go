// Package report reads results and makes documents of them. Read and ReadAll prove a file; a File then gives its
// report, lines for scripts, its benchmark's own texts and its place in a ranking; Compare puts files side by side. No
// engine, no clock and no host is asked, so that any machine makes the same documents of the same file. Files are
// strangers': whatever is in one, reading it gives a result or one line that says why not.
//
// What is said of a benchmark stands in a room of its own (ofbeff, ofbeffio, ofprobe), and the table in benchmarks.go
// has a row for each. What the rooms share is below them: charts, parts of documents, comparing, proving, words.
//
// MB is 10^6 bytes in bandwidths and 2^20 bytes in memory and message lengths, as in HLRS release 3.6.
package report
