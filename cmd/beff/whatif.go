package main

import (
	"math"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/whatif"
	"github.com/effective-bandwidth/beff/sim/machine"
)

// compare prints what each of the settings gives, and all of them together, and the elasticities of the machine.
func (c *simulateCommand) compare(p *process) error {
	if c.Output != nil {
		return exit.Misuse("--compare prints a text and no result: leave out -o")
	}
	base, err := c.quiet()
	if err != nil {
		return err
	}
	ranks, err := c.ranks(base)
	if err != nil {
		return err
	}
	of := func(name string, settings ...string) (whatif.Rated, error) {
		m, err := c.quiet(settings...)
		if err != nil {
			return whatif.Rated{}, err
		}
		r, err := rated(m, ranks, uint64(c.Seed))
		if name != "" {
			r.Name = name
		}
		return r, err
	}
	first, err := of("")
	if err != nil {
		return err
	}
	var changes []whatif.Rated
	for _, s := range c.Set {
		r, err := of(s, s)
		if err != nil {
			return err
		}
		changes = append(changes, r)
	}
	if len(c.Set) > 1 {
		r, err := of("all together", c.Set...)
		if err != nil {
			return err
		}
		changes = append(changes, r)
	}
	list, err := elasticities(base, of)
	if err != nil {
		return err
	}
	return document.PlainText(p.stdout, whatif.Document(first, changes, list))
}

// quiet returns the machine without noise from one measurement to the next.
func (c *simulateCommand) quiet(settings ...string) (*machine.Machine, error) {
	m, err := c.machine(settings...)
	if err == nil {
		m.Noise.Sigma, m.Noise.SlowPart = 0, 0
	}
	return m, err
}

// elasticities returns those of all parameters of a machine. Of gives the rating of the machine with settings.
func elasticities(m *machine.Machine, of func(name string, settings ...string) (whatif.Rated, error)) (
	list []whatif.Elasticity, err error) {
	const step = "1.02"
	for _, x := range m.Parameters() {
		more, err := of("", x.Key+"*="+step)
		if err != nil {
			return nil, err
		}
		less, err := of("", x.Key+"/="+step)
		if err != nil {
			return nil, err
		}
		list = append(list, whatif.Elasticity{Key: x.Key, Value: x.Value,
			Slope: math.Log(more.BEff/less.BEff) / (2 * math.Log(1.02))})
	}
	return list, nil
}
