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

// Document returns the page for signing: the verdicts on one or more systems with their reasons, all runs, the
// environments, and space for two signatures.
func Document(list []*Acceptance) *document.Document {
	sheet, verdict, counts := list[0].Sheet, Overall(list), countsOf(list)
	d := &document.Document{Title: "Acceptance: " + sheet.Title, Subtitle: subtitle(list), Facts: sheetFacts(list),
		Last: fmt.Sprintf("beff accept: %s, %s", verdict, counts)}
	d.Headline = document.Headline{Name: "verdict", Value: string(verdict), Note: counts}
	d.Notices = []document.Notice{Notice(list)}
	d.Screen = screen(list)
	for _, a := range list {
		if a.Finished.After(d.Date) {
			d.Date = a.Finished
		}
		d.Notices = append(d.Notices, a.notices(len(list) > 1)...)
	}
	if len(list) > 1 {
		d.Sections = append(d.Sections, document.Section{ID: "verdicts", Title: "Verdicts",
			Blocks: []document.Block{systemsTable(list)}})
	}
	for i, a := range list {
		id, of := "", ""
		if len(list) > 1 {
			id, of = fmt.Sprintf("-%d", i+1), ": "+a.System
		}
		add := func(name, title string, blocks ...document.Block) {
			d.Sections = append(d.Sections, document.Section{ID: name + id, Title: title + of, Blocks: blocks})
		}
		add("requirements", "Requirements", a.table(id))
		if open := a.open(); len(open) > 0 {
			add("open", "Open requirements", document.List(open))
		}
		if list := a.attested(); len(list) > 0 {
			add("attested", "To be stated by the signatories", document.Paragraph("Results can't prove these "+
				"statements. The signatories make them."), list)
		}
		add("runs", "All runs", a.runTable(id), a.fileTable(id))
		if t := a.environment(id); len(t.Rows) > 0 {
			add("environment", "Environment", t)
		}
	}
	d.Sections = append(d.Sections,
		document.Section{ID: "rule", Title: "How verdicts are reached", Blocks: []document.Block{list[0].rule()}},
		document.Section{ID: "signatures", Title: "Signatures", Blocks: []document.Block{signatures()}})
	return d
}

// Page returns the verdicts as one section with space for signatures, such as the last page of a comparison.
func Page(list []*Acceptance) document.Section {
	s := document.Section{ID: "verdict", Title: "Verdict: " + list[0].titled()}
	s.Blocks = []document.Block{document.Paragraph(fmt.Sprintf("%s: %s. %s.", list[0].Title, Overall(list),
		countsOf(list)))}
	if len(list) > 1 {
		s.Blocks = append(s.Blocks, systemsTable(list))
	} else {
		s.Blocks = append(s.Blocks, list[0].table(""))
	}
	var open document.List
	for _, a := range list {
		for _, text := range slices.Concat(a.open(), a.Notes) {
			open = append(open, words.Either(len(list) > 1, a.System+": ", "")+text)
		}
	}
	if len(open) > 0 {
		s.Blocks = append(s.Blocks, open)
	}
	s.Blocks = append(s.Blocks, signatures())
	return s
}

// titled returns the title of a sheet with its version: "Cluster 2027, version 1".
func (s *Sheet) titled() string { return strings.TrimSuffix(s.Title+", "+version(s), ", ") }

// version returns a sheet's version in words, or "" if it has none.
func version(s *Sheet) string { return words.Either(s.Version == "", "", "version "+s.Version) }

// Overall returns the verdict on several systems: the one that comes first in Verdicts.
func Overall(list []*Acceptance) Verdict {
	return first(lists.Each(list, func(a *Acceptance) Verdict { return a.Verdict }))
}

// countsOf returns the numbers of verdicts on requirements, or for several systems the verdict on each.
func countsOf(list []*Acceptance) string {
	if len(list) == 1 {
		return list[0].counts()
	}
	return strings.Join(lists.Each(list, func(a *Acceptance) string {
		return a.System + ": " + string(a.Verdict)
	}), "; ")
}

func subtitle(list []*Acceptance) string {
	var started, finished time.Time
	for _, a := range list {
		if !a.Started.IsZero() && (started.IsZero() || a.Started.Before(started)) {
			started = a.Started
		}
		if a.Finished.After(finished) {
			finished = a.Finished
		}
	}
	parts := []string{version(list[0].Sheet),
		words.Joined(lists.Each(list, func(a *Acceptance) string { return a.System }), "and")}
	if len(list) == 1 {
		parts = append(parts, list[0].Library)
	}
	parts = lists.Where(parts, func(text string) bool { return text != "" })
	if !started.IsZero() {
		from, to := started.UTC().Format(time.DateOnly), finished.UTC().Format(time.DateOnly)
		parts = append(parts, words.Either(from == to, from, from+" to "+to))
	}
	return strings.Join(parts, ", ")
}

func sheetFacts(all []*Acceptance) (list []document.Fact) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, document.Fact{Name: name, Value: value})
		}
	}
	a, read := all[0], map[string]bool{}
	for _, a := range all {
		for _, r := range a.read {
			read[r.File] = true
		}
	}
	add("sheet", a.titled())
	add("source", a.Source)
	add("digest of the sheet", a.digest)
	add(words.Either(len(all) > 1, "systems", "system"), words.Joined(lists.Each(all, func(a *Acceptance) string {
		return a.System
	}), "and"))
	add("confidence", fmt.Sprintf("%g %%", 100*a.Confidence))
	add("files read", fmt.Sprint(len(read)))
	return list
}

// environment returns the table of the environment of the newest run that counts.
func (a *Acceptance) environment(id string) *document.Table {
	t := &document.Table{ID: "environment-table" + id, Caption: "The environment of the newest run.",
		Columns: document.Heads("fact", "value")}
	for _, f := range a.newest[a.System].facts {
		t.Add(f.Name, f.Value)
	}
	return t
}

// systemsTable returns the table of requirements with a column for each system.
func systemsTable(list []*Acceptance) *document.Table {
	t := &document.Table{ID: "verdicts-table", Columns: document.Heads("requirement", "limit"),
		Caption: fmt.Sprintf("The verdicts with the values that the systems reached, and their distances to the "+
			"nearer limit, negative on its wrong side. For each system the probability of a wrong verdict is at most "+
			"%.3g %% on each side.", 100*(1-list[0].Confidence))}
	whole := []any{"all", "-"}
	for _, a := range list {
		t.Columns = append(t.Columns, document.Column{Name: a.System})
		cell := document.Text(string(a.Verdict))
		cell.Strong = true
		whole = append(whole, cell)
	}
	for i, r := range list[0].Requirements {
		row := []any{r.sized(), cmp.Or(r.Threshold.Text, "none")}
		for _, a := range list {
			text, j := string(a.Judged[i].Verdict), a.Judged[i]
			if !math.IsNaN(j.Value) {
				text += ": " + j.Shown(j.Value)
			}
			if !math.IsNaN(j.Margin) {
				text += ", " + j.marginText()
			}
			row = append(row, text)
		}
		t.Add(row...)
	}
	t.Add(whole...)
	return t
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
	low, high := j.Shown(j.Low), j.Shown(j.High)
	if number, unit, _ := strings.Cut(low, " "); strings.HasSuffix(high, " "+unit) {
		low = number
	}
	return low + " to " + high
}

// counts lists the numbers of requirements with each verdict.
func (a *Acceptance) counts() string {
	var list []string
	for _, v := range []Verdict{Met, MayMiss, Missed, Undecided, NotMeasured, ConditionFailed, Reported} {
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

// Notice returns the verdict as the first notice.
func Notice(list []*Acceptance) document.Notice {
	verdict := Overall(list)
	level := map[Verdict]document.Level{Met: document.Good, Missed: document.Bad, ConditionFailed: document.Bad,
		Reported: document.Note}
	n := document.Notice{Level: document.Warning, Bare: true, Text: list[0].Title + ": " + string(verdict) + ". " +
		words.Either(len(list) > 1, "", countsOf(list)+". ") + reasons(list)}
	if l, has := level[verdict]; has {
		n.Level = l
	}
	return n
}

// mostReasons is the number of requirements that reasons describes for a system.
const mostReasons = 2

// reasons returns the verdict on each system with the requirements that decide it, and their values and limits. Systems
// with the same reasons share a sentence.
func reasons(list []*Acceptance) string {
	var order []string
	systems := map[string][]string{}
	for _, a := range list {
		text := string(a.Verdict)
		if a.Verdict != Met && a.Verdict != Reported {
			text = words.Either(a.Verdict == Overall(list), "", text+": ") + words.First(mostReasons,
				lists.Each(a.with(a.Verdict), (*Judged).line), "; ", "requirements")
			if met := a.with(Met); len(list) > 1 && len(met) > 0 {
				ids := lists.Each(met, func(j *Judged) string { return j.Requirement.ID })
				text += "; met: " + words.First(mostReasons, ids, ", ", "requirements")
			}
		}
		if systems[text] == nil {
			order = append(order, text)
		}
		systems[text] = append(systems[text], a.System)
	}
	return strings.Join(lists.Each(order, func(text string) string {
		return words.Joined(systems[text], "and") + ": " + text + "."
	}), " ")
}

// screen returns the first screen: the verdict, and the most important requirements of each system.
func screen(list []*Acceptance) []document.Fact {
	title, verdict := list[0].titled(), Overall(list)
	rows := []document.Fact{{Value: title + ": " + string(verdict)}}
	if len(list) == 1 {
		rows = append(rows, document.Fact{Name: "Sheet", Value: list[0].counts()})
		return append(rows, list[0].screen(3)...)
	}
	for _, a := range list {
		rows = append(rows, document.Fact{Name: a.System, Value: string(a.Verdict) + ", " + a.counts()})
		rows = append(rows, a.screen(1)...)
	}
	return rows
}

// screen returns rows with the most important requirements, and a number for the others if they are more than one.
func (a *Acceptance) screen(room int) (rows []document.Fact) {
	var shown []*Judged
	for _, v := range Verdicts {
		list := a.with(v)
		slices.SortStableFunc(list, func(x, y *Judged) int { return compareMargins(x, y) })
		shown = append(shown, list...)
	}
	for i, j := range shown {
		if i == room && len(shown) > room+1 {
			more := words.Count(len(shown)-i, "more requirement")
			rows = append(rows, document.Fact{Name: "Also", Value: more + ": -v"})
			break
		}
		rows = append(rows, document.Fact{Name: string(j.Verdict), Value: j.line()})
	}
	if a.name == "" && a.System != "" {
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
	switch given := j.Threshold.Given(); {
	case !math.IsNaN(j.Value):
		parts[0] += ": " + j.Shown(j.Value)
		if given {
			parts = append(parts, j.Threshold.Text, j.marginText())
		}
		parts = append(parts, words.Count(j.Used, "run"))
	case given:
		parts[0] += " (" + j.Threshold.Text + ")"
	}
	if j.Reason != "" {
		parts = append(parts, j.Reason)
	}
	if j.decided() {
		parts = append(parts, "error "+j.probability())
	}
	return strings.Join(parts, ", ")
}

func (j *Judged) decided() bool { return j.Verdict == Met || j.Verdict == Missed }

func (j *Judged) marginText() string {
	const whole = 10 // larger margins have no decimals
	decimals := words.Either(math.Abs(100*j.Margin) < whole, 1, 0)
	return strings.Replace(fmt.Sprintf("%+.*f %%", decimals, 100*j.Margin), "-", "−", 1)
}

// probability formats the probability that the verdict is wrong.
func (j *Judged) probability() string {
	const least = 1e-6
	switch p := j.PValue; {
	case math.IsNaN(p):
		return "not known"
	case p == 0 && j.counted()[0].model:
		return "0 (a model)"
	case p < least:
		return "< 0.0001 %"
	default:
		return rating.Rounded(100*p, 2) + " %"
	}
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
func (a *Acceptance) table(id string) *document.Table {
	t := &document.Table{ID: "requirements-table" + id, Sortable: true,
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
			wrong = document.Number(100*j.PValue, strings.TrimSuffix(j.probability(), " %"))
		}
		verdict := document.Text(string(j.Verdict))
		verdict.Strong = true
		what := strings.TrimSuffix(j.Name+", "+j.size(), ", ")
		t.Add(j.ID, verdict, what, limit, value(j, j.Value), document.Text(j.bounds()), margin, wrong,
			document.Whole(j.Used))
	}
	return t
}

// open lists the requirements that are neither met nor missed by reasons, which have the next step.
func (a *Acceptance) open() (list []string) {
	for _, v := range []Verdict{ConditionFailed, NotMeasured, Undecided} {
		same := map[string][]string{} // requirements by reason
		for _, j := range a.with(v) {
			same[j.Reason] = append(same[j.Reason], j.ID)
		}
		for _, reason := range slices.Sorted(maps.Keys(same)) {
			list = append(list, fmt.Sprintf("%s: %s: %s.", v, words.Some(same[reason]), reason))
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
func (a *Acceptance) runTable(id string) *document.Table {
	t := &document.Table{ID: "runs-table" + id,
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
func (a *Acceptance) fileTable(id string) *document.Table {
	t := &document.Table{ID: "files-table" + id, Columns: document.Heads("file", "status", "counts"),
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

// notices returns remarks on runs that count and were computed by a model, noisy or slowed, and on files that no
// requirement considered.
func (a *Acceptance) notices(several bool) (list []document.Notice) {
	noisy, slowed, all, left := map[string]bool{}, map[string]bool{}, map[string]bool{}, []string{}
	byHost := false
	for _, j := range a.Judged {
		for _, run := range j.counted() {
			all[run.File] = true
			byHost = byHost || run.ByHost
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
			text := words.Either(several, a.System+": ", "") + fmt.Sprintf(format, values...)
			list = append(list, document.Notice{Level: document.Warning, Text: text})
		}
	}
	some := func(files map[string]bool, how string) {
		verb := words.Either(len(files) > 1, "are", "is")
		what := fmt.Sprintf("%d of %s that count", len(files), words.Count(len(all), "result"))
		if len(all) == 1 {
			what = "the only result that counts"
		}
		add(len(files) > 0, "%s %s %s: %s", what, verb, how, words.Some(slices.Sorted(maps.Keys(files))))
	}
	add(a.ofModel(), "computed by a model: nothing was measured")
	some(noisy, "noisy")
	some(slowed, "slowed by a known cause")
	add(several && byHost, "named after the host of process 0: name systems with --system, or with a system.yaml")
	for _, text := range a.Notes {
		add(true, "%s", text)
	}
	add(len(left) > 0, "%d of %s %s left out: %s", len(left), words.Count(len(a.read), "file"),
		words.Either(len(left) > 1, "are", "is"), words.Some(left))
	return list
}

// signatures returns the table with space for two signatures.
func signatures() *document.Table {
	t := &document.Table{ID: "signatures-table", Columns: document.Heads("for", "name", "place and date", "signature"),
		Caption: "The file of this page can be signed with an SSH key, too: ssh-keygen -Y sign -n beff -f KEY FILE."}
	const line = "________________________"
	t.Add("the buyer", line, line, line)
	t.Add("the vendor", line, line, line)
	return t
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
		fmt.Sprintf("The verdict may be computed after each value, because the bounds come from Pocock's "+
			"group-sequential test for %s. For all requirements of the sheet together, the probability of a wrong "+
			"verdict is at most %.3g %% on each side (Holm).", words.Count(a.MaxUnits, "look"), 100*(1-a.Confidence)),
	}
	if slices.ContainsFunc(a.Judged, func(j *Judged) bool { return j.Lengths != nil && j.Lengths.MayMiss > 0 }) {
		list = append(list, "In a list of lengths, as many may miss their limits as the sheet allows. Each length is "+
			"judged like any other requirement, so the list is met if enough of them are met.")
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
			". If runs differ more, their deviation is used. If they contradict the sheet, only their deviation is "+
			"used, with Student's t.")
	}
	if found {
		list = append(list, "Without a spread in the sheet, or if runs contradict it, the spread of five or more "+
			"values is used, with Student's t.")
	}
	return list
}
