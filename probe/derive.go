package probe

import (
	"sync"

	"github.com/effective-bandwidth/beff/probe/kernel"
)

// Derive returns the figures of a row, one element for each of its samples.
func Derive(k *kernel.Kernel, b *Block, r *Row) []kernel.Times {
	var list []kernel.Times
	if r.Pairs != nil {
		x := Sample{}
		x.Min, x.Max, x.Mean = r.Pairs.Extremes()
		return []kernel.Times{derive(k, b, &Row{Bytes: r.Bytes}, x)}
	}
	for _, x := range r.Samples {
		list = append(list, derive(k, b, r, x))
	}
	return list
}

// derive sets the figures of a row: those of its samples, or of its series.
func (r *Row) follow(s *Settings, k *kernel.Kernel, b *Block) {
	r.Derived, r.Statistics = Derive(k, b, r), nil
	if len(r.Series) > 0 {
		r.deriveSeries(s, k, b)
	}
}

// derive returns the figures of one repetition (guide, "Output").
func derive(k *kernel.Kernel, b *Block, r *Row, x Sample) kernel.Times {
	n := float64(max(r.Repetitions, 1)) * float64(max(k.Halves, 1))
	t := kernel.Times{
		Min: x.Min / n, Max: x.Max / n, Mean: x.Mean / n,
		Overlapped: x.Overlapped / n, Pure: x.Pure / n, Compute: x.Compute / n, Passive: x.Passive / n,
	}
	complete(k, b, r, &t)
	if k.Class == kernel.Partners {
		overOrigins(k, r, &x, &t)
	}
	return t
}

// complete adds the figures that follow from a row's times. The bandwidth is that of the slowest process.
func complete(k *kernel.Kernel, b *Block, r *Row, t *kernel.Times) {
	messages := b.Messages(k)
	bytes := messages * float64(r.Bytes)
	if k.Program != nil {
		messages, bytes = 0, k.MovedByProgram(b.Processes, r.Bytes)
	}
	k.Complete(t, messages, bytes)
}

// Messages returns the number of messages of the row's length that the bandwidth of a block's repetition counts.
func (b *Block) Messages(k *kernel.Kernel) float64 { return k.Messages(b.Processes, b.WindowSize) }

// Rederive derives all figures of a result again from its samples.
func Rederive(r *Result) {
	world := sync.OnceValue(r.world) // of pairs alone
	for i := range r.Blocks {
		b := &r.Blocks[i]
		k, ok := r.Kernel(b)
		for j := range b.Rows {
			row := &b.Rows[j]
			row.Derived, row.Statistics = nil, nil
			if ok {
				row.follow(&r.Settings, k, b)
			}
			if row.Verdicts = nil; row.Pairs != nil {
				row.Verdicts = r.judgeOn(world(), b, row)
			}
		}
	}
}
