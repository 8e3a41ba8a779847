package probe

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/fabric"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
)

// roster has the lists of ranks that the blocks of a plan share. A plan makes each of them at most once, because there
// are thousands of blocks, and the lists have all processes.
type roster struct {
	members      []int              // the world's ranks that take part (MPIBlib manual, 7.6.2.1)
	nodes        []fabric.Node      // the hosts with members, or one node if the hosts are unknown
	order        []int              // in the order of -map
	byHost       []int              // host by host
	partners     [][]int            // pairs by the offset of the settings
	multiple     map[[2]int][][]int // groups of the multiple mode, by their size and whether they are host by host (1)
	splits       map[int]sides
	victimGroups map[victimsKey][][]int
	congestors   map[congestorsKey][]measured.CongestorGroup
}

// enroll finds the members and their hosts.
func (p *Plan) enroll() {
	p.roster = roster{members: p.Members, multiple: map[[2]int][][]int{}, splits: map[int]sides{},
		victimGroups: map[victimsKey][][]int{}, congestors: map[congestorsKey][]measured.CongestorGroup{}}
	if p.Members == nil {
		p.members = lists.Numbers(p.Processes)
	}
	p.order = p.members
	if grid := p.Settings.Who.Map; len(grid) > 0 {
		p.order = slices.Clone(p.members)
		// in IMB 2021.11 there may be more processes, which keep their ranks
		for i := range min(grid[0]*grid[1], len(p.order)) {
			p.order[i] = i%grid[1]*grid[0] + i/grid[1]
		}
	}
	if len(p.Hosts) == 0 {
		p.nodes = []fabric.Node{{Ranks: p.members}}
		return
	}
	for i, on := range p.Hosts {
		n := fabric.Node{Ranks: on}
		if p.Members != nil {
			n.Ranks = lists.Where(on, func(rank int) bool {
				_, member := slices.BinarySearch(p.Members, rank)
				return member
			})
		}
		if i < len(p.Units) {
			n.Units = p.Units[i]
		}
		if len(n.Ranks) > 0 {
			p.nodes = append(p.nodes, n)
		}
	}
}

// counts returns the numbers of active processes of a kernel: npmin, twice as many and so on, and all (guide, "-npmin
// Option").
func (p *Plan) counts(k *kernel.Kernel) []int {
	switch {
	case k.Component == kernel.MT && k.InPairs():
		n := len(p.members)
		return []int{n - n%(2*p.Settings.Threading.Apart(n))}
	case k.Active > 0:
		return []int{k.Active}
	case p.way(k).Everyone && k.InPairs() && !k.Builder.Processes.Fan:
		return []int{len(p.members) &^ 1}
	case p.way(k).Everyone, k.Builder.Processes.Fan:
		return []int{len(p.members)}
	}
	if n := k.RelayProcesses(&p.Settings, len(p.members)); n > 0 {
		return []int{n}
	}
	n := p.Settings.Who.MinProcesses
	if n == 0 {
		n = p.way(k).Defaults(k.Component).MinProcs
	}
	all := len(p.members)
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

// groups returns the world's ranks of the active processes, group by group. The groups are pairs by the offset of the
// settings, as many groups of n as possible in the multiple mode, or one group of n. Kernels share the lists.
func (p *Plan) groups(k *kernel.Kernel, n int, multi bool) [][]int {
	if p.way(k).Pairs(multi) {
		if p.partners == nil {
			p.partners, _ = p.Settings.Partners(p.Processes) // unfit has refused offsets that make no pairs
		}
		return p.partners
	}
	order, byHost := p.order, 0
	if p.acrossHosts(k) || k.Builder.Processes.Fan {
		if p.byHost == nil {
			p.byHost = p.hostByHost(order)
		}
		order, byHost = p.byHost, 1
	}
	if !multi {
		return [][]int{order[:n]}
	}
	key := [2]int{n, byHost}
	if p.multiple[key] == nil {
		p.multiple[key] = slices.Collect(slices.Chunk(order[:len(order)/n*n], n))
	}
	return p.multiple[key]
}

// acrossHosts reports whether a kernel has pairs across hosts, as procurements require for OSU's tests with one process
// per part of a node.
func (p *Plan) acrossHosts(k *kernel.Kernel) bool {
	return p.Settings.Who.Per != "" && k.Component == kernel.OSU && k.InPairs() && k.Active == 0 &&
		!k.Builder.Processes.Fan && len(p.Hosts) > 0
}

// hostByHost returns ranks ordered by their hosts. Partners are half of the list apart, so they are on different hosts
// unless a host has more than half of the ranks.
func (p *Plan) hostByHost(ranks []int) []int {
	host := make([]int, p.Processes)
	for i, n := range p.nodes {
		for _, rank := range n.Ranks {
			host[rank] = i
		}
	}
	return slices.SortedStableFunc(slices.Values(ranks), func(a, b int) int { return host[a] - host[b] })
}

// perNode returns the smallest and the largest number of members on a node. Both are 0 if the hosts are unknown.
func (p *Plan) perNode() (least, most int) {
	if len(p.Hosts) == 0 {
		return 0, 0
	}
	least = p.Processes
	for _, n := range p.nodes {
		least, most = min(least, len(n.Ranks)), max(most, len(n.Ranks))
	}
	return least, most
}

// placementReason returns why the placement doesn't fit a kernel with pairs across hosts or a fan, or "" if it does.
func (p *Plan) placementReason(k *kernel.Kernel) string {
	fan := k.Builder.Processes.Fan
	if !fan && !p.acrossHosts(k) {
		return ""
	}
	switch least, most := p.perNode(); {
	case fan && len(p.nodes) < 2:
		return "needs processes on more than one node"
	case fan && least != most:
		return fmt.Sprintf("needs the same number of processes on each node, but they have %d to %d", least, most)
	case !fan && 2*most > len(p.members):
		return fmt.Sprintf("has pairs across nodes, but %d of its %d processes, one per %s, are on one: start the "+
			"same number on each of two nodes, such as with srun --ntasks-per-node or mpirun -ppn", most,
			len(p.members), p.Settings.Who.Per)
	}
	return ""
}
