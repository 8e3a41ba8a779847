package topology

import "fmt"

// Dragonfly is a dragonfly network: Kim, Dally, Scott and Abts, Technology-driven, highly-scalable dragonfly topology,
// ISCA 2008. The routers of a group are fully connected, and so are the groups, by one or several cables for each pair
// of groups. These cables are dealt out to the routers of a group in turn. One cable connects each node with its
// router.
type Dragonfly struct {
	shape
	groups, routers, terminals, global int
	adaptive                           bool
	local, far                         int // numbers of the first local and of the first global cable
}

// NewDragonfly returns a dragonfly with the given numbers of groups, of routers in each group, of nodes at each router,
// and of global cables between each pair of groups. With minimal routing a message takes at most one global cable,
// which its two ends determine. An adaptive network sends a message through another group if the busiest link of that
// way has less than half as many messages as on the minimal way. UGAL decides in the same way by the lengths of queues.
func NewDragonfly(groups, routers, terminals, global int, adaptive bool) (*Dragonfly, error) {
	d := &Dragonfly{groups: groups, routers: routers, terminals: terminals, global: global, adaptive: adaptive,
		shape: shape{nodes: product(groups, routers, terminals)}}
	if err := check("dragonfly", 0, groups, routers, terminals, global); err != nil {
		return nil, err
	}
	if d.nodes < 0 {
		return nil, fmt.Errorf("dragonfly: more nodes than an int32 holds")
	}
	d.local = d.nodes
	d.far = d.local + groups*pairs(routers)
	d.cables = d.far + pairs(groups)*global
	return d, check("dragonfly", 2*d.cables)
}

// Route implements Network.
func (d *Dragonfly) Route(into []int32, from, to int, load []float32) []int32 {
	if from == to {
		return into
	}
	a, b := from/d.terminals, to/d.terminals
	start := len(into)
	into = d.way(append(into, int32(2*from)), a, b, from+to)
	if d.adaptive && a/d.routers != b/d.routers && d.groups > 2 {
		into = d.divert(into, start, a, b, from, to, load)
	}
	return append(into, int32(2*to+1))
}

// candidates is the number of intermediate groups that an adaptive network considers.
const candidates = 2

// divert replaces a minimal way by a way through another group if the other way is less busy.
func (d *Dragonfly) divert(into []int32, start, a, b, from, to int, load []float32) []int32 {
	least := busiest(into[start+1:], load) / 2
	if least == 0 {
		return into
	}
	var other [16]int32
	for i := range candidates {
		by := (from*7 + to*13 + i*(d.groups/2+1)) % d.groups
		if by == a/d.routers || by == b/d.routers {
			continue
		}
		middle := by*d.routers + (from+to+i)%d.routers
		around := d.way(d.way(other[:0], a, middle, from), middle, b, to)
		if busy := busiest(around, load); busy < least {
			least = busy
			into = append(into[:start+1], around...)
		}
	}
	return into
}

func busiest(links []int32, load []float32) float32 {
	most := float32(0)
	for _, l := range links {
		most = max(most, load[l])
	}
	return most
}

// way appends the minimal way between two routers. choice selects one of the global cables.
func (d *Dragonfly) way(into []int32, a, b, choice int) []int32 {
	from, to := a/d.routers, b/d.routers
	if from != to {
		k := choice % d.global
		into = d.inside(into, a, d.gate(from, to, k))
		into = append(into, int32(2*d.global*(int(between(0, from, to, d.groups))/2)+2*(d.far+k))+
			between(0, from, to, d.groups)%2)
		a = d.gate(to, from, k)
	}
	return d.inside(into, a, b)
}

// gate returns the router of a group that has its cable k to another group.
func (d *Dragonfly) gate(group, other, k int) int {
	place := (other - group - 1 + d.groups) % d.groups // 0 to groups-2
	return group*d.routers + (place*d.global+k)%d.routers
}

// inside appends the link between two routers of a group, unless they are the same.
func (d *Dragonfly) inside(into []int32, a, b int) []int32 {
	if a == b {
		return into
	}
	return append(into, between(d.local+a/d.routers*pairs(d.routers), a%d.routers, b%d.routers, d.routers))
}
