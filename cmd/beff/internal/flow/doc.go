// Package flow takes a measurement from the flags of a command to the published result, in the same way for every
// benchmark: start the processes, locate them, plan, open the files, measure, keep the samples, finish. Whatever ends a
// run, its samples are kept and its own files are removed.
//
// A benchmark is an interface (Benchmark), made with its plan when the processes are known. What a command looks at
// without measuring, such as beff doctor, takes the first two stages alone (Open).
package flow
