// Package journal keeps the samples of a run on disk while it measures. A journal is a file to which lines are
// appended. Each line is a record with a checksum:
//
//	5e3f0c1a head {"owner":…}
//
// The line begins with eight hexadecimal digits, the CRC-32C of the rest of the line (RFC 3720, Appendix B.4). The kind
// of the record and JSON follow. Each record is preceded by an empty line. All records except heads refer to their head
// by its id, as in "data:k3j5x2ab". The kinds are:
//
//   - head: the process that writes, the result document as it was before the first sample, and everything needed to
//     resume the run. It is written twice. A resumed run appends another head.
//   - data: the measurements since the previous record.
//   - whole: a measurement that replaces all data before it.
//   - waits: the processes that made no progress, so that they are known even if the run is killed because of them.
//   - ended: how the run ended, after it has written its documents.
//
// A process that is killed while it writes leaves part of a line, which readers ignore. A damaged line loses only its
// own record. A text without a readable head is an error, never a new journal.
package journal
