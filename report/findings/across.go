package findings

import (
	"fmt"
	"math"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/fabric"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/pairs"
	"github.com/effective-bandwidth/beff/report/words"
)

// CutOf describes a block's cut: its name, how its sides were chosen, and their sizes.
func CutOf(b *measured.Block) string {
	by := map[fabric.By]string{fabric.ByMap: "by the map", fabric.ByRank: "by rank",
		fabric.OneNode: "by rank, within one node"}[b.Cut.By]
	sets := fmt.Sprintf("%d against %d", b.Cut.Links(), b.Cut.Links())
	if n := len(b.Cut.Sets); n > 1 {
		sets = fmt.Sprintf("%d sets at once, %s", n, sets)
	}
	return fmt.Sprintf("%s (%s), %s processes", words.OneLine(b.Cut.Name), by, sets)
}

// Across returns sentences about a row of a cut, each with its evidence. a is nil for other rows.
func Across(a *pairs.CutVerdict) []string {
	if a == nil {
		return nil
	}
	var list []string
	for i := range a.Findings {
		if f := &a.Findings[i]; f.To == "" {
			list = append(list, sentence(&pairs.PairVerdict{Unit: pairs.Nodes}, f))
		}
	}
	list = append(list, worst(a), standing(a))
	if a.Shared != nil {
		list = append(list, behind(a))
	}
	return list
}

// worst describes the worst pair, with its times in each pass.
func worst(a *pairs.CutVerdict) string {
	w := &a.Worst
	each := lists.Each(w.Excess, times)
	in := words.Either(w.Stands, "so it is slow each time", "which is not beyond the spread of the others")
	return fmt.Sprintf("The worst link is from rank %d on %s to rank %d on %s, in the step with shift %d: %s µs, "+
		"expected %s µs; in the passes %s times as long, %s.", w.From, words.OneLine(w.FromHost), w.To,
		words.OneLine(w.ToHost), w.Shift, microseconds(w.Seconds), microseconds(w.Expected),
		strings.Join(each, ", "), in)
}

// times formats an excess as a factor.
func times(excess float64) string { return fmt.Sprintf("%.2f", 1+excess) }

// standing returns the number of pairs that stand out, and the limit for naming one.
func standing(a *pairs.CutVerdict) string {
	text := fmt.Sprintf("Of %s %d stand out", words.Count(a.Pairs, "link"), a.Slow)
	switch {
	case a.Slow == 0:
		text = fmt.Sprintf("No link stands out of %d", a.Pairs)
	case a.Slow == 1:
		text = fmt.Sprintf("Of %s 1 stands out", words.Count(a.Pairs, "link"))
	}
	text += fmt.Sprintf(" (at 99 %%; typically %s µs, spread of a link %s).", microseconds(a.Typical), amount(a.Spread))
	if a.Limit == 0 {
		return text + " There are too few to tell a slow one."
	}
	return text + fmt.Sprintf(" A link would be named if its time were %s its ends and its step explain.",
		longer(a.Limit))
}

// behind names the unit that slow links or processes share.
func behind(a *pairs.CutVerdict) string {
	b := a.Shared
	name := words.OneLine(b.Name)
	if b.Processes {
		return fmt.Sprintf("Cut %s:%s: %s behind %s %s, where %.0f %% of all are.", b.Level, name,
			words.Count(b.Slow, "slow process")+" are", b.Level, name, math.Round(100*b.Share))
	}
	return fmt.Sprintf("Cut %s:%s: %d of the slow links have an end behind %s %s, of all links %.0f %%.", b.Level, name,
		b.Slow, b.Level, name, math.Round(100*b.Share))
}
