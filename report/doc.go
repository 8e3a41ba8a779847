// Package report reads results and makes documents of them. Read and ReadAll prove a file; a File then gives its
// report, lines for scripts, its benchmark's own texts and its place in a ranking; Compare puts files side by side. No
// engine, no clock and no host is asked, so that any machine makes the same documents of the same file. Files are
// strangers': whatever is in one, reading it gives a result or one line that says why not.
//
// What is said of a benchmark stands in a room of its own (ofbeff, ofbeffio, ofprobe), and the table in benchmarks.go
// has a row for each. What the rooms share is below them: charts, parts of documents, comparing, proving, words.
//
// Directory schema has the published JSON Schemas (draft 2020-12) of result documents, one for each benchmark and
// version of its document. They are made of the result types, whose tags carry units and limits; none is written by
// hand. They say what a document looks like, not whether its figures follow from each other: that is for Verify of each
// benchmark. Documents are read by rules that are made of the same types (prove).
//
// MB is 10^6 bytes in bandwidths and 2^20 bytes in memory and message lengths, as in HLRS release 3.6.
package report

//go:generate go test . -run ^TestPublishedSchemas$ -update
