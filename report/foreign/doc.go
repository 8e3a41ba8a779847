// Package foreign represents the results of other programs in one form: tables of the printed figures, in seconds and
// bytes per second. Each table has a word for what was measured, its Operation, and one for how it was measured, its
// Way. Two programs that measure the same thing have the same Operation. If their Ways differ, their figures differ on
// the same machine.
//
// Nothing is measured here, and nothing is corrected: a figure is the one that its program printed.
package foreign
