// Package house holds the project to its own rules: which package may import which, and how wide a line may be.
package house

import "slices"

// The rooms of which there may be more.
var (
	engines    = []string{"mpi/libmpi", "mpi/local"}
	ofTests    = []string{"mpi/conformance", "mpi/fault", "mpi/scripted"}
	benchmarks = []string{"beff", "beffio", "probe"}
)

// allowed has a row for each room, a package with those below it, and the rooms that it may import besides itself.
// docs/architecture.md gives the reasons.
var allowed = func() map[string][]string {
	ground := []string{"patterns", "mpi", "mpi/job", "rating"}
	table := map[string][]string{
		"patterns": {},
		"mpi":      {},
		"mpi/job":  {"mpi"},
		"rating":   {"mpi", "mpi/job"},
		"report":   slices.Concat(ground, benchmarks),
		"cmd":      slices.Concat(ground, benchmarks, engines, []string{"probe/programfile", "report"}),
		"internal": {},
	}
	for _, r := range slices.Concat(engines, ofTests) {
		table[r] = []string{"mpi"}
	}
	for _, r := range benchmarks {
		table[r] = ground
	}
	table["probe/programfile"] = []string{"mpi"}
	table["probe"] = append(slices.Clone(ground), "probe/programfile")
	return table
}()

// reserved lists libraries that only one room may import.
var reserved = map[string]string{
	"github.com/alecthomas/kong": "cmd",
}
