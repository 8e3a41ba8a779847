// Package prove has the proofs that are the same for result documents of all benchmarks. Decoded checks a document by
// its published schema and decodes it. SameCriteria compares the criteria and the verdict with those that follow from
// the samples, and SameDigest the digest. The rooms of the benchmarks make the figures anew. Whether samples are true
// can't be proven: a digest is no signature.
//
// An error is one line about the first fault, with the file's figure and the right one.
package prove
