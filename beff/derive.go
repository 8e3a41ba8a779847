package beff

import (
	"math"

	"github.com/effective-bandwidth/beff/patterns"
)

// Derived is everything that follows from the samples: bandwidths in bytes per second, accumulated over the processes
// unless named per process; latencies in seconds. What can't be computed, because its patterns were not measured, is
// left out, or 0 in a list.
type Derived struct {
	BEff           float64 `json:"b_eff,omitempty" jsonschema:"minimum=0,description=the rating in bytes per second; only where all 6 rings and 30 randoms were measured"`
	BEffPerProcess float64 `json:"b_eff_per_process,omitempty" jsonschema:"minimum=0,description=bytes per second"`

	// At the longest message.
	AtLmax                float64 `json:"at_lmax,omitempty" jsonschema:"minimum=0,description=bytes per second at the longest message over rings and randoms"`
	AtLmaxPerProcess      float64 `json:"at_lmax_per_process,omitempty" jsonschema:"minimum=0,description=bytes per second"`
	RingsAtLmax           float64 `json:"rings_at_lmax,omitempty" jsonschema:"minimum=0,description=bytes per second at the longest message over rings"`
	RingsAtLmaxPerProcess float64 `json:"rings_at_lmax_per_process,omitempty" jsonschema:"minimum=0,description=bytes per second"`
	PingPongAtLmax        float64 `json:"ping_pong_at_lmax,omitempty" jsonschema:"minimum=0,description=bytes per second at the longest message between ranks 0 and 1"`

	// Time of one exchange of a process at the shortest message.
	LatencyRingsAndRandoms float64 `json:"latency_rings_and_randoms,omitempty" jsonschema:"minimum=0,description=seconds of one exchange of a process at the shortest message"`
	LatencyRings           float64 `json:"latency_rings,omitempty" jsonschema:"minimum=0,description=seconds of one exchange of a process at the shortest message"`
	LatencyPingPong        float64 `json:"latency_ping_pong,omitempty" jsonschema:"minimum=0,description=seconds of one message of the shortest length between ranks 0 and 1"`

	// Rings and Randoms are the two halves of b_eff.
	Rings   float64 `json:"rings,omitempty" jsonschema:"minimum=0,description=bytes per second: logavg_pat(avg_L(max)) over rings"`
	Randoms float64 `json:"randoms,omitempty" jsonschema:"minimum=0,description=bytes per second: logavg_pat(avg_L(max)) over randoms"`
	// PerMethod is logavg_pat(avg_L(max_rep)), one for each method.
	PerMethod []float64 `json:"per_method,omitempty" jsonschema:"minimum=0,description=bytes per second: logavg_pat(avg_L(max_rep)) for each method; 0: not measured"`
	// BestMethod is logavg_pat(max_mthd(avg_L(max_rep))): the best method of each pattern is chosen after averaging
	// over lengths.
	BestMethod float64 `json:"best_method_after_averaging,omitempty" jsonschema:"minimum=0,description=bytes per second: logavg_pat(max_mthd(avg_L(max_rep)))"`
	// PerRepetition is logavg_pat(avg_L(max_mthd)), one for each repetition.
	PerRepetition []float64 `json:"per_repetition,omitempty" jsonschema:"minimum=0,description=bytes per second: logavg_pat(avg_L(max_mthd)) for each repetition; 0: not measured"`
	// PerLength is logavg_pat(max_mthd(max_rep)), one for each length; PerLengthMethod[l][m] the same for each method.
	PerLength       []float64   `json:"per_length,omitempty" jsonschema:"minimum=0,description=bytes per second: logavg_pat(max) for each length; 0: not measured"`
	PerLengthMethod [][]float64 `json:"per_length_method,omitempty" jsonschema:"description=bytes per second: logavg_pat(max_rep) for each length and for each method; 0: not measured"`
	// PerPattern is avg_L(max_mthd(max_rep)), one for each pattern.
	PerPattern []float64 `json:"per_pattern,omitempty" jsonschema:"minimum=0,description=bytes per second: avg_L(max) for each pattern; 0: not measured"`
}

// Derive computes all averages from the samples of a result (paper, Sec. 3). Their indices must be right: see
// Result.Check.
//
//	b_eff = logavg( logavg over rings ( avg over L ( max over methods ( max over repetitions ( b )))), logavg over randoms ( the same ))
//	b     = L · messages of the pattern · loops / seconds of the slowest process
func Derive(r *Result) Derived {
	c := newCube(r)
	var d Derived
	mean := func(f func(p, l int) float64) func(p int) float64 {
		return func(p int) float64 { return average(len(r.Lengths), func(l int) float64 { return f(p, l) }) }
	}
	d.BEff = math.NaN()
	if r.hasAllPatterns() {
		d.BEff = c.both(mean(c.best))
	}
	d.Rings = c.logavg(patterns.KindRing, mean(c.best))
	d.Randoms = c.logavg(patterns.KindRandom, mean(c.best))
	for m := range r.Methods {
		d.PerMethod = append(d.PerMethod, c.both(mean(func(p, l int) float64 { return c.bestOf(p, l, m) })))
	}
	d.BestMethod = c.both(func(p int) float64 {
		return maximum(len(r.Methods), func(m int) float64 {
			return mean(
				func(p, l int) float64 { return c.bestOf(p, l, m) })(p)
		})
	})
	for rep := range r.Repetitions {
		d.PerRepetition = append(d.PerRepetition, c.both(mean(
			func(p, l int) float64 { return c.inRepetition(p, l, rep) })))
	}
	for l := range r.Lengths {
		d.PerLength = append(d.PerLength, c.both(func(p int) float64 { return c.best(p, l) }))
		var row []float64
		for m := range r.Methods {
			row = append(row, c.both(func(p int) float64 { return c.bestOf(p, l, m) }))
		}
		d.PerLengthMethod = append(d.PerLengthMethod, row)
	}
	for p := range r.Patterns {
		d.PerPattern = append(d.PerPattern, zeroNaN(mean(c.best)(p)))
	}
	d.edges(r, c)
	d.clean()
	return d
}

// edges computes the figures at the longest and the shortest message.
func (d *Derived) edges(r *Result, c *cube) {
	first, last, processes := 0, len(r.Lengths)-1, float64(r.Processes)
	shortest := func(p int) float64 { return c.best(p, first) }
	longest := func(p int) float64 { return c.best(p, last) }
	d.BEffPerProcess = d.BEff / processes
	d.AtLmax = c.both(longest)
	d.AtLmaxPerProcess = d.AtLmax / processes
	d.RingsAtLmax = c.logavg(patterns.KindRing, longest)
	d.RingsAtLmaxPerProcess = d.RingsAtLmax / processes
	// A process makes bandwidth/length/processes exchanges in a second.
	l := float64(r.Lengths[first])
	d.LatencyRingsAndRandoms = processes * l / c.both(shortest)
	d.LatencyRings = processes * l / c.logavg(patterns.KindRing, shortest)
	for i, p := range r.Patterns {
		if p.Name == "ping-pong" {
			d.PingPongAtLmax = longest(i)
			d.LatencyPingPong = l / shortest(i)
		}
	}
}

// clean makes "left out" of what is not a number: JSON has no other word for it.
func (d *Derived) clean() {
	for _, f := range []*float64{
		&d.BEff, &d.BEffPerProcess, &d.AtLmax, &d.AtLmaxPerProcess, &d.RingsAtLmax, &d.RingsAtLmaxPerProcess,
		&d.PingPongAtLmax,
		&d.LatencyRingsAndRandoms, &d.LatencyRings, &d.LatencyPingPong, &d.Rings, &d.Randoms, &d.BestMethod,
	} {
		*f = zeroNaN(*f)
	}
	for _, list := range append(d.PerLengthMethod, d.PerMethod, d.PerRepetition, d.PerLength) {
		for i := range list {
			list[i] = zeroNaN(list[i])
		}
	}
}

func zeroNaN(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// cube holds the bandwidth of every sample, NaN where there is none. NaN goes through all averages: nothing is averaged
// over a part.
type cube struct {
	r *Result
	b []float64 // [pattern][length][method][repetition]
}

func newCube(r *Result) *cube {
	c := &cube{r, make([]float64, len(r.Patterns)*len(r.Lengths)*len(r.Methods)*r.Repetitions)}
	for i := range c.b {
		c.b[i] = math.NaN()
	}
	for _, s := range r.Samples {
		c.b[c.index(s.Pattern, s.Length, s.Method, s.Repetition)] = r.bandwidth(s)
	}
	return c
}

// bandwidth of a sample: all bytes of the pattern, by the slowest process.
func (r *Result) bandwidth(s Sample) float64 {
	return float64(r.Lengths[s.Length]) * float64(r.Patterns[s.Pattern].Messages) * float64(s.Loops) / s.Seconds
}

func (c *cube) index(p, l, m, rep int) int {
	return ((p*len(c.r.Lengths)+l)*len(c.r.Methods)+m)*c.r.Repetitions + rep
}

// ofMethod is the best of a method's repetitions; NaN if it was not measured.
func (c *cube) ofMethod(p, l, m int) float64 {
	return maximum(c.r.Repetitions, func(rep int) float64 { return c.b[c.index(p, l, m, rep)] })
}

// best is the best method's best repetition.
func (c *cube) best(p, l int) float64 {
	return maximum(len(c.r.Methods), func(m int) float64 { return c.ofMethod(p, l, m) })
}

// bestOf is ofMethod, or best where the method was left out: by release 3.6 for the longest messages, or always for the
// ping-pong pair.
func (c *cube) bestOf(p, l, m int) float64 {
	if b := c.ofMethod(p, l, m); !math.IsNaN(b) {
		return b
	}
	return c.best(p, l)
}

// inRepetition is the best method of one repetition, or of the first where release 3.6 leaves this one out: the longest
// message.
func (c *cube) inRepetition(p, l, rep int) float64 {
	b := maximum(len(c.r.Methods), func(m int) float64 { return c.b[c.index(p, l, m, rep)] })
	if math.IsNaN(b) && rep > 0 && c.r.Rules == Rules36 && l == len(c.r.Lengths)-1 {
		return c.inRepetition(p, l, 0)
	}
	return b
}

// both is the logarithmic average of the rings' and the randoms' logarithmic averages, so that the two kinds count
// alike.
func (c *cube) both(f func(p int) float64) float64 {
	return math.Sqrt(c.logavg(patterns.KindRing, f) * c.logavg(patterns.KindRandom, f))
}

// logavg is the geometric mean of f over the patterns of a kind; NaN if there are none.
func (c *cube) logavg(kind patterns.Kind, f func(p int) float64) float64 {
	sum, n := 0.0, 0
	for i, p := range c.r.Patterns {
		if p.Kind == kind {
			sum += math.Log(f(i))
			n++
		}
	}
	return math.Exp(sum / float64(n))
}

// average is the arithmetic mean of f(0) … f(n-1).
func average(n int, f func(int) float64) float64 {
	sum := 0.0
	for i := range n {
		sum += f(i)
	}
	return sum / float64(n)
}

// maximum is the largest of f(0) … f(n-1) that is a number, NaN if none is.
func maximum(n int, f func(int) float64) float64 {
	best := math.NaN()
	for i := range n {
		if b := f(i); math.IsNaN(best) || b > best {
			best = b
		}
	}
	return best
}
