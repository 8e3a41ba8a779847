package fabric

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
)

// Node is a host of a job.
type Node struct {
	Ranks []int
	Units []string // from the switch up; nil without a map
}

// Cut divides processes into two sides. It has one set or several, which are measured at the same time. The two sides
// of a set are a unit and other nodes, two units, or the halves of a unit or of all nodes.
type Cut struct {
	// The name: halves, switches, groups, cells, switch:NAME, switch:NAME|NAME, and likewise with group and cell.
	Name string
	By   By
	Sets []Set
}

// By is how the sides of a cut are determined.
type By string

// The ways of determining sides.
const (
	ByMap   By = "map"
	ByRank  By = "rank"    // nodes in the order of the rank of their first process
	OneNode By = "in node" // the processes of the only node, by rank
)

// Set is two sides with the same number of processes. No node is on both sides, unless there is only one.
type Set struct {
	Name        string // of the unit that is halved; empty for all nodes and for cuts between units
	Left, Right []int  // ranks, node by node
}

// Halves and Grow are names of cuts. Halves is one cut, between the halves of all nodes. Grow stands for several:
// between the halves of each switch, of each group, of each cell (up to the first level with a single unit), and of all
// nodes.
const (
	Halves = "halves"
	Grow   = "grow"
)

// separator separates the names of two units.
const separator = "|"

// CheckName returns an error if no map can have a cut of this name.
func CheckName(name string) error {
	level, units, named := strings.Cut(name, ":")
	switch {
	case name == Halves || name == Grow || slices.Contains(pluralLevels(), name):
		return nil
	case named && slices.Contains(Levels, level):
		one, other, two := strings.Cut(units, separator)
		if one == "" || two && (other == "" || other == one) {
			return fmt.Errorf("cut %.60q: want %s:NAME or %s:NAME%sNAME with two different names", name, level, level,
				separator)
		}
		return nil
	}
	return fmt.Errorf("unknown cut %.60q: want %s, %s, %s, or a unit such as switch:NAME or group:NAME%sNAME", name,
		Halves, strings.Join(pluralLevels(), ", "), Grow, separator)
}

// Plural returns the plural of a level's name.
func Plural(level string) string {
	if strings.HasSuffix(level, "ch") {
		return level + "es"
	}
	return level + "s"
}

// pluralLevels returns the names of the cuts that halve all units of a level: switches, groups, cells.
func pluralLevels() []string {
	return lists.Each(Levels, Plural)
}

// Cuts returns the cuts of a job's nodes by their names. Without names it returns the halves.
func Cuts(nodes []Node, names []string) ([]Cut, error) {
	if len(names) == 0 {
		names = []string{Halves}
	}
	var list []Cut
	for _, name := range names {
		cuts, err := cutsOf(nodes, name)
		if err != nil {
			return nil, err
		}
		for _, c := range cuts {
			if !slices.ContainsFunc(list, func(x Cut) bool { return x.Name == c.Name }) {
				list = append(list, c)
			}
		}
	}
	return list, nil
}

// cutsOf returns the cuts for which a name stands.
func cutsOf(nodes []Node, name string) ([]Cut, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	if name == Halves {
		c, err := halves(nodes)
		return []Cut{c}, err
	}
	depth := 0
	if len(nodes) > 0 {
		depth = len(nodes[0].Units)
	}
	if depth == 0 {
		return nil, fmt.Errorf("cut %s needs a map of the nodes: --topology FILE", name)
	}
	if name == Grow {
		return grow(nodes, depth)
	}
	word, units, named := strings.Cut(name, ":")
	level := slices.Index(Levels, word)
	if !named {
		level = slices.Index(pluralLevels(), word)
	}
	if level >= depth {
		return nil, fmt.Errorf("cut %s: the map has no %s, only %s", name, Plural(Levels[level]),
			strings.Join(pluralLevels()[:depth], " and "))
	}
	var c Cut
	var err error
	if named {
		c, err = unitCut(nodes, level, name, units)
	} else {
		c, err = halvesOfUnits(nodes, level)
	}
	return []Cut{c}, err
}

// grow returns the cuts of the halves of the units of each level, and the cut of all nodes. It ends at a level with a
// single unit.
func grow(nodes []Node, depth int) (list []Cut, err error) {
	for level := range depth {
		if len(unitsOf(nodes, level)) < 2 {
			break
		}
		if c, err := halvesOfUnits(nodes, level); err == nil { // otherwise each unit of the level has one node
			list = append(list, c)
		}
	}
	c, err := halves(nodes)
	return append(list, c), err
}

// unitsOf returns the units of a level that have nodes of the job, in the order of the nodes.
func unitsOf(nodes []Node, level int) []string {
	return lists.Unique(lists.Each(nodes, func(n Node) string { return n.Units[level] }))
}

// halves returns the cut between the halves of all nodes, in the order of the map or of their first ranks.
func halves(nodes []Node) (Cut, error) {
	c := Cut{Name: Halves, By: ByRank}
	nodes = inOrder(nodes)
	if len(nodes) > 0 && len(nodes[0].Units) > 0 {
		c.By = ByMap
	}
	if len(nodes) == 1 {
		c.By = OneNode
	}
	s, err := half("", nodes)
	c.Sets = []Set{s}
	return c, err
}

// inOrder returns the nodes such that nodes of the same unit are adjacent. Units are in the order of their first
// nodes.
func inOrder(nodes []Node) []Node {
	if len(nodes) == 0 || len(nodes[0].Units) == 0 {
		return nodes
	}
	first := map[[2]string]int{} // by level and unit
	for i, n := range nodes {
		for level, name := range n.Units {
			key := [2]string{Levels[level], name}
			if _, there := first[key]; !there {
				first[key] = i
			}
		}
	}
	list := slices.Clone(nodes)
	slices.SortStableFunc(list, func(a, b Node) int {
		for level := len(a.Units) - 1; level >= 0; level-- {
			key := func(n Node) int { return first[[2]string{Levels[level], n.Units[level]}] }
			if by := key(a) - key(b); by != 0 {
				return by
			}
		}
		return 0
	})
	return list
}

// errSmall is returned if there are too few processes for two sides.
var errSmall = errors.New("a cut needs at least 2 processes")

// half returns the halves of nodes, without the middle node if their number is odd. A single node is divided by its
// processes.
func half(name string, nodes []Node) (Set, error) {
	s := Set{Name: name}
	if len(nodes) == 1 {
		ranks := nodes[0].Ranks
		s.Left, s.Right = ranks[:len(ranks)/2], ranks[len(ranks)-len(ranks)/2:]
	} else {
		n := len(nodes) / 2
		s.Left, s.Right = ranksOf(nodes[:n]), ranksOf(nodes[len(nodes)-n:])
	}
	if len(s.Left) == 0 || len(s.Right) == 0 {
		return s, errSmall
	}
	s.even()
	return s, nil
}

// ranksOf returns the ranks of nodes, node by node.
func ranksOf(nodes []Node) []int { return lists.Flat(nodes, func(n Node) []int { return n.Ranks }) }

// even drops processes of the larger side, spread over it, so that both sides have the same number.
func (s *Set) even() {
	n := min(len(s.Left), len(s.Right))
	s.Left, s.Right = spread(s.Left, n), spread(s.Right, n)
}

// spread returns n elements of a list at even distances.
func spread(list []int, n int) []int {
	return lists.Of(n, func(i int) int { return list[i*len(list)/n] })
}

// halvesOfUnits returns the cut between the halves of the units of a level. Units with a single node are left out.
func halvesOfUnits(nodes []Node, level int) (Cut, error) {
	c := Cut{Name: pluralLevels()[level], By: ByMap}
	for _, name := range unitsOf(nodes, level) {
		in := unitNodes(nodes, level, name)
		if len(in) < 2 {
			continue
		}
		s, err := half(name, inOrder(in))
		if err != nil {
			return c, err
		}
		c.Sets = append(c.Sets, s)
	}
	if len(c.Sets) == 0 {
		return c, fmt.Errorf("cut %s: no %s has two nodes of this job", c.Name, Levels[level])
	}
	return c, nil
}

func unitNodes(nodes []Node, level int, name string) []Node {
	return lists.Where(nodes, func(n Node) bool { return n.Units[level] == name })
}

// unitCut returns the cut between a unit and as many processes of others, or between two units.
func unitCut(nodes []Node, level int, cut, units string) (Cut, error) {
	c := Cut{Name: cut, By: ByMap}
	one, other, two := strings.Cut(units, separator)
	known := unitsOf(nodes, level)
	for _, name := range []string{one, other} {
		if name != "" && !slices.Contains(known, name) {
			return c, fmt.Errorf("cut %s: no node of this job is below %s %s: there are %s", cut, Levels[level], name,
				firstNames(known))
		}
	}
	left, right := unitNodes(nodes, level, one), unitNodes(nodes, level, other)
	if !two {
		right = lists.Where(nodes, func(n Node) bool { return n.Units[level] != one })
	}
	s := Set{Left: ranksOf(inOrder(left)), Right: ranksOf(inOrder(right))}
	if len(s.Left) == 0 || len(s.Right) == 0 {
		return c, fmt.Errorf("cut %s: its other side is empty: all nodes of this job are below %s %s", cut,
			Levels[level], one)
	}
	s.even()
	c.Sets = []Set{s}
	return c, nil
}

// firstNames returns the first names of a list, and the number of further ones.
func firstNames(names []string) string {
	const most = 5
	text := strings.Join(names[:min(len(names), most)], ", ")
	if rest := len(names) - most; rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}
