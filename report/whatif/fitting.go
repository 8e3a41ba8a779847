package whatif

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/sim/fit"
	"github.com/effective-bandwidth/beff/sim/machine"
)

// Measured is the results that a machine is fitted to, or compared with.
type Measured struct {
	PerNode int // processes of each node of results that don't tell; 0: not known
	ratings []ratingFile
	probes  []probeFile
	out     []string // lines about kernels that tell nothing of a machine's parameters
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

// Add adds a result of beff run or beff probe, as it is in a file.
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

// Fit finds the machine of the results, and returns it with what is known of it, beside them and others.
func (f *Measured) Fit(others *Measured) (*machine.Machine, *document.Document, error) {
	problem, err := f.problem()
	if err != nil {
		return nil, nil, err
	}
	solution, err := problem.Solve()
	if err != nil {
		return nil, nil, err
	}
	d := f.head()
	d.Sections = fitted(solution.Parameters, kernelsOf(solution.Groups, solution.Residuals), f.out)
	own, err := (&Measured{ratings: f.ratings}).against(nil, "beside", "Measured and simulated: ", solution.Machine)
	if err != nil {
		return nil, nil, err
	}
	var first *beff.Result
	if len(f.ratings) > 0 {
		first = f.ratings[0].result
	}
	further, err := others.against(first, "against", "Against ", solution.Machine)
	d.Sections = slices.Concat(d.Sections, own, further)
	return solution.Machine, d, err
}

// head returns the document with the name of the system, the date and the number of processes of the largest result,
// the first of those.
func (f *Measured) head() *document.Document {
	d, most := &document.Document{}, 0
	take := func(i *rating.Identity, host rating.Host, started time.Time, processes int) {
		if processes > most {
			most, d.Title, d.Date = processes, "Fit of "+parts.NameOf(i.System, host), started
			d.Subtitle = rating.Processes(processes)
		}
	}
	for _, r := range f.ratings {
		take(&r.result.Identity, r.result.Host, r.result.Started, r.result.Processes)
	}
	for _, r := range f.probes {
		take(&r.result.Identity, r.result.Host, r.result.Started, r.result.Processes)
	}
	return d
}

// problem returns what the results say of the machine, with first guesses.
func (f *Measured) problem() (*fit.Problem, error) {
	p := &fit.Problem{}
	least, most := math.Inf(1), 0.0
	machineOf := guess{}
	for _, r := range f.ratings {
		of, shortest, highest, err := sourceOf(r.file, r.result, len(f.probes) == 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.file, err)
		}
		p.Sources = append(p.Sources, of)
		least, most = min(least, shortest), max(most, highest)
		machineOf.take(&of, r.result.Host.Name, r.result.MemoryPerProcess)
	}
	for _, r := range f.probes {
		list, out, err := probeSources(r.file, r.result, f.PerNode)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.file, err)
		}
		f.out = append(f.out, out...)
		for of := range lists.Elements(list) {
			machineOf.take(of, r.result.Host.Name, 0)
			for _, o := range of.Observations {
				least, most = min(least, o.Seconds), max(most, float64(o.Length)/o.Seconds)
			}
		}
		p.Sources = append(p.Sources, list...)
	}
	if len(p.Sources) == 0 {
		text := "no file tells anything of a machine's parameters"
		for _, line := range f.out {
			text += "; " + line
		}
		return nil, errors.New(text)
	}
	p.Machine = machineOf.machine(least, most)
	return p, nil
}

// against returns sections that compare a fitted machine with results: those of the fit, or further ones beside the
// first of the fit. IDs and titles of the sections begin with these.
func (f *Measured) against(first *beff.Result, id, title string, m *machine.Machine) (list []document.Section,
	err error) {
	for i, r := range f.ratings {
		again, bare, err := predict(r.result, m)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.file, err)
		}
		heading := fmt.Sprintf("%s%s, %s (%s)", title, parts.NameOf(r.result.System, r.result.Host),
			r.result.Started.Format("2006-01-02 15:04"), r.file)
		list = append(list, against(fmt.Sprint(id, "-", i+1), heading, first, r.result, bare, again))
	}
	for i, r := range f.probes {
		sources, _, err := probeSources(r.file, r.result, f.PerNode)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.file, err)
		}
		p := &fit.Problem{Machine: m, Sources: sources}
		groups, left, err := p.Beside(m)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.file, err)
		}
		list = append(list, againstProbe(i, r.file, kernelsOf(groups, left)))
	}
	return list, nil
}

// guess is a machine with the nodes of results.
type guess struct {
	of     *fit.Source // with the most processes
	name   string
	memory int64
	inside bool // messages within nodes were measured
	shared bool // several processes share a node's port
}

// take takes a result into account.
func (g *guess) take(of *fit.Source, host string, memory int64) {
	if g.of == nil || of.Processes > g.of.Processes || of.Processes == g.of.Processes && memory > g.memory {
		g.of, g.name = of, host
	}
	g.memory = max(g.memory, memory)
	g.inside = g.inside || of.PerNode > 1
	g.shared = g.shared || of.PerNode > 1 && of.Nodes > 1
}

// machine returns first guesses by the shortest loop in seconds and the highest bandwidth of a process in bytes per
// second. The network never limits: its ports do.
func (g *guess) machine(least, most float64) *machine.Machine {
	m := &machine.Machine{Name: "fit-of-" + g.name, Note: "fitted to measured results", PerNode: g.of.PerNode,
		Nodes: g.of.Nodes, Placement: g.of.Placement, Hosts: g.of.Hosts, Memory: machine.Bytes(g.memory),
		Topology: machine.Topology{Kind: "full"}, Link: machine.Link{Bandwidth: machine.Rate(1000 * most)}}
	m.Memory = cmp.Or(m.Memory, defaultMemory)
	m.Endpoint = machine.Endpoint{Overhead: machine.Seconds(least / 8), Bandwidth: machine.Rate(2 * most),
		Scan: machine.Seconds(least / 50)}
	if g.inside {
		m.Inside = machine.Inside{Latency: machine.Seconds(least / 4),
			Memory: machine.Rate(1.5 * most * float64(g.of.PerNode))}
	}
	if g.of.Nodes > 1 {
		m.Endpoint.Latency = machine.Seconds(least / 2)
	}
	if g.shared {
		m.Endpoint.Port = machine.Rate(most * float64(g.of.PerNode))
	}
	return m
}

// defaultMemory is the memory of a process where no rating tells it: messages of up to 8 MiB.
const defaultMemory = 1 << 30
