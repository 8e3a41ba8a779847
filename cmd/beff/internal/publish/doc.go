// Package publish writes the output of commands: documents in the formats that flags name, to stdout or a directory
// (Flags), and the files of a run, which it keeps up to date during the measurement (Output). It also selects the
// results for documents, and reports the refused ones (Flags.Take, Expand).
package publish
