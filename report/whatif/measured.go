package whatif

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

// Measured is a set of results that a machine is fitted to, or compared with.
type Measured struct {
	ratings []ratingFile
	probes  []probeFile
}

// ratingFile and probeFile are results with the names of their files.
type ratingFile struct {
	file   string
	result *beff.Result
}
type probeFile struct {
	file   string
	result *probe.Result
}

// Add adds a result of beff run or beff probe, given as the content of a file.
func (f *Measured) Add(file string, data []byte) error {
	var kind struct {
		Benchmark string `json:"benchmark"`
	}
	if json.Unmarshal(data, &kind) == nil && kind.Benchmark == probe.Benchmark {
		r, err := ofprobe.Verify(data)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		f.probes = append(f.probes, probeFile{file, r})
		return nil
	}
	r, err := ofbeff.Verify(data)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	f.ratings = append(f.ratings, ratingFile{file, r})
	return nil
}

// fit returns the fit with first guesses, and lines about kernels that aren't fitted.
func (f *Measured) fit() (x *fit, out []string, err error) {
	x = &fit{}
	name, memory := "", int64(0)
	var most *source // the one with the most processes
	take := func(of *source, host rating.Host, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", of.file, err)
		}
		if most == nil || len(of.hosts) > len(most.hosts) {
			most, name = of, host.Name
		}
		if len(of.times) > 0 {
			x.sources = append(x.sources, *of)
		}
		return nil
	}
	for _, r := range f.ratings {
		of := &source{file: r.file}
		if err := take(of, r.result.Host, x.addRating(of, r.result)); err != nil {
			return nil, nil, err
		}
		memory = max(memory, r.result.MemoryPerProcess)
	}
	for _, r := range f.probes {
		of := &source{file: r.file}
		err := x.addProbe(of, r.result, func(line string) {
			if !slices.Contains(out, line) {
				out = append(out, line)
			}
		})
		if err := take(of, r.result.Host, err); err != nil {
			return nil, nil, err
		}
	}
	if len(x.sources) == 0 {
		text := "no file has times that determine a machine's parameters"
		for _, line := range out {
			text += "; " + line
		}
		return nil, nil, errors.New(text)
	}
	x.guess = *guess(x.sources, most)
	x.guess.Name, x.guess.Memory = "fit-of-"+name, machine.Bytes(cmp.Or(memory, defaultMemory))
	return x, out, nil
}

// defaultMemory is the memory of a process if no rating has it: messages of up to 8 MiB.
const defaultMemory = 1 << 30

// guess returns a machine with the nodes of a source, and first guesses from the shortest loop and the highest
// bandwidth of all sources. The network itself never limits, only its ports do.
func guess(sources []source, of *source) *machine.Machine {
	least, most := math.Inf(1), 0.0
	for _, s := range sources {
		for _, t := range s.times {
			least, most = min(least, t.seconds), max(most, float64(t.length)/t.seconds)
		}
	}
	m := withHosts(&machine.Machine{Note: "fitted to measured results", Topology: machine.Topology{Kind: "full"},
		Link: machine.Link{Bandwidth: machine.Rate(rounded(1000 * most))}}, of.hosts)
	m.Endpoint = machine.Endpoint{Overhead: machine.Seconds(least / 8), Bandwidth: machine.Rate(2 * most),
		Scan: machine.Seconds(least / 50)}
	if m.Nodes > 1 {
		m.Endpoint.Latency, m.Endpoint.Gap = machine.Seconds(least/2), machine.Seconds(least/8)
	}
	if m.PerNode > 1 {
		m.Inside = machine.Inside{Latency: machine.Seconds(least / 4),
			Memory: machine.Rate(1.5 * most * float64(m.PerNode))}
	}
	if m.Nodes > 1 && m.PerNode > 1 {
		m.Inside.Overhead = m.Endpoint.Overhead
		m.Endpoint.Port = machine.Rate(most * float64(m.PerNode))
	}
	return m
}

// kernel returns the index of a kernel of a file.
func (x *fit) kernel(file, name string) int {
	k := slices.IndexFunc(x.kernels, func(k fittedKernel) bool { return k.file == file && k.name == name })
	if k < 0 {
		k = len(x.kernels)
		x.kernels = append(x.kernels, fittedKernel{file: file, name: name})
	}
	return k
}

// step returns the index of a step with these messages.
func (of *source) step(messages []model.Message) int {
	k := slices.IndexFunc(of.steps, func(s []model.Message) bool { return slices.Equal(s, messages) })
	if k < 0 {
		k = len(of.steps)
		of.steps = append(of.steps, messages)
	}
	return k
}

// addRating adds the times of each pattern, length and method of a rating, from the best repetition, as in b_eff.
func (x *fit) addRating(of *source, r *beff.Result) error {
	all, err := patterns.BEff(r.Processes, r.Seed)
	if err != nil {
		return err
	}
	if of.hosts, err = hostsOf(r.Placement, r.Processes); err != nil {
		return err
	}
	g := beff.NewGrid(r)
	for i, p := range r.Patterns {
		k := slices.IndexFunc(all, func(x patterns.Pattern) bool { return x.Name == p.Name })
		if k < 0 {
			return fmt.Errorf("no pattern of %d processes is named %s", r.Processes, p.Name)
		}
		step := of.step(messagesOf(all[k]))
		for l, length := range r.Lengths {
			for m, method := range r.Methods {
				b := g.BestOf(i, l, m)
				if math.IsNaN(b) {
					continue
				}
				t := timing{kernel: x.kernel(of.file, "b_eff, "+method), length: length,
					parts:   []part{{step, method == beff.Sendrecv.String(), length}},
					seconds: float64(length) * float64(p.Messages) / b}
				if method == beff.Alltoallv.String() {
					t.scanned = p.Processes
				}
				of.times = append(of.times, t)
			}
		}
	}
	return nil
}

// messagesOf returns the messages of a pattern.
func messagesOf(p patterns.Pattern) (list []model.Message) {
	p.Each(func(rank int, exchanges []patterns.Exchange) {
		for i, x := range exchanges {
			if x.Dest != patterns.None {
				list = append(list, model.Message{Round: int32(i), From: int32(rank), To: int32(x.Dest)})
			}
		}
	})
	return list
}

// addProbe adds the times of a probe's kernels of messages, and calls leave with a line about each other kernel.
func (x *fit) addProbe(of *source, r *probe.Result, leave func(line string)) (err error) {
	if len(r.Placement) == 0 {
		return errors.New("it doesn't record the host of each process")
	}
	if of.hosts, err = hostsOf(r.Placement, r.Processes); err != nil {
		return err
	}
	for b := range lists.Elements(r.Blocks) {
		k, known := r.Kernel(b)
		if why := unfitted(r, b, known); why != "" {
			leave(fmt.Sprintf("%s, %s: %s", of.file, b.Name(), why))
			continue
		}
		name := fmt.Sprintf("%s, %s", b.Name(), rating.Processes(b.Processes))
		for row := range lists.Elements(b.Rows) {
			if row.Missing != "" || len(row.Derived) == 0 {
				continue
			}
			seconds := 0.0
			for _, d := range row.Derived {
				seconds = max(seconds, d.Max*float64(max(k.Divisor, 1)))
			}
			if seconds > 0 {
				of.times = append(of.times, timing{kernel: x.kernel(of.file, name), length: row.Bytes, seconds: seconds,
					parts: of.partsOf(b, row.Bytes)})
			}
		}
	}
	return nil
}

// unfitted returns the reason why a block can't be used, or "".
func unfitted(r *probe.Result, b *measured.Block, known bool) string {
	switch _, ofMessages := loops[b.Kernel]; {
	case !known || !ofMessages || b.Component != kernel.MPI1:
		return "this kernel can't be fitted"
	case len(b.Groups) == 0 && (b.Multi || len(r.Settings.Who.Map) > 0 || r.Settings.Who.Per != ""):
		return "it doesn't record its groups of processes"
	case r.Settings.Series.Timing != "" && r.Settings.Series.Timing != settings.ByLoop:
		return fmt.Sprintf("it has the timing %s instead of loop", r.Settings.Series.Timing)
	}
	return ""
}

// loop has the messages of a kernel's repetition in a group of processes, in windows if it has them. Answers are
// messages of a byte that follow the others.
type loop struct {
	messages func(processes, window int) []model.Message
	answers  func(processes int) []model.Message
	inTurn   bool
}

// loops are the kernels of IMB-MPI1 that are fitted.
var loops = map[string]loop{
	"PingPong": {messages: toAndFro, inTurn: true},
	"PingPing": {messages: toAndFro},
	"Sendrecv": {messages: func(processes, _ int) []model.Message { return shifted(processes, 1) }},
	"Exchange": {messages: func(processes, _ int) []model.Message { return shifted(processes, 1, processes-1) }},
	"Uniband":  {messages: windows(false), answers: answered},
	"Biband":   {messages: windows(true), answers: answered},
}

func toAndFro(int, int) []model.Message {
	return []model.Message{{From: 0, To: 1}, {Round: 1, From: 1, To: 0}}
}

// shifted returns messages from each process to the processes at the given distances.
func shifted(processes int, by ...int) (list []model.Message) {
	for _, k := range by {
		for p := range processes {
			list = append(list, model.Message{From: int32(p), To: int32((p + k) % processes)})
		}
	}
	return list
}

// windows returns the messages of windows, from the lower half of the processes to the upper one, or both ways.
func windows(both bool) func(processes, window int) []model.Message {
	return func(processes, window int) (list []model.Message) {
		half := int32(processes / 2)
		for p := range half {
			for range window {
				list = append(list, model.Message{From: p, To: p + half})
				if both {
					list = append(list, model.Message{From: p + half, To: p})
				}
			}
		}
		return list
	}
}

// answered returns the answers to windows.
func answered(processes int) (list []model.Message) {
	half := int32(processes / 2)
	for p := range half {
		list = append(list, model.Message{From: p + half, To: p})
	}
	return list
}

// partsOf returns the parts of a block's repetition, with all groups at the same time.
func (of *source) partsOf(b *measured.Block, bytes int64) []part {
	groups := b.Groups
	if len(groups) == 0 {
		groups = [][]int{lists.Numbers(b.Processes)}
	}
	inGroups := func(messages []model.Message) (list []model.Message) {
		for _, ranks := range groups {
			for _, x := range messages {
				list = append(list, model.Message{Round: x.Round, From: int32(ranks[x.From]), To: int32(ranks[x.To])})
			}
		}
		return list
	}
	l := loops[b.Kernel]
	parts := []part{{of.step(inGroups(l.messages(b.Processes, b.WindowSize))), l.inTurn, bytes}}
	if l.answers != nil {
		parts = append(parts, part{step: of.step(inGroups(l.answers(b.Processes))), length: 1})
	}
	return parts
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
