package whatif

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/sim"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/sim/fit"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
	"github.com/effective-bandwidth/beff/stats"
)

// fitClasses are the classes of kernels whose times are those of messages alone. Of the value true all messages of a
// repetition have the row's length.
var fitClasses = map[kernel.Class]bool{
	kernel.Single: true, kernel.Parallel: true, kernel.Rate: true, kernel.Pairs: true, kernel.Collective: false,
	kernel.Sync: false,
}

// probeSources returns the times of a probe's kernels of messages, and lines about those that tell nothing of its
// machine.
func probeSources(file string, r *probe.Result, perNode int) (list []fit.Source, out []string, err error) {
	hosts, err := hostOfRanks(r, perNode)
	if err != nil {
		return nil, nil, err
	}
	at := map[string]int{} // index in list, by the hosts of the processes
	leave := func(b *measured.Block, why string) {
		line := fmt.Sprintf("%s, %s: %s", file, b.Name(), why)
		if !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	sourceOn := func(hosts []int) *fit.Source {
		of := placed(file, hosts)
		key := fmt.Sprint(of.Processes, of.Placement, of.Hosts, of.PerNode)
		k, known := at[key]
		if !known {
			k = len(list)
			at[key], list = k, append(list, of)
		}
		return &list[k]
	}
	for b := range lists.Elements(r.Blocks) {
		k, known := r.Kernel(b)
		if why := unfitted(r, k, b, known); why != "" {
			leave(b, why)
			continue
		}
		for n := range b.Rows {
			var err error
			if k.Class == kernel.Pairs {
				err = pairObservations(r, b, &b.Rows[n], hosts, sourceOn)
			} else if k.Class != kernel.Rate || n%windowsApart == 0 {
				err = rowObservation(r, k, b, &b.Rows[n], sourceOn(activeOn(b, hosts)))
			}
			if err != nil {
				leave(b, err.Error())
				break
			}
		}
	}
	return slices.DeleteFunc(list, func(of fit.Source) bool { return len(of.Observations) == 0 }), out, nil
}

// unfitted returns why a block tells nothing of a machine's parameters, or nothing if it does.
func unfitted(r *probe.Result, k *kernel.Kernel, b *measured.Block, known bool) string {
	if !known {
		return "an unknown kernel"
	}
	_, ofMessages := fitClasses[k.Class]
	switch {
	case !ofMessages || b.Component != kernel.MPI1 && b.Component != kernel.MPIB && b.Component != kernel.P2P:
		return "its times aren't those of messages alone"
	case b.Processes < 2:
		return "one process has no partner"
	case b.Multi && len(b.Groups) == 0 || b.Processes > r.Processes:
		return "it doesn't tell its groups of processes"
	case len(r.Settings.Map) > 0 || r.Settings.Per != "" || b.Multi && k.Class == kernel.Rate:
		return "its choice of processes isn't fitted"
	case len(r.Factors) > 0:
		return "blocks of different lengths aren't fitted"
	case r.Settings.Timing != "" && r.Settings.Timing != settings.ByLoop && k.Class != kernel.Single:
		return fmt.Sprintf("the timing %s isn't that of loops", r.Settings.Timing)
	}
	return ""
}

// activeOn returns the hosts of the processes of a block that don't wait, in the order of its groups.
func activeOn(b *measured.Block, hosts []int) (list []int) {
	if !b.Multi {
		return hosts[:b.Processes]
	}
	for _, ranks := range b.Groups {
		list = append(list, lists.Each(ranks, func(rank int) int { return hosts[rank] })...)
	}
	return list
}

// hostOfRanks returns the number of the host of each process. Of results that don't tell, so many are on each node.
func hostOfRanks(r *probe.Result, perNode int) ([]int, error) {
	if len(r.Placement) > 0 {
		return hostsOf(r.Placement, r.Processes)
	}
	if perNode < 1 {
		return nil, errors.New("it doesn't tell which host each process was on: want --per-node N")
	}
	return lists.Of(r.Processes, func(rank int) int { return rank / perNode }), nil
}

// hostsOf returns the number of the host of each process.
func hostsOf(placement []job.Placement, processes int) ([]int, error) {
	hosts := make([]int, processes)
	for i, on := range placement {
		ranks, err := on.List()
		if err != nil {
			return nil, err
		}
		for _, rank := range ranks {
			hosts[rank] = i
		}
	}
	return hosts, nil
}

// placed returns a source whose processes are on some hosts.
func placed(file string, hosts []int) fit.Source {
	of := fit.Source{Name: file, Processes: len(hosts), Placement: "list"}
	numbers, counts := map[int]int{}, []int(nil)
	for _, h := range hosts {
		n, known := numbers[h]
		if !known {
			n = len(counts)
			numbers[h] = n
			counts = append(counts, 0)
		}
		counts[n]++
		of.Hosts = append(of.Hosts, n)
	}
	of.Nodes, of.PerNode = len(counts), slices.Max(counts)
	if slices.IsSorted(of.Hosts) && slices.Min(counts[:max(1, len(counts)-1)]) == of.PerNode {
		of.Placement, of.Hosts = "block", nil
	}
	return of
}

// rowObservation adds the time of a row.
func rowObservation(r *probe.Result, k *kernel.Kernel, b *measured.Block, row *measured.Row, of *fit.Source) error {
	if row.Missing != "" || len(row.Derived) != 1 {
		return nil
	}
	seconds := row.Derived[0].Max * float64(max(k.Halves, 1))
	if !(seconds > 0) {
		return nil
	}
	return observe(r, k, b, nameOf(b), row.Bytes, seconds, of)
}

// observe adds a time of a kernel.
func observe(r *probe.Result, k *kernel.Kernel, b *measured.Block, name string, bytes int64, seconds float64,
	of *fit.Source) error {
	play, err := record(r, k, b, bytes, of)
	if err != nil || play == nil {
		return err
	}
	of.Observations = append(of.Observations, fit.Observation{Kernel: name, Step: -1, Play: play,
		Whole: fitClasses[k.Class], Length: bytes, Seconds: seconds})
	return nil
}

// nameOf returns the name of a block in reports.
func nameOf(b *measured.Block) string {
	name := b.Name()
	if b.Mode != settings.Plain {
		name += " " + string(b.Mode)
	}
	return fmt.Sprintf("%s, %s", name, rating.Processes(b.Processes))
}

// pairObservations adds the median of the round trips between processes of one host, and that between two hosts.
func pairObservations(r *probe.Result, b *measured.Block, row *measured.Row, hosts []int,
	sourceOn func(hosts []int) *fit.Source) error {
	const single = "Roundtrip"
	if row.Missing != "" || row.Pairs == nil {
		return nil
	}
	if b.Kernel != single+"_pairs" || row.Pairs.AtOnce {
		return errors.New("of pairs, Roundtrip_pairs is fitted, one pair after the other")
	}
	k, _, known := suites.FindIn(kernel.MPIB, single)
	if !known {
		return fmt.Errorf("there is no kernel %s", single)
	}
	times := map[bool][]float64{} // of pairs within hosts, and between them
	for i, pair := range row.Pairs.Pairs(b.Processes) {
		passes := lists.Each(row.Pairs.There.Medians, func(medians []float64) float64 { return medians[i] })
		inside := hosts[pair.I] == hosts[pair.J]
		times[inside] = append(times[inside], stats.Middle(passes))
	}
	two := &measured.Block{Kernel: single, Component: k.Component, Processes: 2}
	for _, where := range []struct {
		inside bool
		hosts  []int
		name   string
	}{{true, []int{0, 0}, "within nodes"}, {false, []int{0, 1}, "between nodes"}} {
		if len(times[where.inside]) == 0 {
			continue
		}
		name := fmt.Sprintf("%s, %s", b.Kernel, where.name)
		err := observe(r, k, two, name, row.Bytes, stats.Middle(times[where.inside]), sourceOn(where.hosts))
		if err != nil {
			return err
		}
	}
	return nil
}

// recordedLoops is the number of loops of a recording by which it is known among others.
const recordedLoops = 997

// Windows of many messages are followed as two of few: the time of each further message is the same. An answer ends
// each, so that one loop is as the next.
const (
	fewInWindow   = 12
	moreInWindow  = 24
	windowsApart  = 2 // of so many lengths one is taken, because they take long to follow
	windowsBefore = 1
	windowsCount  = 1
)

// played is a row that is recorded, with how its time follows from the processes' paces.
type played struct {
	*sim.Recording
	lap int // -1: the whole loop
}

// Seconds implements fit.Play: the seconds of a repetition of the slowest process.
func (p *played) Seconds(m *model.Model) (float64, error) {
	list, err := p.On(m)
	if err != nil {
		return 0, err
	}
	return slowest(list, p.lap), nil
}

// slowest returns the seconds of a lap, or of the whole loop, of the slowest process.
func slowest(list []sim.Pace, lap int) float64 {
	most := math.Inf(-1)
	for _, x := range list {
		switch {
		case lap < 0:
			most = max(most, x.Seconds)
		case lap < len(x.Laps):
			most = max(most, x.Laps[lap])
		}
	}
	return most
}

// windows is a row with windows of many messages.
type windows struct {
	few, more fit.Play
	size      int
}

// Seconds implements fit.Play.
func (w *windows) Seconds(m *model.Model) (float64, error) {
	few, err := w.few.Seconds(m)
	if err != nil {
		return 0, err
	}
	more, err := w.more.Seconds(m)
	return few + (more-few)/(moreInWindow-fewInWindow)*float64(w.size-fewInWindow), err
}

// record records the program of a row, nil if it has no messages.
func record(r *probe.Result, k *kernel.Kernel, b *measured.Block, bytes int64, of *fit.Source) (fit.Play, error) {
	settings := settingsOf(r, b, bytes)
	if k.Class != kernel.Rate || b.WindowSize <= moreInWindow {
		return recordBy(k, settings, of)
	}
	settings.Window = fewInWindow
	few, err := recordBy(k, settings, of)
	if err != nil || few == nil {
		return nil, err
	}
	settings.Window = moreInWindow
	more, err := recordBy(k, settings, of)
	return &windows{few, more, b.WindowSize}, err
}

// recordBy records the program of the only row of a kernel with some settings.
func recordBy(k *kernel.Kernel, settings settings.Settings, of *fit.Source) (fit.Play, error) {
	one := probe.Selection{Kernel: k, Multi: settings.Multi != nil, Named: true}
	x, err := of.On(recorder)
	if err != nil {
		return nil, err
	}
	var row *measured.Row
	list, err := sim.Record(x, func(e mpi.Engine) error {
		plan, err := probe.NewPlan(of.Processes,
			probe.Config{Selections: []probe.Selection{one}, Settings: settings, Engine: e})
		if err != nil {
			return err
		}
		got, err := plan.Measure(e, rating.Observer[measured.Outcome]{})
		if err == nil && e.World().Rank() == 0 {
			row = &got.Blocks[0].Rows[0]
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(row.Derived) != 1 || !(row.Derived[0].Max > 0) {
		return nil, nil
	}
	return recordingOf(list, row.Derived[0].Max*float64(max(k.Halves, 1)), k.Class == kernel.Rate, x)
}

// recordingOf returns the recording whose time is that of the row on the recorder: of whole loops, or of one of their
// laps.
func recordingOf(list []*sim.Recording, seconds float64, windowed bool, x *model.Model) (
	fit.Play, error) {
	const alike = 0.01
	for _, one := range slices.Backward(list) {
		if one.Loops != recordedLoops {
			continue
		}
		got, err := one.On(x)
		if err != nil {
			return nil, err
		}
		if len(got) == 0 {
			return nil, nil
		}
		for lap := -1; lap < len(got[0].Laps); lap++ {
			if math.Abs(slowest(got, lap)-seconds) <= alike*seconds {
				if windowed {
					one.Before, one.Counted = windowsBefore, windowsCount
				}
				return &played{one, lap}, nil
			}
		}
	}
	return nil, errors.New("its time isn't one of its processes' loops")
}

// recorder is the machine that programs are recorded on. Times of all kinds differ on it.
var recorder = &machine.Machine{Name: "recorder", PerNode: 1, Memory: 1 << 40,
	Endpoint: machine.Endpoint{Overhead: 1.1e-6, Latency: 2.3e-6, Bandwidth: 3.7e9, Scan: 17e-9},
	Inside:   machine.Inside{Latency: 0.7e-6}, Link: machine.Link{Bandwidth: 1e15},
	Topology: machine.Topology{Kind: "full"}}

// settingsOf returns the settings by which one row of a block is recorded.
func settingsOf(r *probe.Result, b *measured.Block, bytes int64) settings.Settings {
	const loops = recordedLoops
	s := r.Settings
	none := int64(0)
	s.Lengths, s.Adaptive, s.Policy, s.MsgsPer, s.MsgsNonAggr, s.OverallVol = []int64{bytes}, nil, settings.Off, loops,
		loops, 0
	s.SampleTime, s.Memory, s.LeastProcs, s.WarmUp, s.Passes = 1e8, 1<<60, b.Processes, &none, 0
	s.Multi = nil
	if b.Multi {
		together := 0
		s.Multi = &together
	}
	s.Timing, s.Precision, s.Columns, s.Pairs, s.AtOnce, s.CacheSize, s.CacheLine = "", nil, "", "", false, 0, 0
	s.Quantiles, s.Skew = nil, ""
	return s
}
