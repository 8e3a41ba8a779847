package house

import (
	"io/fs"
	"slices"
	"strings"
)

// ofTests are the engines and the suite that only tests use.
var ofTests = []string{"internal/conformance", "internal/fault", "internal/scripted"}

// importTable returns the packages that each package may import in addition to itself. A row also holds for packages
// below its package. docs/dev/architecture.md gives the reasons. Benchmarks and engines need no row: a package
// report/ofX makes X a benchmark, and a further package of mpi is an engine.
func importTable(project fs.FS) (map[string][]string, error) {
	benchmarks, err := fs.Glob(project, "report/of*")
	if err != nil {
		return nil, err
	}
	for i, dir := range benchmarks {
		benchmarks[i] = strings.TrimPrefix(dir, "report/of")
	}
	ground := []string{"internal/lists", "patterns", "stats", "mpi", "mpi/job", "rating", "probe/noise", "probe/fabric"}
	table := map[string][]string{
		"internal/lists": {},
		"patterns":       {},
		"stats":          {},
		"mpi":            {},
		"mpi/job":        {"mpi"},
		"rating":         {"internal/lists", "mpi", "mpi/job", "stats"},
		"probe/noise":    {"internal/lists", "mpi", "mpi/job", "rating", "stats"},
		"probe/fabric":   {"internal/lists", "stats"},
		"internal":       {},
		"internal/input": {},
		"packaging":      {},
	}
	for _, r := range benchmarks {
		table[r] = ground
	}
	ofProbe := []string{"probe/settings", "probe/kernel", "probe/pairs", "probe/measured", "probe/method",
		"probe/guidelines", "probe/suites"}
	for i, r := range ofProbe { // each may import the packages before it
		table[r] = slices.Concat(ground, ofProbe[:i])
	}
	table["probe"] = slices.Concat(ground, ofProbe)
	table["report"] = slices.Concat(ground, benchmarks, ofProbe, []string{"internal/input"})
	for _, r := range ofTests {
		table[r] = []string{"mpi"}
	}
	below, err := fs.ReadDir(project, "mpi")
	if err != nil {
		return nil, err
	}
	var engines []string
	for _, d := range below {
		engine := "mpi/" + d.Name()
		if _, known := table[engine]; d.IsDir() && !known {
			engines = append(engines, engine)
			table[engine] = []string{"mpi"}
		}
	}
	table["sim"] = []string{}
	table["report/database"] = []string{"internal/input", "internal/lists", "report"}
	// report/whatif rates models of machines and fits them, which no other report does.
	table["report/whatif"] = append([]string{"report", "mpi/sim", "sim"}, table["report"]...)
	table["mpi/sim"] = []string{"mpi", "mpi/local", "sim"}
	table["mpi/libshmem"] = []string{"mpi", "mpi/libmpi"}
	table["tools"] = slices.Concat(ground, benchmarks, ofProbe, []string{"report", "sim"})
	table["mpi/plugins"] = []string{"internal/input", "internal/lists", "mpi", "mpi/libmpi"}
	table["cmd"] = slices.Concat(ground, benchmarks, engines, ofProbe, []string{"report", "report/database",
		"report/whatif", "sim", "mpi/plugins", "internal/input"})
	return table, nil
}

// reserved lists libraries that only one package may import, with the packages below it.
var reserved = map[string]string{
	"github.com/alecthomas/kong":   "cmd",
	"github.com/ebitengine/purego": "mpi/libmpi",
	"modernc.org/sqlite":           "report/database",
}
