package fabric

import (
	"fmt"
	"slices"
	"strings"
)

// Levels are the kinds of units, from the nodes up.
var Levels = []string{"switch", "group", "cell"}

// Map maps each node to its unit of each level. All nodes have the same number of levels.
type Map struct {
	nodes map[string][]string // units, from the switch up
	depth int                 // levels
}

// Parse reads a map: Slurm's topology.conf, the output of scontrol show topology, or lines of beff's format. Each of
// these lines has nodes and their units from the switch up, such as node[01-16] s1 g1. Text after # is a comment.
func Parse(text string) (*Map, error) {
	lines, err := linesOf(text)
	if err != nil {
		return nil, err
	}
	m := &Map{nodes: map[string][]string{}}
	if slices.ContainsFunc(lines, func(l line) bool { return l.isSlurm() }) {
		err = m.readSlurm(lines)
	} else {
		err = m.readLines(lines)
	}
	if err == nil && len(m.nodes) == 0 {
		err = fmt.Errorf("it names no node")
	}
	if err != nil {
		return nil, err
	}
	m.fill()
	return m, nil
}

type line struct {
	number int
	text   string
}

// errorf returns an error that names the line.
func (l line) errorf(format string, values ...any) error {
	return fmt.Errorf("line %d: %w", l.number, fmt.Errorf(format, values...))
}

// linesOf returns the lines without comments and empty ones. A line that ends with \ continues on the next one.
func linesOf(text string) (list []line, err error) {
	open := false
	number := 0
	for raw := range strings.Lines(text) {
		number++
		words, _, _ := strings.Cut(strings.TrimRight(raw, "\r\n"), "#")
		words, more := strings.CutSuffix(strings.TrimSpace(words), `\`)
		switch {
		case open:
			list[len(list)-1].text += " " + words
		case words != "" || more:
			list = append(list, line{number, words})
		}
		open = more
		if strings.ContainsFunc(words, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f || r == 0xfffd }) {
			return nil, line{number: number}.errorf("it isn't text")
		}
	}
	return list, nil
}

// readLines reads lines of beff's format.
func (m *Map) readLines(lines []line) error {
	for _, l := range lines {
		words := strings.Fields(l.text)
		if len(words) < 2 || len(words) > 1+len(Levels) {
			return l.errorf("want NODES SWITCH [GROUP [CELL]], not %d words", len(words))
		}
		if m.depth == 0 {
			m.depth = len(words) - 1
		}
		if len(words)-1 != m.depth {
			return l.errorf("%d levels above the nodes, the lines before have %d", len(words)-1, m.depth)
		}
		names, err := expand(words[0], maxNodes-len(m.nodes))
		if err != nil {
			return l.errorf("%w", err)
		}
		for _, name := range names {
			if err := m.add(name, words[1:]); err != nil {
				return l.errorf("%w", err)
			}
		}
	}
	return m.checkTree()
}

func (m *Map) add(node string, units []string) error {
	key := keyOf(node)
	if other, there := m.nodes[key]; there {
		return fmt.Errorf("node %s occurs twice, below %s and %s", node, other[0], units[0])
	}
	m.nodes[key] = units
	return nil
}

// checkTree returns an error if a unit is below two others.
func (m *Map) checkTree() error {
	above := make([]map[string]string, m.depth)
	for _, units := range m.nodes {
		for k := range m.depth - 1 {
			if above[k] == nil {
				above[k] = map[string]string{}
			}
			if other, there := above[k][units[k]]; there && other != units[k+1] {
				list := []string{other, units[k+1]}
				slices.Sort(list)
				return fmt.Errorf("%s %s is below the %ss %s and %s: a map is a tree", Levels[k], units[k], Levels[k+1],
					list[0], list[1])
			}
			above[k][units[k]] = units[k+1]
		}
	}
	return nil
}

// fill gives nodes that lack a level a separate unit of it, named like the unit below. It drops top levels with a
// single unit, such as the root of a tree.
func (m *Map) fill() {
	for _, units := range m.nodes {
		m.depth = max(m.depth, len(units))
	}
	for node, units := range m.nodes {
		for len(units) < m.depth {
			units = append(slices.Clip(units), units[len(units)-1])
		}
		m.nodes[node] = units
	}
	for ; m.depth > 1; m.depth-- {
		top := map[string]bool{}
		for _, units := range m.nodes {
			top[units[m.depth-1]] = true
		}
		if len(top) > 1 {
			return
		}
		for node, units := range m.nodes {
			m.nodes[node] = units[:m.depth-1]
		}
	}
}

// keyOf returns a node's name for lookups, in which case doesn't matter.
func keyOf(node string) string { return strings.ToLower(node) }

// Of returns the units of hosts, from the switch up, or an error with the hosts that the map lacks. It looks up a
// host's whole name first, and then the part before its first dot.
func (m *Map) Of(hosts []string) ([][]string, error) {
	var missing []string
	list := make([][]string, len(hosts))
	for i, host := range hosts {
		short, _, _ := strings.Cut(host, ".")
		units, there := m.nodes[keyOf(host)]
		if !there {
			units, there = m.nodes[keyOf(short)]
		}
		if !there {
			missing = append(missing, host)
		}
		list[i] = units
	}
	switch n := len(missing); {
	case n == 1:
		return nil, fmt.Errorf("it lacks node %s of this job", missing[0])
	case n > 1:
		return nil, fmt.Errorf("it lacks %d of the %d nodes of this job, the first is %s", n, len(hosts), missing[0])
	}
	return list, nil
}
