package probe

import "reflect"

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
