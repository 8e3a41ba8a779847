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
	list = append(list, worstLink(a), slowLinks(a))
	if a.Shared != nil {
		list = append(list, sharedUnit(a))
	}
	return list
}

// worstLink describes the slowest pair, with its times in each pass.
func worstLink(a *pairs.CutVerdict) string {
	w := &a.Worst
	each := lists.Each(w.Excess, func(x float64) string { return fmt.Sprintf("%.2f", 1+x) })
	in := words.Either(w.Stands, "so it is slow each time", "which is within the spread of the others")
	return fmt.Sprintf("The slowest link for its step is from %s (rank %d) to %s (rank %d), with shift %d: %s µs, "+
		"expected %s µs; in the passes %s times as long as expected, %s.", words.OneLine(w.FromHost), w.From,
		words.OneLine(w.ToHost), w.To, w.Shift, microseconds(w.Seconds), microseconds(w.Expected),
		strings.Join(each, ", "), in)
}

// slowLinks returns the number of slow pairs, and the time from which one would be named.
func slowLinks(a *pairs.CutVerdict) string {
	text := fmt.Sprintf("%d of %s %s slow", a.Slow, words.Count(a.Pairs, "link"), words.Either(a.Slow == 1, "is",
		"are"))
	if a.Slow == 0 {
		text = "No link is slow among " + fmt.Sprint(a.Pairs)
	}
	text += fmt.Sprintf(" (99 %% confidence; typical time %s µs, spread %s).", microseconds(a.Typical),
		amount(a.Spread))
	if a.Limit == 0 {
		return text + " There are too few links to identify a slow one."
	}
	return text + fmt.Sprintf(" A link would be named if its time were %s expected from its ends and its step.",
		longer(a.Limit))
}

// sharedUnit names the unit that slow links or processes share.
func sharedUnit(a *pairs.CutVerdict) string {
	b := a.Shared
	name := words.OneLine(b.Name)
	if b.Processes {
		return fmt.Sprintf("Cut %s:%s: %s %s below %s %s, as are %.0f %% of all processes.", b.Level, name,
			words.Count(b.Slow, "slow process"), words.Either(b.Slow == 1, "is", "are"), b.Level, name,
			math.Round(100*b.Share))
	}
	return fmt.Sprintf("Cut %s:%s: %d of the slow links have an end below %s %s, as do %.0f %% of all links.", b.Level,
		name, b.Slow, b.Level, name, math.Round(100*b.Share))
}
