package tune

import (
	"fmt"
	"slices"
	"time"
)

// Result is what a campaign measured, and what follows from it.
type Result struct {
	// tune.
	Benchmark     string `json:"benchmark"`
	SchemaVersion int    `json:"schema_version"`
	// SHA-256 in hex of this document without this field.
	Digest string `json:"digest,omitempty"`
	// Of the program.
	Beff    string `json:"beff_version"`
	Library string `json:"library"`
	Version string `json:"library_version"`
	Host    string `json:"host"` // of process 0
	// Where the processes were, in words, of each number of them.
	Placements []string  `json:"placements"`
	Started    time.Time `json:"started"`
	// What starts a job, without the number of processes.
	Launcher string `json:"launcher"`
	// Variables of the library in the environment of all jobs: the default is what it is with them.
	Variables []string `json:"variables"`
	Plan
	Algorithms map[string][]Algorithm `json:"algorithms"`
	Skipped    []Skipped              `json:"skipped"`
	Samples    []Sample               `json:"samples"`
	Evidence   []Evidence             `json:"evidence"`
	Derived    Derived                `json:"derived"`
	// The files of rules, by the ends of their names: those that gain. Empty: there are none.
	Files map[string]string `json:"files"`
	// What a job must have in its environment, so that the library takes the files.
	Use []string `json:"use"`
}

// Identity of result documents.
const (
	Benchmark     = "tune"
	SchemaVersion = 1
)

// Skipped is an algorithm that didn't finish on some processes.
type Skipped struct {
	Collective string `json:"collective"`
	Processes  int    `json:"processes"`
	Algorithm  string `json:"algorithm"`
	Reason     string `json:"reason"`
}

// Evidence says that a library does what a rule says, by something else than the time.
type Evidence struct {
	Collective string `json:"collective"`
	Processes  int    `json:"processes"`
	Bytes      int64  `json:"bytes"`
	Algorithm  string `json:"algorithm"`
	// Messages that all processes sent in runs of as many calls: by default, where the algorithm was forced, and with
	// the file; 0 where the library counts none. Their bytes tell less: those around the calls have the environment.
	Default int64 `json:"default_messages"`
	Forced  int64 `json:"forced_messages"`
	Ruled   int64 `json:"rules_messages"`
	// Spoiled: with a file in which the rule names an algorithm of another collective, the run failed, and with the
	// file itself it didn't.
	Spoiled bool `json:"spoiled"`
}

// Shown reports whether the evidence shows that the rule is taken: the messages can tell the algorithm from the
// default, and are those of the algorithm.
func (e *Evidence) Shown() bool { return e.Spoiled || e.Ruled == e.Forced && e.Forced != e.Default }

// Contradicts reports whether the evidence shows that the rule isn't taken.
func (e *Evidence) Contradicts() bool { return e.Ruled != e.Forced }

// Derived is what follows from the samples by the plan's rule.
type Derived struct {
	Cells    []Cell `json:"cells"`
	Possible []Cell `json:"possible"` // algorithms that the library doesn't have
	Rules    []Rule `json:"rules"`
	Gains    []Gain `json:"gains"`
}

// Derive returns what follows from the samples alone.
func (r *Result) Derive() Derived {
	d := Derived{Cells: r.Cells(r.Samples, Choosing), Possible: r.Cells(r.Samples, Possible)}
	d.Rules = r.Rules(d.Cells, func(collective string) []Algorithm { return r.Algorithms[collective] })
	d.Gains = r.Gains(r.Samples, d.Rules)
	return d
}

// Check returns an error if a result from outside can't be one: samples of what isn't in its plan.
func (r *Result) Check() error {
	for i := range r.Samples {
		s := &r.Samples[i]
		if !slices.Contains(r.Collectives, s.Collective) || !slices.Contains(r.Processes, s.Processes) ||
			s.Round < 1 || len(s.Seconds) > len(r.LengthsOf(s.Collective)) {
			return fmt.Errorf("sample %d is of no job of the plan", i)
		}
		for _, x := range s.Seconds {
			if !(x >= 0 && x < 1e9) {
				return fmt.Errorf("sample %d: %v seconds", i, x)
			}
		}
	}
	if r.Rounds < 5 || r.Pairs < 5 || !(r.Tolerance >= 1) {
		return fmt.Errorf("%d rounds, %d pairs, a tolerance of %v", r.Rounds, r.Pairs, r.Tolerance)
	}
	return nil
}
