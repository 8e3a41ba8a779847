// Package fit finds the parameters of a machine from the times that were measured on it.
package fit

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/stat"

	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

// Observation is a measured time of a loop of a step.
type Observation struct {
	Step    int // index into Problem.Steps
	InTurn  bool
	Scans   bool // by MPI_Alltoallv
	Length  int64
	Seconds float64
}

// Problem is what is to be fitted.
type Problem struct {
	Machine      *machine.Machine // with first guesses
	Processes    int
	Steps        [][]model.Message
	Weights      []float64 // of each step where lengths are averaged over steps
	Observations []Observation
}

// Parameter is a fitted value, in seconds or bytes per second.
type Parameter struct {
	Key   string
	Value float64
	// Half of the 95 % interval, relative to the value, by the curvature of the sum of squares; infinite: the
	// observations don't tell.
	Within float64
}

// Solution is a fitted machine. Residuals are the logarithms of measured by computed times, by observation.
type Solution struct {
	Machine    *machine.Machine
	Parameters []Parameter
	Residuals  []float64
}

// free is a parameter that is fitted if its first guess isn't 0.
type free struct {
	key string
	get func(*machine.Machine) float64
	set func(*machine.Machine, float64)
}

var parameters = []free{
	{"endpoint.overhead", func(m *machine.Machine) float64 { return float64(m.Endpoint.Overhead) },
		func(m *machine.Machine, x float64) { m.Endpoint.Overhead = machine.Seconds(x) }},
	{"endpoint.latency", func(m *machine.Machine) float64 { return float64(m.Endpoint.Latency) },
		func(m *machine.Machine, x float64) { m.Endpoint.Latency = machine.Seconds(x) }},
	{"endpoint.bandwidth", func(m *machine.Machine) float64 { return float64(m.Endpoint.Bandwidth) },
		func(m *machine.Machine, x float64) { m.Endpoint.Bandwidth = machine.Rate(x) }},
	{"endpoint.scan", func(m *machine.Machine) float64 { return float64(m.Endpoint.Scan) },
		func(m *machine.Machine, x float64) { m.Endpoint.Scan = machine.Seconds(x) }},
	{"inside_node.latency", func(m *machine.Machine) float64 { return float64(m.Inside.Latency) },
		func(m *machine.Machine, x float64) { m.Inside.Latency = machine.Seconds(x) }},
	{"inside_node.memory", func(m *machine.Machine) float64 { return float64(m.Inside.Memory) },
		func(m *machine.Machine, x float64) { m.Inside.Memory = machine.Rate(x) }},
	{"endpoint.port_bandwidth", func(m *machine.Machine) float64 { return float64(m.Endpoint.Port) },
		func(m *machine.Machine, x float64) { m.Endpoint.Port = machine.Rate(x) }},
}

// Solve fits the parameters whose first guess isn't 0, all at once: the logarithms of the times by least squares, but
// beyond bend by least distances (Huber, Robust estimation of a location parameter, 1964). Then ranges of lengths get
// protocols of their own where that is worth it. Where times of a length are still longer or shorter than all that, the
// machine gets a factor for it (Machine.Lengths).
func (p *Problem) Solve() (*Solution, error) {
	var list []free
	var start []float64
	for _, f := range parameters {
		if x := f.get(p.Machine); x > 0 {
			list, start = append(list, f), append(start, math.Log(x))
		}
	}
	if len(p.Observations) <= len(list) {
		return nil, errors.New("fit: too few measurements")
	}
	m := *p.Machine
	with := func(x []float64) []float64 {
		for i, f := range list {
			f.set(&m, digits(math.Exp(min(max(x[i], start[i]-wide), start[i]+wide))))
		}
		r, err := p.residuals(&m)
		if err != nil {
			panic(err) // the shape of the machine was right before
		}
		return r
	}
	if _, err := p.residuals(&m); err != nil {
		return nil, err
	}
	best, err := optimize.Minimize(optimize.Problem{Func: func(x []float64) float64 { return huber(with(x)) }}, start,
		&optimize.Settings{FuncEvaluations: 200 * len(list)}, &optimize.NelderMead{SimplexSize: 0.3})
	if best == nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	s := &Solution{Machine: &m}
	within := intervals(with, best.X)
	with(best.X)
	for i, f := range list {
		s.Parameters = append(s.Parameters, Parameter{f.key, f.get(&m), within[i]})
	}
	protocols, told, err := p.protocols(&m)
	if err != nil {
		return nil, err
	}
	m.Protocols = protocols
	s.Parameters = append(s.Parameters, told...)
	r, err := p.residuals(&m)
	if err != nil {
		return nil, err
	}
	m.Lengths = p.factors(r)
	s.Residuals, err = p.residuals(&m)
	return s, err
}

const (
	wide = 9.0  // how far the logarithm of a parameter may be from its first guess
	bend = 0.15 // where squares become distances: times that are 15 % longer
)

// digits returns a value with as many digits as a file of a machine should have.
func digits(x float64) float64 {
	scale := math.Pow(10, 5-math.Ceil(math.Log10(x)))
	return math.Round(x*scale) / scale
}

// huber returns the sum of the losses of residuals.
func huber(residuals []float64) float64 {
	sum := 0.0
	for _, r := range residuals {
		if a := math.Abs(r); a > bend {
			sum += bend * (2*a - bend)
		} else {
			sum += r * r
		}
	}
	return sum
}

// residuals returns the logarithms of measured by computed times.
func (p *Problem) residuals(m *machine.Machine) ([]float64, error) {
	x, err := model.New(m, p.Processes, 1)
	if err != nil {
		return nil, err
	}
	steps := p.steps(x)
	r := make([]float64, len(p.Observations))
	for i, o := range p.Observations {
		seconds := 0.0
		if o.InTurn {
			seconds = steps[o.Step].InTurn(o.Length)
		} else {
			seconds = steps[o.Step].Together(o.Length)
		}
		if o.Scans {
			seconds += float64(p.Processes) * float64(m.Endpoint.Scan)
		}
		r[i] = math.Log(o.Seconds / seconds)
	}
	return r, nil
}

// steps returns the steps of a model. Those with the same messages are one.
func (p *Problem) steps(x *model.Model) []*model.Step {
	steps := make([]*model.Step, len(p.Steps))
	for i, messages := range p.Steps {
		if k := slices.IndexFunc(p.Steps[:i], func(earlier []model.Message) bool {
			return slices.Equal(earlier, messages)
		}); k >= 0 {
			steps[i] = steps[k]
		} else {
			steps[i] = x.NewStep(messages)
		}
	}
	return steps
}

// factors returns how much longer messages of each length take than computed: of each step the fastest way of sending
// them, measured and computed, and the weighted mean of these over the steps.
func (p *Problem) factors(residuals []float64) (list []machine.Length) {
	type at struct {
		step   int
		length int64
	}
	measured, computed := map[at]float64{}, map[at]float64{}
	lower := func(of map[at]float64, k at, x float64) {
		if was, known := of[k]; !known || x < was {
			of[k] = x
		}
	}
	sums, weights := map[int64]float64{}, map[int64]float64{}
	for i, o := range p.Observations {
		k := at{o.Step, o.Length}
		lower(measured, k, math.Log(o.Seconds))
		lower(computed, k, math.Log(o.Seconds)-residuals[i])
	}
	for _, o := range p.Observations { // in their order, so that sums are always the same
		k := at{o.Step, o.Length}
		if _, first := measured[k]; first && p.Weights[o.Step] > 0 {
			sums[o.Length] += p.Weights[o.Step] * (measured[k] - computed[k])
			weights[o.Length] += p.Weights[o.Step]
			delete(measured, k)
		}
	}
	for length, w := range weights {
		f := math.Exp(sums[length] / w)
		list = append(list, machine.Length{Bytes: machine.Bytes(length), Factor: math.Round(f*1e4) / 1e4})
	}
	slices.SortFunc(list, func(a, b machine.Length) int { return int(a.Bytes - b.Bytes) })
	return list
}

// intervals returns half of the 95 % interval of each parameter, by its logarithm, from the slopes of the residuals.
func intervals(of func([]float64) []float64, at []float64) []float64 {
	const step, normal = 0.01, 1.96
	here := of(at)
	slopes := mat.NewDense(len(here), len(at), nil)
	for k := range at {
		moved := slices.Clone(at)
		moved[k] += step
		for i, r := range of(moved) {
			slopes.Set(i, k, (r-here[i])/step)
		}
	}
	within := make([]float64, len(at))
	var told []int // parameters on which anything depends
	for k := range within {
		within[k] = math.Inf(1)
		if mat.Norm(slopes.ColView(k), 2) > 1e-3*math.Sqrt(float64(len(here))) {
			told = append(told, k)
		}
	}
	some := mat.NewDense(len(here), max(len(told), 1), nil)
	for i, k := range told {
		some.SetCol(i, mat.Col(nil, k, slopes))
	}
	var square, inverse mat.Dense
	square.Mul(some.T(), some)
	if err := inverse.Inverse(&square); err != nil {
		return within
	}
	for i, k := range told {
		within[k] = normal * stat.StdDev(here, nil) * math.Sqrt(max(inverse.At(i, i), 0))
	}
	return within
}
