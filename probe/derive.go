package probe

import (
	"sync"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/measured"
)

// Rederive derives all figures of a result from its samples.
func Rederive(r *Result) {
	defer func() { r.Impacts = r.impacts() }()
	world := sync.OnceValue(r.world) // used only for pairs
	for b := range lists.Elements(r.Blocks) {
		k, ok := r.Kernel(b)
		for row := range lists.Elements(b.Rows) {
			row.Derived, row.Statistics = nil, nil
			if ok {
				row.Derive(&r.Settings, k, b)
			}
			if row.Verdicts = nil; row.Pairs != nil {
				row.Verdicts = r.judgeOn(world(), b, row)
			}
			if row.Across = nil; row.Crossing != nil {
				row.Across = r.judgeCutOn(world(), b, row)
			}
		}
	}
	measured.JudgeGuidelines(r.Blocks, &r.Settings)
}
