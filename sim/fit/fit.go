// Package fit finds the parameters of a machine from the times that were measured on it.
package fit

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

// Observation is a measured time of a loop.
type Observation struct {
	Kernel  string // what was measured, for reports
	Step    int    // index into Source.Steps, unless there is a Play
	InTurn  bool
	Scans   bool // by MPI_Alltoallv
	Play    Play // nil: a step
	Whole   bool // all messages of the Play have the length
	Length  int64
	Seconds float64
	Best    float64 // the least seconds, which factors of lengths are by; 0: Seconds
}

// Play is something that a model can be asked the time of, in seconds.
type Play interface {
	Seconds(m *model.Model) (float64, error)
}

// Source is a result: times that were measured in one run.
type Source struct {
	Name      string // of its file
	Processes int
	// Where the processes were: as in a machine's file.
	Nodes, PerNode int
	Placement      string
	Hosts          []int
	Steps          [][]model.Message
	Weights        []float64 // of each step where lengths are averaged over steps
	Observations   []Observation
}

// Problem is what is to be fitted.
type Problem struct {
	Machine *machine.Machine // with first guesses
	Sources []Source

	all    []observed
	groups []group
}

// observed is an observation in its place.
type observed struct {
	*Observation
	source, group, curve int
	weight               float64 // where lengths are averaged over steps
}

// group is the observations of a kernel in a file.
type group struct {
	Group
	weight float64 // of their losses
}

// Group is the observations of a kernel in a file.
type Group struct {
	File, Kernel string
	Count        int
}

// Parameter is a fitted value, in seconds or bytes per second.
type Parameter struct {
	Key   string
	Value float64
	// Half of the 95 % interval, relative to the value, by the slopes at the solution; infinite: the observations don't
	// tell.
	Within float64
	// The value is the largest length of those that were measured; the true one is below this length. 0: it is not that
	// kind of parameter.
	Below float64
	// Shares of the groups of observations in what is known of it, by their index: 1 together.
	By []float64
}

// Solution is a fitted machine. Residuals are the logarithms of measured by computed times, by observation; those of
// Bare are without Machine.Lengths.
type Solution struct {
	Machine    *machine.Machine
	Parameters []Parameter
	Groups     []Group
	Residuals  []Residual
}

// Residual is what is left of an observation.
type Residual struct {
	Group int
	Observation
	// Logarithms of the measured by the computed time: of the whole machine, and without its factors of lengths.
	Left, Bare float64
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
	{"endpoint.gap", func(m *machine.Machine) float64 { return float64(m.Endpoint.Gap) },
		func(m *machine.Machine, x float64) { m.Endpoint.Gap = machine.Seconds(x) }},
	{"endpoint.duplex", func(m *machine.Machine) float64 { return m.Endpoint.Duplex },
		func(m *machine.Machine, x float64) { m.Endpoint.Duplex = min(max(x, 1), 2) }},
	{"endpoint.copy", func(m *machine.Machine) float64 { return float64(m.Endpoint.Copy) },
		func(m *machine.Machine, x float64) { m.Endpoint.Copy = machine.Rate(x) }},
	{"inside_node.overhead", func(m *machine.Machine) float64 { return float64(m.Inside.Overhead) },
		func(m *machine.Machine, x float64) { m.Inside.Overhead = machine.Seconds(x) }},
	{"inside_node.latency", func(m *machine.Machine) float64 { return float64(m.Inside.Latency) },
		func(m *machine.Machine, x float64) { m.Inside.Latency = machine.Seconds(x) }},
	{"inside_node.memory", func(m *machine.Machine) float64 { return float64(m.Inside.Memory) },
		func(m *machine.Machine, x float64) { m.Inside.Memory = machine.Rate(x) }},
	{"endpoint.port_bandwidth", func(m *machine.Machine) float64 { return float64(m.Endpoint.Port) },
		func(m *machine.Machine, x float64) { m.Endpoint.Port = machine.Rate(x) }},
}

// Solve fits the parameters whose first guess isn't 0, all at once: the logarithms of the times by least squares, but
// beyond bend by least distances (Huber, Robust estimation of a location parameter, 1964). A kernel of a file has the
// more weight the closer its own times are to the model's. Then come parameters that not every machine has (options),
// where they are worth it, and ranges of lengths get protocols of their own. Where times of a length are still longer
// or shorter than all that, the machine gets a factor for it (Machine.Lengths).
func (p *Problem) Solve() (*Solution, error) {
	p.prepare()
	m := *p.Machine
	f, err := p.freed(&m)
	if err != nil {
		return nil, err
	}
	if len(p.all) <= len(f.list) {
		return nil, errors.New("fit: too few measurements")
	}
	f.search()
	eager := int64(0)
	if p.mixed() {
		eager = f.options()
		for range 2 {
			p.weigh(f.residuals())
			f.descend(most)
		}
	}
	s := &Solution{Machine: f.m, Parameters: f.told()}
	if eager > 0 {
		s.Parameters = append(s.Parameters, eagerParameter(p, eager))
	}
	protocols, told, err := p.protocols(f.m)
	if err != nil {
		return nil, err
	}
	s.Machine.Protocols = protocols
	s.Parameters = append(s.Parameters, told...)
	bare, err := p.residuals(s.Machine)
	if err != nil {
		return nil, err
	}
	s.Machine.Lengths = p.factors(bare)
	left, err := p.residuals(s.Machine)
	if err != nil {
		return nil, err
	}
	for _, g := range p.groups {
		s.Groups = append(s.Groups, g.Group)
	}
	s.Residuals = p.left(left, bare)
	return s, nil
}

// mixed reports whether there is more than one rating.
func (p *Problem) mixed() bool {
	return slices.ContainsFunc(p.all, func(o observed) bool { return o.Play != nil || o.source > 0 })
}

// left returns the residuals with their observations.
func (p *Problem) left(left, bare []float64) (list []Residual) {
	for i, o := range p.all {
		list = append(list, Residual{Group: o.group, Observation: *o.Observation, Left: left[i], Bare: bare[i]})
	}
	return list
}

// Beside returns the residuals of the problem's times and a machine, without fitting anything.
func (p *Problem) Beside(m *machine.Machine) ([]Group, []Residual, error) {
	p.prepare()
	left, err := p.residuals(m)
	if err != nil {
		return nil, nil, err
	}
	plain := *m
	plain.Lengths = nil
	bare, err := p.residuals(&plain)
	if err != nil {
		return nil, nil, err
	}
	var groups []Group
	for _, g := range p.groups {
		groups = append(groups, g.Group)
	}
	return groups, p.left(left, bare), nil
}

// prepare collects the observations and their groups. A curve is what is measured over the lengths.
func (p *Problem) prepare() {
	p.all, p.groups = nil, nil
	type name struct {
		source int
		kernel string
	}
	type line struct {
		source, step int
		kernel       string
		inTurn       bool
	}
	groups, curves := map[name]int{}, map[line]int{}
	for i := range p.Sources {
		of := &p.Sources[i]
		for k := range of.Observations {
			o := &of.Observations[k]
			n := name{i, o.Kernel}
			g, known := groups[n]
			if !known {
				g = len(p.groups)
				groups[n] = g
				p.groups = append(p.groups, group{Group{of.Name, o.Kernel, 0}, 1})
			}
			p.groups[g].Count++
			l := line{i, o.Step, o.Kernel, o.InTurn}
			if _, known := curves[l]; !known {
				curves[l] = len(curves)
			}
			x := observed{Observation: o, source: i, group: g, curve: curves[l]}
			if o.Play == nil {
				x.weight = of.Weights[o.Step]
			}
			p.all = append(p.all, x)
		}
	}
}

// weigh gives groups weights by the scatter of their residuals: what the model describes well says most.
func (p *Problem) weigh(residuals []float64) {
	const least, apart = 0.02, 25.0
	scatter := make([][]float64, len(p.groups))
	for i, r := range residuals {
		g := p.all[i].group
		scatter[g] = append(scatter[g], math.Abs(r))
	}
	top, sum := 0.0, 0.0
	for g := range p.groups {
		slices.Sort(scatter[g])
		s := 1.48 * scatter[g][len(scatter[g])/2]
		p.groups[g].weight = 1 / (s*s + least*least)
		top = max(top, p.groups[g].weight)
	}
	for g := range p.groups {
		p.groups[g].weight = max(p.groups[g].weight, top/apart)
		sum += p.groups[g].weight * float64(p.groups[g].Count)
	}
	for g := range p.groups {
		p.groups[g].weight *= float64(len(p.all)) / sum
	}
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

// loss returns the sum of the losses of residuals.
func (p *Problem) loss(residuals []float64) float64 {
	sum := 0.0
	for i, r := range residuals {
		sum += p.groups[p.all[i].group].weight * huber(r)
	}
	return sum
}

// huber returns the loss of a residual.
func huber(r float64) float64 {
	if a := math.Abs(r); a > bend {
		return bend * (2*a - bend)
	}
	return r * r
}

// On returns the model of a machine with the source's processes.
func (of *Source) On(m *machine.Machine) (*model.Model, error) {
	here := *m
	here.Nodes, here.PerNode, here.Placement, here.Hosts = of.Nodes, of.PerNode, of.Placement, of.Hosts
	return model.New(&here, of.Processes, 1)
}

// residuals returns the logarithms of measured by computed times.
func (p *Problem) residuals(m *machine.Machine) ([]float64, error) {
	r := make([]float64, 0, len(p.all))
	for i := range p.Sources {
		of := &p.Sources[i]
		x, err := of.On(m)
		if err != nil {
			return nil, err
		}
		steps := of.steps(x)
		for k := range of.Observations {
			o := &of.Observations[k]
			seconds, err := o.computed(x, steps)
			if err != nil {
				return nil, err
			}
			r = append(r, math.Log(o.Seconds/seconds))
		}
	}
	return r, nil
}

// computed returns the seconds of an observation by a model.
func (o *Observation) computed(x *model.Model, steps []*model.Step) (seconds float64, err error) {
	switch {
	case o.Play != nil:
		return o.Play.Seconds(x)
	case o.InTurn:
		seconds = steps[o.Step].InTurn(o.Length)
	default:
		seconds = steps[o.Step].Together(o.Length)
	}
	if o.Scans {
		seconds += float64(x.Processes) * float64(x.Endpoint.Scan)
	}
	return seconds, nil
}

// steps returns the steps of a model. Those with the same messages are one.
func (of *Source) steps(x *model.Model) []*model.Step {
	steps := make([]*model.Step, len(of.Steps))
	for i, messages := range of.Steps {
		if k := slices.IndexFunc(of.Steps[:i], func(earlier []model.Message) bool {
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
		source, step int
		length       int64
	}
	measured, computed := map[at]float64{}, map[at]float64{}
	lower := func(of map[at]float64, k at, x float64) {
		if was, known := of[k]; !known || x < was {
			of[k] = x
		}
	}
	sums, weights := map[int64]float64{}, map[int64]float64{}
	for i, o := range p.all {
		k := at{o.source, o.Step, o.Length}
		lower(measured, k, math.Log(cmp.Or(o.Best, o.Seconds)))
		lower(computed, k, math.Log(o.Seconds)-residuals[i])
	}
	for _, o := range p.all { // in their order, so that sums are always the same
		k := at{o.source, o.Step, o.Length}
		if _, first := measured[k]; first && o.weight > 0 {
			sums[o.Length] += o.weight * (measured[k] - computed[k])
			weights[o.Length] += o.weight
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
