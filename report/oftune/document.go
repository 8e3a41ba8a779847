package oftune

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
	"github.com/effective-bandwidth/beff/tune"
)

// what names a collective on as many processes.
func what(collective string, processes int) string {
	return fmt.Sprintf("%s on %s", collective, words.Processes(processes))
}

// Standing says what the pairs of the proof say of rules of a collective on as many processes.
func Standing(r *tune.Result, collective string, processes int) compare.Standing {
	return compare.Turns{Most: r.Pairs, Within: r.Within}.Standing(
		r.PairRatios(r.Samples, r.Derived.Rules, collective, processes))
}

// Kept returns the rules of those collectives and numbers of processes for which the proof found a gain.
func Kept(r *tune.Result) []tune.Rule {
	return slices.DeleteFunc(slices.Clone(r.Derived.Rules), func(rule tune.Rule) bool {
		return !(Standing(r, rule.Collective, rule.Processes).Low > 1)
	})
}

// Verdicts returns a sentence for each collective and number of processes.
func Verdicts(r *tune.Result) (list []string) {
	for _, collective := range r.Collectives {
		for _, n := range r.Processes {
			name := what(collective, n)
			rules := tune.Of(r.Derived.Rules, collective, n)
			if len(rules) == 0 {
				list = append(list, name+": "+words.Either(refuted(r, collective, n), "the library doesn't take from "+
					"the file what is faster than the default", "no algorithm is shown to be faster than the default "+
					"by more than the tolerance"))
				continue
			}
			s := Standing(r, collective, n)
			text := s.Words("the default", "the file of rules", name)
			if !(s.Low > 1) {
				text += ": no gain, and no rule"
			}
			list = append(list, fmt.Sprintf("%s. Rules: %s", text, strings.Join(lists.Each(rules, named), ", ")))
		}
	}
	return list
}

// named says for which lengths a rule is, and its algorithm.
func named(r tune.Rule) string {
	switch {
	case r.To == 0:
		return r.Algorithm.Name
	case r.From == r.To:
		return fmt.Sprintf("%d bytes %s", r.From, r.Algorithm.Name)
	}
	return fmt.Sprintf("%d to %d bytes %s", r.From, r.To, r.Algorithm.Name)
}

// Document returns the report of a result.
func Document(r *tune.Result) *document.Document {
	verdicts := Verdicts(r)
	library := words.OneLine(r.Engine.Library + " " + r.Engine.Version)
	d := &document.Document{Title: "Algorithms of " + library, Subtitle: "collective calls on " +
		parts.NameOf(r.System, r.Host), Date: r.Started, Facts: facts(r), Notices: notices(r)}
	d.Lead = parts.Lead("Each algorithm of the library ran in jobs of its own, in turn with the default. A rule "+
		"stands where one is faster by more than the tolerance and by more than chance; elsewhere the library goes on "+
		"to decide. The gain is measured anew.", verdicts)
	for _, text := range verdicts {
		d.Screen = append(d.Screen, document.Fact{Value: text})
	}
	use := []document.Block{document.Paragraph("No rule stands, so there is no file of rules.")}
	if d.Copy = r.Use; len(r.Use) > 0 {
		use = []document.Block{document.Paragraph("Variables to set, in a modulefile or job script:"), d.Copy}
	}
	d.Screen = append(d.Screen, document.Fact{Name: "Set", Value: words.Either(len(r.Use) > 0,
		"the variables below, in a modulefile or job script", "nothing: no rule stands, so there is no file of rules")})
	d.Sections = parts.Sections(
		parts.Section("verdicts", "Result", append(use, gains(r))...),
		parts.Section("pictures", "Pictures", parts.Pictured(pictures(r), "")...),
		parts.Section("evidence-section", "What the library does", evidence(r)...),
		parts.Section("possible-section", "What would be possible", possible(r)...),
		parts.Section("files", "Files", filesOf(r)...),
		parts.Section("cells-section", "All algorithms", cells(r)),
		parts.Section("samples-section", "All jobs", samples(r)),
		parts.Section("environment", "Where it was made", parts.Surroundings(r.Placement, r.Circumstances)...))
	return d
}

// facts are those of the first page.
func facts(r *tune.Result) []document.Fact {
	list := parts.MachineFacts(r.System, &r.Host, r.Engine, "")
	list.Add(true, "placement", "%s", words.OneLine(strings.Join(r.Placements, "; ")))
	list.Add(true, "jobs started by", "%s", words.OneLine(r.Launcher))
	list.Add(true, "variables of the default", "%s", cmp.Or(words.OneLine(strings.Join(r.Variables, " ")), "none"))
	list.Add(true, "rounds", "%d", r.Rounds)
	list.Add(true, "program", "beff %s", words.OneLine(r.Beff))
	return list
}

// gains is the table of what rules gain by length.
func gains(r *tune.Result) *document.Table {
	t := &document.Table{ID: "gains", Sortable: true, Columns: document.Heads("collective", "processes []",
		"length [B]", "rule", "default [µs]", "with the file [µs]", "gain [%]", "from [%]", "to [%]"),
		Caption: "Runs of the proof, which are others than those by which algorithms were chosen. The interval of " +
			"the gain holds for all lengths together (95 %). That of the first page is of one figure, the mean over " +
			"the lengths that have a rule. Without a rule the library decides."}
	for _, g := range r.Derived.Gains {
		t.Add(g.Collective, document.Whole(g.Processes), document.Whole(g.Bytes), cmp.Or(g.Algorithm, "none"),
			parts.Microseconds(g.Default), parts.Microseconds(g.Ruled), percent(g.Ratio), percent(g.Low),
			percent(g.High))
	}
	return t
}

// percent returns a ratio as a difference from 1; nothing of 0, which is not known.
func percent(ratio float64) document.Cell {
	if ratio == 0 {
		return document.Text("")
	}
	x := 100 * (ratio - 1)
	return document.Number(x, fmt.Sprintf("%+.1f", x))
}

const evidenceText = "A time can't tell whether a library took a file of rules. Open MPI counts what it sends: with " +
	"the file it must be what it is where the algorithm is forced, by sender, receiver and size. MPICH doesn't, so a " +
	"file in which the rule names an algorithm of another collective must end the job, and the file itself must not."

// evidence shows that rules are taken; nothing if there are none.
func evidence(r *tune.Result) []document.Block {
	if len(r.Evidence) == 0 {
		return nil
	}
	t := &document.Table{ID: "evidence", Columns: document.Heads("collective", "processes []", "length [B]",
		"algorithm", "messages by default []", "forced []", "with the file []", "taken"),
		Caption: countedCalls(r)}
	for i := range r.Evidence {
		e := &r.Evidence[i]
		said := words.Either(e.Spoiled, "yes: a wrong rule there ends the job", "yes")
		switch {
		case e.Contradicts():
			said = "no: there is no rule"
		case !e.Shown():
			said = "messages don't tell it from the default"
		}
		row := []any{e.Collective, document.Whole(e.Processes), document.Whole(e.Bytes), e.Algorithm}
		for _, messages := range []int64{e.Default, e.Forced, e.Ruled} {
			row = append(row, parts.Number(float64(messages), 0))
		}
		t.Add(append(row, said)...)
	}
	if !slices.ContainsFunc(r.Evidence, func(e tune.Evidence) bool { return e.Forced > 0 }) {
		t.Drop("messages by default", "forced", "with the file")
		t.Caption = "Jobs with the file, and with a wrong rule in it."
	}
	return []document.Block{document.Paragraph(evidenceText), t}
}

// possible is the table of the fastest algorithm of MPIBlib at each length beside the library's, and which collectives
// it has none for.
func possible(r *tune.Result) (blocks []document.Block) {
	t := &document.Table{ID: "possible", Columns: document.Heads("collective", "processes []", "length [B]",
		"the library's fastest", "time [µs]", "MPIBlib's fastest", "its time [µs]", "times as fast []"),
		Caption: "Algorithms of MPIBlib, as beff's own programs of messages (beff probe list). The times are means " +
			"of the rounds; no rule can name them."}
	for _, collective := range r.Collectives {
		for _, n := range r.Processes {
			for _, bytes := range r.LengthsOf(collective) {
				own, is := fastest(r.Derived.Cells, collective, n, bytes)
				other, there := fastest(r.Derived.Possible, collective, n, bytes)
				if !is || !there {
					continue
				}
				if by := own.Ratio * own.Seconds; by < own.Seconds {
					own.Algorithm, own.Seconds = tune.Default, by
				}
				t.Add(collective, document.Whole(n), document.Whole(bytes), own.Algorithm,
					parts.Microseconds(own.Seconds), other.Algorithm, parts.Microseconds(other.Seconds),
					parts.Number(own.Seconds/other.Seconds, 2))
			}
		}
	}
	if len(t.Rows) > 0 {
		blocks = append(blocks, t)
	}
	none := lists.Where(r.Collectives, func(c string) bool { return len(suites.Algorithms(c)) == 0 })
	if len(none) > 0 {
		blocks = append(blocks, document.Paragraph("MPIBlib has no algorithms of "+words.Joined(none, "and")+"."))
	}
	return blocks
}

// fastest returns the cell with the least time.
func fastest(list []tune.Cell, collective string, processes int, bytes int64) (best tune.Cell, there bool) {
	for _, c := range list {
		if c.Collective == collective && c.Processes == processes && c.Bytes == bytes &&
			(!there || c.Seconds < best.Seconds) {
			best, there = c, true
		}
	}
	return best, there
}

// filesOf is Open MPI's file of rules. Those of MPICH are long: the library's own rules, with some before them.
func filesOf(r *tune.Result) (blocks []document.Block) {
	kept := Kept(r)
	if len(kept) == 0 || r.Engine.Library != (tune.OpenMPI{}).Name() {
		return nil
	}
	files, err := tune.OpenMPI{}.Files(kept, false)
	for _, text := range files {
		if err == nil {
			blocks = append(blocks, document.Lines(strings.Split(strings.TrimSpace(string(text)), "\n")))
		}
	}
	return blocks
}

// cells is the table of all algorithms beside the default.
func cells(r *tune.Result) *document.Table {
	t := &document.Table{ID: "cells", Raw: true, Sortable: true, Columns: document.Heads("collective", "processes []",
		"length [B]", "algorithm", "time [µs]", "against the default [times]", "from []", "to []",
		"corrected probability []", "faster"), Caption: fmt.Sprintf("The default's time over the algorithm's in "+
		"the same round: geometric mean, and the interval of this row alone (95 %%). Faster: more than %.4g times "+
		"as fast, with a probability that this is wrong, corrected for the number of rows (Holm), of at most 0.05.",
		r.Tolerance)}
	corrected := stats.Adjusted(lists.Each(r.Derived.Cells, func(c tune.Cell) float64 { return c.Probability }))
	for i, c := range r.Derived.Cells {
		t.Add(c.Collective, document.Whole(c.Processes), document.Whole(c.Bytes), c.Algorithm,
			parts.Microseconds(c.Seconds), parts.Number(c.Ratio, 3), parts.Number(c.Low, 3), parts.Number(c.High, 3),
			document.Number(corrected[i], fmt.Sprintf("%.2g", corrected[i])), words.Either(c.Wins, "yes", ""))
	}
	return t
}

// samples is the table of what each job measured.
func samples(r *tune.Result) *document.Table {
	t := &document.Table{ID: "samples", Raw: true, Sortable: true, Columns: document.Heads("for", "collective",
		"processes []", "setting", "round []", "length [B]", "time [µs]"),
		Caption: "The median time of a call in each job."}
	for i := range r.Samples {
		s := &r.Samples[i]
		for k, bytes := range r.LengthsOf(s.Collective) {
			if k < len(s.Seconds) {
				t.Add(string(s.Phase), s.Collective, document.Whole(s.Processes), s.Setting, document.Whole(s.Round),
					document.Whole(bytes), parts.Microseconds(s.Seconds[k]))
			}
		}
	}
	return t
}
