package findings

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Limits of the rules for b_eff.
const (
	wide    = 1.15 // rings over randoms: a sentence names the cause of larger ratios
	alike   = 1.05 // ratio up to which two figures count as equal
	loaded  = 1.2  // ratio of latencies from which load matters
	falling = 0.8  // fraction of the peak below which the longest messages are slower
	ahead   = 1.05 // a method is named if it is faster than all others by this ratio
)

// BEff returns the sentences about a result of b_eff.
func BEff(r *beff.Result) []string { return of(beffRules, r) }

var beffRules = []Rule[*beff.Result]{
	{"share", "b_eff is known", share},
	{"partners", "there are more than two processes and the nodes are known. Rings are at least 15 % faster than " +
		"randoms, and by more than the interval of b_eff, or they differ by at most 5 %", partners},
	{"load", "there are more than two processes and both latencies are known. The latency under load is at least " +
		"1.2 times the other one, or they differ by at most 5 %", load},
	{"half", "half of the largest bandwidth lies between two measured lengths", half},
	{"falling", "messages of Lmax have less than 80 % of the largest bandwidth", fallingOff},
	{"methods", "there are two or more methods, and in a class of lengths one is at least 5 % faster than all others",
		methods},
	{"links", "there are two or more nodes, and the speed of their links is known", linkSpeed},
}

// linkSpeed compares the rings at Lmax with the speed of the links.
func linkSpeed(r *beff.Result) string {
	part, rate := r.LinkShare()
	if !(rate > 0 && part > 0) {
		return ""
	}
	const gigabit = 1e9 / 8
	return fmt.Sprintf("With messages of %s between neighbours, a node sends %s Gbit/s (%s), %s %% of its links' "+
		"%s Gbit/s.", length(float64(r.Lmax)), rating.Rounded(part*rate/gigabit, 3),
		speed(part*rate), rating.Percent(part),
		rating.Rounded(rate/gigabit, 4))
}

// share describes the bandwidth of each process.
func share(r *beff.Result) string {
	d := &r.Derived
	if !(d.BEff > 0) {
		return ""
	}
	number, unit := words.ValueAndUnit(r.Estimate().Over(r.Processes))
	return fmt.Sprintf("Each of the %s moves %s %s on average over all message lengths, and %s with messages of %s.",
		words.Processes(r.Processes), number, unit, speed(d.AtLmaxPerProcess), length(float64(r.Lmax)))
}

// partners names the bottleneck by comparing random partners with neighbours.
func partners(r *beff.Result) string {
	d, perNode := &r.Derived, r.PerNode()
	if r.Processes <= 2 || perNode == 0 || !(d.Randoms > 0 && d.Rings > 0) {
		return ""
	}
	ratio := d.Rings / d.Randoms
	if part := r.Estimate().RelativeHalfWidth(); part > math.Abs(ratio-1) && ratio > alike {
		return ""
	}
	slower := fmt.Sprintf("Neighbours get %s times the bandwidth of random partners: ", digits(ratio))
	switch nodes := len(r.Placement); {
	case ratio >= wide && nodes > 1 && perNode > 1:
		return slower + "the network between the nodes is the limit, not the nodes."
	case ratio >= wide && nodes > 1:
		return slower + "distance in the network matters, or links are shared."
	case ratio >= wide:
		return slower + "distance within the node matters."
	case 1/alike <= ratio && ratio <= alike && nodes > 1:
		return "Random partners are as fast as neighbours: the limit is the processes or nodes, not the network's " +
			"links."
	}
	return ""
}

// load compares the latency of all processes together with the latency between two processes.
func load(r *beff.Result) string {
	d := &r.Derived
	all, alone := d.LatencyRingsAndRandoms, d.LatencyPingPong
	if r.Processes <= 2 || !(all > 0 && alone > 0) {
		return ""
	}
	switch ratio := all / alone; {
	case ratio >= loaded:
		return fmt.Sprintf("Under load a short message takes %s, %s times as long as in a ping-pong of two processes "+
			"(%s).",
			micro(all), digits(ratio), micro(alone))
	case 1/alike <= ratio && ratio <= alike:
		return fmt.Sprintf("A short message takes %s under load, about as long as in a ping-pong of two processes.",
			micro(all))
	}
	return ""
}

// peak returns the index and the bandwidth of the best length, or -1 if a length has no bandwidth.
func peak(r *beff.Result) (at int, most float64) {
	list := r.Derived.PerLength
	if len(list) == 0 || len(list) != len(r.Lengths) || slices.Min(list) <= 0 {
		return -1, 0
	}
	most = slices.Max(list)
	return slices.Index(list, most), most
}

// Half returns the message length at which half of the largest bandwidth is reached, interpolated linearly in
// logarithms between the two measured lengths around it, or 0 if there are none.
func Half(r *beff.Result) float64 {
	at, most := peak(r)
	for l := 1; l <= at; l++ {
		x0, x1 := float64(r.Lengths[l-1]), float64(r.Lengths[l])
		y0, y1 := r.Derived.PerLength[l-1], r.Derived.PerLength[l]
		if y0 < most/2 && y1 >= most/2 && x1 > x0 {
			return x0 * math.Pow(x1/x0, math.Log(most/2/y0)/math.Log(y1/y0))
		}
	}
	return 0
}

func half(r *beff.Result) string {
	n := Half(r)
	if n == 0 {
		return ""
	}
	at, most := peak(r)
	return fmt.Sprintf("A process moves most with messages of %s: %s, on average over rings and randoms. It moves "+
		"half of that with messages of %s.", length(float64(r.Lengths[at])), speed(most/float64(r.Processes)),
		length(n))
}

// fallingOff reports that the longest messages are slower than shorter ones.
func fallingOff(r *beff.Result) string {
	at, most := peak(r)
	if at < 0 || at == len(r.Lengths)-1 || r.Derived.AtLmax >= falling*most {
		return ""
	}
	return fmt.Sprintf("The longest messages (%s) have %.0f %% of the largest bandwidth, which messages of %s reach. "+
		"The usual cause is that longer messages no longer fit into a cache.", length(float64(r.Lmax)),
		100*r.Derived.AtLmax/most,
		length(float64(r.Lengths[at])))
}

// methodClasses are the classes of lengths for the rule about methods, with the index of the first length and the index
// after the last one.
var methodClasses = []struct {
	name     string
	from, to int
}{{"short", 0, 11}, {"middle", 11, 17}, {"long", 17, 21}}

// methods names the best method of each class of lengths.
func methods(r *beff.Result) string {
	if len(r.Methods) < 2 || len(r.Lengths) != methodClasses[2].to || len(r.Derived.PerLengthMethod) != len(r.Lengths) {
		return ""
	}
	var parts []string
	winners := map[string]bool{}
	before := ""
	for _, c := range methodClasses {
		if m, by := winner(r, c.from, c.to); m >= 0 {
			text := fmt.Sprintf("for %s messages (%s to %s, by %.0f %%)", c.name, length(float64(r.Lengths[c.from])),
				length(float64(r.Lengths[c.to-1])), 100*(by-1))
			parts = append(parts, words.Either(r.Methods[m] == before, text, r.Methods[m]+" "+text))
			before = r.Methods[m]
			winners[before] = true
		}
	}
	switch {
	case len(parts) == 0:
		return ""
	case len(winners) == 1 && len(parts) == len(methodClasses):
		for name := range winners {
			return fmt.Sprintf("The fastest method is %s, at all lengths.", name)
		}
	}
	return "The fastest method is " + words.Joined(parts, "and") + "."
}

// winner returns the best method of a class of lengths and its ratio to the second, or -1 if no method is ahead.
func winner(r *beff.Result, from, to int) (best int, by float64) {
	var means []float64
	for m := range r.Methods {
		sum := 0.0
		for l := from; l < to; l++ {
			sum += math.Log(r.Derived.PerLengthMethod[l][m])
		}
		means = append(means, math.Exp(sum/float64(to-from)))
	}
	sorted := slices.Clone(means)
	slices.Sort(sorted)
	first, second := sorted[len(sorted)-1], sorted[len(sorted)-2]
	if !(second > 0) || first < ahead*second || math.IsInf(first, 0) {
		return -1, 0
	}
	return slices.Index(means, first), first / second
}
