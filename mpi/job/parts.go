package job

import (
	"fmt"
	"slices"
)

// Part is a kind of part of a node. One process measures in each such part.
type Part string

// The parts.
const (
	PerNode   Part = "node"
	PerSocket Part = "socket"
	PerCore   Part = "core"
	PerNIC    Part = "nic"
)

// Locality says where on its node a process runs.
type Locality struct {
	// The core and the socket that contain all processors on which the process may run, as the number of their first
	// processor; Anywhere if none contains them all, or if they aren't known.
	Core, Socket int32
	// Bit i is set if network device i of the node is near these processors.
	NICs uint64
}

// Anywhere is the core or the socket of a process that may run on several of them, or whose processors aren't known.
const Anywhere = -1

// Lowest returns, in ascending order, the lowest rank on each part of each node. For a network device it is the lowest
// rank near the device that isn't chosen for an earlier one. It returns an error if a process isn't bound to a part, or
// if no device of a node is known.
func (l *Layout) Lowest(per Part, localities []Locality) (list []int, err error) {
	for i, ranks := range l.Ranks {
		var on []int
		switch {
		case per == PerNode:
			on = ranks[:1]
		case len(localities) == 0:
			return nil, fmt.Errorf("one process per %s: the location of a process on its node is not known", per)
		case per == PerNIC:
			if on = nearest(ranks, localities); on == nil {
				return nil, fmt.Errorf("one process per %s: no network device of %s is known", per, l.Placement[i].Host)
			}
		default:
			if on, err = firsts(per, ranks, localities); err != nil {
				return nil, err
			}
		}
		list = append(list, on...)
	}
	slices.Sort(list)
	return list, nil
}

// firsts returns the lowest of a node's ranks on each core or socket.
func firsts(per Part, ranks []int, localities []Locality) (list []int, err error) {
	var seen []int32
	for _, rank := range ranks {
		at := localities[rank].Core
		if per == PerSocket {
			at = localities[rank].Socket
		}
		switch {
		case at == Anywhere:
			return nil, fmt.Errorf("one process per %s: process %d isn't bound to one: bind processes, such as with "+
				"mpirun --bind-to %s or srun --cpu-bind=%ss", per, rank, per, per)
		case !slices.Contains(seen, at):
			seen, list = append(seen, at), append(list, rank)
		}
	}
	return list, nil
}

// nearest returns, for each network device, the lowest of a node's ranks near it that no earlier device has, if any.
func nearest(ranks []int, localities []Locality) (list []int) {
	for device := range 64 {
		for _, rank := range ranks {
			if localities[rank].NICs>>device&1 == 1 && !slices.Contains(list, rank) {
				list = append(list, rank)
				break
			}
		}
	}
	return list
}
