package probe_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/fault"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/sim"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

// cutMachine is a machine whose links, ports and processes have 10 GB/s in each direction.
const cutMachine = `
name: cut
processes_per_node: 1
memory_per_process: 4 GiB
endpoint: {overhead: 0.1us, latency: 0.1us, bandwidth: 10 GB/s}
link: {bandwidth: 10 GB/s}
topology: {kind: full}
`

// unitsOf returns the units of a node, given how many nodes a unit of each level has.
func unitsOf(node int, perUnit ...int) (list []string) {
	for level, n := range perUnit {
		list = append(list, fmt.Sprintf("%c%d", "sgc"[level], node/n))
	}
	return list
}

// onSimulated measures on a simulated cutMachine whose units have perUnit nodes, after changes by set.
func onSimulated(t *testing.T, processes int, c probe.Config, perUnit []int, set ...string) *probe.Result {
	t.Helper()
	described, err := machine.Parse("cut", []byte(cutMachine), set...)
	require.NoError(t, err)
	x, err := model.New(described, processes, 1)
	require.NoError(t, err)
	var result *probe.Result
	require.NoError(t, sim.Run(x, 1, func(e mpi.Engine) error {
		var placement []job.Placement
		own := c
		for rank := range processes {
			units := unitsOf(rank, perUnit...)
			placement = append(placement, job.Placement{Host: fmt.Sprintf("n%d", rank), Ranks: fmt.Sprint(rank),
				Processes: 1, Units: units})
			own.Hosts = append(own.Hosts, []int{rank})
			if len(units) > 0 {
				own.Units = append(own.Units, units)
			}
		}
		plan, err := probe.NewPlan(processes, probe.On(e, own))
		if err != nil {
			return err
		}
		m, err := plan.Measure(e, rating.Observer[measured.Outcome]{Now: e.(sim.Simulation).Now})
		if err == nil && e.World().Rank() == 0 {
			result = probe.NewResult(plan, m, probe.Run{Run: rating.Run{Library: e.Library(),
				Layout: job.Layout{Placement: placement}}})
		}
		return err
	}))
	require.NoError(t, result.Check())
	return result
}

// cutConfig returns both kernels of cuts, with messages of 16 MiB.
func cutConfig(t *testing.T, steps int, cuts ...string) probe.Config {
	return probe.Config{Selections: named(t, "Cut_uni", "Cut_bi"),
		Settings: settings.Settings{Pairs: settings.Pairs{Cuts: cuts, Steps: steps},
			Repetitions: settings.Repetitions{Max: 4}}}
}

// A cut's bandwidth is the bandwidth of the cables that its pairs use. It follows from the shape of the network, in the
// worst step and in the best one, for each direction, within 1 %.
func TestCutsOfShapes(t *testing.T) {
	const link = 10e9
	for _, c := range []struct {
		name        string
		processes   int
		topology    string
		perUnit     []int
		cut         string
		steps       int
		worst, best float64 // cables
	}{
		{"full fat tree", 32, "{kind: fat-tree, down: [4, 8], up: [1, 4]}", []int{4}, "halves", 0, 16, 16},
		{"tapered fat tree", 32, "{kind: fat-tree, down: [4, 8], up: [1, 2]}", []int{4}, "halves", 0, 8, 8},
		{"tapered to a quarter", 32, "{kind: fat-tree, down: [4, 8], up: [1, 1]}", []int{4}, "halves", 0, 4, 4},
		{"tapered at its top", 32, "{kind: fat-tree, down: [4, 4, 2], up: [1, 4, 2]}", []int{4, 16}, "group:g0", 0,
			8, 8},
		{"a switch of a tapered tree", 32, "{kind: fat-tree, down: [4, 8], up: [1, 2]}", []int{4}, "switch:s3", 0,
			2, 2},
		{"within switches", 32, "{kind: fat-tree, down: [4, 8], up: [1, 1]}", []int{4}, "switches", 0, 16, 16},
		// There is a cable for each pair of groups. Depending on the step, pairs use all of them or one for each group.
		{"dragonfly", 12, "{kind: dragonfly, groups: 4, routers: 3, global: 1}", []int{1, 3}, "halves", 0, 2, 4},
		{"groups of a dragonfly", 20, "{kind: dragonfly, groups: 5, routers: 4, global: 1}", []int{1, 4},
			"group:g1|g3", 0, 1, 1},
		// A cut of a torus has twice as many cables as columns; messages to processes half of a ring away all go the
		// same way round.
		{"ring", 8, "{kind: torus, dims: [8]}", nil, "halves", 2, 1, 2},
		{"torus", 16, "{kind: torus, dims: [4, 4]}", nil, "halves", 2, 4, 8},
	} {
		r := onSimulated(t, c.processes, cutConfig(t, c.steps, c.cut), c.perUnit, "topology="+c.topology)
		require.Len(t, r.Blocks, 2, c.name)
		for i, directions := range []float64{1, 2} {
			row := r.Blocks[i].Rows[0]
			require.InEpsilon(t, directions*c.worst*link, row.Derived[0].Bandwidth, 0.01, c.name)
			require.InEpsilon(t, directions*c.best*link, row.Derived[0].BandwidthBest, 0.01, c.name)
			require.Equal(t, c.cut, r.Blocks[i].Cut.Name)
			require.NotNil(t, row.Across)
		}
	}
}

// Grow cuts switches, groups and all nodes. The bandwidth lost from one cut to the next is the taper.
func TestCutsGrow(t *testing.T) {
	c := cutConfig(t, 4, "grow")
	c.Selections = c.Selections[1:]
	r := onSimulated(t, 32, c, []int{4, 16}, "topology={kind: fat-tree, down: [4, 4, 2], up: [1, 2, 1]}")
	var names []string
	var each []float64 // bandwidth of a pair, as a part of a link's in both directions
	for _, b := range r.Blocks {
		names = append(names, b.Cut.Name)
		each = append(each, b.Rows[0].Derived[0].Bandwidth/float64(b.Cut.Links())/20e9)
	}
	require.Equal(t, []string{"switches", "groups", "halves"}, names)
	require.InDeltaSlice(t, []float64{1, 0.5, 0.125}, each, 0.01)
}

// A slow cable is found. With a map its switch is named, without a map only the worst link. Without a slow cable
// nothing is named.
func TestSlowCableBehindSwitch(t *testing.T) {
	c := cutConfig(t, 0, "halves")
	tree := "topology={kind: fat-tree, down: [8, 8], up: [1, 8]}"
	slow := fmt.Sprintf("noise.slow_links=[%d]", 2*(64+2*8+5)) // from switch 2 up, by its port 5
	for _, perUnit := range [][]int{{8}, nil} {
		r := onSimulated(t, 64, c, perUnit, tree, slow, "noise.slow_bandwidth=0.5")
		for _, b := range r.Blocks {
			a := b.Rows[0].Across
			require.Equal(t, 8*4, a.Slow, "nodes of the switch to every eighth node")
			require.True(t, a.Worst.Stands)
			require.Equal(t, fmt.Sprintf("n%d", a.Worst.From), a.Worst.FromHost)
			require.Equal(t, 2, min(a.Worst.From, a.Worst.To)/8)
			if perUnit == nil {
				require.Nil(t, a.Shared)
				continue
			}
			require.Equal(t, "s2", a.Shared.Name)
			require.Equal(t, "switch", a.Shared.Level)
			require.Equal(t, a.Slow, a.Shared.Slow)
		}
	}
	for _, b := range onSimulated(t, 64, c, []int{8}, tree).Blocks {
		a := b.Rows[0].Across
		require.Zero(t, a.Slow)
		require.Empty(t, a.Findings)
		require.Nil(t, a.Shared)
		require.False(t, a.Worst.Stands)
	}
}

// Messages are moved and checked, wrong data are counted, and processes that are not in the cut wait.
func TestCutOnEmbedded(t *testing.T) {
	c := cutConfig(t, 0)
	c.Settings.Rows.Lengths = []int64{0, 100}
	for _, processes := range []int{2, 3, 5, 6} {
		r := onLocal(t, processes, c)
		require.Len(t, r.Blocks, 2)
		for i, b := range r.Blocks {
			require.Equal(t, processes/2, b.Cut.Links())
			require.Equal(t, processes%2, b.Waiting)
			require.Equal(t, i == 0, b.Rows[1].Crossing.Back != nil)
			require.Len(t, b.Rows[1].Crossing.Shifts, processes/2)
			require.EqualValues(t, 1, b.Rows[1].Checked)
			require.Zero(t, b.Rows[1].Defects)
			require.Zero(t, b.Rows[0].Derived[0].Bandwidth)
			require.Positive(t, b.Rows[1].Derived[0].Bandwidth)
		}
	}
	r := onLocal(t, 4, c, fault.Fault{Rank: 3, After: func(p *mpi.Program) {
		if len(p.Places) > 1 && p.Places[1].Length > 0 {
			p.Places[1].Space.(mpi.Buffer).Bytes()[p.Places[1].Offset] ^= 1
		}
	}})
	require.Positive(t, r.Blocks[1].Rows[1].Defects)
}

// The sides and the steps of a cut follow from the nodes, the units above them, and the settings.
func TestCutFollows(t *testing.T) {
	c := cutConfig(t, 3, "group:g0")
	c.Settings.Rows.Lengths = []int64{100}
	whole, err := json.Marshal(onSimulated(t, 8, c, []int{2, 4}))
	require.NoError(t, err)
	for want, spoil := range map[string]func(r *probe.Result){
		"":                        func(*probe.Result) {},
		"ask for other steps":     func(r *probe.Result) { r.Settings.Pairs.Steps = 2 },
		"don't follow":            func(r *probe.Result) { r.Blocks[0].Groups[0][1], r.Blocks[0].Groups[0][5] = 5, 1 },
		"don't follow|of another": func(r *probe.Result) { r.Blocks[1].Cut.Name = "switch:s0" },
		"no node of this job": func(r *probe.Result) {
			r.Placement[0].Units[1], r.Settings.Pairs.Cuts[0] = "x", "group:y"
		},
		"sides don't": func(r *probe.Result) { r.Placement[0].Units[1] = "x" },
	} {
		var r probe.Result
		require.NoError(t, json.Unmarshal(whole, &r))
		spoil(&r)
		require.NoError(t, r.Check())
		if err := r.CheckLengths(); want == "" {
			require.NoError(t, err)
		} else {
			require.Error(t, err, want)
			require.Regexp(t, want, err.Error())
		}
	}
}

// Times across a cut in a document must fit the cut and the kernel.
func TestCutRefused(t *testing.T) {
	c := cutConfig(t, 0)
	c.Settings.Rows.Lengths = []int64{100}
	whole, err := json.Marshal(onLocal(t, 4, c))
	require.NoError(t, err)
	for want, spoil := range map[string]func(b *measured.Block){
		"times of a cut, and no cut|a cut: false": func(b *measured.Block) { b.Cut = nil },
		"sides of 6 processes together, of 4":     func(b *measured.Block) { b.Cut.Sets[0].Side = 3 },
		"unknown cut":                             func(b *measured.Block) { b.Cut.Name = "x" },
		"by \"\"":                                 func(b *measured.Block) { b.Cut.By = "" },
		"a cut: true, in 0 groups":                func(b *measured.Block) { b.Groups = nil },
		"step 1 has a shift of 0":                 func(b *measured.Block) { b.Rows[0].Crossing.Shifts[1] = 0 },
		"3 steps of 2 pairs": func(b *measured.Block) {
			b.Rows[0].Crossing.Shifts = []int{0, 1, 2}
		},
		"1 passes over the steps": func(b *measured.Block) { b.Rows[0].Crossing.Back = b.Rows[0].Crossing.Back[:1] },
		"2 steps of 2 pairs, times back: false": func(b *measured.Block) {
			b.Rows[0].Crossing.Back = nil
		},
		"or one is no time": func(b *measured.Block) { b.Rows[0].Crossing.There[2][1][0] = 0 },
		"of 2 pairs, not 1": func(b *measured.Block) { b.Rows[0].Crossing.There[2][1] = []int64{1} },
		"to other samples":  func(b *measured.Block) { b.Rows[0].Samples = []measured.Sample{{}} },
		"1 steps, want 2": func(b *measured.Block) {
			b.Rows[0].Crossing.There[0] = b.Rows[0].Crossing.There[0][:1]
		},
		"0 passes over": func(b *measured.Block) {
			b.Rows[0].Crossing.There, b.Rows[0].Crossing.Back = nil, [][][]int64{}
		},
		"a side of 0 process": func(b *measured.Block) { b.Cut.Sets[0].Side = 0 },
	} {
		var r probe.Result
		require.NoError(t, json.Unmarshal(whole, &r))
		spoil(&r.Blocks[0])
		err := r.Check()
		require.Error(t, err, want)
		require.Regexp(t, want, err.Error())
	}
	for _, c := range []struct {
		wanted settings.Settings
		want   string
	}{
		{settings.Settings{Pairs: settings.Pairs{Cuts: []string{"switches"}}}, "cut switches needs a map of the nodes"},
		{settings.Settings{Pairs: settings.Pairs{Cuts: []string{"rows"}}}, "unknown cut \"rows\""},
		{settings.Settings{Pairs: settings.Pairs{Steps: -1}}, "steps of a cut, not -1"},
		{settings.Settings{Series: settings.Series{Timing: settings.ByMax}}, "has no series"},
		{settings.Settings{Columns: settings.PercentileColumns}, "has no series"}, // they ask for one
		{settings.Settings{Columns: settings.MPIBlibColumns}, "has no series"},
	} {
		_, err := probe.NewPlan(4, probe.Config{Selections: named(t, "Cut_bi"), Settings: c.wanted})
		require.ErrorContains(t, err, c.want)
	}
	_, err = probe.NewPlan(1, cutConfig(t, 0))
	require.ErrorContains(t, err, "needs at least 2 processes")
}
