package probe

import (
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
)

// Figures lists the figures of probes, which have no rating: latency and bandwidth of PingPong.
var Figures = rating.Figures[Result]{
	{Figure: rating.Figure{Key: "latency", Name: "latency",
		About: "time of a message between two processes at the shortest length above 0", Unit: rating.Latency,
		Less: true, Listed: true}, Of: ofPingPong(latency)},
	{Figure: rating.Figure{Key: "bandwidth", Name: "bandwidth",
		About: "largest bandwidth of messages between two processes", Unit: rating.Bandwidth,
		Listed: true}, Of: ofPingPong(bandwidth)},
}

// ofPingPong returns a function that takes a figure from a result's first PingPong block of a single group.
func ofPingPong(figure func(*kernel.Kernel, *measured.Block) float64) func(*Result) rating.Value {
	return func(r *Result) (v rating.Value) {
		for b := range lists.Elements(r.Blocks) {
			if k, known := r.Kernel(b); known && k.Name == "PingPong" && !b.Multi {
				return rating.Value{Value: figure(k, b)}
			}
		}
		return v
	}
}

// latency returns the time in seconds of a message of the shortest length above 0.
func latency(k *kernel.Kernel, b *measured.Block) float64 {
	time, _ := b.Shortest(k.Times()[0])
	return time
}

// bandwidth returns the largest bandwidth of a block in bytes per second.
func bandwidth(_ *kernel.Kernel, b *measured.Block) float64 {
	return lists.Max(b.Rows, func(x measured.Row) float64 { return x.Bandwidth() })
}
