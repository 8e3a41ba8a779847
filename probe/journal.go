package probe

import (
	"reflect"
	"slices"

	"github.com/effective-bandwidth/beff/probe/kernel"
)

// Since returns the news of a measurement: the rows that before lacks, in their blocks, and all that isn't in blocks.
// It reports false if there is no such row or note.
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
	return news, len(news.Blocks) > 0 || len(m.Notes) > len(before.Notes)
}

// Add adds news to a measurement: rows of its blocks, and further blocks.
func (m *Measured) Add(news Measured) {
	blocks := m.Blocks
	for _, b := range news.Blocks {
		if i := place(blocks, &b, len(blocks)-1); i >= 0 {
			b.Rows = append(blocks[i].Rows, b.Rows...)
			blocks[i] = b
		} else {
			blocks = append(blocks, b)
		}
	}
	*m = news
	m.Blocks = blocks
}

// place returns the index of a block in a list, where it is looked for at a guess first; -1 if it isn't there.
func place(list []Block, b *Block, guess int) int {
	if guess >= 0 && guess < len(list) && b.same(list[guess]) {
		return guess
	}
	return slices.IndexFunc(list, b.same)
}

// same reports whether two blocks are of the same kernel, processes and choices.
func (b *Block) same(other Block) bool {
	if b.Kernel != other.Kernel || b.Pass != other.Pass {
		return false
	}
	x, y := *b, other
	x.Rows, x.Barriers, y.Rows, y.Barriers = nil, nil, nil, nil
	return reflect.DeepEqual(x, y)
}

// lacking returns the planned rows that a block lacks, counted from 0. A row that is planned twice is there twice.
func (p *Plan) lacking(k *kernel.Kernel, rows []Row) (list []int) {
	there := map[[2]int64]int{}
	for _, r := range rows {
		there[[2]int64{r.Bytes, r.Stride}]++
	}
	for i, bytes := range lengths(&p.Settings, k) {
		row := [2]int64{bytes, strideOf(&p.Settings, k, i)}
		if there[row]--; there[row] < 0 {
			list = append(list, i)
		}
	}
	return list
}

// resume takes over what earlier parts of the run have measured.
func (m *run) resume(from *Measured) {
	if from == nil {
		return
	}
	m.earlier = *from
	*m.Out = *from
	m.Out.Blocks, m.Out.Notes = slices.Clone(from.Blocks), slices.Clone(from.Notes)
	for i := range m.Out.Blocks {
		m.Out.Blocks[i].Rows = slices.Clone(from.Blocks[i].Rows)
	}
}

// begun returns the block of the result for one of the plan, in which earlier parts of the run may have measured rows,
// and the planned rows that are missing.
func (m *run) begun(b *Block, k *kernel.Kernel) (*Block, []int) {
	i := place(m.Out.Blocks[:len(m.earlier.Blocks)], b, 0)
	if i < 0 {
		i = len(m.Out.Blocks)
		m.Out.Blocks = append(m.Out.Blocks, *b)
		m.Out.Blocks[i].Rows = []Row{}
	}
	return &m.Out.Blocks[i], m.plan.lacking(k, m.Out.Blocks[i].Rows)
}

// Trim drops the blocks and rows that are not of the plan, and puts the others into its order: rows that were lost are
// measured behind the others. Lists that m had stay as they are.
func (p *Plan) Trim(m *Measured) {
	var blocks []Block
	for i := range p.Blocks {
		k, ok := p.kernel(&p.Blocks[i])
		at := place(m.Blocks, &p.Blocks[i], i)
		if !ok || at < 0 {
			continue
		}
		b := m.Blocks[at]
		b.Rows = p.inOrder(k, b.Rows)
		blocks = append(blocks, b)
	}
	m.Blocks = blocks
}

// inOrder returns the planned rows of a block in their order, and behind them those whose lengths depend on others.
func (p *Plan) inOrder(k *kernel.Kernel, rows []Row) []Row {
	left, ordered := slices.Clone(rows), make([]Row, 0, len(rows))
	for i, bytes := range lengths(&p.Settings, k) {
		stride := strideOf(&p.Settings, k, i)
		if at := slices.IndexFunc(left, func(r Row) bool { return r.Bytes == bytes && r.Stride == stride }); at >= 0 {
			ordered, left = append(ordered, left[at]), slices.Delete(left, at, at+1)
		}
	}
	if _, adaptive := refinement(&p.Settings, k); adaptive {
		ordered = append(ordered, left...)
	}
	return ordered
}
