package probe_test

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/fault"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/pairs"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

// script gives the seconds of a repetition from one rank to another, or there and back. batch counts the pair's runs in
// this direction, repetition the repetitions of a run, both from 0.
type script func(from, to, batch, repetition int) float64

// timed is an embedded engine that moves the data, and takes the times of pairs from a script.
type timed struct {
	mpi.Engine
	seconds script
	batches map[int]int // of this rank as the one that measures, by partner
}

func (e *timed) Compile(p *mpi.Program) (mpi.Runner, error) {
	r, err := e.Engine.Compile(p)
	if err != nil || len(p.Places) == 0 || !slices.ContainsFunc(p.Loop,
		func(c mpi.Call) bool { return c.Op == mpi.Lap }) {
		return r, err
	}
	return &timedRunner{r, e, p.Places[0].Peer}, nil
}

type timedRunner struct {
	mpi.Runner
	e    *timed
	peer int
}

func (r *timedRunner) Run(l mpi.Loops) (mpi.Measurement, error) {
	got, err := r.Runner.Run(l)
	if err != nil {
		return got, err
	}
	batch := r.e.batches[r.peer]
	r.e.batches[r.peer]++
	const sinceReady = 1
	got.Laps[sinceReady].Seconds = 0
	for i := range l.Timed {
		t := r.e.seconds(r.e.World().Rank(), r.peer, batch, int(i))
		got.Laps[sinceReady].Seconds += t
		if l.Each {
			got.Laps[sinceReady].Each[i] = t
		}
	}
	return got, nil
}

// onScriptedPairs measures with the times of a script, on ranks that each have their own host if hosts is set.
func onScriptedPairs(t *testing.T, processes int, hosts bool, c probe.Config, s script) *probe.Result {
	t.Helper()
	var result *probe.Result
	var once sync.Mutex
	require.NoError(t, local.Run(processes, func(e mpi.Engine) error {
		plan, err := probe.NewPlan(processes, probe.On(e, c))
		if err != nil {
			return err
		}
		m, err := plan.Measure(&timed{e, s, map[int]int{}}, rating.Observer[measured.Outcome]{})
		if e.World().Rank() > 0 {
			return err
		}
		var placement []job.Placement
		for rank := range processes {
			if name := string(rune('a' + rank)); hosts {
				placement = append(placement, job.Placement{Host: name, Ranks: fmtRank(rank), Processes: 1})
			}
		}
		once.Lock()
		defer once.Unlock()
		result = probe.NewResult(plan, m, probe.Run{Run: rating.Run{Err: err,
			Layout: job.Layout{Placement: placement}}})
		return err
	}))
	require.NoError(t, result.Check())
	return result
}

func fmtRank(rank int) string { return string(rune('0' + rank)) }

// pairsConfig returns a kernel of pairs with one length.
func pairsConfig(t *testing.T, name string, wanted settings.Settings) probe.Config {
	if wanted.Rows.Lengths == nil {
		wanted.Rows.Lengths = []int64{100}
	}
	wanted.Repetitions.SampleTime = 10
	return probe.Config{Selections: named(t, name), Settings: wanted}
}

// The time is the whole round trip, not half of it, and the ready message is not in it.
func TestRoundtripTime(t *testing.T) {
	r := onScriptedPairs(t, 3, false, pairsConfig(t, "Roundtrip",
		settings.Settings{Repetitions: settings.Repetitions{Max: 5}}),
		func(from, to, _, _ int) float64 {
			require.Equal(t, [2]int{0, 1}, [2]int{from, to})
			return 4e-6
		})
	row := r.Blocks[0].Rows[0]
	require.InEpsilon(t, 4e-6, row.Derived[0].Max, 1e-9)
	require.Equal(t, row.Derived[0].Max, row.Derived[0].Min, "the other process's time doesn't count")
	require.InEpsilon(t, 2*100/4e-6, row.Derived[0].Bandwidth, 1e-9)
	require.Zero(t, row.Defects)
	require.Positive(t, row.Checked)
}

// Each pair has its own times, whichever pairs are measured and in whatever way.
func TestPairTimes(t *testing.T) {
	base := func(from, to int) float64 { return 1e-6 * float64(1+10*from+to) }
	times := func(from, to, batch, repetition int) float64 {
		return base(from, to) * (1 + 0.1*float64(batch%5) + 0.01*float64(repetition-1))
	}
	for _, kernel := range []string{"Roundtrip_pairs", "Oneway_pairs"} {
		for _, pairs := range []string{"", "ring", "5"} {
			for _, atOnce := range []bool{false, true} {
				for _, processes := range []int{4, 5} {
					r := onScriptedPairs(t, processes, false, pairsConfig(t, kernel,
						settings.Settings{Repetitions: settings.Repetitions{Max: 15},
							Pairs: settings.Pairs{Which: pairs, AtOnce: atOnce}}), times)
					row := r.Blocks[0].Rows[0]
					require.Zero(t, row.Defects)
					require.EqualValues(t, 1, row.Checked)
					require.EqualValues(t, 15, row.Repetitions)
					require.Equal(t, kernel == "Oneway_pairs", row.Pairs.Back != nil)
					list := row.Pairs.Pairs(processes)
					require.Len(t, list, map[string]int{"": patterns.CountPairs(processes), "ring": processes,
						"5": 5}[pairs])
					for direction, d := range row.Pairs.Directions() {
						for i, p := range list {
							want := base(p.I, p.J)
							if direction == 1 {
								want = base(p.J, p.I)
							}
							for pass := range 5 {
								require.InEpsilon(t, want*(1+0.1*float64(pass)), d.Medians[pass][i], 1e-5)
							}
							require.InEpsilon(t, want*1.2, d.Of(i), 1e-5)
							require.InEpsilon(t, want*1.2, d.Means[i], 1e-5)
							require.InEpsilon(t, want*0.14663, d.Deviations[i], 1e-2)
							require.InEpsilon(t, 2.776445*want*0.1*math.Sqrt(2.5/5), d.Half(i, 0.95), 1e-4)
						}
					}
				}
			}
		}
	}
}

// With a precision, a pair whose passes differ has more repetitions than one whose passes are the same. A disturbance
// that hits one pass is seen, though nine of ten repetitions agree. All passes have the same number of repetitions.
func TestPairsUntilPrecise(t *testing.T) {
	for _, statistic := range []settings.Statistic{settings.ByMean, settings.ByMedian} {
		rule := settings.Default.Precision
		rule.Statistic, rule.Min, rule.Max = statistic, 50, 1000
		r := onScriptedPairs(t, 4, false, pairsConfig(t, "Roundtrip_pairs",
			settings.Settings{Series: settings.Series{Precision: &rule}}),
			func(from, to, batch, repetition int) float64 {
				switch {
				case from == 1 && to == 2 && batch == 2:
					return 1.1e-6
				case from == 0 && to == 3: // all passes are alike
					return 1e-6 * (1 + 0.01*float64(repetition%2))
				}
				return 1e-6
			})
		row := r.Blocks[0].Rows[0]
		require.EqualValues(t, 50, row.Repetitions)
		for i, p := range row.Pairs.Pairs(4) {
			d, n := row.Pairs.There, row.Pairs.There.Count(row.Repetitions, i)
			require.Equal(t, p == patterns.Pair{I: 1, J: 2}, n > 50, "%v", p)
			require.Zero(t, n%5, "%v", p)
			require.Less(t, d.Half(i, rule.Confidence), rule.Relative*d.Means[i], "%v", p)
		}
	}
}

// If one of five passes of a pair took half as long again, the interval is the interval of five means, not of 25
// independent repetitions. Results without the deviations of these means use the passes' medians.
func TestPairsDisturbedPass(t *testing.T) {
	r := onScriptedPairs(t, 3, false, pairsConfig(t, "Roundtrip_pairs",
		settings.Settings{Repetitions: settings.Repetitions{Max: 25}}),
		func(_, _, batch, _ int) float64 { return 1e-6 * (1 + 0.5*float64(batch/4)) })
	d := r.Blocks[0].Rows[0].Pairs.There
	for range 2 {
		require.InEpsilon(t, 2.776445*0.1e-6, d.Half(0, 0.95), 1e-4)
		d.PassDeviations = nil
	}
	d.Medians = d.Medians[:2]
	require.True(t, math.IsNaN(d.Half(0, 0.95)), "two passes have no interval")
}

// A slow node, link and direction of a job are named, by their hosts or ranks.
func TestPairsNamed(t *testing.T) {
	noisy := func(from, to, batch, repetition int) float64 {
		return 1e-5 * (1 + 1e-3*float64((7*from+11*to+5*batch+3*repetition)%13))
	}
	for _, c := range []struct {
		name, kernel string
		hosts        bool
		slow         func(from, to int) bool
		want         []pairs.Finding
	}{
		{"none", "Roundtrip_pairs", true, func(int, int) bool { return false }, nil},
		{"node", "Roundtrip_pairs", true, func(from, to int) bool { return from == 5 || to == 5 },
			[]pairs.Finding{{Trouble: pairs.Slow, From: "f"}}},
		{"process", "Roundtrip_pairs", false, func(from, to int) bool { return from == 5 || to == 5 },
			[]pairs.Finding{{Trouble: pairs.Slow, From: "5"}}},
		{"link", "Roundtrip_pairs", true, func(from, to int) bool { return from == 1 && to == 6 },
			[]pairs.Finding{{Trouble: pairs.Link, From: "b", To: "g"}}},
		{"direction", "Oneway_pairs", true, func(from, to int) bool { return from == 6 && to == 1 },
			[]pairs.Finding{{Trouble: pairs.Direction, From: "g", To: "b"}}},
		{"both directions", "Oneway_pairs", false, func(from, to int) bool { return from+to == 7 && from*to == 6 },
			[]pairs.Finding{{Trouble: pairs.Link, From: "1", To: "6"}}},
		{"sender", "Oneway_pairs", true, func(from, _ int) bool { return from == 3 },
			[]pairs.Finding{{Trouble: pairs.Sends, From: "d"}}},
		{"receiver", "Oneway_pairs", true, func(_, to int) bool { return to == 3 },
			[]pairs.Finding{{Trouble: pairs.Receives, From: "d"}}},
		{"node both ways", "Oneway_pairs", true, func(from, to int) bool { return from == 3 || to == 3 },
			[]pairs.Finding{{Trouble: pairs.Slow, From: "d"}}},
	} {
		r := onScriptedPairs(t, 8, c.hosts, pairsConfig(t, c.kernel,
			settings.Settings{Repetitions: settings.Repetitions{Max: 9}, Pairs: settings.Pairs{AtOnce: true}}),
			func(from, to, batch, repetition int) float64 {
				time := noisy(from, to, batch, repetition)
				if c.slow(from, to) {
					time *= 4
				}
				return time
			})
		verdicts := r.Blocks[0].Rows[0].Verdicts
		require.Len(t, verdicts, 1, c.name)
		require.Equal(t, map[bool]pairs.Unit{true: pairs.Nodes, false: pairs.Processes}[c.hosts], verdicts[0].Unit)
		require.Equal(t, 8, verdicts[0].Units)
		var got []pairs.Finding
		for _, f := range verdicts[0].Findings {
			require.InEpsilon(t, 3, f.Excess, 0.1, c.name)
			require.InEpsilon(t, 4, f.Seconds/f.Expected, 0.1, c.name)
			require.Greater(t, f.MinPass, f.Limit)
			if f.Trouble == pairs.Direction {
				require.Less(t, f.Back, 0.05)
			}
			got = append(got, pairs.Finding{Trouble: f.Trouble, From: f.From, To: f.To})
		}
		require.Equal(t, c.want, got, c.name)
	}
}

// A byte that arrives wrong in the checked pass is counted.
func TestPairsWrongData(t *testing.T) {
	r := onLocal(t, 3, pairsConfig(t, "Roundtrip_pairs", settings.Settings{Repetitions: settings.Repetitions{Max: 3}}),
		fault.Fault{Rank: 1, After: func(p *mpi.Program) {
			if len(p.Places) > 1 && p.Places[1].Length > 0 {
				p.Places[1].Space.(mpi.Buffer).Bytes()[p.Places[1].Offset] ^= 1
			}
		}})
	require.Positive(t, r.Blocks[0].Rows[0].Defects)
}

func TestPairsRefused(t *testing.T) {
	k, _, found := suites.Find("", "Roundtrip_pairs")
	require.True(t, found)
	config := func(s settings.Settings) probe.Config {
		return probe.Config{Selections: []probe.Selection{{Kernel: k, Named: true}}, Settings: s}
	}
	for _, c := range []struct {
		processes int
		wanted    settings.Settings
		want      string
	}{
		{1, settings.Settings{}, "Roundtrip_pairs needs at least 2 processes"},
		{4, settings.Settings{Pairs: settings.Pairs{Which: "some"}},
			`pairs "some": want all, ring or a number of pairs from 1 to 1048576`},
		{4, settings.Settings{Pairs: settings.Pairs{Which: "0"}}, `pairs "0": want all`},
		{4, settings.Settings{Pairs: settings.Pairs{Which: "1048577"}}, `pairs "1048577": want all`},
		{4096, settings.Settings{Pairs: settings.Pairs{Which: "all"}},
			"pairs all: 8386560 pairs of 4096 processes, at most 1048576"},
		{4, settings.Settings{Series: settings.Series{Timing: settings.ByMax}}, "has its own timing"},
	} {
		_, err := probe.NewPlan(c.processes, config(c.wanted))
		require.ErrorContains(t, err, c.want)
	}
	for processes, lengths := range map[int]int{2: 2, 256: 2, 4096: 2} {
		plan, err := probe.NewPlan(processes, config(settings.Settings{}))
		require.NoError(t, err)
		require.Equal(t, lengths, plan.Rows())
		require.Equal(t, processes, plan.Blocks[0].Processes)
	}
}
