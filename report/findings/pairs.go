package findings

import (
	"fmt"
	"math"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/pairs"
	"github.com/effective-bandwidth/beff/report/words"
)

// Pairs returns the verdicts of a row of pairs in sentences, each with its evidence: the slow units and links, and the
// times from which others would be named.
func Pairs(verdicts []pairs.PairVerdict, row *measured.Row) []string {
	var list []string
	for v := range lists.Elements(verdicts) {
		for j := range v.Findings {
			list = append(list, sentence(v, &v.Findings[j]))
		}
		list = append(list, rest(v))
	}
	if row.Pairs != nil && len(verdicts) == 0 {
		list = append(list, "There are too few processes to distinguish a slow process from a slow link: 5 are needed.")
	}
	return list
}

// subjects holds the beginnings of the sentences for findings. The verbs format the unit, From and To.
var subjects = map[pairs.Trouble]string{
	pairs.Slow:      "%s %s is slow: its times with all others are",
	pairs.Sends:     "%s %s sends slowly: the times of its messages to all others are",
	pairs.Receives:  "%s %s receives slowly: the times of all others' messages to it are",
	pairs.Link:      "The link between %s %s and %s is slow: its time is",
	pairs.Direction: "The direction from %s %s to %s is slow: its time is",
}

// sentence returns a finding in words.
func sentence(v *pairs.PairVerdict, f *pairs.Finding) string {
	names := []any{string(v.Unit), words.OneLine(f.From)}
	if f.Trouble == pairs.Link {
		names[0] = words.Plural(string(v.Unit), 2)
	}
	if f.To != "" {
		names = append(names, words.OneLine(f.To))
	}
	text := fmt.Sprintf(subjects[f.Trouble], names...)
	text = strings.ToUpper(text[:1]) + text[1:]
	text += fmt.Sprintf(" %s expected (%s µs instead of %s µs", longer(f.Excess), microseconds(f.Seconds),
		microseconds(f.Expected))
	if f.Trouble == pairs.Direction {
		text += fmt.Sprintf("; the way back is %s expected", longer(f.Back))
	}
	return text + fmt.Sprintf("; in its best pass %s, the limit is %s).", amount(f.MinPass), amount(f.Limit))
}

// maxInTitle is the largest number of findings that a title names.
const maxInTitle = 3

// PairsTitle returns a verdict in a few words, such as "Node n12 and the link between n3 and n9 are slow".
func PairsTitle(v *pairs.PairVerdict) string {
	if len(v.Findings) == 0 || len(v.Findings) > maxInTitle {
		return counted(v)
	}
	names := lists.Each(v.Findings, func(f pairs.Finding) string {
		from, to := words.OneLine(f.From), words.OneLine(f.To)
		return map[pairs.Trouble]string{
			pairs.Slow:      fmt.Sprintf("%s %s", v.Unit, from),
			pairs.Sends:     fmt.Sprintf("sending from %s %s", v.Unit, from),
			pairs.Receives:  fmt.Sprintf("receiving at %s %s", v.Unit, from),
			pairs.Link:      fmt.Sprintf("the link between %s and %s", from, to),
			pairs.Direction: fmt.Sprintf("the link from %s to %s", from, to),
		}[f.Trouble]
	})
	text := words.Joined(names, "and")
	return strings.ToUpper(text[:1]) + text[1:] + words.Either(len(names) > 1, " are slow", " is slow")
}

// rest describes how many units and links are slow, and the times from which others would be named.
func rest(v *pairs.PairVerdict) string {
	text := counted(v)
	text += fmt.Sprintf(" among %s and %s (99 %% confidence; typical time %s µs, spread %s).", words.Count(v.Units,
		string(v.Unit)), words.Count(v.Pairs, "pair"), microseconds(v.Typical), amount(v.Spread))
	if v.UnitLimit > 0 {
		text += fmt.Sprintf(" A %s would be named if its times with all others were %s expected.", v.Unit,
			longer(v.UnitLimit))
	}
	if v.PairLimit > 0 {
		text += fmt.Sprintf(" A link would be named if its time were %s expected from its ends.", longer(v.PairLimit))
	}
	return text
}

// counted describes how many units and links are slow.
func counted(v *pairs.PairVerdict) string {
	units, links := 0, 0
	for _, f := range v.Findings {
		if f.To == "" {
			units++
		} else {
			links++
		}
	}
	switch {
	case v.UnitLimit == 0 && links == 0: // too few pairs of each unit to judge it
		return "No link is slow"
	case units+links == 0:
		return fmt.Sprintf("No %s and no link is slow", v.Unit)
	case units == 0:
		return fmt.Sprintf("No %s is slow, but %s", v.Unit, words.Count(links, "link"))
	case links == 0:
		return fmt.Sprintf("No link is slow, but %s", words.Count(units, string(v.Unit)))
	}
	return fmt.Sprintf("%s and %s are slow", words.Count(units, string(v.Unit)), words.Count(links, "link"))
}

// longer formats a relative excess, as a factor if it is large, with a word that compares it.
func longer(x float64) string {
	switch {
	case x >= 1:
		return amount(x) + " as long as"
	case x < 0:
		return amount(-x) + " shorter than"
	}
	return amount(x) + " longer than"
}

// amount formats a relative excess, as a factor if it is large.
func amount(x float64) string {
	switch {
	case x >= 9.5:
		return fmt.Sprintf("%.0f times", 1+x)
	case x >= 1:
		return fmt.Sprintf("%.1f times", 1+x)
	case x < 0.0995:
		return fmt.Sprintf("%.1f %%", 100*x)
	}
	return fmt.Sprintf("%.0f %%", 100*x)
}

// microseconds formats seconds in µs with three digits.
func microseconds(seconds float64) string {
	us := seconds / words.Micro
	return fmt.Sprintf("%.*f", max(0, 2-int(math.Floor(math.Log10(math.Max(us, 1e-3))))), us)
}
