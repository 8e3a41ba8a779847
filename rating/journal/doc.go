// Package journal keeps the samples of a run on disk while it measures. A journal is a file to which lines are
// appended. Each line is a record with a checksum:
//
//	5e3f0c1a head {"owner":…}
//
// The line begins with eight hexadecimal digits, the CRC-32C of the rest of the line (RFC 3720, Appendix B.4). A kind
// and JSON follow. Each record is preceded by an empty line. The head of a journal is written twice. It has the result
// document as it was before the first sample, and everything needed to resume the run. All other records refer to their
// head by its id, as in "data:k3j5x2ab". Data records hold the news since the record before. Waits records hold
// processes that hang, so that they are known even if the run is killed for that. A resumed run appends its own head. A
// run that ended in order, and has written its document, appends how it ended.
//
// A process that is killed while it writes leaves part of a line, which readers ignore. A damaged line loses only its
// own record. A text without a readable head is an error, never a new journal.
package journal
