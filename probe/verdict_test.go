package probe

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/pairs"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// A machine of six hosts with two ranks each, which are placed round robin. Times within a host are short.
func TestVerdictsOfHosts(t *testing.T) {
	const hosts, ranks = 6, 12
	var names []string
	for rank := range ranks {
		names = append(names, fmt.Sprintf("n%d", rank%hosts))
	}
	for _, c := range []struct {
		name      string
		slow      func(i, j int) bool
		nodes     []pairs.Finding
		processes []pairs.Finding
	}{
		{"none", func(int, int) bool { return false }, nil, nil},
		{"host", func(i, j int) bool { return i%hosts != j%hosts && (i%hosts == 2 || j%hosts == 2) },
			[]pairs.Finding{{Trouble: pairs.Slow, From: "n2"}}, nil},
		{"link of hosts", func(i, j int) bool { return i%hosts == 1 && j%hosts == 4 || i%hosts == 4 && j%hosts == 1 },
			[]pairs.Finding{{Trouble: pairs.Link, From: "n1", To: "n4"}}, nil},
		{"rank", func(i, j int) bool { return i == 3 || j == 3 }, nil, []pairs.Finding{{Trouble: pairs.Slow,
			From: "3"}}},
		{"pair of ranks", func(i, j int) bool { return i == 3 && j == 10 }, nil,
			[]pairs.Finding{{Trouble: pairs.Link, From: "3", To: "10"}}},
	} {
		times := &pairs.PairTimes{There: pairs.NewSamples(patterns.CountPairs(ranks))}
		for k, p := range times.Pairs(ranks) {
			for pass := range pairs.Passes {
				time := 1e-5
				if p.I%hosts == p.J%hosts {
					time = 1e-6
				}
				if c.slow(p.I, p.J) {
					time *= 20
				}
				times.There.Medians[pass][k] = time * (1 + 1e-3*float64((7*p.I+11*p.J+5*pass)%13))
			}
		}
		list := pairs.Judge(times, ranks, names, 0)
		require.Len(t, list, 2, c.name)
		require.Equal(t, []pairs.Unit{pairs.Nodes, pairs.Processes}, []pairs.Unit{list[0].Unit, list[1].Unit})
		require.Equal(t, []int{hosts, ranks}, []int{list[0].Units, list[1].Units})
		require.Equal(t, []int{hosts * (hosts - 1) / 2, ranks * (ranks - 1) / 2}, []int{list[0].Pairs, list[1].Pairs})
		require.InEpsilon(t, 1e-5, list[0].Typical, 0.02, c.name)
		for i, want := range [][]pairs.Finding{c.nodes, c.processes} {
			var got []pairs.Finding
			for _, f := range list[i].Findings {
				got = append(got, pairs.Finding{Trouble: f.Trouble, From: f.From, To: f.To})
			}
			require.Equal(t, want, got, "%s, %s", c.name, list[i].Unit)
		}
	}
}

// Of few units nothing is said.
func TestTooFewUnits(t *testing.T) {
	times := &pairs.PairTimes{There: pairs.NewSamples(6)}
	require.Empty(t, pairs.Judge(times, 4, make([]string, 4), 0))
	require.Empty(t, pairs.Judge(times, 4, []string{"a", "a", "b", "b"}, 0))
}

// A time that is longer by less than two ticks of the clock is none that stands out: of 10 µs one is 8 µs longer.
func TestTicksOfVerdicts(t *testing.T) {
	const ranks = 8
	times := &pairs.PairTimes{There: pairs.NewSamples(patterns.CountPairs(ranks))}
	for k, p := range times.Pairs(ranks) {
		for pass := range pairs.Passes {
			times.There.Medians[pass][k] = 1e-5 * (1 + 1e-3*float64((7*p.I+11*p.J+5*pass)%13))
			if p.I == 2 && p.J == 5 {
				times.There.Medians[pass][k] += 8e-6
			}
		}
	}
	hosts := strings.Split("abcdefgh", "")
	for tick, found := range map[float64]int{0: 1, 1e-9: 1, 3.5e-6: 1, 4.5e-6: 0} {
		v := pairs.Judge(times, ranks, hosts, tick)[0]
		require.Len(t, v.Findings, found, "%g", tick)
		require.GreaterOrEqual(t, v.PairLimit, 2*tick/1.02e-5, "%g", tick)
		require.GreaterOrEqual(t, v.UnitLimit, 2*tick/1.02e-5, "%g", tick)
	}
}

// The hosts of a block's ranks follow from the placement, and from the order of -map.
func TestHostsOf(t *testing.T) {
	r := &Result{Processes: 4}
	r.Placement = []job.Placement{{Host: "a", Ranks: "0,2", Processes: 2}, {Host: "b", Ranks: "1", Processes: 1},
		{Host: "c", Ranks: "x", Processes: 1}}
	require.Equal(t, []string{"a", "b", "a", ""}, r.HostsOf(&Block{Processes: 4}))
	require.Equal(t, []string{"a", "a", "b", ""}, r.HostsOf(&Block{Processes: 4, Groups: [][]int{{0, 2, 1, 3}}}))
}

// Times of pairs from outside must be those of the kernel and the number of processes.
func TestCheckPairTimes(t *testing.T) {
	k, _, _ := suites.Find("Roundtrip_pairs")
	b := &Block{Kernel: k.Name, Component: k.Component, Processes: 4}
	good := func() *pairs.PairTimes {
		s := pairs.NewSamples(2)
		s.Counts = nil
		return &pairs.PairTimes{Ranks: [][2]int{{0, 1}, {2, 3}}, There: s}
	}
	require.NoError(t, checkPairs(k, b, &Row{Pairs: good()}))
	for want, spoil := range map[string]func(t *pairs.PairTimes){
		"pair [1 0]":           func(t *pairs.PairTimes) { t.Ranks[0] = [2]int{1, 0} },
		"pair [2 4]":           func(t *pairs.PairTimes) { t.Ranks[1] = [2]int{2, 4} },
		"pair [-1 3]":          func(t *pairs.PairTimes) { t.Ranks[1] = [2]int{-1, 3} },
		"pair [0 1]":           func(t *pairs.PairTimes) { t.Ranks[1] = t.Ranks[0] },
		"times of 6 pairs":     func(t *pairs.PairTimes) { t.Ranks = nil },
		"no pass":              func(t *pairs.PairTimes) { t.There.Medians = nil },
		"of 2 pairs, not 1":    func(t *pairs.PairTimes) { t.There.Means = t.There.Means[:1] },
		"is no time":           func(t *pairs.PairTimes) { t.There.Medians[2][1] = -1 },
		"times back: true":     func(t *pairs.PairTimes) { t.Back = &t.There },
		"or one has none":      func(t *pairs.PairTimes) { t.There.Counts = []int64{3, 0} },
		"the repetitions of 2": func(t *pairs.PairTimes) { t.There.Counts = []int64{3} },
	} {
		x := good()
		spoil(x)
		require.ErrorContains(t, checkPairs(k, b, &Row{Pairs: x}), want)
	}
	pingPong, _, _ := suites.Find("PingPong")
	require.ErrorContains(t, checkPairs(pingPong, b, &Row{Pairs: good()}), "class single transfer")
	require.ErrorContains(t, checkPairs(k, b, &Row{Pairs: good(), Samples: []Sample{{}}}), "and other samples")
	require.NoError(t, checkPairs(k, b, &Row{}))
}
