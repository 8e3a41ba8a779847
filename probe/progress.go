package probe

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

// forecast predicts the times of rows. A row takes as long as in an earlier pass. In the first pass, each of its
// messages takes as long as earlier messages of the same length.
type forecast struct {
	rows  []foreseen // of a pass
	first []int      // the first row of each block of a pass, and after the last one the number of rows
	total int        // rows of all passes
}

// foreseen is a row of a pass.
type foreseen struct {
	bytes    int64
	messages float64
	took     float64 // seconds; 0 if neither measured nor known before
}

// forecast returns a forecast in which no row is measured.
func (p *Plan) forecast() *forecast {
	f := &forecast{}
	passes := max(p.Settings.Passes, 1)
	for i := range p.Blocks[:len(p.Blocks)/passes] {
		b := &p.Blocks[i]
		f.first = append(f.first, len(f.rows))
		k, _ := p.kernel(b)
		for _, bytes := range p.way(k).Lengths() {
			row := foreseen{bytes: bytes, messages: p.messages(k, b, bytes)}
			if k.Component == kernel.Noise {
				row.took = cmp.Or(p.Settings.Repetitions.SampleTime, settings.Default.SampleTime)
			}
			f.rows = append(f.rows, row)
		}
	}
	f.first = append(f.first, len(f.rows))
	f.total = passes * len(f.rows)
	return f
}

// messages returns about how many messages a row sends one after the other.
func (p *Plan) messages(k *kernel.Kernel, b *measured.Block, bytes int64) float64 {
	each := math.Max(1, float64(k.Divisor))
	switch k.Class {
	case kernel.Rate, kernel.Stream:
		each = float64(b.WindowSize)
	case kernel.Parallel:
		each = math.Max(1, k.Moved)
	case kernel.Collective, kernel.Traffic, kernel.Averaged, kernel.OverlapParts:
		each = float64(b.Processes)
	case kernel.Sync:
		each = math.Log2(float64(max(b.Processes, 2)))
	}
	return each * float64(p.way(k).MaxRepetitions(b, bytes))
}

// at returns the number of a row of a block, among the rows of a pass and among all. Adaptive lengths that aren't known
// in advance count as the block's last one.
func (f *forecast) at(block, row int) (ofPass, ofAll int) {
	blocks := len(f.first) - 1
	i := block % blocks
	ofPass = max(f.first[i], min(f.first[i]+row, f.first[i+1]-1))
	return ofPass, block/blocks*len(f.rows) + ofPass
}

// left returns the seconds that all rows take, beginning with the given one.
func (f *forecast) left(from int) float64 {
	took, messages := map[int64]float64{}, map[int64]float64{}
	for _, r := range f.rows {
		if r.took > 0 {
			took[r.bytes] += r.took
			messages[r.bytes] += r.messages
		}
	}
	lengths := slices.Sorted(maps.Keys(took))
	var each []float64 // seconds of a message
	for _, bytes := range lengths {
		each = append(each, took[bytes]/messages[bytes])
	}
	slope := rating.Slope(lengths, each)
	message := func(bytes int64) float64 {
		const usual = 1e-6
		i, known := slices.BinarySearch(lengths, bytes)
		switch {
		case known:
			return each[i]
		case len(each) == 0:
			return usual + float64(bytes)*slope
		case i == 0:
			return each[0]
		}
		return each[i-1] + float64(bytes-lengths[i-1])*slope
	}
	seconds := 0.0
	for i := from; i < f.total; i++ {
		if r := &f.rows[i%len(f.rows)]; r.took > 0 {
			seconds += r.took
		} else {
			seconds += r.messages * message(r.bytes)
		}
	}
	return seconds
}

// progress reports to the observer that the given part of a block's next row is done.
func (m *run) progress(t *openBlock, doing string, part float64) {
	m.Progress(func(p *rating.Progress) {
		p.Doing = doing
		ahead, here := m.ahead, m.Seconds()-m.rowBegan
		_, row := ahead.at(t.number, len(t.block.Rows))
		left := ahead.left(row)
		if part > 0 {
			left = here*(1-part)/part + ahead.left(row+1)
		} else {
			left = math.Max(left-here, 0)
		}
		p.Left = time.Duration(left * float64(time.Second))
	})
}

// tookRow records how long a row of a block took, on process 0.
func (m *run) tookRow(t *openBlock) {
	row, _ := m.ahead.at(t.number, len(t.block.Rows))
	m.ahead.rows[row].took = math.Max(m.Seconds()-m.rowBegan, 1e-9)
}
