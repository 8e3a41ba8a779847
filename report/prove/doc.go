// Package prove has what is the same for result documents of all benchmarks: how they are written, sealed, read and
// proven. Form writes a document: JSON as its published schema describes it, indented, but with one line for each
// element of the list that is nearly all of it. Decoded reads a document as its schema wants it. By the Rules of its
// version SameVerdict compares criteria, signs and warnings with those that follow from the samples and from recorded
// facts, and SameDigest the digest. The rooms of the benchmarks have the Form of their documents, and make the figures
// anew. Whether samples are true can't be proven: a digest is no signature.
//
// An error is one line about the first fault, with the file's figure and the right one.
package prove
