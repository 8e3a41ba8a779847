package findings_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/pairs"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/findings"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/stats"
)

// A message takes 1 µs and 0.1 ns for each byte: 4 MiB move with 9.98 GB/s.
func TestPingPong(t *testing.T) {
	p := fixture.ProbeCluster()
	require.Empty(t, findings.Probe(&p.Result), "nothing was measured")
	b := p.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
	require.Zero(t, b.Rows[0].Bytes, "no message")
	require.Equal(t, []string{"Between two processes a message of 1 B takes 1 µs; the largest bandwidth is 9.98 " +
		"GB/s, with messages of 4 MiB."}, findings.Probe(&p.Result))
	b.Rows = b.Rows[3:]
	require.Empty(t, findings.Probe(&p.Result), "no short message")
}

// The operations take 2, 1 and 3 µs with a byte.
func TestCollectives(t *testing.T) {
	p := fixture.ProbeCluster()
	for i, name := range []string{"Allreduce", "Reduce", "Bcast"} {
		require.Empty(t, findings.Probe(&p.Result))
		p.Latency = []float64{2e-6, 1e-6, 3e-6}[i]
		p.Add(kernel.MPI1, name, settings.Plain, 4, 1)
	}
	require.Equal(t, []string{"The slowest of 3 collective operations with 1 B on 4 processes is Bcast (3 µs), the " +
		"fastest is Reduce (1 µs)."}, findings.Probe(&p.Result))
}

// The operation hides half, or a tenth, of its communication behind computation.
func TestOverlap(t *testing.T) {
	p := fixture.ProbeCluster()
	b := p.Add(kernel.NBC, "Ibcast", settings.Plain, 4, 1)
	require.Empty(t, findings.Probe(&p.Result))
	row := &b.Rows[len(b.Rows)-1]
	row.Samples[0].Overlapped = 1.9 * row.Samples[0].Pure
	k, _, _ := suites.Find(kernel.NBC, "Ibcast")
	row.Derived = measured.Derive(k, b, row)
	require.InDelta(t, 0.1, row.Derived[0].Overlap, 1e-9)
	require.Equal(t, []string{"1 of 1 nonblocking measurement, such as Ibcast, hides less than half of its " +
		"communication behind computation."}, findings.Probe(&p.Result))
}

// Numbers of one have their nouns and verbs in the singular.
func TestOneRow(t *testing.T) {
	p := fixture.ProbeCluster()
	b := p.Add(kernel.MPI1, "Barrier", settings.Plain, 4, 1)
	b.Rows = b.Rows[:1]
	b.Rows[0].Judgement = &measured.Judgement{Verdict: measured.Undecided}
	b.Rows[0].Missing = measured.TimeOut
	require.Equal(t, []string{"No guideline is found to be violated in 1 row. 1 of 1 row is undecided.",
		"1 of 1 row has no figures; the tables show the reasons."}, findings.Probe(&p.Result))
}

func TestMissing(t *testing.T) {
	r := fixture.Probed()["missing"]
	require.Equal(t, "3 of 8 rows have no figures; the tables show the reasons.", beginning(findings.Probe(r), "3 of"))
}

// Process 1 loses a tenth of its time, twice a second.
func TestNoise(t *testing.T) {
	p := fixture.ProbeCluster()
	b := p.Add(kernel.Noise, "Detour", settings.Plain, 4, 1)
	b.Rows = b.Rows[:1]
	b.Rows[0].Noise = &rating.Noise{Method: rating.Detours, Seconds: 1, Shares: []float64{0, 0.1, 0.01, 0},
		Longest: []float64{0, 0.05, 0.005, 0}, Periods: []float64{0, 0.5, 0, 0}, Worst: 1}
	require.Equal(t, "Process 1 lost 10 % of its time to other work on its processor, up to 50 ms at once, every "+
		"500 ms; half of the processes lost no more than 0.5 %; on a quiet machine no process loses more than 1 %.",
		beginning(findings.Probe(&p.Result), "Process"))
}

// All pairs of five processes take 10 µs, those of process 2 take 20 µs.
func TestLinks(t *testing.T) {
	p := fixture.ProbeCluster()
	b := p.Add(kernel.MPIB, "Roundtrip_pairs", settings.Plain, 5, 1)
	b.Rows = b.Rows[:1]
	b.Rows[0].Bytes, b.Rows[0].Pairs = 8, &pairs.PairTimes{}
	require.Equal(t, "Roundtrip_pairs, 8 B: There are too few processes to distinguish a slow process from a slow "+
		"link: 5 are needed.",
		beginning(findings.Probe(&p.Result), "Roundtrip"))
	b.Rows[0].Verdicts = []pairs.PairVerdict{{Unit: pairs.Processes, Units: 5, Pairs: 10, Typical: 1e-5, Spread: 0.01,
		UnitLimit: 0.1, PairLimit: 0.2, Findings: []pairs.Finding{{Trouble: pairs.Slow, From: "2", Seconds: 2e-5,
			Expected: 1e-5, Excess: 1, MinPass: 0.9, Limit: 0.1}}}}
	require.Equal(t, "Roundtrip_pairs, 8 B: Process 2 is slow: its times with all others are 2.0 times as long as "+
		"expected (20.0 µs instead of 10.0 µs; in its best pass 90 %, the limit is 10 %).",
		beginning(findings.Probe(&p.Result), "Roundtrip"))
	b.Rows[0].Verdicts[0].Findings = nil
	require.Equal(t, "Roundtrip_pairs, 8 B: No process and no link is slow among 5 processes and 10 pairs (99 % "+
		"confidence; typical time 10.0 µs, spread 1.0 %). A process would be named if its times with all others were "+
		"10 % longer than expected. A link would be named if its time were 20 % longer than expected from its ends.",
		beginning(findings.Probe(&p.Result), "Roundtrip"))
}

// One of 100 repetitions takes 10 µs, the others 1 µs.
func TestTail(t *testing.T) {
	p := fixture.ProbeCluster()
	p.Result.Settings.Series.Quantiles = []float64{50, 99.5}
	b := p.Add(kernel.MPI1, "Bcast", settings.Plain, 4, 1)
	b.Rows = b.Rows[1:2]
	row, h := &b.Rows[0], new(stats.Histogram)
	h.Add(1e6, 99_000)
	h.Add(10e6, 1000)
	row.Samples, row.Repetitions = nil, h.N()
	row.Series = []measured.Series{{Counted: &measured.Counted{Max: h}}}
	k, _, _ := suites.Find(kernel.MPI1, "Bcast")
	row.Derive(&p.Result.Settings, k, b)
	require.Equal(t, []string{"One of 200 repetitions of Bcast with 1 B takes longer than 10 µs (9.99 µs to 10 µs), " +
		"10.0 times the median."}, findings.Probe(&p.Result))
}
