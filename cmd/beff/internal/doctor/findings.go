package doctor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// severity is the effect of a finding on a rating. Lower is worse.
type severity int

const (
	notValid severity = iota // a criterion isn't met
	noisy                    // a sign of noise, or its cause
	slow                     // the figures are lower than they could be
	note                     // a warning
)

func (s severity) String() string { return [...]string{"NOT VALID", "noisy", "slow", "note"}[s] }

// finding is something that would spoil a rating here, with its remedy.
type finding struct {
	severity severity
	rating.Warning
}

// finders look for findings. The first ones check the criteria and the signs of noise that results have, too.
var finders = []func(*Facts) []finding{
	func(f *Facts) []finding {
		c := rating.ProcessorsCriterion(f.library, f.layout.Placement)
		if c.Unknown {
			return check(true, notValid, "measure on Linux", "not known whether %s", c.Text)
		}
		return fromWarnings(notValid, rating.CrowdedWarning(f.layout.Placement))
	},
	func(f *Facts) []finding {
		return check(f.processes() < 2, notValid, "start more: mpirun -n 2 or more, -n of the embedded engine",
			"b_eff needs at least 2 processes")
	},
	func(f *Facts) []finding {
		return check(f.env.Devices.Shared(), notValid, "start as many processes per node as there are devices",
			"processes share devices")
	},
	func(f *Facts) []finding {
		if f.unfit == nil {
			return nil
		}
		return check(true, notValid, "give a directory that all nodes share by -p", "beff io can't have its files here")
	},
	func(f *Facts) []finding { return fromWarnings(noisy, rating.Warnings(f.load.Signs())) },
	(*Facts).causes,
	func(f *Facts) []finding {
		return fromWarnings(note, rating.CommonWarnings(rating.Software{Engine: f.library}, rating.Machine{},
			rating.Period{}, rating.Circumstances{}, "this rates one machine's memory, not an MPI"))
	},
	func(f *Facts) []finding {
		in := f.directory.Type == "tmpfs" || f.directory.Type == "ramfs"
		return check(f.unfit == nil && in, note, "name another directory by -p",
			"beff io would rate memory: %s", f.directory.Type)
	},
	func(f *Facts) []finding {
		return check(f.unfit == nil && f.directory.Free < f.layout.Total, note,
			"take a larger file system, or fewer nodes", "beff io's files can't hold the memory of all nodes, %s: "+
				"the data read may come from a cache", rating.Bytes(f.layout.Total))
	},
	func(f *Facts) []finding {
		return check(len(f.env.Preloaded) > 0, note, "unset LD_PRELOAD, unless it is meant",
			"libraries are loaded before the MPI: %s", strings.Join(f.env.Preloaded, ", "))
	},
}

// check returns a finding if the condition holds, and otherwise none.
func check(holds bool, effect severity, remedy, text string, args ...any) []finding {
	if !holds {
		return nil
	}
	return []finding{{effect, rating.Warning{Text: fmt.Sprintf(text, args...), Remedy: remedy}}}
}

// fromWarnings turns warnings of results into findings.
func fromWarnings(effect severity, list []rating.Warning) []finding {
	return lists.Each(list, func(w rating.Warning) finding { return finding{effect, w} })
}

// causes returns the causes of a low number that don't need figures, except those that other findings have.
func (f *Facts) causes() (list []finding) {
	for _, c := range rating.Causes(&rating.Evidence{Engine: f.library, Environment: f.env, FileSystem: &f.directory,
		Machine: rating.Machine{Placement: f.layout.Placement, Load: f.load}, Before: true}) {
		if c.Code == "crowded" || c.Code == "load" || c.Code == "steal" {
			continue
		}
		list = append(list, finding{words.Either(c.Spoils, slow, noisy),
			rating.Warning{Code: c.Code, Text: c.Text, Remedy: c.Remedy}})
	}
	return list
}

// verdictOf returns the verdict that a rating would have according to the findings.
func verdictOf(found []finding) string {
	has := func(s severity) bool {
		return slices.ContainsFunc(found, func(x finding) bool { return x.severity == s })
	}
	verdict := "valid"
	switch {
	case has(notValid):
		verdict = "NOT VALID"
	case has(slow):
		verdict = "valid, slowed"
	case has(noisy):
		verdict = "valid, but noisy"
	}
	return "a rating here would be " + verdict
}

// row returns the lines of a label and a text. Text after so many lines is cut.
func row(label, text string, most int) (lines []string) {
	room, line, cut := screenColumns-labelColumns, "", false
	for _, word := range strings.Fields(text) {
		for line != "" && uniseg.StringWidth(line+" "+word) > room {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + shortened(word, room))
	}
	lines = append(lines, line)
	if cut = len(lines) > most; cut {
		lines = lines[:most]
		lines[most-1] = shortened(lines[most-1]+" …", room)
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight(fmt.Sprintf("%-*s%s", labelColumns, label, line), " ")
		label = ""
	}
	return lines
}

// shortened returns a text cut to so many columns. A path keeps its end.
func shortened(text string, room int) string {
	for uniseg.StringWidth(text) > room {
		runes := []rune(strings.TrimPrefix(text, "…"))
		if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "…") {
			text = "…" + string(runes[2:])
		} else {
			text = string(runes[:len(runes)-2]) + "…"
		}
	}
	return text
}
