package tune

import "slices"

// Collective is a collective call whose algorithm can be chosen.
type Collective struct {
	Name string // of the kernel that measures it, and of MPI
	// OpenMPI is its number in Open MPI's files of rules.
	OpenMPI int
	// OfAll: the kernel's length is that of one process' block, and rules mean the blocks of all processes together.
	OfAll bool
	// key is MPICH's condition on the length: avg_msg_size is that of a call's arguments, total_msg_size that of all
	// processes. Empty: MPICH's rules can't know the length, or there is none.
	key string
	// blocked: total_msg_size is the kernel's length times the processes; else it is the kernel's length.
	blocked bool
	// flat is MPICH's composition that leaves the whole call to one algorithm of the communicator; empty: there is no
	// other one.
	flat string
	// guards are MPICH's conditions under which the library goes on to decide, and their opposites: what a measured
	// algorithm may not be able to do, or what wasn't measured.
	guards [][2]string
	tuned  []string // names of the algorithms of Open MPI's coll_tuned of 4.1, from 1 on
}

var (
	builtIn     = [2]string{"is_op_built_in=no", "is_op_built_in=yes"}
	commutative = [2]string{"is_commutative=no", "is_commutative=yes"}
	apart       = [2]string{"is_sendbuf_inplace=yes", "is_sendbuf_inplace=no"}
	// enough is asked of algorithms that give each process a part of the elements.
	enough = [2]string{"count<pow2", "count=any"}
)

// Collectives has a row for each call. Numbers and names of Open MPI are those of its release 4.1 (ompi_info), where a
// program asks the library first; the words of MPICH are those of release 4.0. Left out are calls without a
// choice, and those whose rules don't know the length: Open MPI 4.1 takes the number of processes for it in Scan and
// Exscan, and MPICH 4.0 the number of elements in Gather and Scatter.
var Collectives = []Collective{
	{Name: "Allgather", OpenMPI: 0, OfAll: true, key: "total_msg_size", blocked: true,
		tuned: []string{"linear", "bruck", "recursive_doubling", "ring", "neighbor", "two_proc"}},
	{Name: "Allreduce", OpenMPI: 2, key: "avg_msg_size", guards: [][2]string{builtIn},
		flat: "MPIDI_Allreduce_intra_composition_beta",
		tuned: []string{"basic_linear", "nonoverlapping", "recursive_doubling", "ring", "segmented_ring",
			"rabenseifner"}},
	{Name: "Alltoall", OpenMPI: 3, OfAll: true, key: "avg_msg_size", guards: [][2]string{apart},
		tuned: []string{"linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"}},
	{Name: "Barrier", OpenMPI: 6, flat: "MPIDI_Barrier_intra_composition_beta",
		tuned: []string{"linear", "double_ring", "recursive_doubling", "bruck", "two_proc", "tree"}},
	{Name: "Bcast", OpenMPI: 7, key: "avg_msg_size", flat: "MPIDI_Bcast_intra_composition_gamma",
		tuned: []string{"basic_linear", "chain", "pipeline", "split_binary_tree", "binary_tree", "binomial", "knomial",
			"scatter_allgather", "scatter_allgather_ring"}},
	{Name: "Gather", OpenMPI: 9, OfAll: true, tuned: []string{"basic_linear", "binomial", "linear_sync"}},
	{Name: "Reduce", OpenMPI: 11, key: "avg_msg_size", flat: "MPIDI_Reduce_intra_composition_gamma",
		guards: [][2]string{builtIn},
		tuned:  []string{"linear", "chain", "pipeline", "binary", "binomial", "in-order_binary", "rabenseifner"}},
	{Name: "Reduce_scatter", OpenMPI: 12, key: "total_msg_size", guards: [][2]string{commutative},
		tuned: []string{"non-overlapping", "recursive_halving", "ring", "butterfly"}},
	{Name: "Scatter", OpenMPI: 15, OfAll: true, tuned: []string{"basic_linear", "binomial", "linear_nb"}},
}

// Find returns the collective of a name; nil: there is none.
func Find(name string) *Collective {
	if i := slices.IndexFunc(Collectives, func(c Collective) bool { return c.Name == name }); i >= 0 {
		return &Collectives[i]
	}
	return nil
}

// Algorithm is one that a library has.
type Algorithm struct {
	// By which Open MPI knows it; 0: another library.
	Number int    `json:"number,omitempty"`
	Name   string `json:"name"`
}

// Library is an MPI library that takes rules.
type Library interface {
	// Name is that by which the library calls itself.
	Name() string
	// Algorithms returns those of a collective; none: the library lets nobody choose.
	Algorithms(c *Collective) []Algorithm
	// Force returns the variables by which all calls of a collective take an algorithm; nil: a file must do it.
	Force(c *Collective, a Algorithm) []string
	// Files returns the files that hold rules, by the ends of their names. Spoiled ones, where the library has them,
	// end each run that comes to a rule.
	Files(rules []Rule, spoiled bool) (map[string][]byte, error)
	// Use returns the variables by which a library takes the files of rules, by what their names begin with.
	Use(prefix string, rules []Rule) []string
}

// Rule says which algorithm calls of a collective take, by the processes of their communicator and the length.
type Rule struct {
	Collective string `json:"collective"`
	// Of the communicator. It holds for no other number: an algorithm may not be able to serve one.
	Processes int `json:"processes"`
	// The first length of the kernel that was measured.
	From int64 `json:"from"`
	// The last one.
	To int64 `json:"to"`
	// It holds up to below the next length that was measured; of the longest one to below twice it.
	Below     int64     `json:"below"`
	Algorithm Algorithm `json:"algorithm"`
}

// Of returns the rules of a collective on as many processes, in the order of lengths.
func Of(rules []Rule, collective string, processes int) (list []Rule) {
	for _, r := range rules {
		if r.Collective == collective && r.Processes == processes {
			list = append(list, r)
		}
	}
	return list
}

// sizes returns the numbers of processes that rules of a collective are for.
func sizes(rules []Rule, collective string) (list []int) {
	for _, r := range rules {
		if r.Collective == collective && !slices.Contains(list, r.Processes) {
			list = append(list, r.Processes)
		}
	}
	slices.Sort(list)
	return list
}
