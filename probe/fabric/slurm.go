package fabric

import (
	"fmt"
	"slices"
	"strings"
)

// slurm reports whether a line is one of Slurm's: of topology/tree or topology/block.
func (l line) slurm() bool {
	lower := strings.ToLower(l.text)
	return strings.HasPrefix(lower, "switchname=") || strings.HasPrefix(lower, "blockname=")
}

// slurmSwitch is a line of a topology: a leaf has nodes, others have switches. What scontrol shows of an upper switch
// has the nodes below it, too.
type slurmSwitch struct {
	line
	name     string
	nodes    []string
	switches []string
	above    string // name of the switch above; empty: none
}

// ofSlurm reads the lines of a topology.conf, or what scontrol show topology prints. Keys and names of switches have no
// case (topology.conf(5)); other keys than those of names, nodes and switches don't matter here.
func (m *Map) ofSlurm(lines []line) error {
	all := map[string]*slurmSwitch{}
	var order []*slurmSwitch
	for _, l := range lines {
		if !l.slurm() {
			if lower := strings.ToLower(l.text); strings.HasPrefix(lower, "blocksizes=") ||
				strings.HasPrefix(lower, "aggregatedblock=") {
				continue
			}
			return l.errorf("want SwitchName=NAME with Nodes= or Switches=, not %.40q", l.text)
		}
		s, err := l.parse()
		if err != nil {
			return l.errorf("%w", err)
		}
		if other := all[strings.ToLower(s.name)]; other != nil {
			return l.errorf("switch %s is there twice, first in line %d", s.name, other.number)
		}
		all[strings.ToLower(s.name)], order = s, append(order, s)
	}
	if err := hang(all, order); err != nil {
		return err
	}
	for _, s := range order {
		units, err := s.path(all)
		if err != nil {
			return err
		}
		if len(s.switches) > 0 {
			continue
		}
		for _, node := range s.nodes {
			if err := m.add(node, units); err != nil {
				return s.errorf("%w", err)
			}
		}
	}
	return nil
}

// parse reads the keys of a line.
func (l line) parse() (*slurmSwitch, error) {
	s := &slurmSwitch{line: l}
	for _, word := range strings.Fields(l.text) {
		key, value, _ := strings.Cut(word, "=")
		var err error
		if value == "(null)" { // scontrol's word for none
			continue
		}
		switch strings.ToLower(key) {
		case "switchname", "blockname":
			s.name = value
		case "nodes":
			s.nodes, err = Expand(value)
		case "switches":
			s.switches, err = Expand(value)
		}
		if err != nil {
			return nil, err
		}
	}
	switch {
	case s.name == "":
		return nil, fmt.Errorf("a switch without a name")
	case len(s.nodes)+len(s.switches) == 0:
		return nil, fmt.Errorf("switch %s has neither Nodes= nor Switches=", s.name)
	}
	return s, nil
}

// hang tells each switch which one is above it.
func hang(all map[string]*slurmSwitch, order []*slurmSwitch) error {
	for _, s := range order {
		for _, name := range s.switches {
			below := all[strings.ToLower(name)]
			switch {
			case below == nil:
				return s.errorf("switch %s has switch %s below it, which no line names", s.name, name)
			case below.above != "" && !strings.EqualFold(below.above, s.name):
				return s.errorf("switch %s is below %s and %s: a map is a tree", below.name, below.above, s.name)
			}
			below.above = s.name
		}
	}
	return nil
}

// path returns the switches from a leaf up, as many as there are levels.
func (s *slurmSwitch) path(all map[string]*slurmSwitch) ([]string, error) {
	var units []string
	for at := s; ; at = all[strings.ToLower(at.above)] {
		if slices.Contains(units, at.name) {
			return nil, at.errorf("switch %s is above itself", at.name)
		}
		units = append(units, at.name)
		if at.above == "" {
			return units[:min(len(units), len(Levels))], nil
		}
	}
}
