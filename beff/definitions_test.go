package beff_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/patterns"
)

// These tests check the figures of docs/studies/definitions.md.

// table returns the cells of the rows below a head of a table in docs/studies/definitions.md.
func table(t *testing.T, head string) (rows [][]string) {
	text, err := os.ReadFile("../docs/studies/definitions.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), head+"\n")
	require.True(t, found, head)
	for i, line := range strings.Split(rest, "\n") {
		if !strings.HasPrefix(line, "|") {
			break
		}
		if i > 0 {
			var cells []string
			for _, c := range strings.Split(strings.Trim(line, "|"), "|") {
				cells = append(cells, strings.TrimSpace(c))
			}
			rows = append(rows, cells)
		}
	}
	require.NotEmpty(t, rows)
	return rows
}

// Release 3.6 counts P messages in the ring pattern of pairs and one ring of three, although P+3 are sent.
func TestReleaseOfOddProcesses(t *testing.T) {
	for _, row := range table(t, "| P | messages sent | counted by 3.6 | b_eff of 3.6 |") {
		var p, sent, counted int
		_, err := fmt.Sscan(strings.Join(row[:3], " "), &p, &sent, &counted)
		require.NoError(t, err)
		list, err := patterns.BEff(p, 1)
		require.NoError(t, err)
		require.EqualValues(t, sent, list[0].Messages, "P = %d", p)
		require.Equal(t, counted, p*len(list[0].Exchanges(0)))
		require.Equal(t, fmt.Sprintf("%.1f %%", 100*(beff.ReleaseRatio(p)-1)), row[3], "P = %d", p)
	}
	for _, p := range []int{2, 3, 4, 6, 8, 64, 100} {
		require.EqualValues(t, 1, beff.ReleaseRatio(p), "P = %d", p)
	}
}

// On a machine where all processes take equally long, whatever they send, the release's b_eff is lower by
// ReleaseRatio, because it takes the slowest process's own bandwidth times P.
func TestReleaseOfScriptedMachine(t *testing.T) {
	for _, p := range []int{3, 4, 5, 7, 9} {
		s := &scripted.Engine{Processes: p, Cost: func(x scripted.Step) float64 { return 1e-6 + 1e-9*float64(x.Bytes) }}
		c := config(beff.Rules2001)
		c.Patterns = []string{"ring", "random"}
		r, err := rate(t, s, c)
		require.NoError(t, err)
		list, err := patterns.BEff(p, c.Seed)
		require.NoError(t, err)
		g := beff.NewGrid(r)
		release := g.Both(func(i int) float64 {
			least := math.Inf(1)
			for rank := range p {
				least = min(least, float64(len(list[i].Exchanges(rank))))
			}
			return least * float64(p) / float64(list[i].Messages) *
				beff.Mean(0, len(r.Lengths), func(l int) float64 { return g.Best(i, l) })
		})
		require.InEpsilon(t, beff.ReleaseRatio(p), release/r.Derived.BEff, 1e-9, "P = %d", p)
	}
}

// The release computes each length as a multiple of the one before. With every memory in whole MB the lengths are the
// same.
func TestReleaseLengths(t *testing.T) {
	for mb := int64(1); mb <= 16<<10; mb++ {
		lmax := patterns.Lmax(mb << 20)
		length, factor := 4096., math.Pow(float64(lmax)/4096, 1./8)
		for _, want := range patterns.Lengths(lmax)[13:] {
			length *= factor
			require.Equal(t, want, int64(length+0.5), "%d MB", mb)
		}
	}
}

// The release draws a place for each process, and takes the next free one if it is taken. So in its rings more
// neighbours have neighbouring ranks than in uniform rings, and more messages stay within nodes.
func TestReleaseRandoms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	releaseOrder := func(p int) []int {
		order := slices.Repeat([]int{-1}, p)
		for rank := range order {
			at := r.IntN(p)
			for order[at] >= 0 {
				at = (at + 1) % p
			}
			order[at] = rank
		}
		return order
	}
	const head = "| P | processes per node | messages within nodes, 3.6 | uniform | b_eff of 3.6, at most |"
	for _, row := range table(t, head) {
		var p, node int
		crossing := make([]float64, 2) // percentage of messages between nodes, by 3.6 and uniform
		_, err := fmt.Sscan(row[0]+" "+row[1], &p, &node)
		require.NoError(t, err)
		const messages = 400_000
		for i, draw := range []func(int) []int{releaseOrder, r.Perm} {
			within := 0
			for range messages / p {
				order := draw(p)
				for k, rank := range order {
					if rank/node == order[(k+1)%p]/node {
						within++
					}
				}
			}
			var want float64
			_, err := fmt.Sscanf(row[2+i], "%f %%", &want)
			require.NoError(t, err)
			require.InDelta(t, want, 100*float64(within)/float64(messages/p*p), 0.5, "P = %d, %d per node", p, node)
			crossing[i] = 100 - want
		}
		// The random patterns are half of b_eff's logarithm. Their time is the time of the messages that cross the
		// network.
		require.Equal(t, fmt.Sprintf("%+.1f %%", 100*(math.Sqrt(crossing[1]/crossing[0])-1)), row[4])
	}
}

// A rating by rules 3.6 warns about its differences from the release.
func TestRulesAreExplained(t *testing.T) {
	for _, rules := range []beff.Rules{beff.Rules2001, beff.Rules36} {
		for _, p := range []int{4, 5} {
			r, err := rate(t, &scripted.Engine{Processes: p, Cost: scripted.Linear(1e-6, 1e9)}, config(rules))
			require.NoError(t, err)
			text := ""
			for _, w := range r.Warnings {
				if w.Code == "rules" {
					text = w.Text
				}
			}
			require.Equal(t, rules == beff.Rules36, text != "")
			require.Equal(t, rules == beff.Rules36 && p == 5, strings.Contains(text, "4.0 % higher here"), text)
			require.True(t, r.Valid)
		}
	}
}

// Rings of another size are at the end of the ranks, so ReleaseRatio takes no time for any number of processes.
func TestReleaseRatio(t *testing.T) {
	for processes := 2; processes < 200; processes++ {
		list, err := patterns.BEff(processes, 0)
		require.NoError(t, err)
		log, n := 0.0, 0.0
		for _, p := range list {
			if p.Kind == patterns.KindRing {
				least := math.MaxInt
				for rank := range processes {
					least = min(least, len(p.Exchanges(rank)))
				}
				log, n = log+math.Log(float64(least*processes)/float64(p.Messages)), n+1
			}
		}
		require.InEpsilon(t, math.Exp(log/n/2), beff.ReleaseRatio(processes), 1e-12, processes)
	}
	require.InEpsilon(t, 1, beff.ReleaseRatio(math.MaxInt32), 0.1)
}
