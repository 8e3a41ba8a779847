package flow

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
	"github.com/effective-bandwidth/beff/rating"
)

// maxKinds limits the number of kinds of nodes, and of bindings, that a result describes.
const maxKinds = 256

// place describes where a process runs: its processors, its NUMA nodes, and the kind of its node.
type place struct{ CPUs, NUMA, Kind string }

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
func (j *Job) Environment(directory string) (*rating.Environment, error) {
	world := j.Engine.World()
	first, oneProcess := j.first(), !j.Engine.Library().Kind().Distributed
	var facts rating.NodeFacts
	var mine place
	if first || !oneProcess { // the ranks of one process see the same facts
		facts = host.Node("/")
		mine.CPUs, mine.NUMA = host.Affinity("/")
		mine.Kind = digestOf(facts)
	}
	var env *rating.Environment
	if first {
		env = &rating.Environment{
			Command: append([]string{"beff"}, j.Args...), Build: host.Build(), Job: host.Job(os.Getenv),
			Container: host.Container("/", os.Getenv), Modules: host.Modules(os.Getenv), Preloaded: host.Preloaded(),
			MPI: j.loadedMPI(), Libraries: plugin.Versioned(host.Libraries("/")),
			Variables: host.Variables(os.Environ()), Mount: host.Mount("/", directory),
		}
	}
	all := slices.Repeat([]place{mine}, world.Size())
	if !oneProcess {
		var err error
		if all, err = job.Gather(world, mine); err != nil {
			return nil, err
		}
	}
	if first {
		for _, g := range groupRanks(all, func(b place) place { return place{CPUs: b.CPUs, NUMA: b.NUMA} }) {
			b := all[g[0]]
			env.Bindings = append(env.Bindings, rating.Binding{Ranks: job.Ranges(g), CPUs: b.CPUs, NUMA: b.NUMA})
		}
	}
	kinds, err := job.Decide(world, func() ([][]int, error) {
		return groupRanks(all, func(b place) string { return b.Kind }), nil
	})
	if err != nil {
		return nil, err
	}
	for _, ranks := range kinds {
		found, err := job.DecideOn(world, ranks[0], func() (rating.NodeFacts, error) { return facts, nil })
		if err != nil {
			return nil, err
		}
		if first {
			env.Nodes = append(env.Nodes, rating.NodeKind{Ranks: job.Ranges(ranks), NodeFacts: found})
		}
	}
	return env, nil
}

// digestOf returns a digest of a node's facts. Nodes with the same digest are of the same kind.
func digestOf(f rating.NodeFacts) string {
	data, _ := json.Marshal(f) // it has only texts and numbers
	digest := sha256.Sum256(data)
	return hex.EncodeToString(digest[:8])
}

// groupRanks returns the groups of ranks whose places have the same key, ordered by their first ranks. It leaves out
// all groups after the first maxKinds ones.
func groupRanks[K comparable](all []place, by func(place) K) (groups [][]int) {
	var keys []K
	for rank, b := range all {
		key := by(b)
		i := slices.Index(keys, key)
		if i < 0 {
			if len(keys) == maxKinds {
				continue
			}
			i, keys, groups = len(keys), append(keys, key), append(groups, nil)
		}
		groups[i] = append(groups[i], rank)
	}
	return groups
}
