package measured

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Derive returns the figures of a row, one element for each sample.
func Derive(k *kernel.Kernel, b *Block, r *Row) []kernel.Times {
	var list []kernel.Times
	if n := r.Noise; n != nil {
		return []kernel.Times{{Noise: n.Share(), Detour: n.LongestOfAll(), Period: n.Period()}}
	}
	if g := r.Guideline; g != nil {
		return []kernel.Times{g.times()}
	}
	if r.Load != nil {
		return []kernel.Times{r.Load.times(k, b, r)}
	}
	if r.Crossing != nil {
		return []kernel.Times{acrossCut(k, b, r)}
	}
	if r.Pairs != nil {
		x := Sample{}
		x.Min, x.Max, x.Mean = r.Pairs.Extremes()
		return []kernel.Times{ofRepetition(k, b, &Row{Bytes: r.Bytes}, x)}
	}
	list = append(list, lists.Each(r.Samples, func(x Sample) kernel.Times { return ofRepetition(k, b, r, x) })...)
	return list
}

// Derive sets the figures of a row, which follow from its samples or its series.
func (r *Row) Derive(s *settings.Settings, k *kernel.Kernel, b *Block) {
	r.Derived, r.Statistics = Derive(k, b, r), nil
	if len(r.Series) > 0 {
		r.deriveSeries(s, k, b)
	}
}

// ofRepetition returns the figures of one repetition (guide, "Output").
func ofRepetition(k *kernel.Kernel, b *Block, r *Row, x Sample) kernel.Times {
	n := float64(max(r.Repetitions, 1)) * float64(b.Divisor(k))
	t := kernel.Times{
		Min: x.Min / n, Max: x.Max / n, Mean: x.Mean / n,
		Overlapped: x.Overlapped / n, Pure: x.Pure / n, Compute: x.Compute / n, Passive: x.Passive / n,
		Starting: x.Starting / n, Testing: x.Testing / n, Waited: x.Waited / n,
		Usual: x.Usual / n, Last: x.Last / n, Made: x.Made / n, Freed: x.Freed / n,
		Session: x.Session / n, Group: x.Group / n, Comm: x.Comm / n, Again: x.Again / n,
	}
	complete(k, b, r, &t)
	switch {
	case k.Class == kernel.Partners:
		setOriginBandwidths(k, r, &x, &t)
	case b.Threads > 1 && len(x.Each) > 0:
		t.Fairness = fairness(x.Each, b.Threads)
	}
	return t
}

// fairness returns how many messages a process's slowest thread moves for each message of its quickest thread, in the
// process with the smallest ratio. each holds the times of all threads, process by process.
func fairness(each []float64, threads int) float64 {
	least := 1.0
	for own := range slices.Chunk(each, threads) {
		if slowest := slices.Max(own); slowest > 0 {
			least = min(least, slices.Min(own)/slowest)
		}
	}
	return least
}

// Divisor returns the number by which the time of a repetition is divided: the kernel's (in the class Band multiplied
// by the messages of a window), or two if the partner answers in OSU's one-sided kernels.
func (b *Block) Divisor(k *kernel.Kernel) int {
	switch {
	case b.Sync.Answered() && k.Class == kernel.Averaged:
		return 2
	case k.Class == kernel.Band: // the time is per message
		return max(k.Divisor, 1) * max(b.WindowSize, 1)
	}
	return max(k.Divisor, 1)
}

// complete adds the figures that follow from a row's times. The bandwidth is the slowest process's.
func complete(k *kernel.Kernel, b *Block, r *Row, t *kernel.Times) {
	messages := b.Messages(k)
	bytes := messages * float64(r.Bytes)
	if r.Items > 0 {
		messages, bytes = float64(r.Items)/float64(max(r.Repetitions, 1)), 0
	}
	k.Complete(t, messages, bytes)
}

// Messages returns the number of messages of the row's length that count for the bandwidth of a repetition.
func (b *Block) Messages(k *kernel.Kernel) float64 {
	n := k.Messages(b.Processes, b.WindowSize, b.PerNode)
	if k.Builder == nil || k.Builder.Threads.OneMemory { // the threads share one message
		return n
	}
	return n * float64(max(b.Threads, 1))
}

// setOriginBandwidths sets the bandwidths of the origins: their mean, their extremes, and the bandwidth of all origins
// together.
func setOriginBandwidths(k *kernel.Kernel, r *Row, x *Sample, t *kernel.Times) {
	moved := k.Moved * float64(r.Bytes) * float64(max(r.Repetitions, 1)) * float64(max(k.Divisor, 1))
	if moved == 0 || !(x.Min > 0) || len(x.Each) == 0 {
		return
	}
	t.Bandwidth = lists.SumOf(x.Each, func(seconds float64) float64 { return moved / seconds }) / float64(len(x.Each))
	t.BandwidthMin, t.BandwidthMax = moved/x.Max, moved/x.Min
	t.BandwidthAll = float64(len(x.Each)) * moved / x.Max
	if k.TwoWay() {
		t.BandwidthBoth = 2 * t.Bandwidth
	}
}

// acrossCut returns the figures of a row of a cut: the extremes and the mean of a message's times in all steps and
// directions, and the bandwidths of the steps.
func acrossCut(k *kernel.Kernel, b *Block, r *Row) (t kernel.Times) {
	steps := r.Crossing.Steps(b.Cut, k.Moved*float64(r.Bytes))
	moved, sum := math.Inf(1), 0.0
	t.Min = math.Inf(1)
	for i, x := range steps {
		t.Min, t.Max, sum = min(t.Min, x.Shortest), max(t.Max, x.Longest), sum+x.Mean
		if i == 0 || x.Bandwidth < t.Bandwidth {
			t.Bandwidth = x.Bandwidth
		}
		t.BandwidthBest, t.BandwidthSteps = max(t.BandwidthBest, x.Bandwidth), t.BandwidthSteps+x.Bandwidth
		moved = min(moved, x.BySlowest)
	}
	n := float64(len(steps))
	t.Mean, t.BandwidthSteps = sum/n, t.BandwidthSteps/n
	if bytes := k.Moved * float64(r.Bytes); bytes > 0 {
		t.BandwidthMin, t.BandwidthMax, t.BandwidthAll = bytes/t.Max, bytes/t.Min, moved
	}
	return t
}
