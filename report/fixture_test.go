package report_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// golden compares a document with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// made is what a fixture is made of, to be changed before the result is put together.
type made struct {
	processes int
	config    beff.Config
	measured  beff.Measured
	run       rating.Run
}

// cluster is a whole rating of 8 processes on two nodes.
func cluster() *made {
	return &made{
		processes: 8,
		config:    beff.Config{Rules: beff.Rules2001, Memory: 4 << 30, Seed: 42},
		measured:  beff.Measured{WallSeconds: 65.4321, LoopSeconds: 65},
		run: rating.Run{
			Version: "0.1.0",
			Library: mpi.Library{Engine: "libmpi", Library: "Open MPI", Version: "4.1.4", Standard: "3.1"},
			Host: rating.Host{
				System: "Linux", Name: "n001", Release: "5.14.0", Version: "#1 SMP", Machine: "x86_64", CPU: "Xeon",
				Cores: 4, Memory: 16 << 30,
				Interconnect: []string{"mlx5_0 port 1: InfiniBand, 200 Gb/s, MT4123"},
			},
			Layout: job.Layout{
				Placement: []job.Placement{{Host: "n001", Ranks: "0-3", Processes: 4, Processors: 4},
					{Host: "n002", Ranks: "4-7", Processes: 4, Processors: 4}}, Memory: 4 << 30,
			},
			Started: time.Date(2026, 11, 21, 8, 30, 0, 0, time.UTC),
		},
	}
}

// embedded is a run of the embedded engine with two ranks.
func embedded(c beff.Config) *made {
	m := cluster()
	m.processes, m.config = 2, c
	m.run.Library = mpi.Library{Engine: "local", Library: "beff embedded engine", Version: "0.1 (go1.26.8)"}
	m.run.Layout.Placement = []job.Placement{{Host: "laptop", Ranks: "0-1", Processes: 2, Processors: 8}}
	m.run.Host = rating.Host{System: "Linux", Name: "laptop", Release: "6.1", Version: "#1", Machine: "aarch64", Cores: 2,
		Memory: 8 << 30}
	return m
}

// result measures by a formula: a message takes a latency and a time per byte; each method and repetition is a bit
// slower than the one before, patterns of more messages take longer.
func (m *made) result(t testing.TB) *beff.Result {
	plan, err := beff.NewPlan(m.processes, m.config)
	require.NoError(t, err)
	measured := m.measured
	for repetition := range plan.Repetitions {
		for length, l := range plan.Lengths {
			for pattern, p := range plan.Patterns {
				for method, name := range plan.Methods {
					if p.SendrecvOnly && name != beff.Sendrecv {
						continue
					}
					const loops, latency, perByte = 10, 1e-6, 1e-10
					slower := 1 + 0.1*float64(method) + 0.01*float64(repetition) + 0.001*float64(pattern)
					seconds := loops * slower * (latency + perByte*float64(l)) * float64(p.Messages) /
						float64(p.Processes)
					measured.Samples = append(measured.Samples, beff.Sample{
						Pattern: pattern, Length: length, Method: method, Repetition: repetition, Loops: loops,
						Seconds: seconds, Min: 0.9 * seconds, Mean: 0.95 * seconds,
					})
				}
			}
		}
	}
	if m.run.Err != nil {
		measured.Samples = measured.Samples[:len(measured.Samples)/10]
	}
	return beff.NewResult(plan, &measured, m.run)
}

// fixtures are results by name.
func fixtures(t testing.TB) map[string]*beff.Result {
	whole := cluster()

	quick := embedded(beff.Config{Rules: beff.Rules2001, Memory: 128 << 20, Seed: 7, Quick: true})

	rings := embedded(beff.Config{Rules: beff.Rules36, Memory: 6e9, Seed: 7, Patterns: []string{"ring"},
		Methods: []string{"nonblocking"}})

	pair := cluster()
	pair.config.Patterns = []string{"ping-pong"}

	hosts := cluster()
	hosts.processes = 100
	hosts.run.Layout.Placement = []job.Placement{
		{Host: "n1", Ranks: "0-96:4"},
		{Host: "n2", Ranks: "1,5,8-10,14,16,21,25,27,30,33-35,37,41,45,49,51-53,57,61,65,67,69,73,77,81,83,85,89,91,93,97"},
		{Host: "n3", Ranks: "2"}, {Host: "n4", Ranks: "3"}, {Host: "n5", Ranks: "6"}, {Host: "n6", Ranks: "7"},
		{Host: "n7", Ranks: "11"},
	}

	warned := embedded(beff.Config{Rules: beff.Rules2001, Memory: 512 << 10, Seed: 7})
	warned.measured.LoopSeconds = 30
	warned.run.Layout.Placement = []job.Placement{{Host: "laptop", Ranks: "0-1", Processes: 2, Processors: 1}}

	stopped := cluster()
	stopped.run.Err = errors.New("stopped before the end")

	list := map[string]*beff.Result{}
	for name, m := range map[string]*made{
		"whole": whole, "quick": quick, "rings": rings, "pair": pair, "hosts": hosts, "warned": warned,
		"stopped": stopped,
	} {
		list[name] = m.result(t)
	}
	return list
}
