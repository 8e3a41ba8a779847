package probe

import (
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// Space is the largest use of the disk by a plan's metadata kernels at any time. A stonewall may leave less.
type Space struct {
	Files, Bytes int64
	Directories  int64 // that kernels make instead of files
	Tree         int64 // directories that hold files and directories
}

// Names returns the number of files and directories that exist at a time.
func (s Space) Names() int64 { return max(s.Files, s.Directories) + s.Tree }

// Space returns the space of the plan. Files of each length have their own trees.
func (p *Plan) Space() (s Space) {
	meta := p.Settings.Metadata
	for i := range p.Blocks {
		k, ok := p.kernel(&p.Blocks[i])
		if !ok || k.Builder.Path == nil {
			continue
		}
		processes, trees, lengths := int64(p.Blocks[i].Processes), int64(1), p.way(k).Lengths()
		if k.NoLength() && len(p.Settings.Rows.Lengths) > 0 {
			lengths = p.Settings.Rows.Lengths[:1]
		}
		if meta.OwnTree {
			trees = processes
		}
		n := int64(len(lengths))
		s.Tree = max(s.Tree, product(n, trees, meta.Directories()))
		switch k.Builder.Path.Item {
		case kernel.PlainFiles:
			all := lists.SumOf(lengths, func(bytes int64) int64 { return bytes })
			s.Files, s.Bytes = max(s.Files, product(n, processes, meta.All())), max(s.Bytes, product(all, processes,
				meta.All()))
		case kernel.MPIFiles:
			s.Files = max(s.Files, product(processes, meta.All()))
		case kernel.Directories:
			s.Directories = max(s.Directories, product(processes, meta.All()))
		}
	}
	return s
}

// product returns the product of numbers, limited to half of the largest int64.
func product(list ...int64) int64 {
	n, size := int64(1), 1.0
	for _, x := range list {
		n, size = n*x, size*float64(x)
	}
	if size >= math.MaxInt64>>1 {
		return math.MaxInt64 >> 1
	}
	return n
}
