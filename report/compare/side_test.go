package compare

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
)

// sideOf returns a side of runs with these verdicts.
func sideOf(name string, verdicts ...rating.Verdict) Side {
	s := Side{Name: name, Fact: "here", Count: len(verdicts)}
	for i, v := range verdicts {
		s.Runs = append(s.Runs, parts.Run{Rating: 4e9 + 1e8*float64(i), Within: rating.Around(4e9, 0.11, ""),
			Verdict: v})
	}
	return s
}

var (
	valid = rating.Verdict{Valid: true, Signs: []rating.Sign{{Name: "steal", Quiet: true}}}
	noisy = rating.Verdict{Valid: true, Noisy: true,
		Signs:    []rating.Sign{{Name: "load"}, {Name: "steal", Quiet: true}},
		Warnings: []rating.Warning{{Code: "load", Text: "others were busy (quiet: never)"}}}
	notValid = rating.Verdict{Criteria: []rating.Criterion{{Text: "T is 30 min"}}}
)

// What stands beside a result's name is its rating with the digits that it bears, the interval and the verdict.
func TestSideWords(t *testing.T) {
	single := parts.Run{Rating: 4e9, Verdict: valid}
	for want, s := range map[string]Side{
		"3.6 to 4.5 GB/s at 95 %, most likely 4.0 GB/s (within the run); valid; here":            sideOf("a", valid),
		"3.6 to 4.5 GB/s at 95 %, most likely 4.0 GB/s (within the run); valid, but noisy; here": sideOf("a", noisy),
		"3.6 to 4.5 GB/s at 95 %, most likely 4.0 GB/s (within the run); NOT VALID; here":        sideOf("a", notValid),
		"4.1 GB/s ± 6.2 % (95 %, between 3 runs); valid, but 1 of 3 runs noisy; here": sideOf("a", valid, noisy,
			valid),
		"4.0 GB/s ± 8.1 % (95 %, from the intervals of 2 runs and their difference); 1 of 2 runs NOT VALID; " +
			"here": sideOf("a", noisy, notValid),
		"4.00 GB/s (± not known); valid; here": {Fact: "here", Runs: []parts.Run{single}},
		"valid, but noisy; here":               {Fact: "here", Runs: []parts.Run{{Verdict: noisy}}},
		"here":                                 {Fact: "here"},
	} {
		require.Equal(t, want, s.words("b_eff"))
	}
}

// A comparison with a noisy run says so, even if its difference is significant.
func TestNoisy(t *testing.T) {
	require.Empty(t, aboutNoisy([]Side{sideOf("a", valid), sideOf("b", notValid), {Name: "c"}}))
	list := aboutNoisy([]Side{sideOf("a", noisy), sideOf("b", valid, noisy, noisy), sideOf("c", valid)})
	require.Len(t, list, 1)
	require.Equal(t, document.Warning, list[0].Level)
	require.Equal(t, "a and 2 of 3 runs of b are noisy: others were busy", list[0].Text)
	require.Equal(t, "both are noisy: others were busy",
		aboutNoisy([]Side{sideOf("a", noisy), sideOf("b", noisy)})[0].Text)
	bad := noisy
	bad.Valid = false
	require.Len(t, aboutNoisy([]Side{sideOf("a", bad)}), 1, "what isn't valid was disturbed all the same")
	require.Contains(t, list[0].Remedy, "measure three runs of each")
}

func TestNotValid(t *testing.T) {
	list := aboutInvalid([]Side{sideOf("a", notValid), sideOf("b", valid), sideOf("c", valid, notValid),
		sideOf("d", rating.Verdict{})})
	require.Len(t, list, 1, "one box for all")
	require.Equal(t, "a and c are NOT VALID for comparison: not met: T is 30 min; d is NOT VALID for comparison",
		list[0].Text)
	require.Empty(t, aboutInvalid([]Side{sideOf("a", valid), {Name: "b"}}))
}

// Of three sides it is said which can't be told from the highest, and that one isn't valid.
func TestVerdictOfMany(t *testing.T) {
	at := func(ratio float64) Pair {
		return Pair{Main: Difference{Name: "b_eff", First: Sampled{Value: 4e9}, Second: Sampled{Value: ratio * 4e9}}}
	}
	side := func(name string, x float64, v rating.Verdict) Side {
		return Side{Name: name, Count: 1,
			Runs: []parts.Run{{Rating: x, Within: rating.Around(x, 0.05, ""), Verdict: v}}}
	}
	p := page{title: "b_eff", pairs: []Pair{at(1.02), at(0.5)},
		sides: []Side{side("a", 4e9, valid), side("b", 4.08e9, valid), side("c", 2e9, valid)}}
	of := func() string { return p.verdict(&document.Document{Headline: p.headline()}) }
	const text = "The highest b_eff of 3: b: 4.08 GB/s, not distinguishable from a"
	require.Equal(t, text, of())
	p.sides[2] = side("c", 2e9, notValid)
	require.Equal(t, "NOT VALID for comparison: "+text, of())
}

// A side that a known cause slows down has that in its words, with a notice. Limits that differ come before it.
func TestSlowedSides(t *testing.T) {
	slow := rating.Verdict{Valid: true, Slowed: "quota", Causes: []rating.Cause{{Code: "unbound"},
		{Code: "quota", Name: "CPU quota", Text: "a quota stopped the processes", Remedy: "run without it"}}}
	a, b := sideOf("a", valid), sideOf("b", slow, valid)
	require.Equal(t, "valid, slowed: CPU quota", sideOf("b", slow).standing())
	require.Equal(t, "valid, but 1 of 2 runs slowed: CPU quota", b.standing())
	require.Equal(t, []document.Notice{{Level: document.Warning, Text: "b is slowed: a quota stopped the processes",
		Remedy: "run without it"}}, aboutSlowed([]Side{a, b}))
	require.Empty(t, aboutLimits([]Side{a, b}), "nothing is known")
	with := func(quota float64) rating.Circumstances {
		return rating.Circumstances{Environment: &rating.Environment{Conditions: &rating.Conditions{},
			Nodes: []rating.NodeKind{{Ranks: "0-1", NodeFacts: rating.NodeFacts{Quota: quota, Shm: 1 << 30}}}}}
	}
	a.Around, b.Around = with(0), with(0.6)
	require.Equal(t, "the conditions differ, which may explain the difference: CPU quota: none (a), 0.6 processors (b)",
		aboutLimits([]Side{a, b})[0].Text)
	require.Empty(t, aboutLimits([]Side{a, a}))
	b.Around.Environment.Nodes, b.Around.Environment.Variables = nil, []rating.Variable{{Name: "UCX_TLS", Value: "tcp"}}
	a.Around.Environment.Nodes = nil
	require.Contains(t, aboutLimits([]Side{a, b})[0].Text, ": UCX_TLS: none (a), tcp (b)")
	main := Difference{Name: "b_eff", First: Sampled{Value: 4e9}, Second: Sampled{Value: 2e9}}
	p := page{title: "b_eff", pairs: []Pair{{Main: main}}, sides: []Side{a, b},
		notices: []document.Notice{{Level: document.Warning, Text: "another difference"}}}
	require.Contains(t, p.document().Notices[0].Text, "the conditions differ")
	bad := sideOf("c", notValid)
	bad.Around = with(0.6)
	p.sides = []Side{a, bad}
	require.Contains(t, p.document().Notices[0].Text, "NOT VALID", "it comes before all others")
	require.Contains(t, p.document().Notices[1].Text, "the conditions differ")
}
