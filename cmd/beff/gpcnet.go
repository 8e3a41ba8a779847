package main

import (
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// gpcnetCommand is `beff gpcnet network_test` and `beff gpcnet network_load_test`: GPCNeT's programs.
type gpcnetCommand struct {
	Program   string   `arg:"" enum:"network_test,network_load_test" help:"${gpcnet_program}"`
	Full      bool     `help:"${gpcnet_full}"`
	Option    []string `placeholder:"KEY=VALUE" sep:"none" group:"kernels" help:"${probe_option}"`
	measuring `set:"output=${probe_output}"`
	modelled
}

// loadTests are the network tests that network_load_test has.
var loadTests = []string{"Ring_latency", "Ring_bandwidth_sync", "Multiple_allreduce"}

// Run is called by the command line.
func (c *gpcnetCommand) Run(p *process) error {
	r := imb.New("")
	share := 0.0
	r.Settings.Load = &settings.Load{Share: &share, Beside: []string{settings.Nobody}}
	r.Settings.OneSided = &settings.OneSided{Window: settings.Allocated} // as GPCNeT has them
	r.Settings.Columns = settings.GPCNeTColumns
	if c.Full {
		r.Settings.Columns = settings.GPCNeTVerbose
	}
	for _, k := range suites.Of(kernel.Load).Kernels() {
		if k.Name != suites.NoVictims {
			r.Names = append(r.Names, k.Name)
		}
	}
	if c.Program == "network_load_test" { // all kinds at once, on four fifths of the nodes
		share = 0.8
		r.Settings.Load.Beside, r.Names = []string{"alltoall+incast+put_incast+get_bcast"}, loadTests
	}
	for _, o := range c.Option {
		if err := r.SetKey(o); err != nil {
			return exit.With(exit.Usage, err)
		}
	}
	if c.Program == "network_load_test" && *r.Settings.Load.Share == 1 {
		r.Names = []string{suites.NoVictims}
	}
	return p.probe(r, c.measuring, c.modelled, true)
}
