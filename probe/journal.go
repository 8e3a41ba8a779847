package probe

import (
	"slices"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
)

// lacking returns the indices of the planned rows that a block lacks. A row that is planned twice must be there twice.
func (p *Plan) lacking(k *kernel.Kernel, rows []measured.Row) (list []int) {
	there := map[[2]int64]int{}
	for _, r := range rows {
		there[[2]int64{r.Bytes, r.AxisValue()}]++
	}
	for i, bytes := range p.way(k).Lengths() {
		row := [2]int64{bytes, k.AxisValue(&p.Settings, i)}
		if there[row]--; there[row] < 0 {
			list = append(list, i)
		}
	}
	return list
}

// resume copies the measurements of earlier parts of the run.
func (m *run) resume(from *measured.Outcome) {
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

// resultBlock returns the block of the result that corresponds to a block of the plan, and its planned rows that are
// missing. Earlier parts of the run may have measured rows of it.
func (m *run) resultBlock(b *measured.Block, k *kernel.Kernel) (*measured.Block, []int) {
	i := measured.IndexOf(m.Out.Blocks[:len(m.earlier.Blocks)], b, 0)
	if i < 0 {
		i = len(m.Out.Blocks)
		m.Out.Blocks = append(m.Out.Blocks, *b)
		m.Out.Blocks[i].Rows = []measured.Row{}
	}
	return &m.Out.Blocks[i], m.plan.lacking(k, m.Out.Blocks[i].Rows)
}

// Trim drops the blocks and rows that are not in the plan, and puts the others into its order. Rows that were lost are
// measured after the others. Lists that m had stay unchanged.
func (p *Plan) Trim(m *measured.Outcome) {
	var blocks []measured.Block
	for i := range p.Blocks {
		k, ok := p.kernel(&p.Blocks[i])
		at := measured.IndexOf(m.Blocks, &p.Blocks[i], i)
		if !ok || at < 0 {
			continue
		}
		b := m.Blocks[at]
		b.Rows = p.inOrder(k, b.Rows)
		blocks = append(blocks, b)
	}
	m.Blocks = blocks
}

// inOrder returns the planned rows of a block in their order, followed by the rows whose lengths depend on times.
func (p *Plan) inOrder(k *kernel.Kernel, rows []measured.Row) []measured.Row {
	left, ordered := slices.Clone(rows), make([]measured.Row, 0, len(rows))
	for i, bytes := range p.way(k).Lengths() {
		along := k.AxisValue(&p.Settings, i)
		if at := slices.IndexFunc(left, func(r measured.Row) bool {
			return r.Bytes == bytes && r.AxisValue() == along
		}); at >= 0 {
			ordered, left = append(ordered, left[at]), slices.Delete(left, at, at+1)
		}
	}
	if _, adaptive := measured.Refinement(&p.Settings, k); adaptive {
		ordered = append(ordered, left...)
	}
	return ordered
}
