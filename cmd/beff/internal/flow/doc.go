// Package flow takes a measurement from the flags of a command to the published result, in the same way for every
// benchmark: it starts the processes, locates them, plans, opens the files, measures, keeps the samples and finishes.
// However a run ends, its samples are kept and the benchmark's files are removed.
//
// A benchmark implements Benchmark. It is created with its plan once the processes are known. A command that looks at a
// job without measuring, such as beff doctor, only uses the first two stages (Open).
package flow
