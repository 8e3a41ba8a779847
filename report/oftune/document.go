package oftune

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
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
				list = append(list, name+": no algorithm is faster than the default by more than the tolerance")
				continue
			}
			var said []string
			for _, rule := range rules {
				said = append(said, span(rule)+rule.Algorithm.Name)
			}
			s := Standing(r, collective, n)
			text := s.Words("the default", "the file of rules", name)
			if !(s.Low > 1) {
				text += ": no gain, and no rule"
			}
			list = append(list, fmt.Sprintf("%s. Rules: %s", text, strings.Join(said, ", ")))
		}
	}
	return list
}

// span says for which lengths a rule is.
func span(r tune.Rule) string {
	switch {
	case r.To == 0:
		return ""
	case r.From == r.To:
		return fmt.Sprintf("%d bytes ", r.From)
	}
	return fmt.Sprintf("%d to %d bytes ", r.From, r.To)
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
	use := "nothing was gained, so no file of rules is there"
	if len(r.Use) > 0 {
		use = words.OneLine(strings.Join(r.Use, " "))
	}
	d.Screen = append(d.Screen, document.Fact{Name: "use", Value: use})
	figures := pictures(r)
	d.Sections = parts.Sections(
		parts.Section("verdicts", "Result", document.List{"use: " + use}, gains(r)),
		parts.Section("pictures", "Pictures", parts.Pictured(figures, "")...),
		parts.Section("evidence-section", "What the library does", document.Paragraph(evidenceText), evidence(r)),
		parts.Section("possible-section", "What would be possible", possible(r)),
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

// notices say what the default has of its own, and what was left out.
func notices(r *tune.Result) (list []document.Notice) {
	for _, v := range r.Variables {
		if name, file, _ := strings.Cut(words.OneLine(v), "="); file != "" && (strings.HasSuffix(name,
			"_dynamic_rules_filename") || strings.HasSuffix(name, "_TUNING_JSON_FILE")) {
			list = append(list, document.Notice{Level: document.Note, Text: "The default has rules of its own, " +
				file + ": the new file stands in their place, and where it has no rule the library decides."})
		}
	}
	for _, s := range r.Skipped {
		list = append(list, document.Notice{Level: document.Note, Text: fmt.Sprintf("%s: %s is left out: %s",
			what(s.Collective, s.Processes), s.Algorithm, words.OneLine(s.Reason))})
	}
	return list
}

// gains is the table of what rules gain by length.
func gains(r *tune.Result) *document.Table {
	t := &document.Table{ID: "gains", Sortable: true, Columns: document.Heads("collective", "processes []",
		"length [B]", "rule", "default [µs]", "with the file [µs]", "gain [%]", "from [%]", "to [%]"),
		Caption: "Runs of the proof, which are others than those by which algorithms were chosen. The interval of " +
			"the gain holds for all lengths together (95 %). Without a rule the library decides."}
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
	"the file it must be what it is where the algorithm is forced. MPICH doesn't, so a file in which the rule names " +
	"an algorithm of another collective must end the job, and the file itself must not."

// evidence is the table of what shows that rules are taken.
func evidence(r *tune.Result) *document.Table {
	t := &document.Table{ID: "evidence", Columns: document.Heads("collective", "processes []", "length [B]",
		"algorithm", "messages by default []", "forced []", "with the file []", "taken"),
		Caption: "Of 20 calls and what the program around them sends."}
	for i := range r.Evidence {
		e := &r.Evidence[i]
		said := words.Either(e.Spoiled, "yes: a wrong rule there ends the job", "yes")
		if !e.Shown() {
			said = "messages don't tell it from the default"
		}
		row := []any{e.Collective, document.Whole(e.Processes), document.Whole(e.Bytes), e.Algorithm}
		for _, messages := range []int64{e.Default, e.Forced, e.Ruled} {
			row = append(row, parts.Number(float64(messages), 0))
		}
		t.Add(append(row, said)...)
	}
	return t
}

// possible is the table of the fastest algorithm that the library lacks, at each length where it beats all that the
// library has.
func possible(r *tune.Result) *document.Table {
	t := &document.Table{ID: "possible", Columns: document.Heads("collective", "processes []", "length [B]",
		"the library's fastest", "time [µs]", "MPIBlib's fastest", "time [µs] ", "times as fast []"),
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
	return t
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
			blocks = append(blocks, document.List(strings.Split(strings.TrimSpace(string(text)), "\n")))
		}
	}
	return blocks
}

// cells is the table of all algorithms beside the default.
func cells(r *tune.Result) *document.Table {
	t := &document.Table{ID: "cells", Raw: true, Sortable: true, Columns: document.Heads("collective", "processes []",
		"length [B]", "algorithm", "time [µs]", "against the default [times]", "from []", "to []", "probability []",
		"faster"), Caption: fmt.Sprintf("The default's time over the algorithm's in the same round: geometric mean, "+
		"and its interval by itself (95 %%). Faster: by more than %.4g times, with a probability of any wrong one of "+
		"at most 5 %% over all rows (Holm).", r.Tolerance)}
	for _, c := range r.Derived.Cells {
		t.Add(c.Collective, document.Whole(c.Processes), document.Whole(c.Bytes), c.Algorithm,
			parts.Microseconds(c.Seconds), parts.Number(c.Ratio, 3), parts.Number(c.Low, 3), parts.Number(c.High, 3),
			document.Number(c.Probability, fmt.Sprintf("%.2g", c.Probability)), words.Either(c.Wins, "yes", ""))
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
