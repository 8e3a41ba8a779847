// Package house holds the project to its own rules: which package may import which, and how wide a line may be.
package house

// allowed has a row for each room, a package with those below it, and the rooms that it may import besides itself.
// docs/architecture.md gives the reasons.
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

// reserved names libraries that one room alone may import.
var reserved = map[string]string{
	"github.com/alecthomas/kong": "cmd",
}
