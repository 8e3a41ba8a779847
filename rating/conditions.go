package rating

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/effective-bandwidth/beff/mpi/job"
)

// Conditions holds facts about the processes of a job that may make a run slower, as found when the run began. The
// facts of nodes are in Environment.Nodes. A document of 100,000 processes has no more of them than one of two.
type Conditions struct {
	// Ranks that share no memory with another rank of their node, so that their messages there need another way.
	Unshared *SomeRanks `json:"unshared,omitempty"`
	// Ranks that can't read the memory of the next rank on their node (process_vm_readv), with the first rank's reason.
	NoCopy *SomeRanks `json:"no_copy,omitempty"`
	// Places of the memory that process 0 shares with others, such as /dev/shm.
	SharedIn []string `json:"shared_in,omitempty" jsonschema:"maxItems=100"`
	// Devices that processes have open: adapters, and devices for copies within a node.
	Devices []string `json:"devices,omitempty" jsonschema:"maxItems=100"`
	// Loaded components of Open MPI that choose how messages travel, such as pml ob1.
	Components []string `json:"components,omitempty" jsonschema:"maxItems=100"`
	// Most processes of a node for each processor that they may run on; left out if it is at most 1.
	Overcommit float64 `json:"overcommit,omitempty" jsonschema:"minimum=0"`
	// Ranks that share a core by its hardware threads although their node has a core for each of its ranks.
	Siblings *SomeRanks `json:"siblings,omitempty"`
	// Bytes that were free in /dev/shm of process 0's node after the library had started.
	ShmFree int64 `json:"shm_free,omitempty" jsonschema:"minimum=0"`
	// Bytes per second at which process 0 copies memory; left out if no node has several processes.
	CopyBandwidth float64 `json:"copy_bandwidth,omitempty" jsonschema:"minimum=0"`
	// Whether a file in the rated directory could be locked (fcntl): "work", or the error. Left out if not tried.
	Locks string `json:"locks,omitempty"`
}

// SomeRanks is a set of ranks of a job.
type SomeRanks struct {
	Count int `json:"count" jsonschema:"minimum=1"`
	// The ranks in the form of a placement. The end of a long list is left out.
	Ranks string `json:"ranks"`
	// The reason; left out if there is nothing to add.
	Why string `json:"why,omitempty"`
}

// Link is a network device of a node that is up.
type Link struct {
	Name string `json:"name"`
	// Bytes per second of one direction.
	Rate float64 `json:"rate" jsonschema:"minimum=0"`
	// An adapter of InfiniBand, RoCE or Omni-Path, not a device for Ethernet.
	Adapter bool `json:"adapter,omitempty"`
}

// Quota is the time that a CPU quota of a cgroup took from the processes of a host during a run. It is the worst
// host's.
type Quota struct {
	// Processors of the smallest quota.
	Processors float64 `json:"processors" jsonschema:"minimum=0"`
	// Part of the run, 0 to 1, for which the processes of the host were stopped, the mean over their processors.
	Part float64 `json:"part" jsonschema:"minimum=0"`
	// Seconds for which processors were stopped, summed over processors.
	Throttled float64 `json:"throttled_seconds" jsonschema:"minimum=0"`
	// How many times a period of the quota began.
	Periods float64 `json:"periods,omitempty" jsonschema:"minimum=0"`
	// Number of periods in which the processes were stopped.
	ThrottledPeriods float64 `json:"throttled_periods,omitempty" jsonschema:"minimum=0"`
	Host             string  `json:"host"`
}

// maxDifferences limits the facts that Differences names, and maxValue the bytes of a value.
const (
	maxDifferences = 4
	maxValue       = 80
)

// Differences names the facts in which a node differs from another one, in words.
func Differences(one, other *NodeFacts) (list []string) {
	a, b := reflect.ValueOf(one).Elem(), reflect.ValueOf(other).Elem()
	for i := range a.NumField() {
		x, y := factValue(a.Field(i)), factValue(b.Field(i))
		name, _, _ := strings.Cut(a.Type().Field(i).Tag.Get("json"), ",")
		switch {
		case x == y || name == "links": // network has the same devices
		case len(list) == maxDifferences:
			return append(list, "and more")
		default:
			list = append(list, fmt.Sprintf("%s is %s instead of %s", strings.ReplaceAll(name, "_", " "), x, y))
		}
	}
	return list
}

// factValue formats a fact of a node.
func factValue(v reflect.Value) string {
	text := strings.Trim(fmt.Sprint(v), "[]")
	switch {
	case v.IsZero() || text == "":
		return "not known"
	case len(text) > maxValue:
		return strings.ToValidUTF8(text[:maxValue], "") + "…"
	}
	return text
}

// LinkRate returns how many bytes per second the links of a node send. It adds the adapters if processes have one
// open, and takes the only Ethernet device otherwise. The slowest kind of nodes counts. It returns 0 if the speed isn't
// known, or for one node, whose messages need no link.
func (e *Environment) LinkRate(placement []job.Placement) float64 {
	if e == nil || e.Conditions == nil || len(placement) < 2 {
		return 0
	}
	least := math.Inf(1)
	for _, n := range e.Nodes {
		adapters, ethernet, devices := 0.0, 0.0, 0
		for _, l := range n.Links {
			if l.Adapter {
				adapters += l.Rate
			} else {
				ethernet, devices = l.Rate, devices+1
			}
		}
		switch {
		case adapters > 0 && len(e.Conditions.Adapters()) > 0:
			least = min(least, adapters)
		case devices == 1:
			least = min(least, ethernet)
		default:
			return 0
		}
	}
	if math.IsInf(least, 0) {
		return 0
	}
	return least
}
