package report_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
)

// ioMade is what a fixture of b_eff_io is made of, to be changed before the result is put together.
type ioMade struct {
	processes int
	config    beffio.Config
	run       beffio.Run
	last      int                  // samples that are there; 0: all; else a few more than those of the initial write
	change    func(*beffio.Sample) // nil: none
	errors    []beffio.DataError
	hints     []beffio.HintsInForce
}

// ioCluster is a whole rating of 4 processes on two nodes.
func ioCluster() *ioMade {
	c := cluster()
	c.run.Layout.Placement = []job.Placement{{Host: "n001", Ranks: "0-1", Processes: 2, Processors: 4}, {Host: "n002", Ranks: "2-3", Processes: 2, Processors: 4}}
	return &ioMade{
		processes: 4,
		config: beffio.Config{
			Rules: beffio.RulesPaper, Partitions: []int{2, 4}, Duration: time.Hour, Memory: 256 << 20, TotalMemory: 32 << 30, MaxBytes: 1 << 42,
		},
		run: beffio.Run{
			Version: "0.1.0", Library: c.run.Library, Host: c.run.Host, Layout: c.run.Layout, Started: c.run.Started,
			FileSystem: beffio.FileSystem{Directory: "/scratch/user", Type: "lustre", Size: 1 << 50, Free: 1 << 49, FreeFiles: 1 << 30},
		},
	}
}

func (m *ioMade) plan(t testing.TB) *beffio.Plan {
	plan, err := beffio.NewPlan(m.processes, m.config)
	require.NoError(t, err)
	return plan
}

// result measures by a formula: a call takes a latency and a time per byte, small chunks more; types differ, reading is faster than writing.
func (m *ioMade) result(t testing.TB) *beffio.Result {
	plan := m.plan(t)
	measured := &beffio.Measured{WallSeconds: plan.Duration.Seconds() * 0.97, PilotSeconds: plan.Duration.Seconds() * 0.09, Errors: m.errors, Hints: m.hints}
	speed := map[beffio.Access]float64{beffio.Write: 1, beffio.Rewrite: 1.125, beffio.Read: 2.5}
	for _, a := range beffio.Accesses() {
		for n, processes := range plan.Partitions {
			for _, typ := range beffio.Types() {
				if a == beffio.Rewrite && typ != patterns.Scatter && !plan.RewriteAll {
					continue
				}
				for _, row := range plan.Rows {
					if row.Type == typ {
						measured.Samples = append(measured.Samples, ioSample(plan, n, processes, a, row, speed[a]))
					}
				}
				measured.Files = append(measured.Files, beffio.FileSample{Partition: n, Access: a, Type: typ.String(), Open: 0.01 * float64(1+typ), Close: 0.002})
			}
		}
	}
	if m.last > 0 {
		measured.Samples = measured.Samples[:m.last]
		measured.Files = measured.Files[:2*len(beffio.Types())] // of the initial write
	}
	for i := range measured.Samples {
		if m.change != nil {
			m.change(&measured.Samples[i])
		}
	}
	return beffio.NewResult(plan, measured, m.run)
}

func ioSample(plan *beffio.Plan, n, processes int, a beffio.Access, row patterns.IORow, speed float64) beffio.Sample {
	memory, disk := row.Memory, row.Disk
	s := beffio.Sample{Partition: n, Access: a, Pattern: row.Number, Repetitions: max(int64(row.Units)*100, 1)}
	if row.Fill {
		memory, disk = 12344, 12344
	}
	s.Calls = s.Repetitions * int64(processes)
	s.Bytes = s.Calls * memory
	perCall := (20e-6*float64(memory/disk) + float64(memory)/(150e6*(1+0.1*float64(row.Type)))) / speed
	s.IO = perCall * float64(s.Repetitions)
	s.LastIO, s.LastBarrier = perCall, 3e-6
	s.Barrier, s.Broadcast = 5e-6*float64(s.Repetitions), 2e-6*float64(s.Repetitions)
	if a != beffio.Read {
		s.Sync = 0.1 * s.IO
	}
	s.Seconds = s.IO + s.Barrier + s.Broadcast + s.Sync + 1e-4
	s.Scheduled = plan.PartitionSeconds() * float64(row.Units) / 150
	return s
}

// ioFixtures are results by name.
func ioFixtures(t testing.TB) map[string]*beffio.Result {
	old := ioCluster()
	old.config.Rules, old.config.RewriteAll, old.config.NoUnique, old.config.Keep = beffio.Rules21, true, true, true
	scatter := patterns.Scatter
	old.config.Hints = []beffio.HintRule{
		{Line: 3, Chunk: "on_open", Hint: mpi.Hint{Key: "striping_factor", Value: "8"}},
		{Line: 4, Processes: 4, Access: beffio.Write, Type: &scatter, Chunk: "1024", Hint: mpi.Hint{Key: "cb_buffer_size", Value: "16777216"}},
	}
	old.hints = []beffio.HintsInForce{{Partition: 0, Access: beffio.Write, Type: "scatter", Hints: []mpi.Hint{
		{Key: "cb_buffer_size", Value: "16777216"}, {Key: "romio_cb_read", Value: "automatic"}, {Key: "romio_cb_write", Value: "automatic"}, {Key: "cb_nodes", Value: "2"},
		{Key: "striping_factor", Value: "8"}, {Key: "striping_unit", Value: "1048576"},
	}}}
	laptop := embedded(cluster().config)
	quick := ioCluster()
	quick.processes, quick.config.Partitions, quick.config.Quick, quick.config.Duration, quick.config.TotalMemory = 2, []int{1, 2}, true, 10*time.Second, 0
	quick.config.NoShared, quick.config.MaxBytes = true, 1<<30
	quick.run.Library, quick.run.Host, quick.run.Layout = laptop.run.Library, laptop.run.Host, laptop.run.Layout
	quick.run.FileSystem = beffio.FileSystem{Directory: "/tmp"}
	quick.change = func(s *beffio.Sample) { s.OutOfBytes = s.Access == beffio.Write && s.Pattern == 3 }
	wrong := ioCluster()
	wrong.change = func(s *beffio.Sample) {
		if s.Partition == 1 && s.Access == beffio.Read && s.Pattern == 22 {
			s.Errors = 3
		}
		s.OutOfTime = s.Access == beffio.Read && s.Pattern == 30
	}
	wrong.errors = []beffio.DataError{{Partition: 1, Access: beffio.Read, Pattern: 22, Rank: 3, Repetition: 17, Chunk: 0, Offset: 557192, Expected: "0x5600000000001100", Found: "0x00000000000000"}}
	stopped := ioCluster()
	stopped.run.Err, stopped.last = beffio.ErrStopped, 90
	list := map[string]*beffio.Result{}
	for name, m := range map[string]*ioMade{"whole": ioCluster(), "old": old, "quick": quick, "wrong": wrong, "stopped": stopped} {
		list[name] = m.result(t)
	}
	return list
}
