package probe

import (
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/rating"
)

// Figures lists the figures of probes, which have no rating: those of PingPong. A further one is a line here.
var Figures = rating.Figures[Result]{
	{Figure: rating.Figure{Key: "latency", Name: "latency",
		About: "time of a message between two processes at the shortest length above 0", Unit: rating.Latency,
		Less: true, Listed: true}, Of: ofPingPong(latency)},
	{Figure: rating.Figure{Key: "bandwidth", Name: "bandwidth", About: "largest one of messages between two processes",
		Unit: rating.Bandwidth, Listed: true}, Of: ofPingPong(bandwidth)},
}

// ofPingPong returns how a figure follows from PingPong, of its first block.
func ofPingPong(figure func(*kernel.Kernel, *Block) float64) func(*Result) rating.Value {
	return func(r *Result) (v rating.Value) {
		for i := range r.Blocks {
			b := &r.Blocks[i]
			if k, known := r.Kernel(b); known && k.Name == "PingPong" && !b.Multi {
				return rating.Value{Value: figure(k, b)}
			}
		}
		return v
	}
}

func latency(k *kernel.Kernel, b *Block) float64 {
	time, _ := b.Shortest(k.Times()[0])
	return time
}

func bandwidth(_ *kernel.Kernel, b *Block) (most float64) {
	for i := range b.Rows {
		most = max(most, b.Rows[i].Bandwidth())
	}
	return most
}

// Shortest returns a time of the slowest group at the shortest length above 0, or at 0 if there is no other, and that
// length; 0 if nothing was measured.
func (b *Block) Shortest(t kernel.Time) (time float64, bytes int64) {
	for i := range b.Rows {
		row := &b.Rows[i]
		if x := row.Slowest(t); x > 0 && (time == 0 || bytes == 0 && row.Bytes > 0) {
			time, bytes = x, row.Bytes
		}
	}
	return time, bytes
}

// Bandwidth returns the bandwidth of the slowest group in bytes per second; 0 if there is none.
func (r *Row) Bandwidth() float64 {
	least := 0.0
	for i, t := range r.Derived {
		if i == 0 || t.Bandwidth < least {
			least = t.Bandwidth
		}
	}
	return least
}

// Slowest returns a time of the slowest group in seconds; 0 if there is none.
func (r *Row) Slowest(t kernel.Time) float64 {
	most := 0.0
	for i := range r.Derived {
		most = max(most, t.Of(&r.Derived[i]))
	}
	return most
}
