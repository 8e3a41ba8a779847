// Package verify proves a result document: that it is one, by the published schema; that its patterns, lengths and
// repetitions are those of the benchmark it names; that every figure, every criterion and the verdict follow from its
// samples; and that its digest is right. An imported result has bandwidths instead of samples' times: its figures
// follow from these. What can't be proven is whether the samples are true: a digest is no signature.
//
// Errors say the first thing that does not hold, with what the file says and what it should be, in one line.
package prove
