package tune

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rule makes a rule of Allreduce.
func rule(collective string, processes int, from, to, below int64, number int, name string) Rule {
	return Rule{collective, processes, from, to, below, Algorithm{number, name}}
}

// values returns a file's numbers, line by line, without comments.
func values(text string) (lines []string) {
	for _, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// taken does what Open MPI 4.1.4 does with a file: the last entry of a list whose key isn't larger, or the first one.
func taken(t *testing.T, file string, collective, processes int, bytes int64) int {
	var numbers []int64
	for _, line := range values(file) {
		for _, word := range strings.Fields(line) {
			var n int64
			_, err := fmt.Sscan(word, &n)
			require.NoError(t, err)
			numbers = append(numbers, n)
		}
	}
	next := func() (n int64) { n, numbers = numbers[0], numbers[1:]; return n }
	algorithm := 0
	for range next() {
		id := next()
		first := true
		for range next() {
			size := next()
			takes := first || size <= int64(processes)
			first = false
			at := 0
			for i := range next() {
				from, number := next(), next()
				next()
				next()
				if i == 0 {
					require.Zero(t, from)
				}
				if from <= bytes {
					at = int(number)
				}
			}
			if id == int64(collective) && takes {
				algorithm = at
			}
		}
	}
	require.Empty(t, numbers)
	return algorithm
}

// The file names algorithms for the processes and lengths of the rules, and leaves all else to the library.
func TestOpenMPIFile(t *testing.T) {
	rules := []Rule{rule("Allreduce", 4, 1024, 4096, 8192, 4, "ring"),
		rule("Allreduce", 4, 8192, 8192, 16384, 6, "rabenseifner"),
		rule("Allreduce", 8, 4, 4, 8, 3, "recursive_doubling"),
		rule("Alltoall", 4, 64, 64, 128, 2, "pairwise"), rule("Barrier", 4, 0, 0, 0, 6, "tree")}
	files, err := OpenMPI{}.Files(rules, false)
	require.NoError(t, err)
	text := string(files[".rules"])
	for _, c := range []struct {
		collective, processes int
		bytes                 int64
		want                  int
	}{
		{2, 2, 1024, 0}, {2, 3, 1024, 0}, {2, 4, 1023, 0}, {2, 4, 1024, 4}, {2, 4, 8191, 4}, {2, 4, 8192, 6},
		{2, 4, 16384, 0}, {2, 5, 1024, 0}, {2, 7, 1024, 0}, {2, 8, 1024, 0}, {2, 8, 4, 3}, {2, 8, 7, 3}, {2, 8, 8, 0},
		{2, 9, 4, 0},
		{3, 4, 255, 0}, {3, 4, 256, 2}, {3, 4, 512, 0}, {6, 4, 0, 6}, {6, 5, 0, 0}, {7, 4, 1024, 0},
	} {
		require.Equal(t, c.want, taken(t, text, c.collective, c.processes, c.bytes), "%+v\n%s", c, text)
	}
	require.Equal(t, []string{"OMPI_MCA_coll_tuned_use_dynamic_rules=1",
		"OMPI_MCA_coll_tuned_dynamic_rules_filename=", "OMPI_MCA_coll_tuned_allreduce_algorithm=4",
		"OMPI_MCA_coll_tuned_allreduce_algorithm_segmentsize=0",
		"OMPI_MCA_coll_tuned_allreduce_algorithm_chain_fanout=4",
		"OMPI_MCA_coll_tuned_allreduce_algorithm_max_requests=0"},
		OpenMPI{}.Force(Find("Allreduce"), Algorithm{4, "ring"}))
}

// What ompi_info says comes before the table; the table is that of release 4.1.
func TestOpenMPIAlgorithms(t *testing.T) {
	info := "mca:coll:tuned:param:coll_tuned_bcast_algorithm:enumerator:value:0:ignore\n" +
		"mca:coll:tuned:param:coll_tuned_bcast_algorithm:enumerator:value:9:new\n"
	require.Equal(t, []Algorithm{{9, "new"}}, OpenMPI{Info: info}.Algorithms(Find("Bcast")))
	require.Equal(t, Algorithm{6, "rabenseifner"}, OpenMPI{}.Algorithms(Find("Allreduce"))[5])
}

const ownTree = `{"collective=allreduce":{"comm_type=intra":{"avg_msg_size<=8":{"algorithm=` +
	`MPIR_Allreduce_intra_a":{}},"avg_msg_size=any":{"algorithm=MPIR_Allreduce_intra_reduce_scatter_b":{}}},` +
	`"comm_type=inter":{"algorithm=x":{}}},` +
	`"collective=barrier":{"comm_type=intra":{"algorithm=MPIR_Barrier_intra_dissemination":{}}}}`

const deviceTree = `{"collective=allreduce":` +
	`{"comm_type=intra":{"composition=MPIDI_Allreduce_intra_composition_gamma":{}}}}`

// A library's own trees are found in its file; rules come before its conditions, and all else stays.
func TestMPICHFiles(t *testing.T) {
	l, err := NewMPICH([]byte("ELF\x00" + deviceTree + "\x00algorithm=MPIR_Allreduce_intra_c\x00" + ownTree + "\x00"))
	require.NoError(t, err)
	require.Equal(t, []Algorithm{{Name: "a"}, {Name: "c"}, {Name: "reduce_scatter_b"}},
		l.Algorithms(Find("Allreduce")))
	require.Empty(t, l.Algorithms(Find("Gather")))
	require.Empty(t, l.Algorithms(Find("Barrier")), "one is no choice")
	rules := []Rule{rule("Allreduce", 4, 1024, 1024, 2048, 0, "reduce_scatter_b")}
	files, err := l.Files(rules, false)
	require.NoError(t, err)
	own := `{"avg_msg_size<=8":{"algorithm=MPIR_Allreduce_intra_a":{}},"avg_msg_size=any":` +
		`{"algorithm=MPIR_Allreduce_intra_reduce_scatter_b":{}}}`
	ruled := strings.ReplaceAll(`{"is_op_built_in=no":OWN,"is_op_built_in=yes":{"comm_size<4":OWN,"comm_size<=4":`+
		`{"avg_msg_size<1024":OWN,"avg_msg_size<2048":{"count<pow2":OWN,"count=any":{`+
		`"algorithm=MPIR_Allreduce_intra_reduce_scatter_b":{}}},"avg_msg_size=any":OWN},"comm_size=any":OWN}}`,
		"OWN", own)
	require.Equal(t, strings.Replace(ownTree, own, ruled, 1), packed(files[".json"]))
	require.True(t, json.Valid(files[".json"]))
	require.Contains(t, packed(files["-ch4.json"]),
		`"avg_msg_size<2048":{"composition=MPIDI_Allreduce_intra_composition_beta":{}}`)
	spoiled, err := l.Files(rules, true)
	require.NoError(t, err)
	require.Contains(t, packed(spoiled[".json"]),
		`"avg_msg_size<2048":{"algorithm=MPIR_Barrier_intra_dissemination":{}}`)
	_, err = NewMPICH([]byte("nothing"))
	require.ErrorContains(t, err, "rules of its own")
}

// packed returns JSON without blanks, in its order.
func packed(text []byte) string { return strings.NewReplacer(" ", "", "\n", "").Replace(string(text)) }

// campaign makes samples of Allreduce: by default a time of 100, by algorithms that time over their speed, each with a
// spread.
func campaign(seed uint64, spread float64, speeds map[string][]float64) *Result {
	r := &Result{Plan: Plan{Collectives: []string{"Allreduce"}, Processes: []int{4}, Lengths: []int64{8, 64, 512, 4096},
		Rounds: 6, Pairs: 10, Tolerance: 1.05, Within: 0.02},
		Algorithms: []Choice{{"Allreduce", []Algorithm{{1, "a"}, {2, "b"}}}}}
	draw := rand.New(rand.NewPCG(seed, 1))
	sample := func(phase Phase, setting string, round int, speed func(i int) float64) {
		s := Sample{phase, "Allreduce", 4, setting, round, nil}
		for i := range r.Lengths {
			s.Seconds = append(s.Seconds, 100e-6/speed(i)*(1+spread*draw.NormFloat64()))
		}
		r.Samples = append(r.Samples, s)
	}
	for round := 1; round <= r.Rounds; round++ {
		sample(Choosing, Default, round, func(int) float64 { return 1 })
		for _, name := range []string{"a", "b"} {
			sample(Choosing, name, round, func(i int) float64 { return speeds[name][i] })
		}
	}
	for pair := 1; pair <= 10; pair++ {
		sample(Proving, Default, pair, func(int) float64 { return 1 })
		sample(Proving, Ruled, pair, func(i int) float64 { return max(1, speeds["a"][i]) })
	}
	r.Derived = r.Derive()
	return r
}

// Rules are where an algorithm is faster by more than the tolerance; the one before is kept where it is nearly as good.
func TestChoice(t *testing.T) {
	r := campaign(1, 0.01, map[string][]float64{"a": {1, 1.5, 1.5, 1}, "b": {0.5, 0.9, 1.53, 1.03}})
	require.Equal(t, []Rule{rule("Allreduce", 4, 64, 512, 4096, 1, "a")}, r.Derived.Rules)
	require.Len(t, r.Derived.Gains, 4)
	g := r.Derived.Gains[1]
	require.InDelta(t, 1.5, g.Ratio, 0.03)
	require.True(t, g.Low > 1.4 && g.High < 1.6 && g.Low < g.Ratio && g.Ratio < g.High, "%+v", g)
	require.Equal(t, "a", g.Algorithm)
	require.Empty(t, r.Derived.Gains[3].Algorithm)
	require.Len(t, r.PairRatios(r.Samples, r.Derived.Rules, "Allreduce", 4), 10)
	require.NoError(t, r.Check())
	require.InDelta(t, 1.5, Figures[0].Of(r).Value, 0.02)
	r.Skipped = []Skipped{{Collective: "Allreduce", Processes: 4, Algorithm: "a"}}
	require.Equal(t, []Rule{rule("Allreduce", 4, 512, 512, 4096, 2, "b")}, r.Derive().Rules, "a has failed at last")
	require.Equal(t, []Algorithm{{1, "a"}}, r.Hopeful(r.Samples, "Allreduce", 4, []Algorithm{{1, "a"}}))
	slow := campaign(2, 0.001, map[string][]float64{"a": {0.9, 0.9, 0.9, 0.9}, "b": {1, 1, 1, 1}})
	require.Empty(t, slow.Hopeful(slow.Samples, "Allreduce", 4, []Algorithm{{1, "a"}}))
}

// Where all algorithms are alike, a rule is as seldom as its probability says: of 400 campaigns at most 5 % have one.
func TestNoChoice(t *testing.T) {
	wrong := 0
	for seed := range uint64(400) {
		if len(campaign(seed, 0.1, map[string][]float64{"a": {1, 1, 1, 1}, "b": {1, 1, 1, 1}}).Derived.Rules) > 0 {
			wrong++
		}
	}
	require.LessOrEqual(t, wrong, 20)
}

// A sample that is in no plan is refused, and a plan of which nothing was measured.
func TestCheck(t *testing.T) {
	r := campaign(1, 0.01, map[string][]float64{"a": {1, 1, 1, 1}, "b": {1, 1, 1, 1}})
	r.Samples[3].Collective = "Bcast"
	require.ErrorContains(t, r.Check(), "sample 3")
	r.Samples[3].Collective, r.Samples[3].Seconds = "Allreduce", []float64{-1, 1, 1, 1}
	require.ErrorContains(t, r.Check(), "seconds")
	r = campaign(1, 0.01, map[string][]float64{"a": {1, 1, 1, 1}, "b": {1, 1, 1, 1}})
	r.Processes = []int{4, 8}
	require.ErrorContains(t, r.Check(), "no sample is of Allreduce on 8 processes")
	r.Processes = []int{8, 4}
	require.ErrorContains(t, r.Check(), "its plan")
	r.Processes, r.Tolerance = []int{4}, 0
	require.ErrorContains(t, r.Check(), "a tolerance of 0")
	r.Tolerance, r.Collectives = 1, []string{"Scan"}
	require.ErrorContains(t, r.Check(), "choice of algorithms for \"Scan\"")
}
