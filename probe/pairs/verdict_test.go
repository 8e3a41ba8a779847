package pairs

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
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
		nodes     []Finding
		processes []Finding
	}{
		{"none", func(int, int) bool { return false }, nil, nil},
		{"host", func(i, j int) bool { return i%hosts != j%hosts && (i%hosts == 2 || j%hosts == 2) },
			[]Finding{{Trouble: Slow, From: "n2"}}, nil},
		{"link of hosts", func(i, j int) bool { return i%hosts == 1 && j%hosts == 4 || i%hosts == 4 && j%hosts == 1 },
			[]Finding{{Trouble: Link, From: "n1", To: "n4"}}, nil},
		{"rank", func(i, j int) bool { return i == 3 || j == 3 }, nil, []Finding{{Trouble: Slow,
			From: "3"}}},
		{"pair of ranks", func(i, j int) bool { return i == 3 && j == 10 }, nil,
			[]Finding{{Trouble: Link, From: "3", To: "10"}}},
	} {
		times := &PairTimes{There: NewSamples(patterns.CountPairs(ranks))}
		for k, p := range times.Pairs(ranks) {
			for pass := range Passes {
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
		list := Judge(times, ranks, names, 0)
		require.Len(t, list, 2, c.name)
		require.Equal(t, []Unit{Nodes, Processes}, []Unit{list[0].Unit, list[1].Unit})
		require.Equal(t, []int{hosts, ranks}, []int{list[0].Units, list[1].Units})
		require.Equal(t, []int{hosts * (hosts - 1) / 2, ranks * (ranks - 1) / 2}, []int{list[0].Pairs, list[1].Pairs})
		require.InEpsilon(t, 1e-5, list[0].Typical, 0.02, c.name)
		for i, want := range [][]Finding{c.nodes, c.processes} {
			var got []Finding
			for _, f := range list[i].Findings {
				got = append(got, Finding{Trouble: f.Trouble, From: f.From, To: f.To})
			}
			require.Equal(t, want, got, "%s, %s", c.name, list[i].Unit)
		}
	}
}

// With few units nothing is named.
func TestTooFewUnits(t *testing.T) {
	times := &PairTimes{There: NewSamples(6)}
	require.Empty(t, Judge(times, 4, make([]string, 4), 0))
	require.Empty(t, Judge(times, 4, []string{"a", "a", "b", "b"}, 0))
}

// A time that is longer by less than two ticks of the clock is not an outlier. Here a pair takes 18 µs, all others 10
// µs.
func TestTicksOfVerdicts(t *testing.T) {
	const ranks = 8
	times := &PairTimes{There: NewSamples(patterns.CountPairs(ranks))}
	for k, p := range times.Pairs(ranks) {
		for pass := range Passes {
			times.There.Medians[pass][k] = 1e-5 * (1 + 1e-3*float64((7*p.I+11*p.J+5*pass)%13))
			if p.I == 2 && p.J == 5 {
				times.There.Medians[pass][k] += 8e-6
			}
		}
	}
	hosts := strings.Split("abcdefgh", "")
	for tick, found := range map[float64]int{0: 1, 1e-9: 1, 3.5e-6: 1, 4.5e-6: 0} {
		v := Judge(times, ranks, hosts, tick)[0]
		require.Len(t, v.Findings, found, "%g", tick)
		require.GreaterOrEqual(t, v.PairLimit, 2*tick/1.02e-5, "%g", tick)
		require.GreaterOrEqual(t, v.UnitLimit, 2*tick/1.02e-5, "%g", tick)
	}
}

// A slow rack has so many nodes that they widen the spread of all nodes, and raise the limit above their own times.
// They are named nevertheless, up to maxFindings, in both kinds of tables.
func TestManySlowNodes(t *testing.T) {
	const nodes = 64
	for _, slow := range []int{0, 1, 4, 12, 16} {
		for _, directions := range []int{1, 2} {
			times := &PairTimes{There: NewSamples(patterns.CountPairs(nodes))}
			if directions == 2 {
				back := NewSamples(patterns.CountPairs(nodes))
				times.Back = &back
			}
			for k, p := range times.Pairs(nodes) {
				for pass := range Passes {
					time := 1e-4 * (1 + 1e-3*float64((7*p.I+11*p.J+5*pass)%13))
					if p.I < slow || p.J < slow {
						time *= 1.6
					}
					for _, s := range times.Directions() {
						s.Medians[pass][k] = time
					}
				}
			}
			found := Judge(times, nodes, lists.Of(nodes, strconv.Itoa), 0)[0].Findings
			require.Len(t, found, min(slow, maxFindings), "%d slow, %d directions", slow, directions)
			for _, f := range found {
				require.Equal(t, Slow, f.Trouble, "%d slow, %d directions: %v", slow, directions, found)
				require.InDelta(t, 0.6, f.Excess, 0.02)
			}
		}
	}
}
