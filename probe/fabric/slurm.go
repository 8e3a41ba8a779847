package fabric

import (
	"fmt"
	"strings"
)

// isSlurm reports whether a line is in Slurm's format, of topology/tree or topology/block.
func (l line) isSlurm() bool {
	lower := strings.ToLower(l.text)
	return strings.HasPrefix(lower, "switchname=") || strings.HasPrefix(lower, "blockname=")
}

// slurmSwitch is a line of a topology. A leaf has nodes, other switches have switches.
type slurmSwitch struct {
	line
	name     string
	nodes    []string
	switches []string
	above    string // name of the switch above; empty if there is none
}

// readSlurm reads the lines of a topology.conf, or the output of scontrol show topology. Keys and names of switches are
// case-insensitive (topology.conf(5)). Keys other than names, nodes and switches are ignored.
func (m *Map) readSlurm(lines []line) error {
	all := map[string]*slurmSwitch{}
	var order []*slurmSwitch
	nodes, switches := 0, 0
	for _, l := range lines {
		if !l.isSlurm() {
			if lower := strings.ToLower(l.text); strings.HasPrefix(lower, "blocksizes=") ||
				strings.HasPrefix(lower, "aggregatedblock=") {
				continue
			}
			return l.errorf("want SwitchName=NAME with Nodes= or Switches=, not %.40q", l.text)
		}
		s, err := l.parse(maxNodes-nodes, maxNodes-switches)
		if err != nil {
			return l.errorf("%w", err)
		}
		if other := all[strings.ToLower(s.name)]; other != nil {
			return l.errorf("switch %s occurs twice, first in line %d", s.name, other.number)
		}
		all[strings.ToLower(s.name)], order = s, append(order, s)
		nodes, switches = nodes+len(s.nodes), switches+len(s.switches)
	}
	if err := setAbove(all, order); err != nil {
		return err
	}
	for _, s := range order {
		for _, node := range s.nodes {
			if err := m.add(node, s.path(all)); err != nil {
				return s.errorf("%w", err)
			}
		}
	}
	return nil
}

// parse reads the keys of a line, with at most the given numbers of names. The output of scontrol lists the nodes below
// an upper switch, too; these are ignored, because they are attached to lower switches.
func (l line) parse(maxNodes, maxSwitches int) (*slurmSwitch, error) {
	s := &slurmSwitch{line: l}
	nodes := ""
	for _, word := range strings.Fields(l.text) {
		key, value, _ := strings.Cut(word, "=")
		var err error
		if value == "(null)" { // scontrol prints this for none
			continue
		}
		switch strings.ToLower(key) {
		case "switchname", "blockname":
			s.name = value
		case "nodes":
			nodes = value
		case "switches":
			s.switches, err = expand(value, maxSwitches)
		}
		if err != nil {
			return nil, err
		}
	}
	switch {
	case s.name == "":
		return nil, fmt.Errorf("a switch without a name")
	case nodes == "" && s.switches == nil:
		return nil, fmt.Errorf("switch %s has neither Nodes= nor Switches=", s.name)
	case s.switches != nil:
		return s, nil
	}
	var err error
	s.nodes, err = expand(nodes, maxNodes)
	return s, err
}

// setAbove sets the switch above each switch. It returns an error if a switch is above itself.
func setAbove(all map[string]*slurmSwitch, order []*slurmSwitch) error {
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
	walked := map[*slurmSwitch]*slurmSwitch{} // switches by the start of the walk that first passed them
	for _, s := range order {
		at := s
		for ; at != nil && walked[at] == nil; at = all[strings.ToLower(at.above)] {
			walked[at] = s
		}
		if at != nil && walked[at] == s {
			return at.errorf("switch %s is above itself", at.name)
		}
	}
	return nil
}

// path returns the switches from a leaf up, as many as there are levels.
func (s *slurmSwitch) path(all map[string]*slurmSwitch) (units []string) {
	for at := s; at != nil && len(units) < len(Levels); at = all[strings.ToLower(at.above)] {
		units = append(units, at.name)
	}
	return units
}
