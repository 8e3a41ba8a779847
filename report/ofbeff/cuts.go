package ofbeff

import (
	"fmt"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe/fabric"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// place is where a rank is: its host, and what that is behind.
type place struct {
	host  string
	units []string
}

// placesOf returns where each rank is, and the hosts as nodes of a map; nothing if that isn't known, or of more
// processes than are looked up one by one.
func placesOf(r *beff.Result) (of []place, nodes []fabric.Node) {
	const most = 1 << 20
	if r.Processes > most || len(r.Placement) == 0 {
		return nil, nil
	}
	of = make([]place, r.Processes)
	for _, p := range r.Placement {
		ranks, err := p.List()
		if err != nil {
			return nil, nil
		}
		for _, rank := range ranks {
			of[rank] = place{p.Host, p.Units}
		}
		nodes = append(nodes, fabric.Node{Ranks: ranks, Units: p.Units})
	}
	return of, nodes
}

// crossed says of each bisection that was measured which cut its pairs cross.
func crossed(r *beff.Result) (list document.List) {
	of, nodes := placesOf(r)
	for p := range lists.Elements(r.Patterns) {
		partner := patterns.Bisected(p.Name, p.Processes)
		if partner == nil || len(of) < p.Processes || p.Processes < 2 || p.Processes%2 != 0 {
			continue
		}
		text := p.Name + " pairs neighbours by rank, and crosses no halves"
		if p.Name == patterns.WorstBisection {
			text = p.Name + " crosses the halves by rank"
		}
		between := make([]int, 1+len(of[0].units))
		for rank := range p.Processes {
			other := partner(rank)
			if rank > other || of[rank].host == of[other].host {
				continue
			}
			between[0]++
			for level, name := range of[rank].units {
				if name != of[other].units[level] {
					between[1+level]++
				}
			}
		}
		text += fmt.Sprintf(": of %s %d are between nodes", words.Count(p.Processes/2, "pair"), between[0])
		for level, n := range between[1:] {
			text += fmt.Sprintf(", %d between %s", n, fabric.Plural(fabric.Levels[level]))
		}
		list = append(list, text+acrossHalves(p.Processes, partner, nodes)+".")
	}
	return list
}

// acrossHalves says how many pairs cross the halves by the map; nothing without a map.
func acrossHalves(processes int, partner func(int) int, nodes []fabric.Node) string {
	cuts, err := fabric.Cuts(nodes, nil)
	if err != nil || cuts[0].By != fabric.ByMap {
		return ""
	}
	side := map[int]bool{} // of the ranks on either side: true is left
	for _, rank := range cuts[0].Sets[0].Left {
		side[rank] = true
	}
	for _, rank := range cuts[0].Sets[0].Right {
		side[rank] = false
	}
	n := 0
	for rank := range processes {
		left, here := side[rank]
		right, there := side[partner(rank)]
		if here && there && left && !right {
			n++
		}
	}
	return fmt.Sprintf("; %d cross the halves by the map", n)
}
