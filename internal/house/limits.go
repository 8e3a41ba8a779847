// Package house holds the project to its own rules: which package may import which, and how wide a line may be.
package house

// Limits stop growth. Whoever raises one writes beside it what went for it.
const (
	// Lines are the most Go lines of the packages that bin/beff is made of (make lines, product).
	Lines = 107_400
	// Commands are the most commands that beff --help shows.
	Commands = 18
	// Formats are the most formats of beff report.
	Formats = 14
	// Flags are the most flags of --help-all of all commands and their commands, each counted wherever it occurs, but
	// for -h, --version and --help-all.
	Flags = 256
	// Fields are the most fields of a struct of probe that is no part of a document.
	Fields = 20
)
