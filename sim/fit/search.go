package fit

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"github.com/effective-bandwidth/beff/sim/machine"
)

// search is a machine under way to its solution.
type search struct {
	p     *Problem
	m     *machine.Machine // with the parameters of at
	list  []free
	guess []float64 // logarithms of the first guesses
	at    []float64 // logarithms of the parameters
	loss  float64   // of options
}

// freed returns a search from the first guesses of a machine, which it changes.
func (p *Problem) freed(m *machine.Machine) (*search, error) {
	f := &search{p: p, m: m}
	for _, x := range parameters {
		if v := x.get(m); v > 0 {
			f.list = append(f.list, x)
			f.guess = append(f.guess, math.Log(v))
		}
	}
	f.at = slices.Clone(f.guess)
	_, err := p.residuals(m) // the shape of the machine is right once it is right
	return f, err
}

// with returns the residuals with other parameters, which the machine then has.
func (f *search) with(x []float64) []float64 {
	for i, p := range f.list {
		p.set(f.m, digits(math.Exp(min(max(x[i], f.guess[i]-wide), f.guess[i]+wide))))
	}
	r, err := f.p.residuals(f.m)
	if err != nil {
		panic(err)
	}
	return r
}

// residuals returns those of the present parameters.
func (f *search) residuals() []float64 { return f.with(f.at) }

// most is the number of steps of a descent that is to reach the end.
const most = 30

// search finds the parameters from the first guesses: by steps downhill, of ratings also by a simplex, which gets over
// edges (Nelder and Mead, 1965), and downhill again. Times of probes have fewer edges, and take longer.
func (f *search) search() {
	f.descend(most)
	if f.p.mixed() {
		return
	}
	best, _ := optimize.Minimize(optimize.Problem{Func: func(x []float64) float64 { return f.p.loss(f.with(x)) }}, f.at,
		&optimize.Settings{FuncEvaluations: 100 * len(f.list)}, &optimize.NelderMead{SimplexSize: 0.3})
	if best != nil {
		f.at = best.X
	}
	f.descend(most)
}

// descend goes down by Levenberg's and Marquardt's steps with Huber's weights, at most so many, and returns the loss.
func (f *search) descend(steps int) float64 {
	const near, enough = 1e-4, 1e-6
	here := f.residuals()
	loss, damping := f.p.loss(here), 1e-2
	for range steps {
		square, slope := f.normal(f.slopes(here), here)
		better := false
		for range 8 {
			d := solved(square, slope, damping)
			if d == nil {
				damping *= 10
				continue
			}
			next, far := slices.Clone(f.at), 0.0
			for k := range next {
				d[k] = min(max(d[k], -1), 1)
				next[k] += d[k]
				far = max(far, math.Abs(d[k]))
			}
			there := f.with(next)
			if l := f.p.loss(there); l < loss {
				better = loss-l > enough*loss || far > near
				f.at, here, loss, damping = next, there, l, max(damping/5, 1e-9)
				break
			}
			damping *= 5
		}
		if !better {
			break
		}
	}
	f.with(f.at)
	return loss
}

// slopes returns the derivatives of the residuals by the parameters.
func (f *search) slopes(here []float64) *mat.Dense {
	const step = 0.01
	j := mat.NewDense(len(here), len(f.at), nil)
	for k := range f.at {
		moved := slices.Clone(f.at)
		moved[k] += step
		for i, r := range f.with(moved) {
			j.Set(i, k, (r-here[i])/step)
		}
	}
	return j
}

// normal returns the square and the right side of the normal equations, by the slopes of the residuals.
func (f *search) normal(j *mat.Dense, here []float64) (*mat.Dense, []float64) {
	n := len(f.at)
	square, right := mat.NewDense(n, n, nil), make([]float64, n)
	for i, r := range here {
		w := f.p.weightOf(i, r)
		row := j.RawRowView(i)
		for a := range n {
			right[a] -= w * row[a] * r
			for b := range n {
				square.Set(a, b, square.At(a, b)+w*row[a]*row[b])
			}
		}
	}
	return square, right
}

// weightOf returns the weight of an observation with a residual: beyond bend it pulls no harder.
func (p *Problem) weightOf(i int, r float64) float64 {
	w := p.groups[p.all[i].group].weight
	if a := math.Abs(r); a > bend {
		w *= bend / a
	}
	return w
}

// solved returns the solution of the damped normal equations, nil if there is none.
func solved(square *mat.Dense, right []float64, damping float64) []float64 {
	n := len(right)
	a := mat.DenseCopyOf(square)
	for k := range n {
		a.Set(k, k, a.At(k, k)*(1+damping)+1e-9)
	}
	var x mat.VecDense
	if err := x.SolveVec(a, mat.NewVecDense(n, right)); err != nil {
		return nil
	}
	return x.RawVector().Data
}

// option adds first guesses of something that not every machine has.
type option func(m *machine.Machine)

// options adds what is worth it to the machine, one after the other, until nothing more is. It returns the longest
// eager message, 0 if there is none.
func (f *search) options() int64 {
	f.loss = f.descend(most)
	for more := true; more; {
		more = false
		for _, choices := range f.choices() {
			found := f.best(choices)
			if f.p.worth(f.loss, found.loss, len(found.list)-len(f.list)+1) {
				*f, more = *found, true
			}
		}
		f.shift()
	}
	return int64(f.m.Endpoint.Eager)
}

// shift takes another length as the longest eager one while one beside it is better.
func (f *search) shift() {
	lengths := f.p.switches()
	for k := slices.Index(lengths, int64(f.m.Endpoint.Eager)); k >= 0; {
		var beside []option
		for _, i := range []int{k - 1, k + 1} {
			if i >= 0 && i < len(lengths) {
				beside = append(beside, func(m *machine.Machine) { m.Endpoint.Eager = machine.Bytes(lengths[i]) })
			}
		}
		if len(beside) == 0 {
			return
		}
		found := f.best(beside)
		if found.loss >= f.loss {
			return
		}
		*f = *found
		k = slices.Index(lengths, int64(f.m.Endpoint.Eager))
	}
}

// best returns the best of some options.
func (f *search) best(choices []option) (found *search) {
	var tries []*search
	for _, c := range choices {
		try := f.clone()
		c(try.m)
		try.free()
		try.loss = try.descend(quick)
		tries = append(tries, try)
	}
	slices.SortStableFunc(tries, func(a, b *search) int { return cmp.Compare(a.loss, b.loss) })
	for _, try := range tries[:min(promising, len(tries))] {
		if try.loss = try.descend(most); found == nil || try.loss < found.loss {
			found = try
		}
	}
	return found
}

// quick is the number of steps that tell which options of a list are promising: so many.
const (
	quick     = 2
	promising = 3
)

// clone returns a search of its own.
func (f *search) clone() *search {
	c := *f
	m := *f.m
	c.m, c.at, c.guess, c.list = &m, slices.Clone(f.at), slices.Clone(f.guess), slices.Clone(f.list)
	return &c
}

// free frees the parameters of the machine that have become more than 0.
func (f *search) free() {
	list, guess, at := f.list, f.guess, f.at
	f.list, f.guess, f.at = nil, nil, nil
	for _, x := range parameters {
		v := x.get(f.m)
		if v <= 0 {
			continue
		}
		g, a := math.Log(v), math.Log(v)
		if k := slices.IndexFunc(list, func(y free) bool { return y.key == x.key }); k >= 0 {
			g, a = guess[k], at[k]
		}
		f.list, f.guess, f.at = append(f.list, x), append(f.guess, g), append(f.at, a)
	}
}

// worth reports whether a smaller loss is worth more parameters (Schwarz, 1978; twice as much as there, because
// times of a kernel aren't independent). What is far below a percent counts as nothing.
func (p *Problem) worth(before, after float64, more int) bool {
	n := float64(len(p.all))
	nothing := n * 0.002 * 0.002
	return n*math.Log((before+nothing)/(after+nothing)) > 2*float64(more)*math.Log(n)
}

// choices returns the options: of each list one at most.
func (f *search) choices() (list [][]option) {
	m := f.m
	if m.Endpoint.Duplex == 0 {
		list = append(list, []option{func(m *machine.Machine) { m.Endpoint.Duplex = 1.7 }})
	}
	if m.Nodes == 1 {
		return list
	}
	copies := func(m *machine.Machine) { m.Endpoint.Copy = 2 * m.Endpoint.Bandwidth }
	if m.Endpoint.Gap == 0 {
		list = append(list, []option{
			func(m *machine.Machine) { m.Endpoint.Gap = m.Endpoint.Overhead * 5 / 4 },
			func(m *machine.Machine) { m.Endpoint.Gap = m.Endpoint.Overhead * 5 / 2 },
		})
	}
	if m.Endpoint.Eager == 0 {
		var switches []option
		for _, e := range f.p.switches() {
			eager := func(m *machine.Machine) { m.Endpoint.Eager = machine.Bytes(e) }
			switches = append(switches, eager)
			if m.Endpoint.Copy == 0 {
				switches = append(switches, func(m *machine.Machine) { eager(m); copies(m) })
			}
		}
		list = append(list, switches)
	}
	if m.Endpoint.Copy == 0 {
		list = append(list, []option{copies})
	}
	if m.Inside.Overhead == 0 && m.PerNode > 1 {
		list = append(list, []option{func(m *machine.Machine) { m.Inside.Overhead = m.Endpoint.Overhead }})
	}
	return list
}

// switches returns the lengths that may be the longest that are sent at once: some are shorter, and some longer.
func (p *Problem) switches() []int64 {
	const least, most, beside = 64, 1 << 20, 2
	lengths := p.lengths()
	var list []int64
	for i, n := range lengths {
		if i >= beside && i < len(lengths)-beside && n >= least && n <= most {
			list = append(list, n)
		}
	}
	return list
}

// lengths returns the lengths of the messages, the shortest first.
func (p *Problem) lengths() (list []int64) {
	for _, o := range p.all {
		if o.Play == nil || o.Whole {
			list = append(list, o.Length)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// eagerParameter returns the longest eager message as a parameter: the true one is below the next length.
func eagerParameter(p *Problem, eager int64) Parameter {
	lengths := p.lengths()
	k := slices.Index(lengths, eager)
	return Parameter{Key: "endpoint.eager", Value: float64(eager), Below: float64(lengths[k+1])}
}
