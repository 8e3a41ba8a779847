package fit

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/sim/machine"
)

// A machine gets another protocol where that makes the loss of all times so much smaller. A protocol has a few lengths
// at least, and there are few of them.
const (
	worthIt      = 0.7
	leastLengths = 2
	mostParts    = 5
	enough       = 0.02 // a protocol that differs by less from the parameters, or by less than its interval, is none
)

// split is what the time of an observation is made of: fixed seconds, those that overheads and latencies take, and
// those that its bytes take.
type split struct{ fixed, latency, bytes float64 }

// splits returns what the computed time of each observation is made of.
func (p *Problem) splits(m *machine.Machine) ([]split, error) {
	var list []split
	quick := *m // bytes take no time
	quick.Protocols = []machine.Protocol{{Above: 0, Latency: 1, Bandwidth: 1e12}}
	for i := range p.Sources {
		of := &p.Sources[i]
		x, err := of.On(m)
		if err != nil {
			return nil, err
		}
		short, err := of.On(&quick)
		if err != nil {
			return nil, err
		}
		steps := of.steps(x)
		for k := range of.Observations {
			o := &of.Observations[k]
			s, zero := split{}, *o
			if o.Scans {
				s.fixed = float64(of.Processes) * float64(m.Endpoint.Scan)
			}
			on := short
			if o.Play == nil {
				zero.Length, on = 0, x
			}
			if s.latency, err = zero.computed(on, steps); err == nil {
				s.bytes, err = o.computed(x, steps)
			}
			if err != nil {
				return nil, err
			}
			s.bytes -= s.latency
			s.latency -= s.fixed
			list = append(list, s)
		}
	}
	return list, nil
}

// byLength reports whether an observation tells of protocols: all its messages have one length.
func (o *observed) byLength() bool { return o.Play == nil || o.Whole }

// onceWeight is the weight of a step or kernel that no average has.
const onceWeight = 1.0 / 30

// part is a range of lengths with a protocol of its own.
type part struct {
	machine.Protocol
	loss float64
	// half of the 95 % intervals, relative
	latency, bandwidth float64
}

// protocols returns the protocols that the times of a machine without any tell, with their intervals: the lengths are
// divided so that the loss is least, into as few parts as are worth it (dynamic programming).
func (p *Problem) protocols(m *machine.Machine) ([]machine.Protocol, []Parameter, error) {
	all, err := p.splits(m)
	if err != nil {
		return nil, nil, err
	}
	lengths := p.lengths()
	n := len(lengths)
	parts := make([][]part, n+1) // of the lengths from the first index on, up to before the second
	for i := range n {
		parts[i] = make([]part, n+1)
		for j := i + leastLengths; j <= n; j++ {
			parts[i][j] = p.part(all, lengths[i], lengths[j-1])
		}
	}
	best := p.divide(parts, n)
	if !slices.ContainsFunc(best, func(x part) bool {
		return math.Abs(math.Log(x.Latency)) > max(enough, x.latency) ||
			math.Abs(math.Log(x.Bandwidth)) > max(enough, x.bandwidth)
	}) {
		return nil, nil, nil
	}
	var list []machine.Protocol
	var parameters []Parameter
	for i, x := range best {
		if i > 0 {
			k := slices.Index(lengths, int64(x.Above))
			x.Above = machine.Bytes(lengths[k-1])
		} else {
			x.Above = 0
		}
		list = append(list, x.Protocol)
		parameters = append(parameters,
			Parameter{Key: fmt.Sprintf("protocols above %d: latency", x.Above), Value: x.Latency, Within: x.latency},
			Parameter{Key: fmt.Sprintf("protocols above %d: bandwidth", x.Above), Value: x.Bandwidth,
				Within: x.bandwidth})
	}
	return list, parameters, nil
}

// divide returns the best parts of n lengths, nil if there are too few.
func (p *Problem) divide(parts [][]part, n int) []part {
	type way struct {
		loss float64
		list []part
	}
	least := make([]way, n+1) // with one part less, of the first lengths
	for j := range least {
		least[j].loss = math.Inf(1)
	}
	least[0].loss = 0
	var best way
	for count := 1; count <= mostParts; count++ {
		now := make([]way, n+1)
		for j := range now {
			now[j].loss = math.Inf(1)
			for i := 0; i+leastLengths <= j; i++ {
				if loss := least[i].loss + parts[i][j].loss; loss < now[j].loss {
					now[j] = way{loss, append(slices.Clone(least[i].list), parts[i][j])}
				}
			}
		}
		if now[n].list != nil && (best.list == nil || now[n].loss < worthIt*best.loss) {
			best = now[n]
		}
		least = now
	}
	return best.list
}

// part returns the protocol of the lengths between two: robust least squares of the relative differences (Huber, by
// weights again and again).
func (p *Problem) part(all []split, first, last int64) part {
	const rounds, ridge = 12, 1e-3
	x := part{Protocol: machine.Protocol{Above: machine.Bytes(first)}}
	latency, bytes := 1.0, 1.0
	var aa, ab, bb, loss, sum float64
	for range rounds {
		aa, ab, bb, loss, sum = 0, 0, 0, 0, 0
		var at, bt float64
		for i := range p.all {
			o := &p.all[i]
			if o.Length < first || o.Length > last || !o.byLength() {
				continue
			}
			s, weight := all[i], max(o.weight, onceWeight)
			r := math.Abs(math.Log(o.Seconds / (s.fixed + latency*s.latency + bytes*s.bytes)))
			loss += weight * huber(r)
			sum += weight
			if r > bend {
				weight *= bend / r
			}
			weight /= o.Seconds * o.Seconds
			aa += weight * s.latency * s.latency
			ab += weight * s.latency * s.bytes
			bb += weight * s.bytes * s.bytes
			at += weight * s.latency * (o.Seconds - s.fixed)
			bt += weight * s.bytes * (o.Seconds - s.fixed)
		}
		// What the lengths don't tell stays as it is.
		a, b := aa+ridge*sum, bb+ridge*sum
		at, bt = at+ridge*sum, bt+ridge*sum
		det := a*b - ab*ab
		latency, bytes = (at*b-bt*ab)/det, (bt*a-at*ab)/det
		if !(latency > least) {
			latency, bytes = least, (bt-least*ab)/b
		}
		if !(bytes > least) {
			latency, bytes = (at-least*ab)/a, least
		}
	}
	x.Latency, x.Bandwidth, x.loss = digits(latency), digits(1/bytes), loss
	det := aa*bb - ab*ab
	deviation := math.Sqrt(loss / max(sum, 1e-9))
	x.latency = 1.96 * deviation * math.Sqrt(max(bb/det, 0)) / latency
	x.bandwidth = 1.96 * deviation * math.Sqrt(max(aa/det, 0)) / bytes
	return x
}

// least is the least multiple of a protocol.
const least = 0.01
