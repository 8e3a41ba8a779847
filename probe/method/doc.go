// Package method holds how calls become figures: where the clock is read, what stands between repetitions, how many
// there are, what comes before them, what of the processes' times counts. A Method is a value, with a file for each.
// Measurer measures rows by it, and knows no plan and no result.
//
// # Series
//
// A row is a loop of repetitions between two readings of the clock (fill), or, with Settings.Precision, a series
// (measureSeries): the time of each repetition, in batches until it is precise. A kernel needs nothing
// to get one: a class has phases (classes, wholePhase), and for each of them a take runs
//
//	begin    makes one program of the recipe's step (seriesProgram): two barriers if the timing has them, a reading of
//	         the clock, the step's calls Settings.Precision.Inner times, another reading. A loop is a repetition
//	run      runs the warm-up, then batches, with mpi.Loops.Each, behind repetitions that aren't kept
//	read     takes this process' times from the measurement (batch): of phase.times, of a lap, or of all laps
//	collect  brings a batch of all processes to process 0 in one reduction. The timing's row of methods combines them
//	next     lets process 0 decide the next batch (Precision.next), for all groups
//	end      checks the data that the last repetition has left
//
// A recipe whose calls have laps of their own numbers them from 0, below synchronised. A recipe with a root that
// rotates keeps it if scene.fixedRoot. A class with another way to its times sets phase.times, and class.series if it
// has no other rows. Figures of a series (Statistics, Times) follow in deriveSeries, and report/ofprobe proves them.
package method
