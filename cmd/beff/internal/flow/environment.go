package flow

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
	"github.com/effective-bandwidth/beff/rating"
)

// maxKinds limits the number of kinds of nodes, and of bindings, that a result describes.
const maxKinds = 256

// place has digests of where a process runs: of its processors and NUMA nodes, and of the facts of its node. Rank 0
// receives them from all ranks, and the texts only from the first rank of each kind. Core is the core that has all its
// processors (job.Anywhere: none), and Cores the number of cores of the node.
type place struct {
	Binding, Node uint64
	Core, Cores   int32
}

// loadedMPI returns the MPI that this process has loaded, or an empty value if there is none.
func (j *Job) loadedMPI() (m rating.LoadedMPI) {
	family, address := plugin.Opened()
	if family == "" {
		return m
	}
	m.Interface = family
	m.File, m.SHA256 = host.MappedFile("/", address)
	if j.Launcher != nil {
		m.Launcher = j.Launcher.Name
	}
	return m
}

// Environment collects the facts on which the figures of a run depend. It is collective, and returns nil on all ranks
// but the first. directory is the directory of the rated files, or "" if there are none.
func (j *Job) Environment(directory string) (env *rating.Environment, err error) {
	world := j.Engine.World()
	first, oneProcess := j.first(), !j.Engine.Library().Kind().Distributed
	var facts rating.NodeFacts
	var binding rating.Binding
	var mine place
	if first || !oneProcess { // the ranks of one process see the same facts
		facts = host.Node("/")
		binding.CPUs, binding.NUMA = host.Affinity("/")
		mine = place{digestOf(binding), digestOf(facts), host.Locality("/").Core, int32(facts.PhysicalCores)}
	}
	if first {
		env = &rating.Environment{
			Command: append([]string{"beff"}, j.Args...), Build: host.Build(), Job: host.Job(os.Getenv),
			Container: host.Container("/", os.Getenv), Modules: host.Modules(os.Getenv), Preloaded: host.Preloaded(),
			MPI: j.loadedMPI(), Libraries: plugin.Versioned(host.Libraries("/")),
			Variables: host.Variables(os.Environ()), Mount: host.Mount("/", directory),
		}
	}
	var all [][]place // rank 0's
	if oneProcess && first {
		all = slices.Repeat([][]place{{mine}}, world.Size())
	} else if !oneProcess {
		if all, err = job.GatherNumbers(world, []place{mine}); err != nil {
			return nil, err
		}
	}
	bindings, err := kinds(world, all, binding, func(p place) uint64 { return p.Binding })
	if err != nil {
		return nil, err
	}
	nodes, err := kinds(world, all, facts, func(p place) uint64 { return p.Node })
	if err != nil {
		return nil, err
	}
	seats := make([]seat, len(all))
	for rank, p := range all {
		seats[rank] = seat{Core: p[0].Core, Cores: int(p[0].Cores)}
	}
	for _, k := range bindings {
		for _, rank := range k.ranks {
			seats[rank].CPUs = k.fact.CPUs
		}
	}
	conditions, err := j.conditions(seats, directory)
	if err != nil || !first {
		return nil, err
	}
	if j.Devices.Shared() {
		fmt.Fprintf(j.Stderr, "beff: processes share a device (%v), so a rating isn't valid: start as many processes "+
			"per node as there are devices\n", j.Devices)
	}
	env.Conditions, env.Devices = conditions, j.Devices
	for _, k := range bindings {
		k.fact.Ranks = job.Ranges(k.ranks)
		env.Bindings = append(env.Bindings, k.fact)
	}
	for _, k := range nodes {
		env.Nodes = append(env.Nodes, rating.NodeKind{Ranks: job.Ranges(k.ranks), NodeFacts: k.fact})
	}
	return env, nil
}

// digestOf returns a digest of facts. Nodes with the same digest are of the same kind.
func digestOf(facts any) uint64 {
	data, _ := json.Marshal(facts) // they have only texts and numbers
	digest := sha256.Sum256(data)
	return binary.LittleEndian.Uint64(digest[:])
}

// kind is a fact that is the same on some ranks.
type kind[T any] struct {
	ranks []int // rank 0's
	fact  T
}

// kinds returns the different facts of all processes with their ranks, using the digests that rank 0 has of each rank.
// It returns at most maxKinds facts. It is collective.
func kinds[T any](world mpi.Comm, all [][]place, mine T, by func(place) uint64) (list []kind[T], err error) {
	var groups [][]int
	first, err := job.Decide(world, func() ([]int, error) {
		groups = groupRanks(all, by)
		return lists.Each(groups, func(ranks []int) int { return ranks[0] }), nil
	})
	for i, rank := range first {
		k := kind[T]{}
		if k.fact, err = job.DecideOn(world, rank, func() (T, error) { return mine, nil }); err != nil {
			return nil, err
		}
		if groups != nil {
			k.ranks = groups[i]
		}
		list = append(list, k)
	}
	return list, err
}

// groupRanks returns the groups of ranks whose places have the same digest, ordered by their first ranks. It returns at
// most maxKinds groups.
func groupRanks(all [][]place, by func(place) uint64) (groups [][]int) {
	at := map[uint64]int{}
	for rank, b := range all {
		key := by(b[0])
		i, known := at[key]
		if !known {
			if len(groups) == maxKinds {
				continue
			}
			i, groups = len(groups), append(groups, nil)
			at[key] = i
		}
		groups[i] = append(groups[i], rank)
	}
	return groups
}
