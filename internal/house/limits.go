// Package house tests the project's own rules, such as which package may import which, and how wide a line may be.
package house

// Limits stop growth. If you raise one, write a comment with the reason, and with what was removed for it.
const (
	// Lines is the largest number of Go lines in the packages of bin/beff (make lines, product). The last 3,000 are for
	// causes of slow results, plans of 100,000 processes and descriptions of systems. The readers of beff import have
	// lost 740 lines since, and the planner no longer has lists of ranks. 3,300 more are for comparisons of systems,
	// acceptance of several systems and GPU memory, and 400 have gone since.
	Lines = 112_610
	// Commands is the largest number of commands that beff --help shows.
	Commands = 18
	// Formats is the largest number of formats of beff report.
	Formats = 14
	// Flags is the largest number of flags that --help-all shows for all commands and subcommands, not counting -h,
	// --version and --help-all. A flag counts once for each command that has it. The last eight are for GPU memory
	// (--buffers, --staged, --device of probe and run, --buffers of doctor, --prove of run), after others had gone.
	Flags = 264
	// Fields is the largest number of fields of a struct in probe that isn't part of a document.
	Fields = 20
)
