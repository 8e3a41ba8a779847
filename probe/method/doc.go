// Package method defines how calls become figures: where the clock is read, which calls separate repetitions, how many
// repetitions there are, how they are warmed up, and which of the processes' times count. A Method is a value, with a
// file for each. A Way is a method with a kernel and settings, and a Measurer measures rows in this way. The package
// knows no suite, plan or result.
//
// All methods run programs in sessions (session.go), which they open, run and close. Closing checks the data.
//
// A row is a loop of repetitions between two readings of the clock (measureLoop), or a series (measureSeries). A series
// has the time of each repetition, in batches until it is precise. For each phase of the kernel's class
// (classMeasurements) a phaseRun makes one program, whose loop is a repetition. It runs the batches, combines the times
// of each batch on process 0 in one reduction, and lets process 0 decide on the next batch for all groups. The timing
// (clockings) defines how the processes' times are combined. A builder whose calls take split times numbers them from
// 0, below kernel.Synchronised.
package method
