package probe_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/fault"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// pgasCost is 1 µs and 1 GB/s for each put and get, nothing for a flush, 0.5 µs for a synchronisation.
func pgasCost() func(scripted.Step) float64 {
	return scripted.PerCall(func(s scripted.Step, c mpi.Call) float64 {
		switch c.Op {
		case mpi.Put, mpi.Get, mpi.Rput, mpi.Rget:
			return 1e-6 + float64(s.Program.Places[c.Recv.First].Length)/1e9
		case mpi.Barrier, mpi.Notify, mpi.Allreduce:
			return 0.5e-6
		}
		return 0
	})
}

func ofPGAS(t *testing.T, name string) []probe.Selection {
	t.Helper()
	k, _, ok := suites.Find(kernel.PGAS, name)
	require.True(t, ok, name)
	return []probe.Selection{{Kernel: k, Named: true}}
}

// pgasOnScript measures a kernel on 2 processes in the scripted network.
func pgasOnScript(t *testing.T, name string, s settings.Settings) *measured.Block {
	t.Helper()
	r := onScript(t, &scripted.Engine{Processes: 2, Cost: pgasCost()},
		probe.Config{Selections: ofPGAS(t, name), Settings: s})
	require.Len(t, r.Blocks, 1)
	require.NoError(t, r.Check())
	return &r.Blocks[0]
}

// TestPGASLatencies checks the times of a network of 1 µs and 1 GB/s by hand, one-sided with 4 bytes.
func TestPGASLatencies(t *testing.T) {
	for name, want := range map[string]float64{
		"Sync_barrier": 0.5e-6, "Sync_p2p": 0.5e-6, "Put_get": 2.008e-6, "Reduction": 0.5e-6,
		"Put_put_barrier": 2.004e-6, "Put_put_p2p": 2.004e-6, "Get_get_barrier": 2.004e-6, "Get_get_p2p": 2.004e-6,
	} {
		b := pgasOnScript(t, name, settings.Settings{Rows: settings.Rows{Lengths: []int64{4}}})
		require.Len(t, b.Rows, 1, name)
		x := b.Rows[0].Derived[0]
		require.InEpsilon(t, want, x.Max, 1e-9, name)
		require.Zero(t, x.Bandwidth, name)
	}
}

// TestPGASBandwidths checks that 4 bytes have 3.984 MB/s and 4 MiB 999.76 MB/s, with all completions, that the stride
// doesn't change the bytes of strided transfers, and that both directions have twice the bandwidth of one.
func TestPGASBandwidths(t *testing.T) {
	want := map[int64]float64{4: 3.984063745e6, 131072: 992.42837239e6, 4 << 20: 999.76163848e6}
	for _, k := range suites.Kernels() {
		if k.Component != kernel.PGAS || k.Moved == 0 {
			continue
		}
		completions, lengths := settings.Completions[:1], []int64{4}
		if strings.HasSuffix(k.Name, "way") && !k.Strided() {
			completions, lengths = settings.Completions, []int64{4, 4 << 20}
		}
		for _, completion := range completions {
			if completion == settings.CompleteLocal && strings.HasPrefix(k.Name, "Get") {
				continue
			}
			b := pgasOnScript(t, k.Name, settings.Settings{Rows: settings.Rows{Lengths: lengths},
				OneSided: settings.OneSided{Completion: completion}})
			require.Equal(t, completion, b.Completion)
			require.Equal(t, settings.WindowKinds[0], b.WindowKind)
			for _, row := range b.Rows {
				name := fmt.Sprintf("%s, %s, %d bytes, stride %d", k.Name, completion, row.Bytes, row.Stride)
				x := row.Derived[0]
				require.InEpsilon(t, want[row.Bytes], x.Bandwidth, 1e-8, name)
				require.InEpsilon(t, x.Bandwidth, x.BandwidthMin, 1e-9, name)
				require.InEpsilon(t, x.Bandwidth, x.BandwidthMax, 1e-9, name)
				require.InEpsilon(t, x.Bandwidth*float64(len(row.Samples[0].Each)), x.BandwidthAll, 1e-9, name)
				if strings.HasSuffix(k.Name, "twoway") {
					require.InEpsilon(t, 2*x.Bandwidth, x.BandwidthBoth, 1e-9, name)
				} else {
					require.Zero(t, x.BandwidthBoth, name)
				}
			}
			strides := make([]int64, len(lengths))
			if k.Strided() {
				strides = []int64{1, 2, 4, 8, 16, 32}
			}
			var got []int64
			for _, row := range b.Rows {
				got = append(got, row.Stride)
			}
			require.Equal(t, strides, got, k.Name)
		}
	}
}

// TestPGASLengths checks the lengths that the suite has: 4 bytes to 4 MiB.
func TestPGASLengths(t *testing.T) {
	b := pgasOnScript(t, "Put_oneway", settings.Settings{})
	require.Len(t, b.Rows, 21)
	require.Equal(t, []int64{4, 8, 4 << 20}, []int64{b.Rows[0].Bytes, b.Rows[1].Bytes, b.Rows[20].Bytes})
}

// TestUnequalPairs checks the figures of pairs that take 1, 2 and 4 s for 4 MB: the mean of the bandwidths is not the
// bandwidth of the mean time.
func TestUnequalPairs(t *testing.T) {
	k, _, _ := suites.Find(kernel.PGAS, "Put_oneway")
	b := &measured.Block{Kernel: k.Name, Component: kernel.PGAS, Processes: 2}
	row := &measured.Row{Bytes: 4e6, Repetitions: 1,
		Samples: []measured.Sample{{Min: 1, Max: 4, Mean: 7. / 3, Each: []float64{1, 2, 4}}}}
	x := measured.Derive(k, b, row)[0]
	require.InEpsilon(t, (4.+2+1)/3*1e6, x.Bandwidth, 1e-12)
	require.Equal(t, []float64{1e6, 4e6, 3e6}, []float64{x.BandwidthMin, x.BandwidthMax, x.BandwidthAll})
	require.Equal(t, []float64{1, 4, 7. / 3}, []float64{x.Min, x.Max, x.Mean})
	two, _, _ := suites.Find(kernel.PGAS, "Put_twoway")
	row.Samples[0].Each = []float64{1, 4}
	x = measured.Derive(two, b, row)[0]
	require.Equal(t, []float64{2.5e6, 5e6}, []float64{x.Bandwidth, x.BandwidthBoth})
}

// TestPGASPlans checks the groups of each kernel, and the text of each refusal.
func TestPGASPlans(t *testing.T) {
	one, three := 1, 3
	plan := func(processes int, name string, s settings.Settings) (*probe.Plan, error) {
		e := &scripted.Engine{Processes: processes}
		return probe.NewPlan(processes, probe.On(e, probe.Config{Selections: ofPGAS(t, name), Settings: s}))
	}
	for _, c := range []struct {
		name   string
		offset *int
		groups [][]int
	}{
		{"Put_oneway", nil, [][]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}}},
		{"Put_get", &one, [][]int{{0, 1}, {2, 3}, {4, 5}, {6, 7}}},
		{"Sync_barrier", &one, nil},
		{"Random_put", nil, nil},
	} {
		p, err := plan(8, c.name, settings.Settings{OneSided: settings.OneSided{Offset: c.offset}})
		require.NoError(t, err)
		require.Len(t, p.Blocks, 1)
		require.Equal(t, c.groups, p.Blocks[0].Groups, c.name)
		require.Equal(t, map[bool]int{true: 2, false: 8}[c.groups != nil], p.Blocks[0].Processes, c.name)
	}
	pairs := []settings.OneSided{{Offset: &three}, {Completion: settings.CompleteLocal},
		{Target: settings.TargetComputes}}
	for _, c := range []struct {
		processes int
		name      string
		choice    settings.OneSided
		err       string
	}{
		{8, "Put_oneway", pairs[0], "Put_oneway can't run: the offset 3 makes no pairs of 8 processes: want 1, 2 or 4"},
		{7, "Put_oneway", settings.OneSided{}, "Put_oneway can't run: pairs need an even number of processes, this " +
			"job has 7"},
		{2, "Get_oneway", pairs[1], "Get_oneway has no local completion, because the data of a get are in the " +
			"origin's memory: want each, all or request"},
		{2, "Put_twoway", pairs[2], "Put_twoway has no process that only waits and could compute instead"},
		{2, "Sync_p2p", pairs[2], "Sync_p2p has no process that only waits and could compute instead"},
	} {
		_, err := plan(c.processes, c.name, settings.Settings{OneSided: c.choice})
		require.EqualError(t, err, c.err)
	}
	_, err := plan(7, "Random_get", settings.Settings{})
	require.NoError(t, err, "no pairs")
	_, err = plan(2, "Put_oneway", settings.Settings{Who: settings.Who{Multi: new(int)}})
	require.NoError(t, err)
	s := ofPGAS(t, "Put_oneway")
	s[0].Multi = true
	e := &scripted.Engine{Processes: 2}
	_, err = probe.NewPlan(2, probe.On(e, probe.Config{Selections: s}))
	require.EqualError(t, err, "Multi-Put_oneway runs on all processes at once: leave the multiple mode out")
}

// TestOffsetPairsOthers checks that an offset pairs up the kernels of two processes of IMB.
func TestOffsetPairsOthers(t *testing.T) {
	one := 1
	k, _, _ := suites.Find(kernel.RMA, "Fetch_and_op")
	e := &scripted.Engine{Processes: 4}
	p, err := probe.NewPlan(4, probe.On(
		e, probe.Config{Selections: []probe.Selection{{Kernel: k}},
			Settings: settings.Settings{OneSided: settings.OneSided{Offset: &one}}}))
	require.NoError(t, err)
	for _, b := range p.Blocks {
		require.True(t, b.Multi)
		require.Equal(t, [][]int{{0, 1}, {2, 3}}, b.Groups)
	}
}

// TestWrongOneSided checks the settings that are refused.
func TestWrongOneSided(t *testing.T) {
	minus := -1
	for _, o := range []settings.OneSided{{Offset: &minus}, {Completion: "x"}, {Window: "x"}, {Target: "x"},
		{Block: -1},
		{Count: 1 << 31}, {Strides: []int64{0}}, {Strides: []int64{1 << 30}, Block: 1 << 10, Count: 1 << 10}} {
		require.Error(t, (&settings.Settings{OneSided: o}).Check(), "%+v", o)
	}
	zero := 0
	require.NoError(t, (&settings.Settings{OneSided: settings.OneSided{Offset: &zero, Strides: []int64{3}}}).Check())
	require.Error(t, (&settings.Settings{OneSided: settings.OneSided{Offset: &zero}, Who: settings.Who{Map: []int{2,
		1}}}).Check())
}

// TestPGASOnLocal measures all kernels on the embedded engine with each completion and kind of window, and finds no
// wrong data. Kernels whose transfers hit the same place are left out under the race detector.
func TestPGASOnLocal(t *testing.T) {
	var list []probe.Selection
	for _, k := range suites.Kernels() {
		if k.Component == kernel.PGAS && !(raced && strings.HasPrefix(k.Name, "Random")) {
			list = append(list, probe.Selection{Kernel: k})
		}
	}
	for i, completion := range settings.Completions {
		s := settings.Settings{Rows: settings.Rows{Lengths: []int64{4, 1000, 70000}},
			Repetitions: settings.Repetitions{Max: 5, Policy: settings.Off},
			OneSided: settings.OneSided{Completion: completion, Window: settings.WindowKinds[i%2], Count: 100,
				Block: int64(4 + i), Strides: []int64{1, 3}}}
		r := onLocal(t, 4, probe.Config{Selections: list, Settings: s})
		for _, b := range r.Blocks {
			for _, row := range b.Rows {
				name := fmt.Sprintf("%s, %s, %d bytes, stride %d", b.Kernel, completion, row.Bytes, row.Stride)
				require.Zero(t, row.Defects, name)
				require.Equal(t, row.Bytes > 0, row.Checked > 0, name)
			}
		}
		require.GreaterOrEqual(t, len(r.Blocks), 13)
		require.True(t, slices.ContainsFunc(r.Blocks, func(b measured.Block) bool { return b.Kernel == "Put_oneway" }))
	}
}

// TestGapsAreChecked lets the origin of a strided put also write a block into a gap: all blocks are right, and the row
// has a defect.
func TestGapsAreChecked(t *testing.T) {
	const block = 4
	intoGap := fault.Fault{Compile: func(_ int, p *mpi.Program) *mpi.Program {
		spoiled := *p
		spoiled.Places, spoiled.Loop = slices.Clone(p.Places), slices.Clone(p.Loop)
		for _, c := range p.Loop {
			if c.Op != mpi.Put {
				continue
			}
			memory, target := p.Places[c.Send.First], p.Places[c.Recv.First]
			memory.Length, memory.Offset = block, 2*block // the first data of rank 0 are zeros, too
			target.Length, target.Offset, target.Pieces = block, target.Offset+block, nil
			from, into := mpi.One(spoiled.Place(memory)), mpi.One(spoiled.Place(target))
			spoiled.Call(mpi.Call{Op: mpi.Put, Send: from, Recv: into})
		}
		return &spoiled
	}}
	s := settings.Settings{Repetitions: settings.Repetitions{Max: 5, Policy: settings.Off},
		OneSided: settings.OneSided{Count: 10,
			Strides: []int64{3}}}
	c := probe.Config{Selections: ofPGAS(t, "Strided_put_target"), Settings: s}
	require.Zero(t, onLocal(t, 2, c).Blocks[0].Rows[0].Defects)
	require.Positive(t, onLocal(t, 2, c, intoGap).Blocks[0].Rows[0].Defects)
}
