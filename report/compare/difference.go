package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// Difference holds a figure of two results, such as the bandwidth in an area of a benchmark in bytes per second: over
// all processes, or per process in a comparison PerProcess.
type Difference struct {
	Name          string
	First, Second Sampled
	Rows          int // number of rows with these geometric means; 0 for figures that aren't means of rows
	// Significant reports whether the figures differ, tested together with the others of a list (see Test). The main
	// difference of a comparison is tested alone.
	Significant bool
}

// Measured reports whether both results have the figure.
func (d Difference) Measured() bool { return measured(d.First.Value) && measured(d.Second.Value) }

// Ratio returns the second figure divided by the first.
func (d Difference) Ratio() float64 { return d.Second.Value / d.First.Value }

// Computed reports whether models, which have no noise, computed both figures.
func (d Difference) Computed() bool { return d.First.Model && d.Second.Model }

// Comparison returns which figure is larger, and the error of their ratio.
func (d Difference) Comparison() rating.Comparison { return judge(d.First, d.Second) }

// Interval returns the 95 % interval of the ratio. It always contains the ratio.
func (d Difference) Interval() Interval {
	told := ratio(d.First, d.Second)
	if !told.Known() {
		return Interval{}
	}
	return Interval{told.Low, told.High, true}
}

// together returns the 95 % interval of the ratio if n ratios are judged together (Bonferroni). If Test finds none of
// them significant, all of these intervals contain 1.
func (d Difference) together(n int) Interval {
	told := ratio(d.First, d.Second)
	if !told.Known() || told.Deviation == 0 {
		return d.Interval()
	}
	half := stats.Student(1-(1-confidence)/2/float64(n), told.Freedom) * told.Deviation
	return Interval{told.Ratio * math.Exp(-half), told.Ratio * math.Exp(half), true}
}

// Test decides which differences are significant, so that with a probability of 95 % none of them is a false alarm. It
// uses Holm's step-down rule over all lines with a known spread (Scandinavian Journal of Statistics 6, 1979).
func Test(list []Difference) {
	type line struct {
		at int
		p  float64
	}
	var lines []line
	for i, d := range list {
		if told := ratio(d.First, d.Second); !math.IsNaN(told.P) {
			lines = append(lines, line{i, told.P})
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.p, b.p) })
	for i, l := range lines {
		if l.p > (1-confidence)/float64(len(lines)-i) {
			return
		}
		list[l.at].Significant = true
	}
}

// TestWithMain is like Test, but tests the difference with index main, the subject of the comparison, separately.
func TestWithMain(list []Difference, main int) {
	if main < 0 || main >= len(list) {
		Test(list)
		return
	}
	Test(list[main : main+1])
	others := slices.Delete(slices.Clone(list), main, main+1)
	Test(others)
	copy(list[:main], others[:main])
	copy(list[main+1:], others[main:])
}

// Effect describes the difference: "+10.1 %, 95 % interval +7.6 to +12.6 %".
func (d Difference) Effect() string {
	in := d.Interval()
	if d.First.Model || d.Second.Model || !in.Known { // the preceding sentence contains this
		return percent(d.Ratio()) + " %"
	}
	verdict := "significant"
	switch {
	case d.Comparison().Order() == rating.Alike:
		verdict = "not significant"
	case !d.Between():
		verdict += ", " + d.Assumption()
	}
	return fmt.Sprintf("%s %%, 95 %% interval %s to %s %%: %s", percent(d.Ratio()), percent(in.Low), percent(in.High),
		verdict)
}

// Between reports whether a side has enough runs to estimate the spread between runs.
func (d Difference) Between() bool { return max(d.First.Runs, d.Second.Runs) >= rating.MinRuns }

// Assumption returns the condition under which the interval holds for further runs.
func (d Difference) Assumption() string {
	return words.Either(d.Between(), "if runs differ as these do", "if runs differ as the repetitions do")
}

// percent formats the distance of a ratio from 1 in %, with its sign.
func percent(ratio float64) string {
	x := 100 * (ratio - 1)
	switch {
	case math.Abs(x) >= 100:
		return fmt.Sprintf("%+.0f", x)
	case math.Abs(x) < 0.05:
		return "0.0"
	}
	return fmt.Sprintf("%+.1f", x)
}

// maxRuns is the largest number of runs that Detectable mentions.
const maxRuns = 1000

// Detectable returns a sentence on the size of the differences that such results can show, and on the number of runs
// that would show 1 %, or "" if the spread isn't known. A difference that an interval just reaches is significant in
// only half of all comparisons, so a difference counts as shown if 80 % of comparisons would find it significant.
func (d Difference) Detectable() string {
	told := ratio(d.First, d.Second)
	if !(told.Deviation > 0) {
		return ""
	}
	least := math.Expm1(detectable(told.Deviation, told.Freedom))
	if least <= wanted {
		return fmt.Sprintf("Such runs would find a difference of 1 %% in %s in at least %.0f of 100 comparisons.",
			d.Name, 100*power)
	}
	size := rating.Percent(least) + " %"
	if least > 1 {
		size = "a factor of " + words.Digits(1+least, 2)
	}
	return fmt.Sprintf("The smallest difference in %s that such runs would find in %.0f of 100 comparisons is %s. "+
		"For 1 %% each side needs %s, %s.", d.Name, 100*power, size, d.runs(), d.Assumption())
}

// wanted is the difference for which the number of runs is computed. power is the fraction of comparisons in which a
// difference that counts as shown is significant.
const (
	wanted = 0.01
	power  = 0.8
)

// detectable returns the least difference of two logarithms that is significant with the power, given the standard
// deviation of the difference and its degrees of freedom (TestPower).
func detectable(deviation, freedom float64) float64 {
	return deviation * (stats.Student((1+confidence)/2, freedom) + stats.Student(power, freedom))
}

// runs returns the number of runs of each side that would show the difference wanted.
func (d Difference) runs() string {
	told := ratio(d.First, d.Second)
	variance := told.First.PerRun() + told.Second.PerRun()
	for n := rating.MinRuns; n <= maxRuns; n++ {
		// Welch's degrees are 2(n-1) for equal spreads. Estimated spreads are never equal, which gives 1.5(n-1) for few
		// runs.
		if detectable(math.Sqrt(variance/float64(n)), 1.5*float64(n-1)) <= math.Log1p(wanted) {
			return words.Count(n, "run")
		}
	}
	return fmt.Sprintf("more than %d runs", maxRuns)
}
