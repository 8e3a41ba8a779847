package probe

import "slices"

// most returns the initial number of repetitions of a row (guide, "Actual Benchmarking"): MSGSPERSAMPLE, or
// MSGS_NONAGGR if each transfer is completed. All kernels without an aggregate mode complete each transfer, except for
// MPI-1, nonblocking collectives, MPIBlib, PGAS, P2P, users' programs and reading.
func (p *Plan) most(k *Kernel, b *Block) int64 {
	d := p.Settings.Defaults(k.Component)
	many, few := or(p.Settings.MsgsPer, d.MsgsPer), or(p.Settings.MsgsNonAggr, d.MsgsNonAggr)
	switch {
	case b.Mode == Aggregate:
		return many
	case b.Mode == NonAggregate:
		return few
	case slices.Contains([]Component{MPI1, NBC, MPIB, PGAS, USER, P2P}, k.Component):
		return many
	case k.Component == IO && (k.Class == Single || k.Class == Parallel),
		p.Settings.today() && k.OnlyAggregate():
		return many
	}
	return few
}

// selected returns the number of repetitions before any time is known: those of the policy, or all that a series may
// have.
func (p *Plan) selected(k *Kernel, b *Block, bytes int64) int64 {
	if p.inSeries(k) {
		return p.Settings.warmUp() + p.Settings.Rule().Most
	}
	return p.byPolicy(k, b, bytes)
}

// byPolicy returns the number of repetitions by the policy alone.
func (p *Plan) byPolicy(k *Kernel, b *Block, bytes int64) int64 {
	d := p.Settings.Defaults(k.Component)
	many := or(p.Settings.MsgsPer, d.MsgsPer)
	switch policy := p.Settings.policy(); {
	case policy == Off:
		return many
	case policy == MultipleNP || policy == Auto && k.Rooted:
		return multipleOf(many, int64(b.Processes), bytes, p.longest(k))
	}
	n := p.most(k, b)
	if k.recipe().packed && k.Component == PGAS {
		n, bytes = max(1, n/randomDraws), bytes*randomDraws
	}
	if bytes == 0 {
		return n
	}
	return max(1, min(n, or(p.Settings.OverallVol, d.OverallVol)/bytes))
}

// element is the least length in the hyperbola, bytes. Shorter ones count as it.
const element = 4

// multipleOf returns IMB's hyperbola of the multiple_np policy: fewer repetitions for longer messages, always a
// multiple of the processes.
func multipleOf(many, processes, bytes, longest int64) int64 {
	n := int64(float64(many)*float64(longest)/(float64(processes)*float64(max(bytes, element))+float64(longest)) + 0.5)
	return max(n-n%processes, processes)
}

// longest returns the largest of a kernel's lengths in bytes. Without lengths, IMB takes an element.
func (p *Plan) longest(k *Kernel) int64 {
	l := int64(1)
	if k.recipe().rows == noLength {
		l = element
	}
	for _, bytes := range p.lengths(k) {
		l = max(l, bytes)
	}
	return l
}

// estimates reports whether a kernel's repetitions are limited by the time for a row.
func (p *Plan) estimates(k *Kernel) bool {
	policy := p.Settings.policy()
	return policy == Dynamic || policy == Auto && !k.Rooted
}

const (
	estimateTime = 1.0  // approximate seconds of the estimating run
	estimateMost = 1000 // repetitions of it, for messages
	estimateFile = 50   // and for files
	leastTime    = 1e-8 // seconds below which nothing is cut
)

// trial returns the number of repetitions that are run to estimate their time, after one that took seconds.
func trial(k *Kernel, selected int64, seconds float64) int64 {
	most := int64(estimateMost)
	if k.Component == IO {
		most = estimateFile
	}
	n := int64(1)
	switch {
	case seconds < estimateTime/float64(most):
		n = most
	case seconds < estimateTime:
		n = int64(estimateTime/seconds + 0.5)
	}
	return min(selected, n)
}

// fitting returns the number of repetitions of a number of seconds that fit into the time for a row.
func (p *Plan) fitting(selected int64, seconds float64) int64 {
	n := 1 + or(p.Settings.SampleTime, DefaultSampleTime)/seconds
	if !(seconds > leastTime) || n > float64(selected) {
		return selected
	}
	return int64(n)
}

// history holds the repetitions of a block's rows so far. Longer messages never have more than shorter ones.
type history []struct{ bytes, repetitions int64 }

// settle returns the number of repetitions of a row, of which at most fitting fit, and adds it to the history.
func (h *history) settle(bytes, selected, fitting int64) int64 {
	for _, row := range *h {
		if row.bytes < bytes {
			fitting = min(fitting, row.repetitions)
		} else {
			fitting = max(fitting, row.repetitions)
		}
	}
	n := min(selected, fitting)
	*h = append(*h, struct{ bytes, repetitions int64 }{bytes, n})
	return n
}

// patience returns the seconds of a block's loops after which its next row is a time-out: the time for a row times the
// number of lengths, without the shortest.
func (p *Plan) patience(k *Kernel) float64 {
	rows := len(p.Settings.Lengths)
	if rows == 0 {
		rows = p.Settings.Defaults(k.Component).LongestLog
	}
	return float64(max(rows-1, 1)) * or(p.Settings.SampleTime, DefaultSampleTime)
}

// warmUp returns the least number of repetitions before the timed ones: the user's, or a tenth of them, but at least
// ten if there are as many (current IMB; the guide's N_WARMUP). Repetitions of estimating runs count.
func (p *Plan) warmUp(k *Kernel, repetitions int64) int64 {
	const part, least = 10, 10
	if p.Settings.WarmUp != nil {
		return *p.Settings.WarmUp
	}
	if k.Component == IO {
		return 0 // guide: "Warm-Up Phase (IMB-MPI1, IMB-EXT, IMB-NBC, and IMB-RMA)"
	}
	return max(repetitions/part, min(least, repetitions))
}
