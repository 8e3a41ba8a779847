package beffio_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"testing"

	"github.com/effective-bandwidth/beff/internal/mutants"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/format/hlrs"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
)

func TestCheck(t *testing.T) {
	require.NoError(t, made(t, config()).Check())
	require.True(t, made(t, config()).Valid, "%v", made(t, config()).Criteria)
	noType := patterns.IOType(5)
	for name, c := range map[string]struct {
		change func(*beffio.Result)
		want   string
	}{
		"benchmark":    {func(r *beffio.Result) { r.Benchmark = "b_eff" }, `benchmark "b_eff", schema version 1`},
		"version":      {func(r *beffio.Result) { r.SchemaVersion = 3 }, "schema version 3"},
		"rules":        {func(r *beffio.Result) { r.Rules = "3.6" }, `unknown rules "3.6"`},
		"no processes": {func(r *beffio.Result) { r.Processes = 0 }, "0 processes"},
		"processes":    {func(r *beffio.Result) { r.Processes = math.MaxInt32 + 1 }, "2147483648 processes"},
		"memory":       {func(r *beffio.Result) { r.MemoryPerProcess = 0 }, "0 bytes of memory per process"},
		"much memory": {func(r *beffio.Result) { r.MemoryPerProcess = math.MaxInt64 },
			"bytes of memory per process"},
		"total memory":    {func(r *beffio.Result) { r.TotalMemory = -1 }, "-1 of all nodes"},
		"limit":           {func(r *beffio.Result) { r.MaxBytes = -1 }, "files of at most -1 bytes"},
		"inodes":          {func(r *beffio.Result) { r.FileSystem.FreeFiles = -1 }, "-1 inodes"},
		"no time":         {func(r *beffio.Result) { r.Duration = 0 }, "scheduled for 0 seconds"},
		"NaN":             {func(r *beffio.Result) { r.Duration = math.NaN() }, "scheduled for NaN seconds"},
		"wall":            {func(r *beffio.Result) { r.WallSeconds = -1 }, "measured for -1 seconds"},
		"no partitions":   {func(r *beffio.Result) { r.Partitions = nil }, "0 partitions"},
		"many partitions": {func(r *beffio.Result) { r.Partitions = make([]int, 11) }, "11 partitions"},
		"partition": {func(r *beffio.Result) { r.Partitions[0] = 5 },
			"a partition of 5 processes in a job of 4"},
		"same partition": {func(r *beffio.Result) { r.Partitions[0] = 4 }, "4 processes occurs twice"},
		"M_PART": {func(r *beffio.Result) { r.MPart = 4 << 20 },
			"longest chunk of 4194304 bytes, but 268435456"},
		"few patterns":     {func(r *beffio.Result) { r.Patterns = r.Patterns[:42] }, "42 patterns: want 43"},
		"pattern":          {func(r *beffio.Result) { r.Patterns[7].Disk = 32 }, "pattern 7 is"},
		"hint's type":      {func(r *beffio.Result) { r.Hints = []beffio.HintRule{{Type: &noType}} }, "hint 0"},
		"hint's access":    {func(r *beffio.Result) { r.Hints = []beffio.HintRule{{Access: "reread"}} }, "hint 0"},
		"hint's partition": {func(r *beffio.Result) { r.Hints = []beffio.HintRule{{Processes: -1}} }, "hint 0"},
		"hints in force": {func(r *beffio.Result) { r.HintsInForce = []beffio.HintsInForce{{Partition: 2}} },
			"hints in force 0: partition 2 of 2"},
		"file's type":      {func(r *beffio.Result) { r.Files[3].Type = "all" }, "file 3: unknown pattern or type"},
		"file's access":    {func(r *beffio.Result) { r.Files[3].Access = "" }, `file 3: unknown access method ""`},
		"file's partition": {func(r *beffio.Result) { r.Files[3].Partition = -1 }, "file 3: partition -1 of 2"},
		"file twice": {func(r *beffio.Result) { r.Files[4] = r.Files[3] },
			"file 4: write of type segmented, partition 0, occurs twice"},
		"not rewritten": {func(r *beffio.Result) { r.Files[1].Access = beffio.Rewrite },
			"file 1: rewrite of type shared, but only type scatter is rewritten"},
		"opened": {func(r *beffio.Result) { r.Files[3].Open = -1 }, "file 3: opened in -1"},
		"a file less": {func(r *beffio.Result) { r.Files = r.Files[1:] },
			"the file of write of type scatter on 2 processes is missing"},
		"partition index": {func(r *beffio.Result) { r.Samples[7].Partition = 2 }, "sample 7: partition 2 of 2"},
		"access": {func(r *beffio.Result) { r.Samples[7].Access = "Write" },
			`sample 7: unknown access method "Write"`},
		"pattern index": {func(r *beffio.Result) { r.Samples[7].Pattern = 43 }, "sample 7: unknown pattern"},
		"negative pattern": {func(r *beffio.Result) { r.Samples[7].Pattern = math.MinInt },
			"sample 7: unknown pattern"},
		"rewrite": {func(r *beffio.Result) { r.Samples[9].Access = beffio.Rewrite },
			"sample 9: rewrite of type shared"},
		"twice": {func(r *beffio.Result) { r.Samples[8] = r.Samples[7] },
			"sample 8: write of pattern 7, partition 0, occurs twice"},
		"seconds":   {func(r *beffio.Result) { r.Samples[7].Seconds = 0 }, "sample 7: 42270720 bytes in 0 seconds"},
		"for ever":  {func(r *beffio.Result) { r.Samples[7].Seconds = math.Inf(1) }, "sample 7: "},
		"too long":  {func(r *beffio.Result) { r.Samples[7].Seconds = 1e300 }, "sample 7: "},
		"too fast":  {func(r *beffio.Result) { r.Samples[7].Seconds = 5e-324 }, "in 5e-324 seconds"},
		"scheduled": {func(r *beffio.Result) { r.Samples[7].Scheduled = math.NaN() }, "sample 7: scheduled for NaN"},
		"errors":    {func(r *beffio.Result) { r.Samples[7].Errors = -1 }, "sample 7: -1 errors"},
		"many errors": {func(r *beffio.Result) { r.Samples[7].Errors, r.Samples[8].Errors = math.MaxInt64, 1 },
			"more bytes or errors than can be counted"},
		"bytes": {func(r *beffio.Result) { r.Samples[7].Bytes++ },
			"sample 7: pattern 7: 40 calls, 20 of process 0, moved"},
		"no calls": {func(r *beffio.Result) { s := &r.Samples[7]; s.Calls, s.Repetitions, s.Bytes = 0, 0, 0 },
			"0 calls"},
		"calls":      {func(r *beffio.Result) { r.Samples[7].Repetitions = 41 }, "41 of process 0"},
		"many calls": {func(r *beffio.Result) { r.Samples[7].Calls = math.MaxInt64 }, "sample 7: pattern 7"},
		"many bytes": {func(r *beffio.Result) {
			for i := range r.Samples[:9] {
				s := &r.Samples[i]
				s.Calls = (1 << 62) / r.Patterns[s.Pattern].Memory
				s.Bytes = s.Calls * r.Patterns[s.Pattern].Memory
			}
		}, "can be counted"},
		"fill":      {func(r *beffio.Result) { r.Samples[33].Bytes = 8 }, "sample 33: pattern 33: 0 calls"},
		"marks":     {func(r *beffio.Result) { r.Samples[7].Marks = -1 }, "sample 7: -1 seconds of marks"},
		"io":        {func(r *beffio.Result) { r.Samples[7].IO = math.NaN() }, "NaN seconds of io"},
		"last call": {func(r *beffio.Result) { r.Samples[7].LastIO = 100 }, "the last call took 100 of"},
		"a sample less": {func(r *beffio.Result) { r.Samples = r.Samples[1:] },
			"complete is true, but pattern 0 has no sample of write on 2 processes"},
		"error's place": {func(r *beffio.Result) {
			r.Errors = []beffio.DataError{{Access: beffio.Read,
				Pattern: 43}}
		}, "error 0: unknown pattern"},
		"error's rank": {func(r *beffio.Result) { r.Errors = wrong(); r.Errors[0].Rank = 2 },
			"error 0: rank 2 of 2"},
		"error's text": {func(r *beffio.Result) { r.Errors = wrong(); r.Errors[0].Found = "\n" }, `found "\n"`},
		"error of none": {func(r *beffio.Result) { r.Errors = wrong() },
			"the sample of read of pattern 3 counts none"},
		"errors not listed": {func(r *beffio.Result) { r.Samples[7].Errors = 2 },
			"the sample of write of pattern 7 counts 2 errors, but none is described"},
		"errors listed": {func(r *beffio.Result) { r.Errors = make([]beffio.DataError, 641) },
			"641 errors are described"},
	} {
		t.Run(name, func(t *testing.T) {
			r := made(t, config())
			c.change(r)
			require.ErrorContains(t, r.Check(), c.want)
		})
	}
}

// wrong returns one wrong chunk that no sample counts.
func wrong() []beffio.DataError {
	return []beffio.DataError{{Access: beffio.Read, Pattern: 3, Rank: 1, Expected: "0x1", Found: "0x0"}}
}

func TestCheckAllows(t *testing.T) {
	for name, change := range map[string]func(*beffio.Result){
		"any figures": func(r *beffio.Result) { r.Derived = beffio.Derived{Paper: 1} },
		"crowded":     func(r *beffio.Result) { r.Samples[7].IO = 1.5 * r.Samples[7].Seconds },
		"a clock's rounding": func(r *beffio.Result) {
			r.Samples[7].Barrier = -1e-17
		},
		"hints":       func(r *beffio.Result) { r.Hints = []beffio.HintRule{{}, {Processes: 2}} },
		"other rules": func(r *beffio.Result) { r.Rules, r.Derived = beffio.Rules21, beffio.Derived{} },
		"nothing measured": func(r *beffio.Result) {
			r.Samples, r.Files, r.Derived, r.Valid, r.Criteria[0].Reached, r.Complete = nil, nil, beffio.Derived{},
				false, false, false
			r.Ended = "stopped"
		},
		"wrong data": func(r *beffio.Result) {
			r.Errors, r.Valid, r.Criteria = wrong(), false, []rating.Criterion{{Name: rating.RightData}}
			for i := range r.Samples {
				if s := &r.Samples[i]; s.Access == beffio.Read && s.Pattern == 3 {
					s.Errors = 2
				}
			}
			r.Derived = beffio.Derived{}
		},
	} {
		r := made(t, config())
		change(r)
		require.NoError(t, r.Check(), name)
	}
}

// Check accepts every new result.
func TestCheckOfNewResult(t *testing.T) {
	for name, change := range map[string]func(*beffio.Config){
		"paper":      func(*beffio.Config) {},
		"2.1":        func(c *beffio.Config) { c.Rules = beffio.Rules21 },
		"rewritten":  func(c *beffio.Config) { c.RewriteAll = true },
		"no shared":  func(c *beffio.Config) { c.NoShared = true },
		"quick":      func(c *beffio.Config) { c.Quick, c.Duration = true, 1e9 },
		"partitions": func(c *beffio.Config) { c.Partitions = nil },
		"memory":     func(c *beffio.Config) { c.Memory = 1 << 40 },
		"little":     func(c *beffio.Config) { c.Memory = 1 << 20 },
	} {
		c := config()
		change(&c)
		require.NoError(t, made(t, c).Check(), name)
	}
}

// Check never panics, and a result that passes can be derived and written.
func FuzzCheck(f *testing.F) {
	for _, partitions := range [][]int{{4}, {2, 4}} {
		c := config()
		c.Partitions = partitions
		data, err := json.Marshal(made(f, c))
		require.NoError(f, err)
		f.Add(data)
		f.Add(bytes.ReplaceAll(data, []byte(`"partition":1`), []byte(`"partition":9`)))
		f.Add(bytes.ReplaceAll(data, []byte(`"complete":true`), []byte(`"complete":false`)))
	}
	f.Add([]byte("{}"))
	mutants.Fuzz(f, func(t *testing.T, data []byte) {
		r := new(beffio.Result)
		if json.Unmarshal(data, r) != nil || r.Check() != nil {
			return
		}
		r.Derived = beffio.Derive(r)
		require.NoError(t, r.Check())
		for _, write := range []func(io.Writer, *beffio.Result) error{ofbeffio.Form.Write, hlrs.BEffIO} {
			require.NoError(t, write(io.Discard, r))
		}
		require.NoError(t, document.PlainText(io.Discard, ofbeffio.Report{Result: r}.Document()))
		var b bytes.Buffer
		require.NoError(t, ofbeffio.Form.Write(&b, r))
		again := new(beffio.Result)
		require.NoError(t, json.Unmarshal(b.Bytes(), again))
		require.NoError(t, again.Check())
	})
}
