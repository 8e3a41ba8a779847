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
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/whatif"
	"github.com/effective-bandwidth/beff/sim/fit"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
	"github.com/effective-bandwidth/beff/stats"
)

// fitCommand is `beff fit`.
type fitCommand struct {
	Results []string `arg:"" name:"result" help:"${fit_result}"`
	Output  string   `short:"o" required:"" placeholder:"PATH" help:"${fit_output}"`
	Against []string `placeholder:"RESULT" sep:"none" help:"${fit_against}"`
	PerNode int      `placeholder:"N" help:"${fit_per_node}"`
	Force   bool     `help:"Overwrite an existing output file."`
}

// Run is called by the command line.
func (c *fitCommand) Run(p *process) error {
	given, err := fittingOf(c.Results, c.PerNode)
	if err != nil {
		return err
	}
	others, err := fittingOf(c.Against, c.PerNode)
	if err != nil {
		return err
	}
	c.Output = publish.FileOf(c.Output, "machine", ".yaml", ".yml")
	if _, err := os.Stat(c.Output); err == nil && !c.Force {
		return exit.Misuse("output %s exists: choose another -o, or --force", c.Output)
	}
	problem, err := given.problem()
	if err != nil {
		return err
	}
	solution, err := problem.Solve()
	if err != nil {
		return err
	}
	d := whatif.Fitted(given.head(), fitted(solution), given.out)
	for i, r := range given.ratings {
		again, bare, err := predict(r.result, solution.Machine)
		if err != nil {
			return err
		}
		d.Sections = append(d.Sections, whatif.Beside(i, r.file, r.result, bare, again))
	}
	sections, err := others.against(given, solution.Machine)
	if err != nil {
		return err
	}
	d.Sections = append(d.Sections, sections...)
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

// fitted returns a solution as documents have it.
func fitted(s *fit.Solution) *whatif.Solution {
	x := &whatif.Solution{Kernels: kernelsOf(s.Groups, s.Residuals)}
	for _, p := range s.Parameters {
		x.Parameters = append(x.Parameters, whatif.Parameter{Key: p.Key, Value: p.Value, Within: p.Within,
			Below: p.Below, By: p.By})
	}
	return x
}

// kernelsOf returns the kernels of each file with the residuals of their times.
func kernelsOf(groups []fit.Group, residuals []fit.Residual) []whatif.Kernel {
	list := make([]whatif.Kernel, len(groups))
	for i, g := range groups {
		list[i] = whatif.Kernel{File: g.File, Name: g.Kernel}
	}
	for _, r := range residuals {
		k := &list[r.Group]
		k.Left = append(k.Left, whatif.Left{Length: r.Length, Bare: r.Bare, Whole: r.Left})
	}
	return list
}

// sourceOf returns the times of a rating: that of each pattern, length and method, by its best
// repetition, as in b_eff, or beside probes, whose times are means, by the middle one. Least
// is its shortest loop in seconds, most its highest bandwidth of a process in bytes per second.
func sourceOf(file string, r *beff.Result, best bool) (p fit.Source, least, most float64, err error) {
	all, err := patterns.BEff(r.Processes, r.Seed)
	if err != nil {
		return p, 0, 0, err
	}
	p = fit.Source{Name: file, Processes: r.Processes, Nodes: len(r.Placement), PerNode: r.PerNode()}
	if p.Placement, p.Hosts, err = hostsOf(r.Placement, r.Processes); err != nil {
		return p, 0, 0, err
	}
	g := beff.NewGrid(r)
	least = math.Inf(1)
	for i, of := range r.Patterns {
		k := slices.IndexFunc(all, func(x patterns.Pattern) bool { return x.Name == of.Name })
		if k < 0 {
			return p, 0, 0, fmt.Errorf("no pattern of %d processes is named %s", r.Processes, of.Name)
		}
		p.Steps = append(p.Steps, messagesOf(all[k]))
		p.Weights = append(p.Weights, weights[of.Kind])
		for l, length := range r.Lengths {
			for m, method := range r.Methods {
				b := g.Alone(i, l, m)
				if math.IsNaN(b) {
					continue
				}
				bytes := float64(length) * float64(of.Messages)
				o := fit.Observation{Kernel: "b_eff, " + method, Step: i, Length: length, Seconds: bytes / b,
					Best: bytes / b, InTurn: method == beff.Sendrecv.String(),
					Scans: method == beff.Alltoallv.String()}
				if !best {
					o.Seconds = bytes / stats.Middle(slices.DeleteFunc(slices.Clone(g.Each(i, l, m)), math.IsNaN))
				}
				p.Observations = append(p.Observations, o)
				least, most = min(least, o.Seconds), max(most, b/float64(of.Processes))
			}
		}
	}
	return p, least, most, nil
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
