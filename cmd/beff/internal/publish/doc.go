// Package publish writes the output of commands: documents in the formats that flags name, to stdout or a directory
// (Flags), and the files of a run, which are kept up to date while it measures (Output). It also takes the results that
// documents are made of, and reports the refused ones (Flags.Take, Expand).
package publish
