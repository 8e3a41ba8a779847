// Package findings makes the sentences of a report's first page from a result's data. Each sentence follows a rule: it
// has a name, a condition under which it is true, and figures. If the condition isn't met, there is no sentence.
// docs/figures.md lists all rules.
package findings

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Rule is a rule for a sentence about results of type R.
type Rule[R any] struct {
	Name string
	When string // condition, as printed in docs/figures.md
	// Says returns the sentence, or "" if the condition isn't met.
	Says func(R) string
}

// of returns the sentences of the rules whose conditions a result meets, in the order of the rules.
func of[R any](rules []Rule[R], r R) []string {
	return lists.Filled(lists.Each(rules, func(rule Rule[R]) string { return rule.Says(r) }))
}

// speed formats a bandwidth in bytes per second with three digits and its unit.
func speed(x float64) string { return words.Bandwidths.Text(x, 3) }

// micro formats a time in seconds with three digits and its unit.
func micro(seconds float64) string { return words.Times.Short(seconds) }

// digits formats a ratio with one decimal, or as a whole number if it is 10 or more.
func digits(x float64) string {
	if x >= 10 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.1f", x)
}

// length formats a length with three digits and its unit.
func length(bytes float64) string {
	if bytes < 1 {
		return "1 B"
	}
	unit := math.Pow(1024, math.Floor(math.Log(bytes)/math.Log(1024)))
	x := bytes / unit
	scale := math.Pow(10, math.Max(0, math.Floor(math.Log10(x))-1))
	return rating.Bytes(int64(math.Round(math.Round(x/scale*10) / 10 * scale * unit)))
}

// percent formats a fraction in percent, with two digits below 10 %.
func percent(part float64) string {
	if part < 0.1 {
		return fmt.Sprintf("%.2g %%", 100*part)
	}
	return fmt.Sprintf("%.0f %%", 100*part)
}
