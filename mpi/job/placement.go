package job

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
)

// Placement is a host and the ranks on it. Ranks holds ranges first-last and first-last:step, separated by commas,
// which are short for block and round-robin placements of any size.
type Placement struct {
	Host  string `json:"host"`
	Ranks string `json:"ranks" jsonschema:"example=0-63,example=0-99996:4"`
	// Number of these ranks.
	Processes int `json:"processes" jsonschema:"minimum=1"`
	// Number of processors that at least one of these ranks may run on; left out if it isn't known.
	Processors int `json:"processors,omitempty" jsonschema:"minimum=1"`
	// The node's switch, and its group and cell if there are any, from a map of the nodes. Left out without a map.
	Units []string `json:"units,omitempty" jsonschema:"maxItems=3"`
	// Number of hosts that the element describes in a document of many hosts: each has the next number in its name, and
	// higher ranks. Left out for a single host.
	Hosts int `json:"hosts,omitempty" jsonschema:"minimum=0"`
	// The index of the number in the host's name that changes, counted from the last number, which is 0.
	Number int `json:"number,omitempty" jsonschema:"minimum=0"`
	// The difference between the ranks of one of these hosts and the ranks of the host before it.
	Shift int `json:"shift,omitempty" jsonschema:"minimum=0"`
}

// maxUnits is the largest number of levels of a map.
const maxUnits = 3

// maxListed is the largest number of processes whose ranks CheckPlacement checks one by one, which takes a byte for
// each.
const maxListed = 1 << 24

// CheckPlacement returns an error unless a placement has each rank of the processes once. It accepts an empty list,
// which is a placement that isn't known.
func CheckPlacement(list []Placement, processes int) error {
	sum := 0
	for _, p := range list {
		if p.Processes < 0 || p.Processes > processes-sum {
			return fmt.Errorf("the hosts have more than %d processes", processes)
		}
		if sum += p.Processes; len(p.Units) != len(list[0].Units) || len(p.Units) > maxUnits {
			return fmt.Errorf("%d units of a host and %d of another, want the same, at most %d", len(p.Units),
				len(list[0].Units), maxUnits)
		}
	}
	switch {
	case len(list) == 0:
		return nil
	case sum != processes:
		return fmt.Errorf("the hosts have %d processes, not %d", sum, processes)
	case processes > maxListed:
		return nil
	}
	seen := make([]bool, processes)
	for _, p := range list {
		ranks, err := p.List()
		if err != nil {
			return err
		}
		for _, rank := range ranks {
			if rank >= processes || seen[rank] {
				return fmt.Errorf("rank %d is on two hosts, or not one of %d", rank, processes)
			}
			seen[rank] = true
		}
	}
	return nil
}

// NewPlacement returns the placement of ranks on a host with an unknown number of processors.
func NewPlacement(host string, ranks []int) Placement {
	return Placement{Host: host, Ranks: ranges(ranks), Processes: len(ranks)}
}

// Crowded reports whether there are more processes than processors.
func (p Placement) Crowded() bool { return p.Processors > 0 && p.Processors < p.Processes }

// Crowded returns the hosts that have more processes than processors.
func Crowded(placement []Placement) []string {
	var hosts []string
	for _, p := range placement {
		if p.Crowded() {
			hosts = append(hosts, p.Host)
		}
	}
	return hosts
}

// OwnProcessors reports whether each process has its own processor. known is false without a placement, or if the
// processors of a host aren't known and no host is crowded.
func OwnProcessors(placement []Placement) (own, known bool) {
	known = len(placement) > 0
	for _, p := range placement {
		if p.Crowded() {
			return false, true
		}
		known = known && p.Processors > 0
	}
	return known, known
}

// Node holds the facts that one process knows about its machine.
type Node struct {
	Host   string
	Memory int64 // bytes that all processes there may use together, or 0 if not known
	Free   int64 // bytes of these that are unused or can be reclaimed, or 0 if not known
	CPUs   CPUs  // the processors that this process may run on, or empty if not known
}

// CPUs is a set of processors: bit i%64 of word i/64 is processor i. Its length is just enough for the highest
// processor.
type CPUs []uint64

// wordBits is the number of processors in a word of a set.
const wordBits = 64

// Add adds a processor to the set.
func (c *CPUs) Add(i int) {
	for len(*c) <= i/wordBits {
		*c = append(*c, 0)
	}
	(*c)[i/wordBits] |= 1 << (i % wordBits)
}

// span is an element of Placement.Ranks: the ranks from first to last with a step.
type span struct{ first, last, step int }

// spans iterates over the elements of Ranks. It ends with an error at the first element that doesn't have the format.
func (p Placement) spans() iter.Seq2[span, error] {
	return func(yield func(span, error) bool) {
		for part := range strings.SplitSeq(p.Ranks, ",") {
			ends, every, stepped := strings.Cut(part, ":")
			low, high, two := strings.Cut(ends, "-")
			if !two {
				high = low
			}
			if !stepped {
				every = "1"
			}
			first, err1 := strconv.Atoi(low)
			last, err2 := strconv.Atoi(high)
			step, err3 := strconv.Atoi(every)
			if errors.Join(err1, err2, err3) != nil || first < 0 || first > last || last > math.MaxInt32 || step < 1 {
				yield(span{}, fmt.Errorf("ranks %q: want first-last[:step],…", p.Ranks))
				return
			}
			if !yield(span{first, last, step}, nil) {
				return
			}
		}
	}
}

// has reports whether a rank is on the host.
func (p Placement) has(rank int) bool {
	for s, err := range p.spans() {
		if err == nil && rank >= s.first && rank <= s.last && (rank-s.first)%s.step == 0 {
			return true
		}
	}
	return false
}

// List returns the ranks in order. It returns an error unless Ranks has the format that Placement describes, and
// Processes ranks.
func (p Placement) List() ([]int, error) {
	list := make([]int, 0, min(p.Processes, 1<<20))
	for s, err := range p.spans() {
		if err != nil {
			return nil, err
		}
		for rank := s.first; rank <= s.last; rank += s.step {
			if len(list) == p.Processes {
				return nil, fmt.Errorf("ranks %q: more than %d", p.Ranks, p.Processes)
			}
			list = append(list, rank)
		}
	}
	if len(list) != p.Processes {
		return nil, fmt.Errorf("ranks %q: want %d, not %d", p.Ranks, p.Processes, len(list))
	}
	return list, nil
}

// Numbering returns how ranks are numbered over the nodes: "block" (node by node), "cyclic" (round-robin) or "other".
// It returns "" if this isn't known, if no node has several ranks, or if one node has all. The numbering decides
// whether neighbours in b_eff's rings share a node, which can change the result by a factor of two (Rabenseifner and
// Koniges 2001, Sec. 3.1).
func Numbering(placement []Placement) string {
	several, block, cyclic := false, true, true
	for _, p := range placement {
		if p.Processes < 2 {
			continue
		}
		several = true
		ranks, err := p.List()
		if err != nil {
			return ""
		}
		for i, rank := range ranks[1:] {
			block, cyclic = block && rank == ranks[i]+1, cyclic && rank == ranks[i]+len(placement)
		}
	}
	switch {
	case !several || len(placement) < 2:
		return ""
	case block:
		return "block"
	case cyclic:
		return "cyclic"
	}
	return "other"
}

// Ranges returns ranks in their order, in the format of Placement.Ranks.
func Ranges(ranks []int) string { return ranges(ranks) }

// Nodes returns, for each rank below processes, the index of its node in placement.
func Nodes(placement []Placement, processes int) ([]int, error) {
	nodes := make([]int, processes)
	for node, p := range placement {
		ranks, err := p.List()
		if err != nil {
			return nil, err
		}
		for _, rank := range ranks {
			if rank < processes {
				nodes[rank] = node
			}
		}
	}
	return nodes, nil
}

// OffNode returns the number of ranks r for which rank r+by, modulo the number of ranks, is on another node.
func OffNode(nodes []int, by int) (n int) {
	for r, node := range nodes {
		if node != nodes[(r+by)%len(nodes)] {
			n++
		}
	}
	return n
}

// List returns the processors of the set in order.
func (c CPUs) List() (list []int) {
	for i := range wordBits * len(c) {
		if c[i/wordBits]>>(i%wordBits)&1 == 1 {
			list = append(list, i)
		}
	}
	return list
}

// Count returns the number of processors in the set.
func (c CPUs) Count() int {
	n := 0
	for _, word := range c {
		n += bits.OnesCount64(word)
	}
	return n
}

// Common returns the number of processors in both sets.
func (c CPUs) Common(other CPUs) int {
	n := 0
	for i := range min(len(c), len(other)) {
		n += bits.OnesCount64(c[i] & other[i])
	}
	return n
}

// Layout is the distribution of a job's processes over hosts.
type Layout struct {
	Placement []Placement
	Ranks     [][]int // of each host, in the order of Placement
	// Memory is the smallest share of one process, in bytes: a node's memory divided by the number of processes there.
	// It is 0 if the memory of a node isn't known.
	Memory int64
	// Free is the smallest share of one process in unused memory, in bytes.
	Free int64
	// Total is the memory of all nodes together, in bytes. It is 0 if the memory of a node isn't known.
	Total int64
}

// wireNode is the part of a Node with a fixed number of bytes. In a message the host's name and the words of CPUs
// follow it, with equally many bytes from all processes.
type wireNode struct{ Memory, Free int64 }

// Locate collects the nodes of all processes. It returns the layout on rank 0, and nil on the others.
func Locate(c mpi.Comm, mine Node) (*Layout, error) {
	var send, recv []byte
	most := []float64{float64(len(mine.CPUs)), float64(len(mine.Host))}
	if err := c.Allreduce(most, mpi.Max); err != nil {
		return nil, err
	}
	cpus, name := make(CPUs, int(most[0])), make([]byte, int(most[1]))
	copy(name, mine.Host)
	copy(cpus, mine.CPUs)
	send, err := binary.Append(name, binary.LittleEndian, wireNode{mine.Memory, mine.Free})
	if err != nil {
		return nil, fmt.Errorf("locate: %w", err)
	}
	if send, err = binary.Append(send, binary.LittleEndian, []uint64(cpus)); err != nil {
		return nil, fmt.Errorf("locate: %w", err)
	}
	if c.Rank() == 0 {
		recv = make([]byte, len(send)*c.Size())
	}
	if err := c.Gather(send, recv, 0); err != nil || c.Rank() != 0 {
		return nil, err
	}
	nodes := make([]Node, c.Size())
	for i := range nodes {
		var w wireNode
		from := recv[i*len(send):]
		n, err := binary.Decode(from[len(name):], binary.LittleEndian, &w)
		on := make(CPUs, len(cpus))
		if err == nil {
			_, err = binary.Decode(from[len(name)+n:], binary.LittleEndian, []uint64(on))
		}
		if err != nil {
			return nil, fmt.Errorf("locate: %w", err)
		}
		nodes[i] = Node{string(bytes.TrimRight(from[:len(name)], "\x00")), w.Memory, w.Free, on}
	}
	return layout(nodes), nil
}

// layout groups the ranks by host, in the order of their first ranks.
func layout(nodes []Node) *Layout {
	ranks := map[string][]int{}
	var hosts []string
	for rank, n := range nodes {
		if ranks[n.Host] == nil {
			hosts = append(hosts, n.Host)
		}
		ranks[n.Host] = append(ranks[n.Host], rank)
	}
	l := &Layout{Memory: math.MaxInt64, Free: math.MaxInt64}
	for _, host := range hosts {
		on := ranks[host]
		node, known := nodes[on[0]], true
		node.CPUs = nil
		for _, r := range on {
			node.Memory, node.Free = min(node.Memory, nodes[r].Memory), min(node.Free, nodes[r].Free)
			known = known && nodes[r].CPUs.Count() > 0
			for i, word := range nodes[r].CPUs {
				if i == len(node.CPUs) {
					node.CPUs = append(node.CPUs, 0)
				}
				node.CPUs[i] |= word
			}
		}
		if !known {
			node.CPUs = nil
		}
		l.Placement = append(l.Placement, Placement{Host: host, Ranks: ranges(on), Processes: len(on),
			Processors: node.CPUs.Count()})
		l.Ranks = append(l.Ranks, on)
		l.Memory, l.Free = min(l.Memory, node.Memory/int64(len(on))), min(l.Free, node.Free/int64(len(on)))
		l.Total += node.Memory
	}
	if l.Memory == 0 {
		l.Total = 0
	}
	return l
}

// ranges formats ranks, in their order, as first-last[:step],…. A range with a step other than 1 has three ranks or
// more.
func ranges(ranks []int) string {
	var parts []string
	for i := 0; i < len(ranks); {
		n := run(ranks[i:])
		first, last := ranks[i], ranks[i+n-1]
		switch {
		case n == 1:
			parts = append(parts, fmt.Sprint(first))
		case last-first == n-1:
			parts = append(parts, fmt.Sprintf("%d-%d", first, last))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d:%d", first, last, (last-first)/(n-1)))
		}
		i += n
	}
	return strings.Join(parts, ",")
}

// run returns the number of ranks at the beginning that are equally far apart. It returns 1 if these are only two ranks
// that aren't consecutive.
func run(ranks []int) int {
	if len(ranks) < 2 {
		return len(ranks)
	}
	step, n := ranks[1]-ranks[0], 2
	if step < 1 {
		return 1
	}
	for n < len(ranks) && ranks[n]-ranks[n-1] == step {
		n++
	}
	if n == 2 && step != 1 {
		return 1
	}
	return n
}
