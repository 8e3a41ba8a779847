// Package kernel defines kernels. A kernel is a row of a table and a builder. The builder makes the step of a process
// from a setup, which has the memory, window, file and processes of a row of measurements. The timed program, the calls
// around it and the data that must have arrived follow from the step. Kernels don't know how a row is measured: a
// method sets its rules for the programs in Rules and SeriesTiming, and users choose in IMB and OneSided. Lengths are
// in bytes, times in seconds.
package kernel
