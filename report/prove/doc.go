// Package prove writes, seals, reads and proves the result documents of all benchmarks. Form writes a document: JSON as
// its published schema describes it, indented, but with one line for each element of the list that makes up most of it.
// Decoded reads a document as its schema requires. Rules.SameVerdict compares criteria, signs and warnings with those
// that follow from the samples and from recorded facts; SameDigest checks the digest. The benchmarks' packages
// define the Form of their documents, and recompute the figures. Whether samples are true can't be proven: a digest is
// no signature.
//
// An error is one line about the first fault, with the value in the file and the correct one.
package prove
