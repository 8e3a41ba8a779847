package accept

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// Document returns the page for signing: the verdicts and their reasons, all runs, the environment, and space for two
// signatures.
func (a *Acceptance) Document() *document.Document {
	d := &document.Document{Title: "Acceptance: " + a.Title, Subtitle: a.subtitle(), Date: a.Finished,
		Facts: a.sheetFacts(), Screen: a.screen(),
		Last: fmt.Sprintf("beff accept: %s, %s", a.Verdict, a.counts())}
	d.Headline = document.Headline{Name: "verdict", Value: string(a.Verdict), Note: a.counts()}
	d.Notices = []document.Notice{a.notice()}
	d.Notices = append(d.Notices, a.noise()...)
	if a.ofModel() {
		d.Notices = append(d.Notices, document.Notice{Level: document.Warning,
			Text: "computed by a model: nothing was measured"})
	}
	d.Sections = []document.Section{
		{ID: "requirements", Title: "Requirements", Blocks: []document.Block{a.table()}},
	}
	if open := a.open(); len(open) > 0 {
		d.Sections = append(d.Sections, document.Section{ID: "open", Title: "Open requirements",
			Blocks: []document.Block{open}})
	}
	if list := a.attested(); len(list) > 0 {
		d.Sections = append(d.Sections, document.Section{ID: "attested", Title: "To be stated by the signatories",
			Blocks: []document.Block{document.Paragraph("Results can't prove these statements. The signatories make " +
				"them."), list}})
	}
	d.Sections = append(d.Sections, a.signatures(),
		document.Section{ID: "runs", Title: "All runs", Blocks: []document.Block{a.runTable(), a.fileTable()}})
	if len(a.facts) > 0 {
		t := &document.Table{ID: "environment-table", Caption: "The environment of the newest run.",
			Columns: document.Heads("fact", "value")}
		for _, f := range a.facts {
			t.Add(f.Name, f.Value)
		}
		d.Sections = append(d.Sections, document.Section{ID: "environment", Title: "Environment",
			Blocks: []document.Block{t}})
	}
	d.Sections = append(d.Sections, document.Section{ID: "rule", Title: "How verdicts are reached",
		Blocks: []document.Block{a.rule()}})
	return d
}

func (a *Acceptance) subtitle() string {
	parts := lists.Where([]string{a.Version, a.System, a.Library}, func(text string) bool { return text != "" })
	if !a.Started.IsZero() {
		from, to := a.Started.UTC().Format(time.DateOnly), a.Finished.UTC().Format(time.DateOnly)
		parts = append(parts, words.Either(from == to, from, from+" to "+to))
	}
	return strings.Join(parts, ", ")
}

func (a *Acceptance) sheetFacts() (list []document.Fact) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, document.Fact{Name: name, Value: value})
		}
	}
	add("sheet", strings.TrimSpace(a.Title+" "+a.Version))
	add("source", a.Source)
	add("digest of the sheet", a.digest)
	add("system", a.System)
	add("confidence", fmt.Sprintf("%g %%", 100*a.Confidence))
	add("files read", fmt.Sprint(len(a.read)))
	return list
}

// ofModel reports whether values were computed by a model.
func (a *Acceptance) ofModel() bool {
	return slices.ContainsFunc(a.Judged, func(j *Judged) bool { return j.Used > 0 && j.counted()[0].model })
}

// bounds formats the bounds of the true value.
func (j *Judged) bounds() string {
	if !(j.High > j.Low) {
		return "-"
	}
	low, _, _ := strings.Cut(j.Shown(j.Low), " ")
	return low + " to " + j.Shown(j.High)
}

// counts lists the numbers of requirements with each verdict.
func (a *Acceptance) counts() string {
	var list []string
	for _, v := range []Verdict{Met, Missed, Undecided, NotMeasured, ConditionFailed, Reported} {
		if n := len(a.with(v)); n > 0 {
			list = append(list, fmt.Sprintf("%d %s", n, v))
		}
	}
	return words.Count(len(a.Judged), "requirement") + ": " + strings.Join(list, ", ")
}

// with returns the requirements with a verdict.
func (a *Acceptance) with(v Verdict) []*Judged {
	return slices.DeleteFunc(slices.Clone(a.Judged), func(j *Judged) bool { return j.Verdict != v })
}

func (a *Acceptance) notice() document.Notice {
	level := map[Verdict]document.Level{Met: document.Good, Missed: document.Bad, ConditionFailed: document.Bad,
		Reported: document.Note}
	n := document.Notice{Level: document.Warning, Text: a.Title + ": " + string(a.Verdict) + ". " + a.counts() + ".",
		Bare: true}
	if l, has := level[a.Verdict]; has {
		n.Level = l
	}
	return n
}

// screen returns the first screen: the verdict, and the most important requirements.
func (a *Acceptance) screen() []document.Fact {
	rows := []document.Fact{{Value: strings.TrimSpace(a.Title+" "+a.Version) + ": " + string(a.Verdict)},
		{Name: "Sheet", Value: a.counts()}}
	const room = 4
	var shown []*Judged
	for _, v := range Verdicts {
		list := a.with(v)
		slices.SortStableFunc(list, func(x, y *Judged) int { return compareMargins(x, y) })
		shown = append(shown, list...)
	}
	for i, j := range shown {
		if i == room-1 && len(shown) > room {
			more := words.Count(len(shown)-i, "more requirement")
			rows = append(rows, document.Fact{Name: "Also", Value: more + ": -v"})
			break
		}
		rows = append(rows, document.Fact{Name: string(j.Verdict), Value: j.line()})
	}
	if a.System != "" {
		rows = append(rows, document.Fact{Name: "System", Value: a.System + ", " + a.Library})
	}
	return rows
}

func compareMargins(x, y *Judged) int {
	switch {
	case x.Margin < y.Margin || !math.IsNaN(x.Margin) && math.IsNaN(y.Margin):
		return -1
	case y.Margin < x.Margin || !math.IsNaN(y.Margin) && math.IsNaN(x.Margin):
		return 1
	}
	return 0
}

// line describes the requirement and its value in a line.
func (j *Judged) line() string {
	parts := []string{j.ID}
	if !math.IsNaN(j.Value) {
		parts[0] += ": " + j.Shown(j.Value)
		if j.Threshold.Given() {
			parts = append(parts, j.Threshold.Text, j.marginText())
		}
		parts = append(parts, words.Count(j.Used, "run"))
	}
	if j.Reason != "" {
		parts = append(parts, j.Reason)
	}
	if j.decided() {
		parts = append(parts, "error "+probability(j.PValue))
	}
	return strings.Join(parts, ", ")
}

func (j *Judged) decided() bool { return j.Verdict == Met || j.Verdict == Missed }

func (j *Judged) marginText() string {
	const whole = 10 // larger margins have no decimals
	decimals := words.Either(math.Abs(100*j.Margin) < whole, 1, 0)
	return strings.Replace(fmt.Sprintf("%+.*f %%", decimals, 100*j.Margin), "-", "−", 1)
}

// probability formats a probability.
func probability(p float64) string {
	const least = 1e-6
	switch {
	case math.IsNaN(p):
		return "not known"
	case p == 0:
		return "0 (a model)"
	case p < least:
		return "< 0.0001 %"
	}
	return rating.Rounded(100*p, 2) + " %"
}

// size describes the size at which a requirement is measured.
func (r *Requirement) size() string {
	var parts []string
	if r.Bytes >= 0 {
		parts = append(parts, words.Length(r.Bytes))
	}
	if r.Processes > 0 {
		parts = append(parts, words.Processes(r.Processes))
	}
	if r.Nodes > 0 {
		parts = append(parts, words.Count(r.Nodes, "node"))
	}
	return strings.Join(parts, ", ")
}

// sized returns the requirement's name with its size.
func (r *Requirement) sized() string {
	return words.Either(r.size() == "", r.ID, r.ID+" ("+r.size()+")")
}

// table returns the table of requirements.
func (a *Acceptance) table() *document.Table {
	t := &document.Table{ID: "requirements-table", Sortable: true,
		Columns: document.Heads("requirement", "verdict", "figure and size", "limit", "value []", "bounds []",
			"margin [%]", "error [%]", "runs []"),
		Caption: fmt.Sprintf("The true value lies between the bounds. Each of them is wrong with a probability of at "+
			"most %.3g %%. The margin is the distance to the nearer limit, negative on its wrong side. The error is "+
			"the probability of such data, or of clearer data, if the verdict were wrong.", 100*(1-a.Confidence))}
	value := func(j *Judged, x float64) document.Cell {
		if math.IsNaN(x) {
			return document.Text("-")
		}
		return document.Number(j.Unit.In(x), j.Shown(x))
	}
	for _, j := range a.Judged {
		limit := j.Threshold.Text
		limit = cmp.Or(limit, "none")
		margin, wrong := document.Text("-"), document.Text("-")
		if !math.IsNaN(j.Margin) {
			margin = document.Number(100*j.Margin, strings.TrimSuffix(j.marginText(), " %"))
		}
		if j.decided() {
			wrong = document.Number(100*j.PValue, strings.TrimSuffix(probability(j.PValue), " %"))
		}
		verdict := document.Text(string(j.Verdict))
		verdict.Strong = true
		what := strings.TrimSuffix(j.Name+", "+j.size(), ", ")
		t.Add(j.ID, verdict, what, limit, value(j, j.Value), document.Text(j.bounds()), margin, wrong,
			document.Whole(j.Used))
	}
	return t
}

// open lists the requirements that are neither met nor missed, with the next step for each.
func (a *Acceptance) open() (list document.List) {
	for _, j := range a.Judged {
		if j.Reason != "" && j.Verdict != Reported {
			list = append(list, fmt.Sprintf("%s: %s: %s.", j.ID, j.Verdict, j.Reason))
		}
	}
	return list
}

// attested lists statements that results can't prove, with the requirements that need them.
func (a *Acceptance) attested() (list document.List) {
	of := map[string][]string{}
	var order []string
	for _, j := range a.Judged {
		attest := slices.Clone(j.Attest)
		if j.Used > 0 && j.Processes > 0 && j.counted()[0].Processes == 0 {
			attest = append(attest, "the runs used "+words.Processes(j.Processes))
		}
		if j.Used > 0 && j.Nodes > 0 && j.counted()[0].Nodes == 0 {
			attest = append(attest, "the runs used "+words.Count(j.Nodes, "node"))
		}
		for _, text := range attest {
			if of[text] == nil {
				order = append(order, text)
			}
			of[text] = append(of[text], j.ID)
		}
	}
	for _, text := range order {
		list = append(list, text+": "+strings.Join(of[text], ", "))
	}
	return list
}

// runTable returns the table of all runs, including those that don't count.
func (a *Acceptance) runTable() *document.Table {
	t := &document.Table{ID: "runs-table",
		Columns: document.Heads("requirement", "date", "value []", "counts", "status", "file", "digest"),
		Caption: "All results that have a figure of the sheet at its size, whether they count or not."}
	for _, j := range a.Judged {
		for _, run := range j.Runs {
			date := "not known"
			if !run.Date.IsZero() {
				date = words.Minute(run.Date)
			}
			counts := "yes"
			if run.Refused != "" {
				counts = "no: " + run.Refused
			}
			const short = 12
			t.Add(j.ID, date, document.Number(j.Unit.In(run.Value), j.Shown(run.Value)), counts, run.Status, run.File,
				run.Digest[:min(short, len(run.Digest))])
		}
	}
	return t
}

// fileTable returns the table of all files that were read.
func (a *Acceptance) fileTable() *document.Table {
	t := &document.Table{ID: "files-table", Columns: document.Heads("file", "status", "counts"),
		Caption: "All files that were read. None is left out."}
	of := map[string][2]int{} // number of runs that count, and that don't
	for _, j := range a.Judged {
		for _, run := range j.Runs {
			n := of[run.File]
			n[words.Either(run.Refused == "", 0, 1)]++
			of[run.File] = n
		}
	}
	for _, r := range a.read {
		text := fmt.Sprintf("for %d of %s", of[r.File][0], words.Count(len(a.Judged), "requirement"))
		switch n := of[r.File]; {
		case r.Skipped != "":
			text = "no: " + r.Skipped
		case n[0] == 0 && n[1] > 0:
			text = "no: see the table of runs"
		case n[0] == 0:
			text = "no: it has no figure of the sheet at the required size"
		}
		t.Add(r.File, r.Status, text)
	}
	return t
}

// noise returns notices about noisy and slowed runs that count, and about files that no requirement considered.
func (a *Acceptance) noise() (list []document.Notice) {
	noisy, slowed, all, left := map[string]bool{}, map[string]bool{}, map[string]bool{}, []string{}
	for _, j := range a.Judged {
		for _, run := range j.counted() {
			all[run.File] = true
			if strings.Contains(run.Status, "noisy") {
				noisy[run.File] = true
			}
			if strings.Contains(run.Status, "slowed") {
				slowed[run.File+" ("+run.Status+")"] = true
			}
		}
	}
	for _, r := range a.read {
		if r.Skipped != "" {
			left = append(left, r.File+" ("+r.Skipped+")")
		}
	}
	add := func(is bool, format string, values ...any) {
		if is {
			list = append(list, document.Notice{Level: document.Warning, Text: fmt.Sprintf(format, values...)})
		}
	}
	add(len(noisy) > 0, "%d of %s that count %s noisy: %s", len(noisy), words.Count(len(all), "result"),
		words.Either(len(noisy) > 1, "are", "is"), words.Some(slices.Sorted(maps.Keys(noisy))))
	add(len(slowed) > 0, "%d of %s that count %s slowed by a known cause: %s", len(slowed),
		words.Count(len(all), "result"), words.Either(len(slowed) > 1, "are", "is"),
		words.Some(slices.Sorted(maps.Keys(slowed))))
	add(len(left) > 0, "%d of %s %s left out: %s", len(left), words.Count(len(a.read), "file"),
		words.Either(len(left) > 1, "are", "is"), words.Some(left))
	return list
}

// signatures returns the section with space for two signatures.
func (a *Acceptance) signatures() document.Section {
	t := &document.Table{ID: "signatures-table", Columns: document.Heads("for", "name", "place and date", "signature"),
		Caption: "The file of this page can be signed with an SSH key, too: ssh-keygen -Y sign -n beff -f KEY FILE."}
	const line = "________________________"
	t.Add("the buyer", line, line, line)
	t.Add("the vendor", line, line, line)
	return document.Section{ID: "signatures", Title: "Signatures", Blocks: []document.Block{t}}
}

// rule explains how verdicts are found.
func (a *Acceptance) rule() document.List {
	list := document.List{
		"All results that have the figure at its size count, unless a condition of the sheet excludes them. Excluded " +
			"results are listed with the reason. Runs can't be repeated until one fits, because each further run " +
			"counts like any other.",
		words.Either(a.Unit == Day, "The mean of the runs of a day counts as one value, because disturbances of a "+
			"machine last for hours. A day is in UTC, or in local time if the zone isn't known. ",
			"Each run counts as one value, because the sheet states that runs are independent. ") +
			"Values are averaged geometrically.",
		fmt.Sprintf("A verdict may be looked for after each value, because the bounds come from Pocock's "+
			"group-sequential test for %s. For all requirements of the sheet together, the probability of a wrong "+
			"verdict is at most %.3g %% on each side (Holm).", words.Count(a.MaxUnits, "look"), 100*(1-a.Confidence)),
	}
	said, found := map[string]bool{}, false
	for _, j := range a.Judged {
		if j.Requirement.Spread > 0 && j.test.By == stats.GivenSpread {
			said[fmt.Sprintf("%.3g %%", 100*j.Requirement.Spread)] = true
		}
		found = found || j.SpreadMeasured
	}
	for _, text := range slices.Sorted(maps.Keys(said)) {
		list = append(list, "The sheet gives values a standard deviation of at most "+text+
			". If runs differ more, their deviation is used, and if they contradict the sheet, only theirs, by "+
			"Student's t.")
	}
	if found {
		list = append(list, "Without a spread in the sheet, or if runs contradict it, the spread of five or more "+
			"values is used, by Student's t.")
	}
	return list
}
