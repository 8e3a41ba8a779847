// Package house holds the project's rule on imports: the packages that each package may import.
package house

// allowed has a row for each room, which is a package with the packages below it: the rooms that it may import besides
// itself. docs/architecture.md gives the reasons.
var allowed = map[string][]string{
	"patterns": {},

	"mpi":             {},
	"mpi/job":         {"mpi"},
	"mpi/libmpi":      {"mpi"},
	"mpi/local":       {"mpi"},
	"mpi/conformance": {"mpi"},
	"mpi/fault":       {"mpi"},
	"mpi/scripted":    {"mpi"},

	"rating": {"mpi", "mpi/job"},

	"beff":   {"rating", "mpi", "mpi/job", "patterns"},
	"beffio": {"rating", "mpi", "mpi/job", "patterns"},
	"probe":  {"rating", "mpi", "mpi/job", "patterns"},

	"report": {"beff", "beffio", "probe", "rating", "mpi", "mpi/job", "patterns"},
	"cmd":    {"report", "beff", "beffio", "probe", "rating", "mpi", "mpi/job", "mpi/libmpi", "mpi/local", "patterns"},

	"internal": {},
}

// reserved lists libraries that only one room may import.
var reserved = map[string]string{
	"github.com/alecthomas/kong": "cmd",
}
