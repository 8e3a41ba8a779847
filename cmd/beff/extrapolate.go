package main

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report/whatif"
	"github.com/effective-bandwidth/beff/sim/machine"
)

// extrapolateCommand is `beff extrapolate`.
type extrapolateCommand struct {
	Machines []string `arg:"" optional:"" name:"machine.yaml" help:"${simulate_machine}"`
	Preset   []string `placeholder:"NAME" help:"${simulate_preset}"`
	Over     []int    `short:"n" default:"16,64,256,1024" placeholder:"N" help:"${extrapolate_over}"`
	varied
	publish.Flags
}

// Run is called by the command line.
func (c *extrapolateCommand) Run(p *process) error {
	formats, err := c.Chosen(publish.Without("kv"))
	if err != nil {
		return err
	}
	if len(c.Machines)+len(c.Preset) == 0 {
		return exit.Misuse("extrapolate: want a machine.yaml or a --preset: %s", presetNames())
	}
	var machines [][]whatif.Point
	for i, name := range append(append([]string{}, c.Machines...), c.Preset...) {
		file, preset := name, ""
		if i >= len(c.Machines) {
			file, preset = "", name
		}
		m, err := readMachine(file, preset, c.Set...)
		if err != nil {
			return err
		}
		points, err := c.points(m)
		if err != nil {
			return err
		}
		machines = append(machines, points)
	}
	papers := []*publish.Paper{{Name: "extrapolation", Document: whatif.Growth(machines)}}
	return c.Publish(p.stdout, p.stderr, papers, formats)
}

// draws is the number of seeds that an interval is of.
const draws = 3

// wide is the factor by which links are faster that never limit.
const wide = 1 << 20

// points returns the ratings of a machine over the numbers of processes that it has room for.
func (c *extrapolateCommand) points(m *machine.Machine) (list []whatif.Point, err error) {
	for _, n := range c.Over {
		if m.Nodes > 0 && n > m.Nodes*m.PerNode {
			continue
		}
		point, err := c.point(m, n)
		if err != nil {
			return nil, err
		}
		list = append(list, point)
	}
	if len(list) == 0 {
		return nil, exit.Misuse("extrapolate: %s has %d processes, fewer than all of -n", m.Name, m.Nodes*m.PerNode)
	}
	return list, nil
}

// point returns the rating for a number of processes: the mean over several seeds.
func (c *extrapolateCommand) point(m *machine.Machine, n int) (x whatif.Point, err error) {
	var all []float64
	for i := range uint64(draws) {
		r, err := rated(m, n, uint64(c.Seed)+i)
		if err != nil {
			return x, err
		}
		if i == 0 {
			x.Rated = r
		}
		all = append(all, r.BEff)
	}
	mean, deviation := stat.MeanStdDev(all, nil)
	x.BEff, x.Half = mean, student(draws-1)*deviation/math.Sqrt(draws)/mean
	free := *m // its ports stay as they are
	if free.Endpoint.Port == 0 {
		free.Endpoint.Port = free.Link.Bandwidth
	}
	free.Link.Bandwidth *= wide
	unlimited, err := rated(&free, n, uint64(c.Seed))
	x.Free = unlimited.BEff
	return x, err
}

// student returns half of the 95 % interval of a mean in standard errors.
func student(freedom float64) float64 { return distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(0.975) }
