package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/whatif"
	"github.com/effective-bandwidth/beff/sim/fit"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

// fitCommand is `beff fit`.
type fitCommand struct {
	Result  string   `arg:"" help:"${fit_result}"`
	Output  string   `short:"o" required:"" placeholder:"PATH" help:"${fit_output}"`
	Against []string `placeholder:"RESULT" sep:"none" help:"${fit_against}"`
	Force   bool     `help:"Overwrite an existing output file."`
}

// Run is called by the command line.
func (c *fitCommand) Run(p *process) error {
	r, err := ratingOf(c.Result)
	if err != nil {
		return err
	}
	var others []*beff.Result
	for _, file := range c.Against {
		other, err := ratingOf(file)
		if err != nil {
			return err
		}
		others = append(others, other)
	}
	c.Output = publish.FileOf(c.Output, "machine", ".yaml", ".yml")
	if _, err := os.Stat(c.Output); err == nil && !c.Force {
		return exit.Misuse("output %s exists: choose another -o, or --force", c.Output)
	}
	problem, err := problemOf(r)
	if err != nil {
		return fmt.Errorf("fit %s: %w", c.Result, err)
	}
	solution, err := problem.Solve()
	if err != nil {
		return fmt.Errorf("fit %s: %w", c.Result, err)
	}
	again, bare, err := predict(r, solution.Machine)
	if err != nil {
		return err
	}
	d := whatif.Fitted(r, bare, again, fitted(solution))
	for i, other := range others {
		again, bare, err := predict(other, solution.Machine)
		if err != nil {
			return fmt.Errorf("fit %s against %s: %w", c.Result, c.Against[i], err)
		}
		d.Sections = append(d.Sections, whatif.Against(i, r, other, bare, again))
	}
	text, err := solution.Machine.Text()
	if err != nil {
		return err
	}
	err = publish.Replace(c.Output, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err != nil {
		return fmt.Errorf("output %s: %w", c.Output, err)
	}
	return document.PlainText(p.stdout, d)
}

// ratingOf reads a result of beff run.
func ratingOf(file string) (*beff.Result, error) {
	data, err := report.Text(file)
	if err != nil {
		return nil, err
	}
	r, err := ofbeff.Verify(data)
	if err != nil {
		return nil, fmt.Errorf("fit %s: %w", file, err)
	}
	return r, nil
}

// predict returns the simulated results of a fitted machine, and of its parameters without the factors of lengths, for
// the processes of a result.
func predict(r *beff.Result, m *machine.Machine) (with, bare *beff.Result, err error) {
	config := beff.Config{Rules: beff.Rules2001, Memory: r.MemoryPerProcess, Seed: r.Seed}
	if len(r.Placement) != m.Nodes || r.PerNode() != m.PerNode {
		other := *m
		other.Nodes, other.PerNode = len(r.Placement), r.PerNode()
		if other.Placement, other.Hosts, err = hostsOf(r.Placement, r.Processes); err != nil {
			return nil, nil, err
		}
		m = &other
	}
	if with, err = simulated(m, r.Processes, config, false, nil); err != nil {
		return nil, nil, err
	}
	plain := *m
	plain.Lengths = nil
	bare, err = simulated(&plain, r.Processes, config, false, nil)
	return with, bare, err
}

// fitted returns the parameters of a solution as documents have them.
func fitted(s *fit.Solution) (list []whatif.Parameter) {
	for _, x := range s.Parameters {
		list = append(list, whatif.Parameter{Key: x.Key, Value: x.Value, Within: x.Within})
	}
	return list
}

// problemOf returns what a result says of its machine: the time of each pattern, length and method, by its best
// repetition.
func problemOf(r *beff.Result) (*fit.Problem, error) {
	all, err := patterns.BEff(r.Processes, r.Seed)
	if err != nil {
		return nil, err
	}
	p := &fit.Problem{Processes: r.Processes}
	g := beff.NewGrid(r)
	least, most := math.Inf(1), 0.0
	for i, of := range r.Patterns {
		k := slices.IndexFunc(all, func(x patterns.Pattern) bool { return x.Name == of.Name })
		if k < 0 {
			return nil, fmt.Errorf("no pattern of %d processes is named %s", r.Processes, of.Name)
		}
		p.Steps = append(p.Steps, messagesOf(all[k]))
		p.Weights = append(p.Weights, weights[of.Kind])
		for l, length := range r.Lengths {
			for m, method := range r.Methods {
				b := g.Alone(i, l, m)
				if math.IsNaN(b) {
					continue
				}
				seconds := float64(length) * float64(of.Messages) / b
				p.Observations = append(p.Observations, fit.Observation{Step: i, Length: length, Seconds: seconds,
					InTurn: method == beff.Sendrecv.String(), Scans: method == beff.Alltoallv.String()})
				least, most = min(least, seconds), max(most, b/float64(of.Processes))
			}
		}
	}
	p.Machine, err = guessOf(r, least, most)
	return p, err
}

// weights are those of patterns where b_eff averages over them: of 6 rings together as those of 30 randoms.
var weights = map[patterns.Kind]float64{patterns.KindRing: 1.0 / 6, patterns.KindRandom: 1.0 / 30}

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

// guessOf returns a machine with the nodes of a result, and first guesses by its shortest loop in seconds and its
// highest bandwidth of a process in bytes per second. The network never limits: its ports do.
func guessOf(r *beff.Result, least, most float64) (*machine.Machine, error) {
	m := &machine.Machine{Name: "fit-of-" + r.Host.Name, Note: "fitted to a measured result", PerNode: r.PerNode(),
		Nodes: len(r.Placement), Memory: machine.Bytes(r.MemoryPerProcess),
		Topology: machine.Topology{Kind: "full"}, Link: machine.Link{Bandwidth: machine.Rate(1000 * most)}}
	m.Endpoint = machine.Endpoint{Overhead: machine.Seconds(least / 8), Bandwidth: machine.Rate(2 * most),
		Scan: machine.Seconds(least / 50)}
	if r.PerNode() > 1 {
		m.Inside = machine.Inside{Latency: machine.Seconds(least / 4),
			Memory: machine.Rate(1.5 * most * float64(r.PerNode()))}
	}
	if len(r.Placement) > 1 {
		m.Endpoint.Latency = machine.Seconds(least / 2)
		m.Endpoint.Port = machine.Rate(most * float64(r.PerNode()))
	}
	var err error
	m.Placement, m.Hosts, err = hostsOf(r.Placement, r.Processes)
	return m, err
}

// hostsOf returns the placement of processes: block where one host follows after the other, or a list.
func hostsOf(placement []job.Placement, processes int) (string, []int, error) {
	hosts := make([]int, processes)
	for i, on := range placement {
		ranks, err := on.List()
		if err != nil {
			return "", nil, err
		}
		for _, rank := range ranks {
			hosts[rank] = i
		}
	}
	for rank, h := range hosts {
		if h != rank/placement[0].Processes {
			return "list", hosts, nil
		}
	}
	return "block", nil, nil
}
