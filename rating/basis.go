package rating

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
)

// Basis holds the properties of a result that decide which others it may be ranked, judged or averaged with. All code
// that compares figures of several results uses it.
type Basis struct {
	Name string // name of the result in messages
	Class
	System             string
	Processes, PerNode int    // 0: not known
	Numbering          string // how ranks are numbered over the nodes (job.Numbering)
	Longest            int64  // bytes of the longest message of b_eff, or chunk of b_eff_io; 0 if not known
	Library, Version   string // library for communication; a model's version is its description
	Way                string // how a probe measured, in words; empty for other benchmarks
	Measurement        Measurement
	// Problem is the reason why the result can't be compared, such as "NOT VALID", or empty.
	Problem string
}

// Measurement identifies a measurement, whatever its files are called and its system is named.
type Measurement struct {
	Benchmark string
	Started   int64  // Unix time in nanoseconds
	Samples   uint64 // a hash
}

// Ranks reports whether two results belong to one ranking: they are valid, of one class and of one size. Their longest
// messages may differ, as the memories of their systems do.
func (b Basis) Ranks(other Basis) bool {
	return b.Problem == "" && other.Problem == "" && b.Class == other.Class && b.Processes == other.Processes &&
		b.PerNode == other.PerNode
}

// Judged returns an error with the reason if a figure of another result can't be judged by this result. They must be
// valid, of one class, with messages of the same lengths, and different measurements.
func (b Basis) Judged(other Basis) error {
	for _, x := range []Basis{b, other} {
		if x.Problem != "" {
			return fmt.Errorf("%s is %s", x.Name, x.Problem)
		}
	}
	if differences := b.Differs(other); len(differences) > 0 {
		return fmt.Errorf("%s and %s are not in one class: %s", b.Name, other.Name, strings.Join(differences, ", "))
	}
	if b.Measurement == other.Measurement {
		return fmt.Errorf("%s and %s are the same measurement", b.Name, other.Name)
	}
	return nil
}

// Differs names the properties of a class that differ, with their values. An unknown property never differs.
func (b Basis) Differs(other Basis) (list []string) {
	add := func(differ bool, format string, values ...any) {
		if differ {
			list = append(list, fmt.Sprintf(format, values...))
		}
	}
	add(b.Benchmark != other.Benchmark, "benchmarks %s and %s", b.Benchmark, other.Benchmark)
	add(b.Engine != other.Engine, "%v and %v", b.Engine, other.Engine)
	add(b.Memory != other.Memory, "messages in memory of %s and %s", cmp.Or(b.Memory, "host"),
		cmp.Or(other.Memory, "host"))
	add(b.Benchmark == other.Benchmark && b.Rules != other.Rules, "%s %s and %s",
		cmp.Or(rules[b.Benchmark], "rules"), b.Rules, other.Rules)
	add(b.Longest > 0 && other.Longest > 0 && !sameLength(b.Longest, other.Longest), "%s %s and %s",
		longest[b.Benchmark], Bytes(b.Longest), Bytes(other.Longest))
	add(b.Benchmark == other.Benchmark && b.Way != other.Way, "measured by %s, and by %s", b.Way, other.Way)
	add(knownToDiffer(b.Processes, other.Processes), "%d and %d processes", b.Processes, other.Processes)
	add(knownToDiffer(b.PerNode, other.PerNode), "%d and %d processes per node", b.PerNode, other.PerNode)
	return list
}

// rules holds the word that replaces "rules" for some benchmarks.
var rules = map[string]string{"foreign": "programs"}

// knownToDiffer reports whether two numbers are known and differ.
func knownToDiffer(a, b int) bool { return a > 0 && b > 0 && a != b }

// cell returns the properties that all results of a cell have in common.
func (b Basis) cell() Basis {
	b.Name, b.Longest, b.Measurement, b.Problem = "", 0, Measurement{}, ""
	return b
}

// OverTime returns the basis of a series of results over time, without the version of the library and the memory,
// because the series is to show the effect of such changes.
func (b Basis) OverTime() Basis {
	b.Version, b.Longest = "", 0
	return b
}

// OfClass returns the basis of all results of a class, of any system and library. They may be judged by each other.
func (b Basis) OfClass() Basis {
	b.System, b.Library, b.Version = "", "", ""
	return b
}

// Cells numbers results by their cells in a table. The results of a cell are runs of one system, class, size and
// library, with messages of the same lengths, and may be averaged. Its zero value is ready to use.
type Cells struct {
	numbers map[Basis][]numbered
	count   int
}

// numbered holds a cell's number and the longest message of its first result.
type numbered struct {
	longest int64
	number  int
}

// Of returns the number of a result's cell, counted from 0, and whether the result is the cell's first one.
func (c *Cells) Of(b Basis) (number int, first bool) {
	key := b.cell()
	for _, n := range c.numbers[key] {
		if n.longest == b.Longest || sameLength(n.longest, b.Longest) {
			return n.number, false
		}
	}
	if c.numbers == nil {
		c.numbers = map[Basis][]numbered{}
	}
	number, c.count = c.count, c.count+1
	c.numbers[key] = append(c.numbers[key], numbered{b.Longest, number})
	return number, true
}

// Class holds the properties that the ratings in one section of a list share. Class, number of processes and processes
// per node together are the class in which results are ranked (docs/glossary.md), as a rating of 512 processes can't be
// compared with one of 128. This type leaves out the sizes because a section lists all sizes, with ranks over all of
// them at the end, as the paper's Table 1 does.
type Class struct {
	Benchmark string
	Rules     string
	Engine    Engine
	// Where messages were, such as "cuda:device, staged"; empty for the host's memory.
	Memory string
	// Bytes of the longest message of b_eff, or chunk of b_eff_io, if it isn't the one that follows from the machine's
	// memory; 0 for the full class.
	Limited int64
}

// Engine is the kind of engine that measured a rating. Lists are in the order of these numbers.
type Engine int

// The kinds of engines.
const (
	MPI Engine = iota
	Simulated
	Embedded
	SHMEM
)

// EngineOf returns the kind of an engine.
func EngineOf(k mpi.EngineKind) Engine {
	switch {
	case k.Simulated:
		return Simulated
	case k.Embedded:
		return Embedded
	case k.SHMEM:
		return SHMEM
	}
	return MPI
}

// String returns the kind in words.
func (e Engine) String() string {
	return [...]string{"MPI", "simulated network", "embedded engine", "OpenSHMEM"}[e]
}

// longest names the longest message or chunk of a benchmark.
var longest = map[string]string{"b_eff": "Lmax", "b_eff_io": "M_PART"}

// String returns the class in words.
func (c Class) String() string {
	switch c.Benchmark {
	case "probe":
		return strings.TrimSuffix(fmt.Sprintf("probes, %v, %s", c.Engine, c.Memory), ", ")
	case "foreign":
		return c.Rules
	}
	size := "full " + longest[c.Benchmark]
	if c.Limited > 0 {
		size = fmt.Sprintf("class %s = %s", longest[c.Benchmark], Bytes(c.Limited))
	}
	return strings.TrimSuffix(fmt.Sprintf("%s, %v, rules %s, %s, %s", c.Benchmark, c.Engine, c.Rules, size, c.Memory),
		", ")
}
