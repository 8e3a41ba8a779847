package probe

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/fault"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe/data"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/programfile"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

// pingPongFile is PingPong as a user would write it.
const pingPongFile = `program: pingpong
memory: {out: bytes, in: bytes}
calls:
  - {when: rank == 0, do: [{send: {of: out, to: 1}}, {recv: {into: in, from: 1}}]}
  - {when: rank == 1, do: [{recv: {into: in, from: 0}}, {send: {of: out, to: 0}}]}
check: {when: rank < 2, that: in == out of 1-rank}
`

// ran runs program files on goroutines.
func ran(t *testing.T, processes int, texts []string, lengths []int64, faults ...fault.Fault) *Result {
	t.Helper()
	return ranWith(t, processes, texts, settings.Settings{Lengths: lengths, MsgsPer: 3}, faults...)
}

// ranWith runs program files on goroutines with settings.
func ranWith(t *testing.T, processes int, texts []string, s settings.Settings, faults ...fault.Fault) *Result {
	t.Helper()
	s.LeastProcs = processes
	directory := t.TempDir()
	var once sync.Mutex
	var result *Result
	err := local.Run(processes, func(e mpi.Engine) error {
		c := Config{Settings: s, Directory: directory}
		for _, text := range texts {
			f, err := programfile.Parse("f.yaml", text)
			if err != nil {
				return err
			}
			c.Selections = append(c.Selections, Selection{Kernel: suites.UserKernel(f)})
		}
		plan, err := NewPlan(processes, On(e, c))
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			e = fault.Inject(e, faults...)
		}
		m, err := plan.Measure(e, rating.Observer[measured.Outcome]{})
		if e.World().Rank() == 0 {
			once.Lock()
			defer once.Unlock()
			result = NewResult(plan, m, Run{Run: rating.Run{Err: err}})
		}
		return err
	})
	require.NoError(t, err)
	require.NoError(t, result.Check())
	return result
}

// reductions has a check of a sum, and areas of several types.
const reductions = `program: reductions
memory: {mine: 8*bytes, all: 8*bytes, out: bytes, in: bytes*size}
calls:
  - allreduce: {of: mine, into: all, type: float64}
  - gather: {of: out, into: in}
moves: 8*bytes*size
check:
  - all == sum of mine
`

// Data are checked by the file's own words, at each root, and the bandwidth is the file's.
func TestUserPrograms(t *testing.T) {
	for processes := 2; processes <= 4; processes++ {
		r := ran(t, processes, []string{pingPongFile, reductions}, []int64{0, 8, 1000})
		require.Len(t, r.Blocks, 2)
		require.Len(t, r.Programs, 2)
		for _, b := range r.Blocks {
			for _, row := range b.Rows {
				require.Zero(t, row.Defects, "%s: %+v", b.Kernel, row)
				require.Empty(t, row.Missing)
			}
		}
		row := r.Blocks[1].Rows[2]
		require.Equal(t, int64(min(3, processes)), row.Checked)
		require.InEpsilon(t, float64(8000*processes)/row.Derived[0].Max, row.Derived[0].Bandwidth, 1e-12)
		require.Zero(t, row.Derived[0].Rate)
		require.Zero(t, r.Blocks[0].Rows[2].Derived[0].Bandwidth)
	}
}

// Wrong data are found by a check of the file.
func TestUserProgramFault(t *testing.T) {
	wrong := `program: wrong
memory: {a: bytes, b: bytes, in: bytes}
calls:
  - sendrecv: {of: b, into: in, to: 1-rank, from: 1-rank}
  - sendrecv: {of: a, into: in, to: 1-rank, from: 1-rank}
check: in == b of 1-rank
`
	r := ran(t, 2, []string{wrong}, []int64{64})
	require.Positive(t, r.Blocks[0].Rows[0].Defects)
	require.Equal(t, "wrong-data", r.Warnings[len(r.Warnings)-1].Code)
}

// A row that can't run says why, and the others are measured.
func TestUserProgramRows(t *testing.T) {
	part := `program: part
needs: size > 1
memory: {out: bytes, in: bytes}
calls:
  - sendrecv: {of: "out[0, 8]", into: "in[0, 8]", to: (rank+1)%size, from: (rank+size-1)%size}
  - {when: rank == 1 && bytes == 16, do: [{isend: {of: out, to: 0}}]}
`
	r := ran(t, 3, []string{part}, []int64{4, 8, 16, 32})
	rows := r.Blocks[0].Rows
	require.Equal(t, "f.yaml:5: rank 0: out[0, 8]: the area has 4 bytes", rows[0].Detail)
	require.Equal(t, "error", rows[0].Missing)
	require.Equal(t, "f.yaml:6: rank 1: isend: rank 0 receives no message from rank 1 with tag 1", rows[2].Detail)
	require.Empty(t, rows[1].Missing)
	require.Empty(t, rows[3].Missing)

	plan := func(processes int) error {
		f, err := programfile.Parse("f", part)
		require.NoError(t, err)
		_, err = NewPlan(processes, Config{Selections: []Selection{{Kernel: suites.UserKernel(f)}}})
		return err
	}
	require.ErrorContains(t, plan(1), "part needs size > 1, this job has 1")
	require.NoError(t, plan(2))
}

// One-sided calls of a file: what was put is there, by locks and by fences, in a window of the program's memory or of
// the library's, and with memory that no cache holds.
func TestUserWindows(t *testing.T) {
	const head = "program: win\nmemory: {out: bytes, a: bytes, in: 2*bytes}\nwindow: %s\ncalls:\n"
	for name, text := range map[string]string{
		"locks": fmt.Sprintf(head, "in") + "  - win_lock_all\n" +
			"  - put: {of: out, into: \"in[bytes, bytes]\", at: (rank+1)%size}\n  - win_flush_all\n" +
			"  - win_unlock_all\n" +
			"check: \"in[bytes, bytes] == out of (rank+size-1)%size\"\n",
		"fences": fmt.Sprintf(head, "out") + "  - win_fence\n  - get: {of: out, into: a, at: size-1-rank}\n  - " +
			"win_fence\n" +
			"check: a == out of size-1-rank\n",
	} {
		for _, kind := range settings.WindowKinds {
			for processes := 1; processes <= 4; processes++ {
				r := ranWith(t, processes, []string{text}, settings.Settings{Lengths: []int64{8, 1000}, MsgsPer: 5,
					CacheSize: int64(processes%2) << 12, OneSided: &settings.OneSided{Window: kind}})
				for _, row := range r.Blocks[0].Rows {
					require.Empty(t, row.Missing, "%s: %s", name, row.Detail)
					require.Zero(t, row.Defects, "%s, %s on %d: %+v", name, kind, processes, row)
					require.Positive(t, row.Checked)
				}
			}
		}
	}
}

// Calls that combine data in a window: the sum, the largest, what was there before, and the value that only one process
// finds. The checks hold for single repetitions, and so do those of reduce_local.
func TestUserAccumulates(t *testing.T) {
	const head = "program: acc\nmemory: {out: 8, low: 8, win: 8*size, old: 8, mine: 8, all: 8}\nwindow: win\ncalls:\n"
	for name, text := range map[string]string{
		"sum by locks": head + "  - win_lock_all\n" +
			"  - accumulate: {of: out, into: \"win[0, 8]\", at: 0, type: int64}\n" +
			"  - get_accumulate: {of: low, result: old, into: \"win[8, 8]\", at: 0, type: float64, reduce: max}\n" +
			"  - fetch_and_op: {of: out, result: old, into: \"win[0, 8]\", at: size-1, type: int64}\n" +
			"  - win_unlock_all\n  - barrier\n" +
			"check: [{when: rank == 0 || rank == size-1, that: \"win[0, 8] == sum of out\"}]\n",
		"swap by fences": head + "  - copy: {of: old, into: all}\n  - win_fence\n" +
			"  - {when: rank == 1, do: [{compare_and_swap: {of: out, compare: all, result: old, " +
			"into: \"win[8, 8]\", at: 0, type: int64}}]}\n  - win_fence\n" +
			"check: {when: rank == 0, that: \"win[8, 8] == out of 1\"}\n",
		"at home": head + "  - reduce_local: {of: mine, into: all}\ncheck: all == mine of rank\n",
	} {
		for processes := 2; processes <= 4; processes++ {
			r := ran(t, processes, []string{text}, []int64{8})
			for _, row := range r.Blocks[0].Rows {
				require.Empty(t, row.Missing, "%s: %s", name, row.Detail)
				require.Zero(t, row.Defects, "%s on %d: %+v", name, processes, row)
				require.Positive(t, row.Checked)
			}
		}
	}
}

// Files of a program: what was written is read by another process, by all kinds of calls.
func TestUserFiles(t *testing.T) {
	const text = `program: disk
memory: {out: bytes, in: 3*bytes, data: 2*bytes*size}
file: data
calls:
  - file_write_at: {of: out, into: "data[rank*bytes, bytes]"}
  - file_write_at_all: {of: out, into: "data[(size+rank)*bytes, bytes]"}
  - file_sync
  - barrier
  - file_sync
  - file_read_at: {of: "data[(size-1-rank)*bytes, bytes]", into: "in[0, bytes]"}
  - file_read_at_all: {of: "data[(size+(rank+1)%size)*bytes, bytes]", into: "in[bytes, bytes]"}
  - file_iread_at: {of: "data[rank*bytes, bytes]", into: "in[2*bytes, bytes]", as: a}
  - wait: a
check:
  - "in[0, bytes] == out of size-1-rank"
  - "in[bytes, bytes] == out of (rank+1)%size"
  - "in[2*bytes, bytes] == out of rank"
`
	for processes := 1; processes <= 3; processes++ {
		r := ranWith(t, processes, []string{text}, settings.Settings{Lengths: []int64{0, 8, 5000}, MsgsPer: 5,
			CacheSize: int64(processes%2) << 12})
		for _, row := range r.Blocks[0].Rows {
			require.Empty(t, row.Missing, row.Detail)
			require.Zero(t, row.Defects, "on %d: %+v", processes, row)
			require.Equal(t, row.Bytes > 0, row.Checked > 0)
		}
	}
	large := strings.Replace(text, "data: 2", "data: 9", 1)
	r := ranWith(t, 2, []string{large}, settings.Settings{Lengths: []int64{5000}, MsgsPer: 5, Memory: 40000})
	require.Equal(t, "f.yaml: the file has 90000 bytes: allow more by \"-mem X\"", r.Blocks[0].Rows[0].Detail)
}

// What a walk through a program's calls says stands in the result: once, as a warning, or at the row.
func TestUserProgramIsMatched(t *testing.T) {
	const text = `program: ring
memory: {out: 8, in: 8}
calls:
  - send: {of: out, to: (rank+1)%size}
  - recv: {into: in, from: (rank+size-1)%size}
  - {when: bytes == 16, do: [{recv: {into: in, from: rank}}]}
  - {each: k in 1 .. bytes, do: [nop]}
`
	r := ranWith(t, 2, []string{text}, settings.Settings{Lengths: []int64{8, 16, 24, programfile.MostMatched / 2},
		MsgsPer: 1})
	rows := r.Blocks[0].Rows
	require.Empty(t, rows[0].Missing)
	require.Equal(t, "error", rows[1].Missing)
	require.Equal(t, "f.yaml:6: rank 0: recv: rank 0 sends no message to rank 0 with tag 1", rows[1].Detail)
	require.Empty(t, rows[2].Missing)
	var texts []string
	for _, w := range r.Warnings {
		if w.Code == "unsafe-program" || w.Code == "not-matched" {
			texts = append(texts, w.Text)
		}
	}
	require.Equal(t, []string{"f.yaml:4: rank 0: deadlock: send of rank 0 (line 4) waits for rank 1, send of rank 1 " +
		"(line 4) waits for rank 0, unless the library buffers the messages",
		"f.yaml: all processes together have more than 524288 calls: whether sends and receives match was not looked " +
			"at",
	}, texts)
}

// A document's program files are proven.
func TestCheckPrograms(t *testing.T) {
	for want, change := range map[string]func(*Result){
		"":                  func(*Result) {},
		"f.yaml:1: unknown": func(r *Result) { r.Programs[0].Text = "a: b" },
		"is the name of":    func(r *Result) { r.Programs[0].Name = "other" },
		"the SHA-256 of":    func(r *Result) { r.Programs[0].SHA256 = "0" },
		"unknown kernel":    func(r *Result) { r.Programs = nil },
	} {
		r := ran(t, 2, []string{pingPongFile}, []int64{8})
		change(r)
		r.programs = nil
		if err := r.Check(); want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want)
		}
	}
}

// Fillers of all types: the values repeat, from any element on.
func TestSumsOf(t *testing.T) {
	for kind, size := range map[mpi.Type]int{mpi.Int32: 4, mpi.Int64: 8, mpi.Float32: 4, mpi.Float64: 8} {
		whole, part := make([]byte, 40*size), make([]byte, 13*size)
		data.Sums(kind, 1, 4, 1)(whole, 0)
		data.Sums(kind, 1, 4, 1)(part, int64(9*size))
		require.Equal(t, whole[9*size:22*size], part)
		require.Equal(t, data.AppendNumber(nil, kind, float64(data.Value(1, 5)+data.Value(2, 5)+data.Value(3,
			5))), whole[5*size:6*size])
	}
}
