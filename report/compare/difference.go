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

// Difference holds a figure of two results, such as the bandwidth in one area of a benchmark in bytes per second: of
// all processes, or of one process in a comparison PerProcess.
type Difference struct {
	Name          string
	First, Second Sampled
	Rows          int // whose geometric means these are; 0: they are figures of their own
	// Significant reports whether the figures differ, tested together with the others of a list: see Test.
	Significant bool
}

// Measured reports whether both results have the figure.
func (d Difference) Measured() bool { return measured(d.First.Value) && measured(d.Second.Value) }

// Ratio returns the second figure divided by the first.
func (d Difference) Ratio() float64 { return d.Second.Value / d.First.Value }

// Computed reports whether both figures are those of models, which have no noise.
func (d Difference) Computed() bool { return d.First.Model && d.Second.Model }

// Told returns which figure is ahead, and what is known of their ratio.
func (d Difference) Told() rating.Told { return judge(d.First, d.Second) }

// Interval returns the 95 % interval of the ratio, which always holds it.
func (d Difference) Interval() Interval {
	told := ratio(d.First, d.Second)
	if !told.Known() {
		return Interval{}
	}
	return Interval{told.Low, told.High, true}
}

// Test decides which of the differences are significant, so that with 95 % none of them is a false alarm: by Holm's
// step-down rule over all lines whose spread is known (Scandinavian Journal of Statistics 6, 1979).
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

// TestBeside tests the difference at an index, which the comparison is about, by itself, and the others together: see
// Test.
func TestBeside(list []Difference, main int) {
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

// Effect returns the difference in words: "+10.1 %, 95 % interval +7.6 to +12.6 %".
func (d Difference) Effect() string {
	in := d.Interval()
	if d.First.Model || d.Second.Model || !in.Known { // the sentence before it says so
		return percent(d.Ratio()) + " %"
	}
	verdict := "significant"
	switch {
	case d.Told().Order() == rating.Alike:
		verdict = "not significant"
	case !d.Between():
		verdict += ", " + d.Assumption()
	}
	return fmt.Sprintf("%s %%, 95 %% interval %s to %s %%: %s", percent(d.Ratio()), percent(in.Low), percent(in.High),
		verdict)
}

// Between reports whether a side has enough runs to tell by how much runs differ: see apart.
func (d Difference) Between() bool { return max(d.First.Runs, d.Second.Runs) >= rating.LeastRuns }

// Assumption returns the condition under which the interval is that of other runs.
func (d Difference) Assumption() string {
	return words.Either(d.Between(), "if runs differ as these do", "if runs differ as the repetitions do")
}

// percent returns the distance of a ratio from 1 in %, with its sign.
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

// mostRuns is the largest number of runs that Detectable names.
const mostRuns = 1000

// Detectable returns a sentence on the differences that these results can show, and how many runs each would show 1 %;
// empty if the spread isn't known. What an interval just reaches is significant in half of all comparisons, which
// nobody would call seen: a difference is shown if it is significant with the power below.
func (d Difference) Detectable() string {
	told := ratio(d.First, d.Second)
	if !(told.Deviation > 0) {
		return ""
	}
	least := math.Expm1(detectable(told.Deviation, told.Freedom))
	if least <= wanted {
		return fmt.Sprintf("Runs like these show differences of %s of 1 %% and more: they are significant in at least "+
			"%.0f %% of such comparisons.", d.Name, 100*power)
	}
	text := fmt.Sprintf("Differences of %s below %s can't be relied on to be seen with these runs: they are "+
		"significant in less than %.0f %% of such comparisons. %s each would show 1 %% in %[3]v %% of them", d.Name,
		rating.Percent(least)+" %", 100*power, d.runs())
	return text + ", " + d.Assumption() + "."
}

// wanted is the difference that the number of runs is named for, power the part of comparisons in which a difference
// that is said to be seen is significant.
const (
	wanted = 0.01
	power  = 0.8
)

// detectable returns the least difference of two logarithms that is significant with the power, if their difference has
// a standard deviation, which is known with so many degrees of freedom (TestPower).
func detectable(deviation, freedom float64) float64 {
	return deviation * (stats.Student((1+confidence)/2, freedom) + stats.Student(power, freedom))
}

// runs returns the number of runs of each side, in words, with which the difference that is wanted would be shown.
func (d Difference) runs() string {
	told := ratio(d.First, d.Second)
	variance := told.First.PerRun() + told.Second.PerRun()
	for n := rating.LeastRuns; n <= mostRuns; n++ {
		// Welch's degrees are 2(n-1) for equal spreads; by the estimated ones, which never are, 1.5(n-1) for few runs.
		if detectable(math.Sqrt(variance/float64(n)), 1.5*float64(n-1)) <= math.Log1p(wanted) {
			return fmt.Sprintf("%d runs", n)
		}
	}
	return fmt.Sprintf("More than %d runs", mostRuns)
}
