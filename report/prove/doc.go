// Package prove has the proofs that are the same for result documents of all benchmarks. Decoded reads a document
// as its published schema wants it. By the Rules of its version SameVerdict compares criteria, signs and warnings
// with those that follow from the samples and from recorded facts, and SameDigest the digest. The rooms of the
// benchmarks make the figures anew. Whether samples are true can't be proven: a digest is no signature.
//
// An error is one line about the first fault, with the file's figure and the right one.
package prove
