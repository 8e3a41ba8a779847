package flow

import (
	"fmt"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/fabric"
)

// longestMap limits the size of a map of nodes, in bytes.
const longestMap = 64 << 20

// mapNodes sets the units of each host in rank 0's layout from the map of --topology. It is collective.
func (p Processes) mapNodes(e mpi.Engine, layout *job.Layout) error {
	if p.Topology == "" {
		return nil
	}
	return job.Do(e.World(), func() error { return exit.With(exit.Usage, setUnits(p.Topology, layout)) })
}

// setUnits is Processes.mapNodes on rank 0.
func setUnits(file string, layout *job.Layout) error {
	text, err := input.ReadAll(file, longestMap)
	if err != nil {
		return fmt.Errorf("topology: %w", err)
	}
	m, err := fabric.Parse(string(text))
	if err != nil {
		return fmt.Errorf("topology: %s: %w", file, err)
	}
	units, err := m.Of(lists.Each(layout.Placement, func(p job.Placement) string { return p.Host }))
	if err != nil {
		return fmt.Errorf("topology: %s: %w", file, err)
	}
	for i := range layout.Placement {
		layout.Placement[i].Units = units[i]
	}
	return nil
}

// UnitsOf returns the units of the map to which each host of a layout belongs, nil without a map.
func UnitsOf(layout *job.Layout) (list [][]string) {
	for _, p := range layout.Placement {
		if len(p.Units) > 0 {
			list = append(list, p.Units)
		}
	}
	return list
}
