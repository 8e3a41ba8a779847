package ranking

import "slices"

// Figure is a number of results, such as b_eff or the latency.
type Figure struct {
	Key, Name, Unit string
	LessIsBetter    bool
	Rating          bool // intervals within the run are of it
	// Value returns the figure in its unit, 0 if a result doesn't have it.
	Value func(*Entry) float64
}

// Figures returns the figures of a benchmark's results whose keys are given; without keys its rating, or the latency
// and the bandwidth of probes, and what other programs'
// results have.
func Figures(benchmark string, keys []string) (figures []Figure) {
	usual := len(keys) == 0
	if usual {
		keys = []string{bEff, bEffIO, "bandwidth"}
		switch benchmark {
		case probes:
			keys = append(keys, "latency")
		case others:
			keys = append(keys, "latency", "write", "read", "creates", "score")
		}
	}
	for _, c := range list {
		if !c.Numbers || c.ofRow || !c.has(benchmark) || !slices.Contains(keys, c.key()) || usual && c.of != benchmark {
			continue
		}
		cell := c.cell
		f := Figure{Key: c.key(), Name: c.Name, Unit: c.Unit, LessIsBetter: c.less, Rating: c.Name == benchmark}
		f.Value = func(e *Entry) float64 {
			if x := cell(&Row{Entry: e, Runs: 1}).Value; x != nil {
				return *x
			}
			return 0
		}
		if f.Key == bEffIO && benchmark == bEff { // of the system's other results
			continue
		}
		figures = append(figures, f)
	}
	return figures
}

// FigureKeys returns the keys of all figures.
func FigureKeys() (keys []string) {
	for _, c := range list {
		if c.Numbers && !c.ofRow && c.Unit != "" && c.Unit != "%" && !slices.Contains(keys, c.key()) {
			keys = append(keys, c.key())
		}
	}
	return keys
}
