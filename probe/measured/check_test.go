package measured

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/pairs"
)

// Times of pairs in a document must fit the kernel and the number of processes.
func TestCheckPairTimes(t *testing.T) {
	k := &kernel.Kernel{Name: "Roundtrip_pairs", Component: kernel.MPIB, Class: kernel.Pairs,
		Builder: &kernel.Builder{}}
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
	pingPong := &kernel.Kernel{Name: "PingPong", Class: kernel.Single, Builder: &kernel.Builder{}}
	require.ErrorContains(t, checkPairs(pingPong, b, &Row{Pairs: good()}), "class single transfer")
	require.ErrorContains(t, checkPairs(k, b, &Row{Pairs: good(), Samples: []Sample{{}}}), "and other samples")
	require.NoError(t, checkPairs(k, b, &Row{}))
}
