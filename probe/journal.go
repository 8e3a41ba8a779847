package probe

import (
	"reflect"
	"slices"
)

// Since returns the news of a measurement: the rows that before lacks, in their blocks, and the calibration. It reports
// false if there is no such row.
func (m *Measured) Since(before *Measured) (Measured, bool) {
	news := *m
	news.Blocks = nil
	for i, b := range m.Blocks {
		if i < len(before.Blocks) {
			n := len(before.Blocks[i].Rows)
			b.Rows = b.Rows[n:]
		}
		if len(b.Rows) == 0 {
			continue
		}
		news.Blocks = append(news.Blocks, b)
	}
	return news, len(news.Blocks) > 0
}

// Add adds news to a measurement: rows of the last block, and further blocks.
func (m *Measured) Add(news Measured) {
	for _, b := range news.Blocks {
		if last := len(m.Blocks) - 1; last >= 0 && m.Blocks[last].same(&b) {
			b.Rows = append(m.Blocks[last].Rows, b.Rows...)
			m.Blocks[last] = b
		} else {
			m.Blocks = append(m.Blocks, b)
		}
	}
	m.CPU, m.Factors, m.Clock, m.WallSeconds = news.CPU, news.Factors, news.Clock, news.WallSeconds
}

// same reports whether two blocks are of the same kernel, processes and choices.
func (b *Block) same(other *Block) bool {
	x, y := *b, *other
	x.Rows, x.Barriers, y.Rows, y.Barriers = nil, nil, nil, nil
	return reflect.DeepEqual(x, y)
}

// whole takes over a block that earlier parts of the run have measured, and reports whether it did. A later block shows
// that its rows are all there.
func (m *measurer) whole(i int) bool {
	if i >= len(m.earlier.Blocks)-1 {
		return false
	}
	m.out.Blocks = append(m.out.Blocks, m.earlier.Blocks[i])
	m.done += len(m.earlier.Blocks[i].Rows)
	return true
}

// begun returns the rows of the last block that earlier parts of the run have measured.
func (m *measurer) begun(i int) []Row {
	if i != len(m.earlier.Blocks)-1 {
		return nil
	}
	return m.earlier.Blocks[i].Rows
}

// take takes over rows of an earlier part of the run.
func (t *table) take(rows []Row) {
	t.block.Rows = append([]Row{}, slices.Clone(rows)...)
	for i, row := range t.block.Rows {
		if row.Missing == timeOut {
			t.missing = &t.block.Rows[i]
		}
		if row.Repetitions > 0 {
			t.history = append(t.history, struct{ bytes, repetitions int64 }{row.Bytes, row.Repetitions})
		}
	}
}

// Trim drops the rows that can't be gone on with, because others before them are lost.
func (p *Plan) Trim(m *Measured) {
	for i := range m.Blocks {
		if i == len(p.Blocks) || !m.Blocks[i].same(&p.Blocks[i]) {
			m.Blocks = m.Blocks[:i]
			return
		}
		k, ok := p.kernel(&p.Blocks[i])
		if !ok {
			return
		}
		planned, b := p.lengths(k), &m.Blocks[i]
		for j := range planned {
			switch {
			case j == len(b.Rows):
				m.Blocks = m.Blocks[:i+1]
				return
			case b.Rows[j].Bytes != planned[j]:
				b.Rows, m.Blocks = b.Rows[:j], m.Blocks[:i+1]
				return
			}
		}
	}
}
