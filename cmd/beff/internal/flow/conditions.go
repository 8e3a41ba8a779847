package flow

import (
	"cmp"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/scratch"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// Limits of what a process sends to the first one of its node, and of what a result keeps.
const (
	maxSegments  = 16  // a process with more segments of shared memory is assumed to share one
	maxRanksText = 200 // bytes of a list of ranks
	maxWays      = 100 // devices, components, or places of shared memory
	maxAsked     = 16  // ranks that describe their devices and components
)

// ways describes how messages of a process may travel within its node. It has the same size on all ranks. Only the
// first rank of the node receives them.
type ways struct {
	Memory   memory
	Segments int64
	Shared   [maxSegments]uint64 // hashes of the first segments
}

// memory is where a process has a value that its neighbour tries to read, as in host.Transports.
type memory struct {
	Process        int64
	Address, Value uint64
}

// waysOf returns a process's ways.
func waysOf(t host.Transports) ways {
	w := ways{Memory: memory{int64(t.Process), uint64(t.Address), t.Value}, Segments: int64(len(t.Shared))}
	for i, segment := range t.Shared[:min(len(t.Shared), maxSegments)] {
		w.Shared[i] = hashOf(segment)
	}
	return w
}

// neighbour is what a process learns from the first process of its node: the memory of the next process there, which is
// zero if there is none, and whether the process shares memory with another one (0 or 1).
type neighbour struct {
	Memory memory
	Shares int64
}

// way is what rank 0 receives from each rank: a hash of its devices and components, and two flags. Alone is 1 if the
// rank shares no memory with another rank of its node, NoCopy if it can't read the memory of the next rank.
type way struct {
	Open          uint64
	Alone, NoCopy uint8
}

func hashOf(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // never fails
	return h.Sum64()
}

// conditions collects what may make messages or files slow. The processes must have sent messages before, because an
// MPI may open a device only then. It is collective, and returns nil on all ranks but the first. all has the seats of
// all ranks there. directory is the directory of the rated files, or "".
func (j *Job) conditions(all []seat, directory string) (*rating.Conditions, error) {
	c := &rating.Conditions{}
	if j.first() {
		c.Overcommit, c.Siblings = sharedProcessors(j.Layout.Ranks, all)
		if directory != "" {
			c.Locks = host.TryLock(directory)
		}
	}
	if j.Engine.Library().Kind().Distributed {
		if err := j.findWays(c); err != nil {
			return nil, err
		}
	}
	if !j.first() {
		return nil, nil
	}
	if there, err := scratch.Facts("/dev/shm"); err == nil {
		c.ShmFree = there.Free
	}
	return c, nil
}

// findWays finds how processes reach each other. It is collective.
func (j *Job) findWays(c *rating.Conditions) error {
	world := j.Engine.World()
	mine := host.FindTransports("/")
	next, err := j.amongNeighbours(waysOf(mine))
	if err != nil {
		return err
	}
	failed := ""
	if p := next.Memory; p.Process != 0 {
		err := host.CheckCopy(host.Transports{Process: int(p.Process), Address: uintptr(p.Address), Value: p.Value})
		if err != nil {
			failed = err.Error()
			if guards := host.CopyRestrictions("/"); guards != "" {
				failed += " (" + guards + ")"
			}
		}
	}
	open := hashOf(strings.Join(slices.Concat(mine.Devices, mine.Components), "\n"))
	all, err := job.GatherNumbers(world, []way{{open, uint8(1 - next.Shares), uint8(min(len(failed), 1))}})
	if err != nil {
		return err
	}
	c.Unshared = someRanks(ranksWith(all, func(w way) bool { return w.Alone > 0 }))
	c.NoCopy = someRanks(ranksWith(all, func(w way) bool { return w.NoCopy > 0 }))
	if err := addReason(c.NoCopy, world, all, failed); err != nil {
		return err
	}
	if err := addOpen(c, world, all, mine); err != nil || !j.first() {
		return err
	}
	c.SharedIn = placesOf(mine.Shared)
	if slices.ContainsFunc(j.Layout.Ranks, func(ranks []int) bool { return len(ranks) > 1 }) {
		c.CopyBandwidth = host.CopyBandwidth()
	}
	return nil
}

// amongNeighbours tells the processes of each node about their neighbours. It is collective.
func (j *Job) amongNeighbours(mine ways) (neighbour, error) {
	world := j.Engine.World()
	nodes := make([]int32, world.Size())
	if j.first() {
		for node, ranks := range j.Layout.Ranks {
			for _, rank := range ranks {
				nodes[rank] = int32(node)
			}
		}
	}
	if err := job.BroadcastNumbers(world, nodes); err != nil {
		return neighbour{}, err
	}
	node, err := world.Split(int(nodes[world.Rank()]), world.Rank())
	if err != nil {
		return neighbour{}, err
	}
	all, err := job.GatherNumbers(node, []ways{mine})
	if err != nil {
		return neighbour{}, err
	}
	list := make([]neighbour, node.Size())
	if node.Rank() == 0 {
		list = neighbours(slices.Concat(all...))
	}
	if err := job.BroadcastNumbers(node, list); err != nil {
		return neighbour{}, err
	}
	return list[node.Rank()], node.Free()
}

// placesOf returns where segments of shared memory are, such as /dev/shm.
func placesOf(segments []string) []string {
	places := lists.Each(segments, func(segment string) string {
		_, path, _ := strings.Cut(segment, " ")
		return cmp.Or(strings.TrimSuffix(filepath.Dir(path), "/"), path)
	})
	places = lists.Unique(places)
	return places[:min(len(places), maxWays)]
}

// neighbours returns what each process of a node learns.
func neighbours(all []ways) []neighbour {
	list := make([]neighbour, len(all))
	holders := map[uint64]int{}
	for _, w := range all {
		for _, segment := range w.Shared {
			holders[segment]++
		}
	}
	for i, w := range all {
		own := w.Shared[:min(w.Segments, maxSegments)]
		if len(all) == 1 || w.Segments > maxSegments ||
			slices.ContainsFunc(own, func(segment uint64) bool { return holders[segment] > 1 }) {
			list[i].Shares = 1
		}
		if len(all) > 1 {
			list[i].Memory = all[(i+1)%len(all)].Memory
		}
	}
	return list
}

// ranksWith returns the ranks that have a property.
func ranksWith(all [][]way, has func(way) bool) (ranks []int) {
	for rank, w := range all {
		if has(w[0]) {
			ranks = append(ranks, rank)
		}
	}
	return ranks
}

// addReason adds the reason of the first rank that can't copy. some and all are nil on all ranks but 0. It is
// collective.
func addReason(some *rating.SomeRanks, world mpi.Comm, all [][]way, reason string) error {
	first, err := job.Decide(world, func() (int, error) {
		return slices.IndexFunc(all, func(w []way) bool { return w[0].NoCopy > 0 }), nil
	})
	if err != nil || first < 0 {
		return err
	}
	why, err := job.DecideOn(world, first, func() (string, error) { return reason, nil })
	if some != nil {
		some.Why = why
	}
	return err
}

// someRanks describes ascending ranks, or returns nil if there are none.
func someRanks(ranks []int) *rating.SomeRanks {
	if len(ranks) == 0 {
		return nil
	}
	text := job.Ranges(ranks)
	if len(text) > maxRanksText {
		text = text[:strings.LastIndexByte(text[:maxRanksText], ',')+1] + "…"
	}
	return &rating.SomeRanks{Count: len(ranks), Ranks: text}
}

// openWays lists the devices and components that a rank has open.
type openWays struct{ Devices, Components []string }

// addOpen adds the devices and components that processes have open. The first rank of each different set describes
// it. It is collective.
func addOpen(c *rating.Conditions, world mpi.Comm, all [][]way, mine host.Transports) error {
	asked, err := job.Decide(world, func() (ranks []int, _ error) {
		seen := map[uint64]bool{}
		for rank, w := range all {
			if open := w[0].Open; !seen[open] && len(ranks) < maxAsked {
				seen[open] = true
				ranks = append(ranks, rank)
			}
		}
		return ranks, nil
	})
	if err != nil {
		return err
	}
	for _, rank := range asked {
		open, err := job.DecideOn(world, rank, func() (openWays, error) {
			return openWays{mine.Devices, mine.Components}, nil
		})
		if err != nil {
			return err
		}
		c.Devices = union(c.Devices, open.Devices)
		c.Components = union(c.Components, open.Components)
	}
	return nil
}

// union returns the texts of two lists, sorted.
func union(a, b []string) []string {
	list := lists.Unique(slices.Concat(a, b))
	slices.Sort(list)
	return list[:min(len(list), maxWays)]
}

// seat is where a process runs: its processors, the core that has all of them (job.Anywhere: none), and the number of
// cores of its node.
type seat struct {
	CPUs  string
	Core  int32
	Cores int
}

// sharedProcessors returns how many processes compete for a processor in the worst set of processors, if these are more
// than 1, and otherwise the ranks that share a core by its hardware threads although their node has a core for each
// rank.
func sharedProcessors(nodes [][]int, all []seat) (overcommit float64, siblings *rating.SomeRanks) {
	var sharing []int
	sets := map[string]job.CPUs{} // few ranks of a job are bound to different sets
	for _, ranks := range nodes {
		on, cores := map[string]int{}, map[int32][]int{}
		for _, rank := range ranks {
			p := all[rank]
			on[p.CPUs]++
			if sets[p.CPUs] == nil {
				sets[p.CPUs] = host.ParseCPUs(p.CPUs)
			}
			if p.Core != job.Anywhere {
				cores[p.Core] = append(cores[p.Core], rank)
			}
		}
		for text, set := range sets {
			if on[text] == 0 || set.Count() == 0 {
				continue
			}
			within := 0 // ranks that may run only on processors of the set
			for other, n := range on {
				if all := sets[other].Count(); all > 0 && sets[other].Common(set) == all {
					within += n
				}
			}
			if part := float64(within) / float64(set.Count()); part > 1 {
				overcommit = max(overcommit, part)
			}
		}
		for _, of := range cores {
			if len(of) > 1 && all[of[0]].Cores >= len(ranks) {
				sharing = append(sharing, of...)
			}
		}
	}
	slices.Sort(sharing)
	if overcommit > 1 {
		return overcommit, nil
	}
	return 0, someRanks(sharing)
}
