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

// Limits of what rank 0 receives from each rank, and of what a result keeps.
const (
	maxSegments  = 16  // a process with more segments of shared memory shares some with another one
	maxRanksText = 200 // bytes of a list of ranks
	maxWays      = 100 // devices, components, or places of shared memory
	maxAsked     = 16  // ranks that describe their devices and components
)

// ways holds how messages of a process may travel, in equally many bytes on all ranks.
type ways struct {
	Memory   memory
	Segments int64
	Shared   [maxSegments]uint64 // hashes of the first segments
	Open     uint64              // hash of devices and components
}

// memory is where a process has a value that its neighbour tries to read, as in host.Transports.
type memory struct {
	Process        int64
	Address, Value uint64
}

// waysOf returns a process's ways.
func waysOf(t host.Transports) ways {
	w := ways{Memory: memory{int64(t.Process), uint64(t.Address), t.Value}, Segments: int64(len(t.Shared)),
		Open: hashOf(strings.Join(slices.Concat(t.Devices, t.Components), "\n"))}
	for i, segment := range t.Shared[:min(len(t.Shared), maxSegments)] {
		w.Shared[i] = hashOf(segment)
	}
	return w
}

func hashOf(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // never fails
	return h.Sum64()
}

// conditions collects what may make messages or files slow. The processes must have sent messages before, because an
// MPI may open a way only then. It is collective, and returns nil on all ranks but the first, which passes the seats
// of all. directory is the directory of the rated files, or "".
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
	gathered, err := job.GatherNumbers(world, []ways{waysOf(mine)})
	if err != nil {
		return err
	}
	all := slices.Concat(gathered...)
	peers := make([]memory, world.Size())
	if j.first() {
		peers = neighbours(j.Layout.Ranks, all)
	}
	if err := job.BroadcastNumbers(world, peers); err != nil {
		return err
	}
	failed := ""
	if p := peers[world.Rank()]; p.Process != 0 {
		err := host.CheckCopy(host.Transports{Process: int(p.Process), Address: uintptr(p.Address), Value: p.Value})
		if err != nil {
			failed = err.Error()
			if guards := host.CopyRestrictions("/"); guards != "" {
				failed += " (" + guards + ")"
			}
		}
	}
	if c.NoCopy, err = ranksWith(world, failed); err != nil {
		return err
	}
	if err := addOpen(c, world, all, mine); err != nil || !j.first() {
		return err
	}
	c.Unshared = someRanks(unshared(j.Layout.Ranks, all))
	c.SharedIn = placesOf(mine.Shared)
	if slices.ContainsFunc(j.Layout.Ranks, func(ranks []int) bool { return len(ranks) > 1 }) {
		c.CopyBandwidth = host.CopyBandwidth()
	}
	return nil
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

// neighbours returns for each rank the memory of the next rank on its node, which is zero for the only rank of a node.
func neighbours(nodes [][]int, all []ways) []memory {
	list := make([]memory, len(all))
	for _, ranks := range nodes {
		for i, rank := range ranks {
			if next := ranks[(i+1)%len(ranks)]; next != rank {
				list[rank] = all[next].Memory
			}
		}
	}
	return list
}

// unshared returns the ranks that share no memory with another rank of their node.
func unshared(nodes [][]int, all []ways) (list []int) {
	for _, ranks := range nodes {
		holders := map[uint64]int{}
		for _, rank := range ranks {
			for _, segment := range all[rank].Shared {
				holders[segment]++
			}
		}
		for _, rank := range ranks {
			w := all[rank]
			own := w.Shared[:min(w.Segments, maxSegments)]
			if len(ranks) > 1 && w.Segments <= maxSegments &&
				!slices.ContainsFunc(own, func(segment uint64) bool { return holders[segment] > 1 }) {
				list = append(list, rank)
			}
		}
	}
	slices.Sort(list)
	return list
}

// ranksWith returns the ranks with a text that isn't empty, and the text of the first one, on rank 0. It is collective.
func ranksWith(world mpi.Comm, text string) (*rating.SomeRanks, error) {
	gathered, err := job.GatherNumbers(world, []byte{byte(min(len(text), 1))})
	if err != nil {
		return nil, err
	}
	var some *rating.SomeRanks
	first, err := job.Decide(world, func() (int, error) {
		var ranks []int
		for rank, has := range gathered {
			if has[0] > 0 {
				ranks = append(ranks, rank)
			}
		}
		if some = someRanks(ranks); some == nil {
			return -1, nil
		}
		return ranks[0], nil
	})
	if err != nil || first < 0 {
		return nil, err
	}
	why, err := job.DecideOn(world, first, func() (string, error) { return text, nil })
	if some != nil {
		some.Why = why
	}
	return some, err
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

// openWays are the devices and components that a rank has open.
type openWays struct{ Devices, Components []string }

// addOpen adds the devices and components that processes have open. The first rank of each different set describes
// it. It is collective.
func addOpen(c *rating.Conditions, world mpi.Comm, all []ways, mine host.Transports) error {
	asked, err := job.Decide(world, func() (ranks []int, _ error) {
		seen := map[uint64]bool{}
		for rank, w := range all {
			if !seen[w.Open] && len(ranks) < maxAsked {
				seen[w.Open] = true
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

// seat is where a process runs: its processors, the core that has them all (job.Anywhere: none), and the number of
// cores of its node.
type seat struct {
	CPUs  string
	Core  int32
	Cores int
}

// sharedProcessors returns the largest number of processes for each processor that they may run on if it is above 1,
// and the ranks that share a core by its hardware threads although their node has a core for each of its ranks.
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
