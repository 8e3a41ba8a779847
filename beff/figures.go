package beff

import (
	"cmp"
	"slices"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// Figures lists the figures of b_eff, one row each.
var Figures = rating.Figures[Result]{
	{Figure: rating.Figure{Key: Benchmark, Name: Benchmark, About: "effective bandwidth",
		Unit: rating.Bandwidth, Rated: true, OfAll: true, Listed: true},
		Of: func(r *Result) rating.Value { return rating.Value{Value: r.Derived.BEff, Within: r.Interval()} }},
	{Figure: rating.Figure{Key: "rings", Name: "rings",
		About: "half of b_eff: average over the ring patterns",
		Unit:  rating.Bandwidth, Rated: true, OfAll: true},
		Of: derivedFigure(func(d *Derived) float64 { return d.Rings })},
	{Figure: rating.Figure{Key: "randoms", Name: "randoms",
		About: "half of b_eff: average over the random patterns",
		Unit:  rating.Bandwidth, Rated: true, OfAll: true},
		Of: derivedFigure(func(d *Derived) float64 { return d.Randoms })},
	{Figure: rating.Figure{Key: "at_lmax", Name: "at Lmax",
		About: "bandwidth of rings and randoms at the longest message",
		Unit:  rating.Bandwidth, Rated: true, OfAll: true, Listed: true},
		Of: derivedFigure(func(d *Derived) float64 { return d.AtLmax })},
	{Figure: rating.Figure{Key: "rings_at_lmax", Name: "rings at Lmax",
		About: "bandwidth of rings at the longest message",
		Unit:  rating.Bandwidth, Rated: true, OfAll: true},
		Of: derivedFigure(func(d *Derived) float64 { return d.RingsAtLmax })},
	{Figure: rating.Figure{Key: "link_share", Name: "share of links",
		About: "part of the speed of a node's links that rings at the longest message use",
		Unit:  rating.Part, Rated: true},
		Of: func(r *Result) rating.Value { part, _ := r.LinkShare(); return rating.Value{Value: 100 * part} }},
	{Figure: rating.Figure{Key: "direct_over_staged", Name: "direct over staged",
		About: "bandwidth of direct messages of a device's memory, as a part of staged ones by the same calls",
		Unit:  rating.Part, Rated: true},
		Of: func(r *Result) rating.Value {
			return rating.Value{Value: 100 * r.DirectOverStaged(0, len(r.Lengths))}
		}},
	{Figure: rating.Figure{Key: "ping_pong_at_lmax", Name: "ping-pong at Lmax",
		About: "bandwidth between ranks 0 and 1 at the longest message",
		Unit:  rating.Bandwidth, Listed: true},
		Of: derivedFigure(func(d *Derived) float64 { return d.PingPongAtLmax })},
	{Figure: rating.Figure{Key: "latency_rings_and_randoms", Name: "latency, rings & randoms",
		About: "time of a process's exchange of the shortest message, over rings and randoms",
		Unit:  rating.Latency, Less: true, Listed: true},
		Of: derivedFigure(func(d *Derived) float64 { return d.LatencyRingsAndRandoms })},
	{Figure: rating.Figure{Key: "latency_rings", Name: "latency, rings",
		About: "time of a process's exchange of the shortest message, over rings",
		Unit:  rating.Latency, Less: true},
		Of: derivedFigure(func(d *Derived) float64 { return d.LatencyRings })},
	{Figure: rating.Figure{Key: "latency_ping_pong", Name: "latency, ping-pong",
		About: "time of a message of the shortest length between ranks 0 and 1",
		Unit:  rating.Latency, Less: true},
		Of: derivedFigure(func(d *Derived) float64 { return d.LatencyPingPong })},
	{Figure: rating.Figure{Key: "latency_times_bandwidth", Name: "latency × bandwidth",
		About: "latency of rings and randoms times their bandwidth at Lmax per process: the length at which a " +
			"process reaches half of this bandwidth (paper, Sec. 3)",
		Unit: rating.Length, Less: true},
		Of: func(r *Result) rating.Value {
			return rating.Value{Value: r.Derived.LatencyRingsAndRandoms * r.Derived.AtLmax}.Over(float64(r.Processes))
		}},
	{Figure: rating.Figure{Key: "memory_communicated", Name: "memory communicated",
		About: "time in which b_eff would send the memory of all nodes in use, or of all processes if the nodes' " +
			"memory isn't known",
		Unit: rating.Duration, Less: true, Rated: true, Listed: true},
		Of: func(r *Result) rating.Value {
			memory := float64(cmp.Or(r.MemoryShare(), r.MemoryPerProcess)) * float64(r.Processes)
			return rating.Value{Value: memory / r.Derived.BEff}
		}},
}.WithPerProcess(func(r *Result) int { return r.Processes })

// LinkShare returns the part of the links' speed that rings at Lmax use, and that speed in bytes per second, or 0 if
// they aren't known. In rings each process sends to both neighbours, whose ranks differ by one except at the ends of a
// ring.
func (r *Result) LinkShare() (part, rate float64) {
	rate = r.Environment.LinkRate(r.Placement)
	if rate == 0 {
		return 0, 0
	}
	nodes, err := job.Nodes(r.Placement, r.Processes)
	if err != nil {
		return 0, 0
	}
	leaving := float64(job.OffNode(nodes, 1)) / float64(r.Processes)
	return r.Derived.RingsAtLmax * leaving / float64(len(r.Placement)) / rate, rate
}

// DirectOverStaged returns the bandwidth of direct messages by nonblocking calls, divided by the bandwidth of staged
// ones. Both are averages over the lengths with the indices from to to-1. The ratio is 0 if a run doesn't have both.
func (r *Result) DirectOverStaged(from, to int) float64 {
	if r.Separate == nil {
		return 0
	}
	direct := slices.Index(r.Methods, Nonblocking.String())
	staged := slices.Index(r.Separate.Methods, Staged.String())
	a, b := r.Derived.PerLengthMethod, r.Separate.PerLengthMethod
	if direct < 0 || staged < 0 || to > min(len(a), len(b)) {
		return 0
	}
	return zeroNaN(Mean(from, to, func(l int) float64 { return a[l][direct] }) /
		Mean(from, to, func(l int) float64 { return b[l][staged] }))
}

// derivedFigure returns a function that returns a derived figure of a result.
func derivedFigure(of func(*Derived) float64) func(*Result) rating.Value {
	return func(r *Result) rating.Value { return rating.Value{Value: of(&r.Derived)} }
}
