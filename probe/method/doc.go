// Package method holds how calls become figures: where the clock is read, what stands between repetitions, how many
// there are, what comes before them, what of the processes' times counts. A Method is a value, with a file for each; a
// Way is one with a kernel and settings. Measurer measures rows by it, and knows no suite, no plan and no result.
//
// All methods run programs in sessions (session.go): they open one, run it, and close it, which checks the data.
//
// A row is a loop of repetitions between two readings of the clock (fill), or, with Settings.Precision, a series: the
// time of each repetition, in batches until it is precise (inSeries). For each phase of the kernel's class
// (measurings) a take makes one program, whose loop is a repetition, runs its batches, brings each to process 0 in one
// reduction, and lets process 0 decide on the next one, for all groups. The timing (clockings) says how the processes'
// times combine. A recipe whose calls have laps of their own numbers them from 0, below kernel.Synchronised.
package method
