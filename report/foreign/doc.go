// Package foreign has the results of other programs in one form: tables of what they printed, in seconds and bytes per
// second, and a word for each table that says what was measured and in which way. Two programs that measure the same
// thing have the same Operation. Where their Ways differ, so do their figures, on the same machine.
//
// Nothing is measured here, and nothing is corrected: a figure is what its program printed.
package foreign
