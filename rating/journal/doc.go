// Package journal keeps the samples of a run on disk while it measures. A journal is a file of lines, which are only
// appended. Each line is a record with a check of its own:
//
//	5e3f0c1a head {"owner":…}
//
// First stand eight hexadecimal digits, the CRC-32C of the rest of the line (RFC 3720, Appendix B.4). A kind and JSON
// follow. An empty line stands before each record. The head of a journal has the result document as it was before the
// first sample, and all that is needed to go on with the run; it is written twice. All other records name their head by
// its id, as in "data:k3j5x2ab". Data are news since the record before. Waits are of processes that hang, so that a run
// that is killed for that still tells of it. A run that is gone on with appends a head of its own. A run that ended in
// order, and has written its document, appends how it ended.
//
// A process that is killed in the middle of writing leaves a part of a line, which no reader takes. A damaged line
// loses its own record alone. A text without a head that can be read is an error, and never a new journal.
package journal
