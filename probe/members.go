package probe

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/fabric"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// nodes returns the hosts with their members. If the hosts are unknown all members are on one node.
func (p *Plan) nodes() (list []fabric.Node) {
	all := p.members()
	if len(p.Hosts) == 0 {
		return []fabric.Node{{Ranks: all}}
	}
	in := make(map[int]bool, len(all))
	for _, rank := range all {
		in[rank] = true
	}
	for i, on := range p.Hosts {
		n := fabric.Node{}
		for _, rank := range on {
			if in[rank] {
				n.Ranks = append(n.Ranks, rank)
			}
		}
		if i < len(p.Units) {
			n.Units = p.Units[i]
		}
		if len(n.Ranks) > 0 {
			list = append(list, n)
		}
	}
	return list
}

// counts returns the numbers of active processes of a kernel: npmin, twice as many and so on, and all (guide, "-npmin
// Option").
func (p *Plan) counts(k *kernel.Kernel) []int {
	switch {
	case k.Component == kernel.MT && k.InPairs():
		n := len(p.members())
		return []int{n - n%(2*p.Settings.Threading.Apart(n))}
	case k.Active > 0:
		return []int{k.Active}
	case p.way(k).Everyone && k.InPairs() && !k.Builder.Processes.Fan:
		return []int{len(p.members()) &^ 1}
	case p.way(k).Everyone, k.Builder.Processes.Fan:
		return []int{len(p.members())}
	}
	if n := k.RelayProcesses(&p.Settings, len(p.members())); n > 0 {
		return []int{n}
	}
	n := p.Settings.Who.MinProcesses
	if n == 0 {
		n = p.way(k).Defaults(k.Component).MinProcs
	}
	all := len(p.members())
	if k.InPairs() {
		n, all = n+n%2, all-all%2
	}
	var list []int
	for n = min(max(n, k.MinProcesses), all); n < all; n *= 2 {
		list = append(list, n)
	}
	list = append(list, all)
	return slices.DeleteFunc(list, func(n int) bool { return k.UnmetCondition(n) != "" })
}

// members returns the world's ranks that take part (MPIBlib manual, 7.6.2.1).
func (p *Plan) members() (list []int) {
	if p.Members != nil {
		return p.Members
	}
	for rank := range p.Processes {
		list = append(list, rank)
	}
	return list
}

// order returns the world's ranks in the order of -map PxQ: along the rows of a matrix whose columns hold P consecutive
// ranks.
func (p *Plan) order() []int {
	list := p.members()
	if len(p.Settings.Who.Map) == 0 {
		return list
	}
	rows, columns := p.Settings.Who.Map[0], p.Settings.Who.Map[1]
	for i := range rows * columns { // in IMB 2021.11 there may be more processes, which keep their ranks
		list[i] = i%columns*rows + i/columns
	}
	return list
}

// groups returns the world's ranks of the active processes: pairs by the offset, in the multiple mode as many groups as
// possible, otherwise one group.
func (p *Plan) groups(k *kernel.Kernel, n int, multi bool) [][]int {
	if p.way(k).Pairs(multi) {
		if pairs, err := p.Settings.Partners(p.Processes); err == nil { // unfit has refused all others
			return pairs
		}
	}
	count, order := 1, p.order()
	if p.acrossHosts(k) || k.Builder.Processes.Fan {
		order = p.byHost(order)
	}
	if multi {
		count = len(order) / n
	}
	return slices.Collect(slices.Chunk(order[:n*count], n))
}

// acrossHosts reports whether a kernel has pairs across hosts, as procurements want for OSU's tests with one process
// per part of a node.
func (p *Plan) acrossHosts(k *kernel.Kernel) bool {
	return p.Settings.Who.Per != "" && k.Component == kernel.OSU && k.InPairs() && k.Active == 0 &&
		!k.Builder.Processes.Fan && len(p.Hosts) > 0
}

// byHost returns ranks host by host. The partner of each is half of them away, so it is on another host if none has
// more than half.
func (p *Plan) byHost(ranks []int) (list []int) {
	for _, on := range p.Hosts {
		list = append(list, lists.Where(ranks, func(rank int) bool { return slices.Contains(on, rank) })...)
	}
	return list
}

// Occupied returns the number of members on each host that has any. With nil all ranks are members.
func Occupied(hosts [][]int, members []int) (counts []int) {
	for _, on := range hosts {
		n := 0
		for _, rank := range on {
			if members == nil || slices.Contains(members, rank) {
				n++
			}
		}
		if n > 0 {
			counts = append(counts, n)
		}
	}
	return counts
}

// placementReason returns the reason why pairs can't be across hosts, or why there is no fan, or "".
func (p *Plan) placementReason(k *kernel.Kernel) string {
	all := p.members()
	switch counts := Occupied(p.Hosts, all); {
	case k.Builder.Processes.Fan && len(counts) < 2:
		return "needs processes on more than one node"
	case k.Builder.Processes.Fan && slices.Min(counts) != slices.Max(counts):
		return fmt.Sprintf("needs the same number of processes on each node, but they have %d to %d",
			slices.Min(counts), slices.Max(counts))
	case p.acrossHosts(k) && 2*slices.Max(counts) > len(all):
		return fmt.Sprintf("has pairs across nodes, but %d of its %d processes, one per %s, are on one: start the "+
			"same number on each of two nodes, such as with srun --ntasks-per-node or mpirun -ppn", slices.Max(counts),
			len(all), p.Settings.Who.Per)
	}
	return ""
}
