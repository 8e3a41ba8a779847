package parts

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Run is one of several runs that are reported together.
type Run struct {
	Name    string // name of the file
	Started time.Time
	Seed    string // empty without one
	Rating  float64
	Within  *rating.Interval // nil if not known
	Verdict rating.Verdict
	Facts   []document.Fact // from its report
	Around  rating.Circumstances
}

// Runs are several runs of one system and configuration. Their rating is the geometric mean of the single ratings.
type Runs struct {
	Benchmark string
	List      []Run
	Mean      float64
	Between   *rating.Interval // interval of the mean (see rating.OfRuns); nil if not known
}

// RunsOf returns the runs with their mean and its interval.
func RunsOf(benchmark string, list []Run) Runs {
	of := rating.MeanOfRuns(lists.Each(list, Run.Estimate))
	return Runs{Benchmark: benchmark, List: list, Mean: of.Value, Between: of.Within}
}

// Count returns the number of runs in words.
func (r Runs) Count() string { return words.Count(len(r.List), "run") }

// Estimate returns the rating of the run with its error, as far as known.
func (one Run) Estimate() rating.Estimate {
	return rating.Estimate{Value: one.Rating, Within: one.Within, Model: one.Verdict.OfModel()}
}

// Estimate returns the mean with its error, as far as known.
func (r Runs) Estimate() rating.Estimate {
	return rating.Estimate{Value: r.Mean, Within: r.Between, Runs: len(r.List), Model: r.List[0].Verdict.OfModel()}
}

// Interval describes the interval between the runs.
func (r Runs) Interval() string {
	switch d := r.Estimate(); {
	case d.Kind() == rating.NotKnown:
		return fmt.Sprintf("(mean of %s; the interval between runs needs three or more)", r.Count())
	case len(r.List) < rating.MinRuns:
		return fmt.Sprintf("%v (95 %%, from the intervals of %s and their difference)", d, r.Count())
	default:
		return fmt.Sprintf("%v (95 %%, between %s)", d, r.Count())
	}
}

// headline returns the title page's number. remark is appended to its note if it isn't empty.
func (r Runs) headline(remark string) document.Headline {
	return Headline(r.Benchmark, r.Verdict(), r.Estimate(), strings.TrimSuffix(r.Interval()+"; "+remark, "; "))
}

// Complete turns d, a report of the runs' means, into a report of the runs: it adds them as dots on the first page and
// as a table. remark is appended to the headline's note if it isn't empty.
func (r Runs) Complete(d *document.Document, remark string) {
	d.Subtitle, d.Last = d.Subtitle+", "+r.Count(), "" // scripts look for the last line of a single run
	d.Headline, d.Notices, d.Facts = r.headline(remark), r.notices(), r.facts()
	d.Lead.Sentences = slices.Insert(d.Lead.Sentences, 0, r.sentence())
	at := slices.IndexFunc(d.Sections, func(s document.Section) bool { return s.ID == "figures" })
	if d.Lead.Figure != nil && at >= 0 {
		d.Sections[at].Blocks = slices.Insert(d.Sections[at].Blocks, 0, document.Block(d.Lead.Figure))
	}
	d.Lead.Figure = r.figure()
	d.Sections = slices.Insert(d.Sections, 0, r.section())
	var names []string
	var around []rating.Circumstances
	for _, one := range r.List {
		names, around = append(names, one.Name), append(around, one.Around)
	}
	d.Sections = Sections(append(d.Sections, EnvironmentsDiffer(names, around))...)
}

// sentence describes how far the runs differ.
func (r Runs) sentence() string {
	least, most := r.ends()
	low, unitOfLow := words.ValueAndUnit(rating.Estimate{Value: least})
	high, unit := words.ValueAndUnit(rating.Estimate{Value: most})
	text := fmt.Sprintf("%s, from %s to %s: the highest %s is %.1f %% above the lowest. The report shows their "+
		"geometric mean.", r.Count(), words.Either(unit == unitOfLow, low, low+" "+unitOfLow), high+" "+unit,
		r.Benchmark, 100*(most/least-1))
	switch part := r.spreadRatio(); {
	case part > notable && part < math.Inf(1):
		text += fmt.Sprintf(" They differ by %.1f times as much as expected from the intervals within each run, so "+
			"something changes from run to run.", part)
	case part <= 1:
		text += " They differ by no more than expected from the intervals within each run."
	}
	return text
}

// notable is the ratio to the expected difference between runs above which the report mentions the difference.
const notable = 2

// spreadRatio returns the standard deviation between the runs divided by the deviation that the intervals within the
// runs predict. It is infinite if these aren't known.
func (r Runs) spreadRatio() float64 {
	between, within := 0.0, 0.0
	for _, one := range r.List {
		if one.Within == nil || len(r.List) < 2 {
			return math.Inf(1)
		}
		log := math.Log(one.Rating / r.Mean)
		between += log * log / float64(len(r.List)-1)
		half := math.Log(one.Within.High/one.Within.Low) / 2 / sigmas
		within += half * half / float64(len(r.List))
	}
	return math.Sqrt(between / within)
}

// sigmas is half of a 95 % interval in standard deviations of a normal distribution.
const sigmas = 1.96

// figure draws each run as a dot with its interval within the run, and the mean with the interval between runs.
func (r Runs) figure() *document.Figure {
	shown := r.List[:min(len(r.List), maxRuns)]
	d := chart.Dots{ID: "runs-dots", X: chart.Bandwidth.Named(r.Benchmark),
		Title: r.Benchmark + " of each run, and their geometric mean"}
	dot := func(name string, x float64, in *rating.Interval, look int) {
		d.Groups = append(d.Groups, chart.Group{Name: name,
			Dots: []chart.Dot{{Spread: chart.Within(x, in), StyleIndex: look}}})
	}
	known := false
	for _, one := range shown {
		dot(one.Name, one.Rating, one.Within, 0)
		known = known || one.Within != nil
	}
	dot("mean of "+r.Count(), r.Mean, r.Between, 1)
	d.Caption = "The runs, " + words.Either(known, "each with its 95 % interval within the run",
		"in the order of the files") + ", and their geometric mean" +
		words.Either(r.Between != nil, " with the 95 % interval between them", "") + "."
	if len(shown) < len(r.List) {
		d.Caption += fmt.Sprintf(" The picture shows the first %d of %d runs.", len(shown), len(r.List))
	}
	return d.Figure()
}

// maxRuns is the number of runs that fit into a picture.
const maxRuns = 40

// ends returns the lowest and the highest rating.
func (r Runs) ends() (least, most float64) {
	by := func(a, b Run) int { return cmp.Compare(a.Rating, b.Rating) }
	return slices.MinFunc(r.List, by).Rating, slices.MaxFunc(r.List, by).Rating
}

// section returns the table of the runs.
func (r Runs) section() document.Section {
	t := &document.Table{ID: "runs-table", Caption: "The runs that are reported as one. Each run has the interval " +
		"within it, the last line the interval between the runs.",
		Columns: document.Heads("run", "begun", "seed []", r.Benchmark+" [MB/s]", "interval", "status")}
	for _, one := range r.List {
		t.Add(one.Name, one.Started.UTC().Format("2006-01-02 15:04"), cmp.Or(one.Seed, "-"), Bandwidth(one.Rating),
			one.Estimate().String(), VerdictLine(one.Verdict, rating.Estimate{}))
	}
	t.Footer = []document.Cell{document.Text("geometric mean"), document.Text(""), document.Text(""),
		Bandwidth(r.Mean), document.Text(r.Estimate().String()), document.Text("")}
	return document.Section{ID: "runs", Title: "Runs", Blocks: []document.Block{t}}
}

// Keys writes the runs for scripts.
func (r Runs) Keys(k Keys) {
	k.Text("runs", fmt.Sprint(len(r.List)))
	for i, one := range r.List {
		k.Mbps(fmt.Sprintf("run_%d", i+1), one.Rating)
	}
}

// Verdict returns the verdict on several runs as one: valid if all are valid, noisy or slowed if one is. Each criterion
// and each sign of noise is the worst run's.
func (r Runs) Verdict() rating.Verdict {
	v := rating.Verdict{Valid: true, Warnings: r.warnings()}
	for _, one := range r.List {
		v.Valid, v.Noisy = v.Valid && one.Verdict.Valid, v.Noisy || one.Verdict.Noisy
		for _, c := range one.Verdict.Criteria {
			at := slices.IndexFunc(v.Criteria, func(x rating.Criterion) bool { return x.Name == c.Name })
			switch {
			case at < 0:
				v.Criteria = append(v.Criteria, c)
			case !c.Reached && (v.Criteria[at].Reached || v.Criteria[at].Unknown && !c.Unknown):
				v.Criteria[at] = c
			}
		}
		v.Slowed = cmp.Or(v.Slowed, one.Verdict.Slowed)
		for _, c := range one.Verdict.Causes {
			if !slices.ContainsFunc(v.Causes, func(x rating.Cause) bool { return x.Code == c.Code }) {
				v.Causes = append(v.Causes, c)
			}
		}
		for _, s := range one.Verdict.Signs {
			s.Text = one.Name + ": " + s.Text
			at := slices.IndexFunc(v.Signs, func(x rating.Sign) bool { return x.Name == s.Name })
			switch {
			case at < 0:
				v.Signs = append(v.Signs, s)
			case s.Value > v.Signs[at].Value:
				v.Signs[at] = s
			}
		}
	}
	return v
}

// notices returns the notices for the title page: the verdict, the warnings that all runs share, and which runs are
// noisy. The reasons are in the table of warnings.
func (r Runs) notices() []document.Notice {
	v := r.Verdict()
	v.Warnings = slices.DeleteFunc(v.Warnings, func(w rating.Warning) bool {
		return slices.ContainsFunc(r.List, func(one Run) bool { return !slices.Contains(one.Verdict.Warnings, w) })
	})
	list := Notices(v, r.Estimate())
	var noisy, slowed []string
	for _, one := range r.List {
		switch one.Verdict.State() {
		case rating.IsNoisy:
			noisy = append(noisy, one.Name)
		case rating.IsSlowed:
			slowed = append(slowed, one.Name)
		}
	}
	if len(slowed) > 0 {
		list = append(list, document.Notice{Level: document.Warning,
			Text: fmt.Sprintf("%d of %s %s slowed by a known cause: %s", len(slowed), r.Count(),
				words.Either(len(slowed) > 1, "are", "is"), words.Some(slowed)),
			Remedy: "look at their warnings; remove the cause and measure them again, or leave them out"})
	}
	if len(noisy) > 0 {
		list = append(list, document.Notice{Level: document.Warning,
			Text: fmt.Sprintf("%d of %s %s noisy: %s", len(noisy), r.Count(), words.Either(len(noisy) > 1, "are", "is"),
				words.Some(noisy)),
			Remedy: "look at their warnings; measure them again, or leave them out"})
	}
	return list
}

// warnings returns one warning of each code, the first run's.
func (r Runs) warnings() []rating.Warning {
	list := []rating.Warning{}
	runs, alike := map[string]int{}, map[string]int{}
	for _, one := range r.List {
		for _, w := range one.Verdict.Warnings {
			at := slices.IndexFunc(list, func(x rating.Warning) bool { return x.Code == w.Code })
			if at < 0 {
				at, list = len(list), append(list, w)
				list[at].Text = one.Name + ": " + w.Text
			}
			runs[w.Code]++
			if strings.HasSuffix(list[at].Text, ": "+w.Text) {
				alike[w.Code]++
			}
		}
	}
	for i, w := range list {
		switch n := runs[w.Code]; {
		case alike[w.Code] == len(r.List):
			_, list[i].Text, _ = strings.Cut(w.Text, ": ")
		case n > 1:
			list[i].Text += fmt.Sprintf(" (and similarly in %d of the other %d runs)", n-1, len(r.List)-1)
		}
	}
	return list
}

// facts returns the facts of all runs. If the runs differ in a fact, it lists all values, or their number if there are
// many.
func (r Runs) facts() (shared []document.Fact) {
	values := map[string][]string{}
	for _, one := range r.List {
		for _, f := range one.Facts {
			if values[f.Name] == nil {
				shared = append(shared, f)
			}
			if !slices.Contains(values[f.Name], f.Value) {
				values[f.Name] = append(values[f.Name], f.Value)
			}
		}
	}
	const most = 4
	for i, f := range shared {
		if list := values[f.Name]; len(list) > most {
			shared[i].Value = fmt.Sprintf("%s and %d others", list[0], len(list)-1)
		} else {
			inside := func(value string) bool { return strings.Contains(value, ", ") }
			shared[i].Value = strings.Join(list, words.Either(slices.ContainsFunc(list, inside), "; ", ", "))
		}
	}
	return shared
}
