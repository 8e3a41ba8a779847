package findings_test

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/findings"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// machine returns a machine of 8 processes on two nodes: 1 µs and 0.1 ns for each byte, whatever the partner.
func machine() fixture.Machine {
	m := fixture.Cluster("a")
	m.Nodes, m.Random, m.SlowerPerRepetition = 2, 1, 0.001
	m.Config.Methods = []string{"sendrecv"}
	return m
}

// beginning returns the first sentence that begins with a text, or "" if there is none.
func beginning(list []string, begins string) string {
	for _, s := range list {
		if strings.HasPrefix(s, begins) {
			return s
		}
	}
	return ""
}

// said returns the sentence of a machine's result that begins with a text.
func said(m fixture.Machine, begins string) string {
	return beginning(findings.BEff(m.Result()), begins)
}

// Each process of the machine moves bytes/(1 µs + bytes·0.1 ns): 10.00 GB/s at 32 MiB.
func TestShare(t *testing.T) {
	require.Equal(t, "Each of the 8 processes moves 3.757 GB/s on average over all message lengths, and 10.00 "+
		"GB/s with "+
		"messages of 32 MiB.", said(machine(), "Each"))
	m := machine()
	m.Config.Patterns = []string{"ring"}
	require.Empty(t, said(m, "Each"), "there is no b_eff")
}

// A quarter of the messages of 8 processes leaves their two nodes. Without the speed of the links there is no sentence.
func TestLinkSpeed(t *testing.T) {
	const begins = "With messages of 32 MiB between neighbours"
	require.Empty(t, said(machine(), begins))
	r := machine().Result()
	r.Placement = []job.Placement{{Host: "a", Ranks: "0-3", Processes: 4}, {Host: "b", Ranks: "4-7", Processes: 4}}
	r.Environment = &rating.Environment{Conditions: &rating.Conditions{}, Nodes: []rating.NodeKind{{Ranks: "0-7",
		NodeFacts: rating.NodeFacts{Links: []rating.Link{{Name: "eth0", Rate: 25e9}}}}}}
	r.Derived.RingsAtLmax = 80e9
	sentence := beginning(findings.BEff(r), begins)
	require.Contains(t, sentence, ", a node sends 80 Gbit/s (")
	require.Contains(t, sentence, "), 40 % of its links' 200 Gbit/s.")
}

// Randoms take a known factor longer. The cause depends on the nodes.
func TestPartners(t *testing.T) {
	for _, c := range []struct {
		random float64
		nodes  int
		want   string
	}{
		{1.9, 2, "Neighbours get 1.9 times the bandwidth of random partners: the network between the nodes " +
			"is the limit, not the nodes."},
		{1.9, 8, "Neighbours get 1.9 times the bandwidth of random partners: distance in the network matters, " +
			"or links are shared."},
		{1.9, 1, "Neighbours get 1.9 times the bandwidth of random partners: distance within the node matters."},
		{1.16, 1, "Neighbours get 1.2 times the bandwidth of random partners: distance within the node matters."},
		{1.14, 2, ""}, {1.06, 2, ""},
		{1.04, 2, "Random partners are as fast as neighbours: the limit is the processes or nodes, not the " +
			"network's links."},
		{1.0, 2, "Random partners are as fast as neighbours: the limit is the processes or nodes, not the " +
			"network's links."},
		{1.0, 1, ""}, {0.9, 2, ""},
	} {
		m := machine()
		m.Random, m.Nodes = c.random, c.nodes
		require.Equal(t, c.want, cmp.Or(said(m, "Random"), said(m, "Neighbours")), "%+v", c)
	}
	two := machine()
	two.Processes, two.Random = 2, 1.9
	require.Empty(t, said(two, "Neighbours"), "all patterns are one pair")
	noisy := machine()
	noisy.Random, noisy.SlowerPerRepetition = 1.2, 0.5
	require.Empty(t, said(noisy, "Neighbours"), "less than the interval")
	r := machine().Result()
	r.Placement = nil
	require.Empty(t, beginning(findings.BEff(r), "Random"), "the nodes are not known")
}

// The ping-pong's messages take a known time.
func TestLoad(t *testing.T) {
	for _, c := range []struct {
		alone float64 // µs of one message between two processes
		want  string
	}{
		{0.5, "Under load a short message takes 1 µs, 2.0 times as long as in a ping-pong of two processes " +
			"(500 ns)."},
		{0.84, ""}, {0.97, "A short message takes 1 µs under load, about as long as in a ping-pong of two processes."},
		{1.2, ""},
	} {
		m := machine()
		m.PerByte = 1e-12
		m.Change = func(p patterns.Pattern, bytes int64, s *beff.Sample) {
			if p.Name == "ping-pong" {
				s.Seconds = float64(s.Loops) * float64(p.Messages) * c.alone * 1e-6
			}
		}
		got := said(m, "Under load")
		if got == "" {
			got = said(m, "A short message")
		}
		require.Equal(t, c.want, got, "%+v", c)
	}
}

// Half of the bandwidth 1/(0.1 ns) is at 1 µs/0.1 ns = 10,000 bytes, between the measured 8 kB and 16 kB or so.
func TestHalf(t *testing.T) {
	m := machine()
	require.InEpsilon(t, 10000, findings.Half(m.Result()), 0.05)
	require.Regexp(t, `^A process moves most with messages of 32 MiB: 10\.00 GB/s, on average over rings and `+
		`randoms\. It moves half of that with messages of 10\.2 KiB\.$`, said(m, "A process moves most"))
	m.Latency = 0
	require.Zero(t, findings.Half(m.Result()), "all lengths have the same bandwidth")
	require.Empty(t, said(m, "A process moves most"))
}

// Messages above 1 MiB take 2.5 times, or 1.2 times, as long.
func TestFallingOff(t *testing.T) {
	for factor, want := range map[float64]string{
		2.5: "The longest messages (32 MiB) have 41 % of the largest bandwidth, which messages of 362 KiB reach. " +
			"The usual cause is that longer messages no longer fit into a cache.",
		1.2: "",
	} {
		m := machine()
		m.Change = func(p patterns.Pattern, bytes int64, s *beff.Sample) {
			if bytes > 1<<20 {
				s.Seconds *= factor
			}
		}
		require.Equal(t, want, said(m, "The longest"), "%v", factor)
	}
	require.Empty(t, said(machine(), "The longest"))
}

// Methods take known factors of the time in each class of lengths.
func TestMethods(t *testing.T) {
	for _, c := range []struct {
		short, middle, long float64 // of the second method over the first
		want                string
	}{
		{1.2, 1.2, 1.2, "The fastest method is sendrecv, at all lengths."},
		{0.8, 0.8, 0.8, "The fastest method is nonblocking, at all lengths."},
		{1.25, 1, 0.5, "The fastest method is sendrecv for short messages (1 B to 1 KiB, by 25 %) and nonblocking " +
			"for long messages"},
		{0.8, 0.8, 1, "The fastest method is nonblocking for short messages (1 B to 1 KiB, by 25 %) and for middle " +
			"messages"},
		{1.04, 0.97, 1, ""},
	} {
		m := machine()
		m.Config.Methods = []string{"sendrecv", "nonblocking"}
		m.Change = func(p patterns.Pattern, bytes int64, s *beff.Sample) {
			if s.Method == 1 {
				s.Seconds *= [3]float64{c.short, c.middle, c.long}[min(s.Length/11+s.Length/17, 2)] / 1.1
			}
		}
		require.Contains(t, said(m, "The fastest")+"\n", c.want+"", fmt.Sprintf("%+v", c))
		if c.want == "" {
			require.Empty(t, said(m, "The fastest"))
		}
	}
	require.Empty(t, said(machine(), "The fastest"), "one method")
}

// docs/figures.md lists all rules with their conditions, and no others.
func TestRulesAreListed(t *testing.T) {
	text, err := os.ReadFile("../../docs/figures.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "| benchmark | rule | condition |\n|---|---|---|\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	var want []string
	for _, r := range findings.All() {
		want = append(want, fmt.Sprintf("| %s | %s | %s |", r.Benchmark, r.Name, r.When))
	}
	require.Equal(t, strings.Join(want, "\n"), strings.TrimSpace(table))
}
