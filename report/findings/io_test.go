package findings_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/findings"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/words"
)

// disk returns a file system whose patterns all have 1 GB/s times a factor.
func disk(factor func(a beffio.Access, row patterns.IORow) float64) *fixture.IO {
	m := fixture.IOCluster()
	m.Config.TotalMemory = 0
	rows := map[int]patterns.IORow{}
	for _, row := range m.Plan().Rows {
		rows[row.Number] = row
	}
	m.Change = func(s *beffio.Sample) {
		x := 1.0
		if row := rows[s.Pattern]; factor != nil && !row.Fill {
			x = factor(s.Access, row)
		}
		s.Seconds, s.Sync = float64(s.Bytes)/1e9/x, 0
		s.IO = s.Seconds
	}
	return m
}

// io returns the sentences about a file system.
func io(m *fixture.IO) []string { return findings.IO(m.Result()) }

func TestAccesses(t *testing.T) {
	list := io(disk(nil))
	require.Len(t, list, 1, "nothing stands out")
	require.Regexp(t, `^4 processes together write new files at [0-9.]+ .B/s, rewrite them at `, list[0])
	stopped := disk(nil)
	stopped.Last = 90
	require.Empty(t, io(stopped), "there is no b_eff_io")
}

// One type has a known part of the others' bandwidth.
func TestBottleneck(t *testing.T) {
	for part, want := range map[float64]string{0.4: "separated for write", 0.8: ""} {
		r := disk(func(a beffio.Access, row patterns.IORow) float64 {
			if a == beffio.Write && row.Type == patterns.Separated {
				return part
			}
			return 1
		}).Result()
		got := beginning(findings.IO(r), "The bottleneck")
		r.Duration = 60
		require.Empty(t, beginning(findings.IO(r), "The bottleneck"), "a short run names no cause")
		if want == "" {
			require.Empty(t, got)
			continue
		}
		require.Regexp(t, `^The bottleneck is the pattern type separated for write `+
			`\(4\d % of the mean of the other types\)\.$`, got)
	}
}

// Chunks of 1 kB have a known part of the bandwidth of all others.
func TestChunk(t *testing.T) {
	small := func(part float64) string {
		return beginning(io(disk(func(_ beffio.Access, row patterns.IORow) float64 {
			if row.Disk == 1024 {
				return part
			}
			return 1
		})), "With chunks")
	}
	require.Regexp(t, `^With chunks of 1 KiB, write has 20 % of its bandwidth with chunks of \d+ [KM]iB \(32 KiB `+
		`or more reach half of it\) and read has 20 % of its bandwidth with chunks of`, small(0.2))
	require.Empty(t, small(0.6))
}

// Chunks with 8 bytes more have a known part of the bandwidth of those without.
func TestAlignment(t *testing.T) {
	odd := func(part float64) string {
		return beginning(io(disk(func(_ beffio.Access, row patterns.IORow) float64 {
			if row.Disk%16 == 8 {
				return part
			}
			return 1
		})), "Chunks that")
	}
	require.Equal(t, "Chunks that are 8 bytes longer than a power of two lose 30 % of the bandwidth of write and "+
		"30 % of the bandwidth of read.", odd(0.7))
	require.Empty(t, odd(0.9))
}

// Syncs take a known part of the writing time.
func TestSyncing(t *testing.T) {
	for part, want := range map[float64]string{
		0.6: "60 % of the writing time is spent in MPI_File_sync: the path from memory to the disks is the limit.",
		0.4: "",
	} {
		m := disk(nil)
		change := m.Change
		m.Change = func(s *beffio.Sample) {
			change(s)
			s.Sync = part * s.Seconds
		}
		require.Equal(t, want, beginning(io(m), "60 %"))
	}
}

// The files hold a known part of the memory, and reading is faster by a known factor.
func TestCache(t *testing.T) {
	read := func(factor float64, memory int64) string {
		m := disk(func(a beffio.Access, _ patterns.IORow) float64 {
			if a == beffio.Read {
				return factor
			}
			return 1
		})
		m.Config.TotalMemory = memory
		return cmp.Or(beginning(io(m), "The files are"), beginning(io(m), "The size of the files"))
	}
	require.Regexp(t, `^The size of the files is [\d.]+ % of the nodes' memory, and reading is 2\.\d times as fast `+
		`as writing`, read(2.2, 1<<36))
	require.Empty(t, read(1.2, 1<<36))
	require.Empty(t, read(2.2, 0), "the memory is not known")
	require.Regexp(t, `^The files are \d+ times as large as the memory of the nodes, so the nodes can't cache them\.$`,
		read(2.2, 256<<20))
	m := disk(nil)
	m.Config.TotalMemory = 256 << 20
	r := m.Result()
	for i := range r.Files {
		r.Files[i].Pages = &rating.Pages{Looked: 10, Before: 9, After: 10}
	}
	require.Regexp(t, `^The files are \d+ times as large as the memory of the nodes, but 90 % of the data read `+
		`were in it`,
		beginning(findings.IO(r), "The files are"), "no sentence contradicts the warning")
}

// The sentence names the slowest call within loops, after a slower call outside of loops if there is one.
func TestSlowestCall(t *testing.T) {
	r := disk(nil).Result()
	require.Empty(t, beginning(findings.IO(r), "The slowest"))
	at := slices.IndexFunc(r.Samples, func(s beffio.Sample) bool { return s.Partition == r.Rated() && s.Pattern == 10 })
	s := &r.Samples[at]
	s.Times = &beffio.CallTimes{Slowest: []rating.SlowCall{{Seconds: 0.12, At: 3, Rank: 1, Repetition: 7, Offset: 1e6}}}
	s.Times.Histogram.Add(4e10, s.Calls)
	data := fmt.Sprintf("The slowest of %s calls%%s took 120 ms, 3.0 times the median of its pattern: write of "+
		"pattern 10 (shared) by rank 1, 3 s after the run began, at byte "+
		"1,000,000 of the file.", words.Grouped(s.Calls))
	s.ViewCall = &beffio.OnceCall{Seconds: 0.11, At: 1, Rank: 3}
	require.Equal(t, fmt.Sprintf(data, ""), beginning(findings.IO(r), "The slowest"))
	s.ViewCall.Seconds = 1.5
	require.Equal(t, "The slowest call took 1.5 s: MPI_File_set_view of pattern 10 (shared) for write on rank 3, 1 s "+
		"after the run began. "+fmt.Sprintf(data, " that move data"), beginning(findings.IO(r), "The slowest"))
	r.Files[0].Partition, r.Files[0].CloseCall = s.Partition, &beffio.OnceCall{Seconds: 2, At: 1}
	require.Contains(t, beginning(findings.IO(r), "The slowest"),
		"took 2 s: MPI_File_close of the scatter file for write on rank 0, ")
}
