package probe_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// Data are right on all numbers of processes, with more repetitions than a program has, with and without touching.
func TestP2P(t *testing.T) {
	for _, processes := range []int{2, 3, 4, 8} {
		for _, n := range []int64{2, 601} {
			for _, quiet := range []bool{false, true} {
				t.Run(fmt.Sprintf("P=%d/n=%d/%v", processes, n, quiet), func(t *testing.T) {
					c := probe.Config{Selections: all(kernel.P2P, false), Settings: short()}
					c.Settings.Rows.Lengths, c.Settings.Repetitions.Policy = []int64{0, 1, 64, 65, 1000}, settings.Off
					if n > 2 {
						c.Settings.Rows.Lengths = []int64{0, 65}
					}
					c.Settings.Repetitions.Max, c.Settings.NoTouchSent, c.Settings.NoTouchReceived = n, quiet, quiet
					rightData(t, processes, c)
				})
			}
		}
	}
}

// Series of the kernels that keep their partners have right data too.
func TestP2PSeries(t *testing.T) {
	c := probe.Config{Settings: short()}
	for _, name := range []string{"PingPong", "PingPing", "Stencil2D", "SendRecv_Replace"} {
		k, _, _ := suites.Find(kernel.P2P, name)
		c.Selections = append(c.Selections, probe.Selection{Kernel: k, Named: true})
	}
	c.Settings.Rows.Lengths = []int64{0, 100}
	c.Settings.Series.Precision = &settings.Precision{Relative: 0.5, Confidence: 0.9, Min: 3, Max: 20, Inner: 2,
		Statistic: settings.ByMean}
	rightData(t, 4, c)
}

// Kernels that can't run on a number of processes, or with the settings, give a reason.
func TestP2PRefused(t *testing.T) {
	zero := 0
	for _, x := range []struct {
		kernel    string
		processes int
		settings  settings.Settings
		want      string
	}{
		{"PingPong", 3, settings.Settings{}, "PingPong needs an even number of processes, this job has 3"},
		{"Stencil2D", 5, settings.Settings{},
			"Stencil2D needs a number of processes that fills a grid of 2 dimensions, such as 4, this job has 5"},
		{"Stencil3D", 9, settings.Settings{},
			"Stencil3D needs a number of processes that fills a grid of 3 dimensions, such as 8, this job has 9"},
		{"Stencil3D", 4, settings.Settings{}, "Stencil3D needs at least 8 processes, this job has 4"},
		{"Unirandom", 1, settings.Settings{}, "Unirandom needs at least 2 processes, this job has 1"},
		{"Corandom", 2, settings.Settings{Series: settings.Series{Timing: settings.ByMax}},
			"Corandom draws new partners for each repetition"},
		{"Corandom", 2, settings.Settings{Who: settings.Who{Multi: &zero}},
			"Multi-Corandom runs on all processes at once"},
	} {
		k, _, _ := suites.Find(kernel.P2P, x.kernel)
		s := probe.Selection{Kernel: k, Named: true, Multi: x.settings.Who.Multi != nil}
		_, err := probe.NewPlan(x.processes, probe.Config{Selections: []probe.Selection{s}, Settings: x.settings})
		require.ErrorContains(t, err, x.want)
	}
}

// The figures by the formulas of IMB-P2P 2021.11, if n repetitions took S seconds in all on P processes and M seconds
// in the slowest one. PingPong has t = S/(2nP) and the rate nP/M, Birandom S/(2nP) and 2nP/M, Stencil2D S/(4nP) and
// 4nP/M.
func TestP2PFigures(t *testing.T) {
	row := &measured.Row{Bytes: 1000, Repetitions: 5, Samples: []measured.Sample{{Min: 6, Max: 10, Mean: 8}}}
	for name, want := range map[string][2]float64{
		"PingPong": {0.8, 2}, "PingPing": {1.6, 2}, "Unirandom": {1.6, 2}, "Birandom": {0.8, 4}, "Corandom": {1.6, 2},
		"Stencil2D": {0.4, 8}, "Stencil3D": {8.0 / 30, 12}, "SendRecv_Replace": {1.6, 2},
	} {
		k, _, _ := suites.Find(kernel.P2P, name)
		got := measured.Derive(k, &measured.Block{Processes: 4}, row)[0]
		require.InDelta(t, want[0], got.Mean, 1e-12, name)
		require.InDelta(t, want[1], got.Rate, 1e-12, name)
		require.InDelta(t, 1000*want[1], got.Bandwidth, 1e-9, name)
		require.Equal(t, got.Mean, k.Times()[0].Of(&got), "the time that reports show")
	}
}

// Repetitions by IMB 2021.11: 100,000, and 800 MiB at most.
func TestP2PRepetitions(t *testing.T) {
	k, _, _ := suites.Find(kernel.P2P, "PingPong")
	c := probe.Config{Selections: []probe.Selection{{Kernel: k, Named: true}}}
	c.Settings.Rows.Lengths, c.Settings.Repetitions.Policy = []int64{0, 8192, 16384, 4 << 20}, settings.Dynamic
	c.Settings.Method = settings.ByIMB2021
	e := &scripted.Engine{Processes: 2, Cost: func(scripted.Step) float64 { return 1e-6 }}
	var list []int64
	for _, row := range onScript(t, e, c).Blocks[0].Rows {
		list = append(list, row.Repetitions)
	}
	require.Equal(t, []int64{100000, 100000, 51200, 200}, list)
}
