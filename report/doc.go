// Package report reads results and makes documents from them. Read and ReadAll verify files. The methods of a File
// return its report, lines for scripts, its benchmark's text formats, and its entry in a ranking. Compare compares
// files. Nothing depends on an engine, a clock or a host, so any machine makes the same documents from the same file.
// Files may come from strangers: whatever a file contains, reading it gives a result or an error of one line. Several
// goroutines may call Read at the same time, but a File may only be used by one. The function given to ReadAll must not
// read files, because its worker may hold the lock of large files. Reading a text of more than 8 MiB makes the garbage
// collector run more often in the whole process (debug.SetGCPercent).
//
// Each benchmark has its own package (ofbeff, ofbeffio, ofprobe, offoreign), and a row in the table in benchmarks.go.
// These packages share the ones below them: charts, parts of documents, comparing, proving, words.
//
// Directory schema has the published JSON Schemas (draft 2020-12) of result documents, one for each benchmark and
// version. They are generated from the result types, whose tags contain units and limits. They describe the form of a
// document, not whether its figures follow from each other, which the Verify of each benchmark checks. Documents are
// decoded by rules made from the same types (package prove).
//
// MB is 10^6 bytes in bandwidths, and 2^20 bytes in memory and message lengths, as in HLRS release 3.6.
package report

//go:generate go test . -run ^TestPublishedSchemas$ -update
