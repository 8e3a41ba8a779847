package beff_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// checked returns a valid result that passes Check, with three repetitions and three methods.
func checked() *beff.Result {
	r := anyCube(1)
	r.WallSeconds, r.LoopSeconds = 2, 1
	r.Criteria = []rating.Criterion{{Name: "complete", Reached: true}}
	r.Valid = true
	r.Derived = beff.Derive(r)
	return r
}

func TestCheck(t *testing.T) {
	require.NoError(t, checked().Check())
	for name, c := range map[string]struct {
		change func(*beff.Result)
		want   string
	}{
		"benchmark": {func(r *beff.Result) { r.Benchmark = "b_eff_io" },
			`benchmark "b_eff_io", schema version 1`},
		"version":     {func(r *beff.Result) { r.SchemaVersion = 3 }, "schema version 3"},
		"rules":       {func(r *beff.Result) { r.Rules = "" }, `unknown rules ""`},
		"one process": {func(r *beff.Result) { r.Processes = 1 }, "1 processes"},
		"processes":   {func(r *beff.Result) { r.Processes = math.MaxInt32 + 1 }, "2147483648 processes"},
		"Lmax":        {func(r *beff.Result) { r.Lmax = 0 }, "longest message of 0 bytes"},
		"memory":      {func(r *beff.Result) { r.MemoryPerProcess = 4095 }, "with 4095 bytes of memory"},
		"wall time":   {func(r *beff.Result) { r.WallSeconds = -1 }, "measured for -1 seconds"},
		"endless":     {func(r *beff.Result) { r.LoopSeconds = math.Inf(1) }, "+Inf of them in loops"},
		"kind": {func(r *beff.Result) { r.Patterns[0].Kind = "rings" },
			`pattern "ring-0": unknown kind "rings"`},
		"same name":   {func(r *beff.Result) { r.Patterns[1].Name = "ring-0" }, `pattern "ring-0" occurs twice`},
		"outsiders":   {func(r *beff.Result) { r.Patterns[1].Processes = 5 }, `pattern "ring-1": 5 of 4 processes`},
		"lonely":      {func(r *beff.Result) { r.Patterns[1].Processes = 1 }, "1 of 4 processes"},
		"no messages": {func(r *beff.Result) { r.Patterns[1].Messages = 0 }, "0 messages of 4 processes"},
		"messages":    {func(r *beff.Result) { r.Patterns[1].Messages = 25 }, "25 messages of 4 processes"},
		"method":      {func(r *beff.Result) { r.Methods[2] = "rdma" }, `method "rdma"`},
		"same method": {func(r *beff.Result) { r.Methods[2] = "sendrecv" }, `method "sendrecv"`},
		"no patterns": {func(r *beff.Result) { r.Patterns = nil },
			"0 patterns, 4 lengths, 3 methods, 3 repetitions: nothing"},
		"no lengths":     {func(r *beff.Result) { r.Lengths = nil }, "0 lengths"},
		"no methods":     {func(r *beff.Result) { r.Methods = nil }, "0 methods"},
		"no repetitions": {func(r *beff.Result) { r.Repetitions = 0 }, "0 repetitions"},
		"repetitions":    {func(r *beff.Result) { r.Repetitions = 1 << 20 }, "more than 1048576 measurements"},
		"overflow":       {func(r *beff.Result) { r.Repetitions = math.MaxInt }, "more than 1048576 measurements"},
		"many patterns": {func(r *beff.Result) { r.Patterns = manyPatterns(1 << 18) },
			"more than 1048576 measurements"},
		"many lengths": {func(r *beff.Result) { r.Lengths = make([]int64, 1<<20) },
			"more than 1048576 measurements"},
		"negative length": {func(r *beff.Result) { r.Lengths[0] = -1 }, "lengths [-1 2 64 4096]"},
		"no order":        {func(r *beff.Result) { r.Lengths[1] = 65 }, "lengths [1 65 64 4096]"},
		"not to Lmax":     {func(r *beff.Result) { r.Lmax = 8192 }, "longest message of 8192 bytes"},
		"pattern index":   {func(r *beff.Result) { r.Samples[7].Pattern = 37 }, "sample 7: pattern 37 of 37"},
		"length index":    {func(r *beff.Result) { r.Samples[7].Length = 4 }, "sample 7: length 4 of 4"},
		"method index":    {func(r *beff.Result) { r.Samples[7].Method = 3 }, "sample 7: method 3 of 3"},
		"repetition":      {func(r *beff.Result) { r.Samples[7].Repetition = 3 }, "sample 7: repetition 3 of 3"},
		"negative index": {func(r *beff.Result) { r.Samples[0].Pattern = math.MinInt },
			"sample 0: pattern -9223372036854775808 of 37"},
		"twice": {func(r *beff.Result) { r.Samples[8] = r.Samples[7] },
			"sample 8: pattern 0, length 0, method 2, repetition 1 occurs twice"},
		"loops":        {func(r *beff.Result) { r.Samples[7].Loops = 0 }, "sample 7: 0 loops"},
		"no time":      {func(r *beff.Result) { r.Samples[7].Seconds = 0 }, "sample 7: 0 seconds"},
		"back in time": {func(r *beff.Result) { r.Samples[7].Seconds = -1 }, "sample 7: -1 seconds"},
		"NaN":          {func(r *beff.Result) { r.Samples[7].Seconds = math.NaN() }, "sample 7: NaN seconds"},
		"for ever":     {func(r *beff.Result) { r.Samples[7].Seconds = math.Inf(1) }, "sample 7: +Inf seconds"},
		"too fast":     {func(r *beff.Result) { r.Samples[7].Seconds = 5e-324 }, "sample 7: 5e-324 seconds"},
		"minimum":      {func(r *beff.Result) { r.Samples[7].Min = 1e3 }, "minimum of 1000"},
		"mean":         {func(r *beff.Result) { r.Samples[7].Mean = math.NaN() }, "mean of NaN"},
		"mean above":   {func(r *beff.Result) { r.Samples[7].Mean = 1.001 * r.Samples[7].Seconds }, "mean of"},
		"valid, no b_eff": {func(r *beff.Result) { r.Samples, r.Derived = nil, beff.Derived{} },
			"pattern ring-0 has no sample of length 1"},
		"a sample less": {func(r *beff.Result) { r.Samples = r.Samples[1:] },
			"complete is true, but pattern ring-0 has no sample"},
	} {
		t.Run(name, func(t *testing.T) {
			r := checked()
			c.change(r)
			require.ErrorContains(t, r.Check(), c.want)
		})
	}
}

// CheckPlan names the first list that differs.
func TestCheckPlan(t *testing.T) {
	plan, err := beff.NewPlan(4, beff.Config{Rules: beff.Rules2001, Memory: gib})
	require.NoError(t, err)
	made := func() *beff.Result { return beff.NewResult(plan, &beff.Measured{}, rating.Run{}) }
	require.NoError(t, made().CheckPlan(plan))
	for want, change := range map[string]func(*beff.Result){
		"lmax is 1, but":       func(r *beff.Result) { r.Lmax = 1 },
		"repetitions is 4":     func(r *beff.Result) { r.Repetitions = 4 },
		"lengths is [7":        func(r *beff.Result) { r.Lengths = []int64{7} },
		"methods is [x]":       func(r *beff.Result) { r.Methods = []string{"x"} },
		"patterns has 1":       func(r *beff.Result) { r.Patterns = r.Patterns[:1] },
		"patterns[3] is {Name": func(r *beff.Result) { r.Patterns[3].Messages++ },
	} {
		r := made()
		change(r)
		require.ErrorContains(t, r.CheckPlan(plan), want)
	}
}

func manyPatterns(n int) []beff.Pattern {
	list := make([]beff.Pattern, n)
	for i := range list {
		list[i] = beff.Pattern{Name: fmt.Sprint(i), Kind: patterns.KindDetail, Processes: 2, Messages: 2}
	}
	return list
}

func TestCheckAllows(t *testing.T) {
	for name, change := range map[string]func(*beff.Result){
		"any figures":      func(r *beff.Result) { r.Derived = beff.Derived{Rings: 1} },
		"unknown mean":     func(r *beff.Result) { r.Samples[0].Mean = 0 },
		"mean by rounding": func(r *beff.Result) { r.Samples[0].Mean = math.Nextafter(r.Samples[0].Seconds, 1) },
		"nothing measured": func(r *beff.Result) {
			r.Samples, r.Derived, r.Valid, r.Criteria[0].Reached, r.Complete = nil, beff.Derived{}, false, false, false
			r.Ended = "stopped"
		},
		"one message":          func(r *beff.Result) { planned(r).Patterns[1].Messages = 1 },
		"six for each process": func(r *beff.Result) { planned(r).Patterns[1].Messages = 24 },
		"a pair":               func(r *beff.Result) { planned(r).Patterns[1].Processes = 2 },
		"two processes": func(r *beff.Result) {
			r.Patterns, r.Processes = nil, 2
			planned(r).Patterns = []beff.Pattern{{Name: "pair", Kind: patterns.KindRing, Processes: 2, Messages: 2}}
		},
		"most processes":       func(r *beff.Result) { planned(r).Processes = math.MaxInt32 },
		"a byte":               func(r *beff.Result) { planned(r).Lmax, r.Lengths = 1, []int64{1} },
		"all memory":           func(r *beff.Result) { r.MemoryPerProcess = r.Lmax },
		"no time in loops":     func(r *beff.Result) { r.WallSeconds, r.LoopSeconds = 0, 0 },
		"a repetition":         func(r *beff.Result) { planned(r).Repetitions = 1 },
		"1048576 measurements": func(r *beff.Result) { measurements(r, 1<<20) },
		"1048576 lengths": func(r *beff.Result) {
			measurements(r, 1)
			r.Lengths = make([]int64, 1<<20)
			for i := range r.Lengths {
				r.Lengths[i] = 1
			}
		},
		"a second":              func(r *beff.Result) { s := &r.Samples[7]; s.Seconds, s.Min, s.Mean = 1, 1, 1 },
		"a loop":                func(r *beff.Result) { r.Samples[7].Loops = 1 },
		"all alike":             func(r *beff.Result) { s := &r.Samples[7]; s.Min, s.Mean = s.Seconds, s.Seconds },
		"a mean in other order": func(r *beff.Result) { r.Samples[7].Mean = (1 + 0.99e-6) * r.Samples[7].Seconds },
	} {
		r := checked()
		change(r)
		require.NoError(t, r.Check(), name)
	}
}

// planned makes r a result with nothing measured yet, and returns it.
func planned(r *beff.Result) *beff.Result {
	r.Samples, r.Derived, r.Valid, r.Criteria[0].Reached, r.Complete = nil, beff.Derived{}, false, false, false
	r.Ended = "stopped"
	return r
}

// measurements makes a result plan this many measurements of one pattern, length and method.
func measurements(r *beff.Result, n int) {
	planned(r).Patterns, r.Methods, r.Repetitions = r.Patterns[:1], r.Methods[:1], 1
	r.Lmax, r.Lengths = 1, slices.Repeat([]int64{1}, n)
}

// Check names a field that is just beyond the plans or measurements of a benchmark.
func TestCheckRefuses(t *testing.T) {
	for want, change := range map[string]func(r *beff.Result){
		"longest message of 0 bytes with": func(r *beff.Result) { planned(r).Lmax = 0 },
		"more than 1048576 measurements":  func(r *beff.Result) { measurements(r, 1<<20+1) },
		"2 patterns, 1048576 lengths, 1 methods, 1 repetitions: more than": func(r *beff.Result) {
			measurements(r, 1)
			r.Patterns, r.Lengths = checked().Patterns[:2], make([]int64, 1<<20)
		},
		"1 methods, 0 repetitions: nothing": func(r *beff.Result) { measurements(r, 1); r.Repetitions = 0 },
		"2 repetitions: a plan has":         func(r *beff.Result) { measurements(r, 1); r.Repetitions = 2 },
		"24 repetitions: a plan has": func(r *beff.Result) {
			measurements(r, 1)
			r.Repetitions = 24
		},
		"complete is false, but the run ended early with \"\"": func(r *beff.Result) { planned(r).Ended = "" },
		"complete is true, but the run ended early with \"x\"": func(r *beff.Result) { r.Ended = "x" },
		"the hosts have 3 processes, not": func(r *beff.Result) {
			r.Placement = []job.Placement{{Host: "a", Ranks: "0-2", Processes: 3}}
		},
		"sample 7: mean of": func(r *beff.Result) {
			s := &r.Samples[7]
			s.Min, s.Mean = s.Seconds/2, s.Seconds/2
		},
		"lengths [0]: they must rise from":      func(r *beff.Result) { planned(r).Lengths = []int64{0} },
		"lengths [0 4096]: they must rise from": func(r *beff.Result) { planned(r).Lengths = []int64{0, 4096} },
		"mean of": func(r *beff.Result) {
			r.Samples[7].Mean = (1 + 1.01e-6) *
				r.Samples[7].Seconds
		},
		"pattern -1 of 37":   func(r *beff.Result) { r.Samples[7].Pattern = -1 },
		"length -1 of 4":     func(r *beff.Result) { r.Samples[7].Length = -1 },
		"method -1 of 3":     func(r *beff.Result) { r.Samples[7].Method = -1 },
		"repetition -1 of 3": func(r *beff.Result) { r.Samples[7].Repetition = -1 },
		"length 4 of 4": func(r *beff.Result) {
			r.Samples[7].Length, r.Samples[7].Method = 4,
				3
		},
		"length 1, method sendrecv, repetition 1": func(r *beff.Result) { r.Samples = slices.Delete(r.Samples, 1, 2) },
		"length 1, method alltoallv, repetition 0": func(r *beff.Result) {
			r.Samples = slices.Delete(r.Samples, 3, 4)
		},
		"pattern ring-0 has no sample of length 2, method sendrecv, repetition 0": func(r *beff.Result) {
			r.Samples = slices.Delete(r.Samples, 9, 10)
		},
		"pattern ring-1 has no sample of length 1, method sendrecv, repetition 0": func(r *beff.Result) {
			r.Samples = slices.Delete(r.Samples, 36, 37)
		},
	} {
		r := checked()
		change(r)
		require.ErrorContains(t, r.Check(), want)
	}
}

// Check accepts every new result.
func TestCheckOfNewResult(t *testing.T) {
	for _, processes := range []int{2, 3, 4, 5, 7, 8, 9, 12, 16, 27, 64, 97, 1000} {
		plan, err := beff.NewPlan(processes, beff.Config{Rules: beff.Rules36, Memory: gib,
			Methods: []string{"sendrecv"}})
		require.NoError(t, err)
		m := &beff.Measured{WallSeconds: 1, LoopSeconds: 1}
		for pattern := range plan.Patterns {
			for length, l := range plan.Lengths {
				for repetition := range plan.Repetitions {
					m.Samples = append(m.Samples, beff.Sample{Pattern: pattern, Length: length, Repetition: repetition,
						Loops: 1, Seconds: 1e-6 + 1e-9*float64(l)})
				}
			}
		}
		r := beff.NewResult(plan, m, rating.Run{})
		require.NoError(t, r.Check(), "%d processes", processes)
		require.Positive(t, r.Derived.BEff)
		require.NotNil(t, r.Placement)
	}
}

// A complete result by release 3.6 may lack the slower methods of the two longest messages, and not all of them.
func TestCheckShortened(t *testing.T) {
	r, err := rate(t, &scripted.Engine{Processes: 4, Cost: scripted.Linear(1e-6, 1e9)}, config(beff.Rules36))
	require.NoError(t, err)
	for i := range r.Samples {
		r.Samples[i].Mean = 0 // a script has no other processes
	}
	require.NoError(t, r.Check())
	longest := len(r.Lengths) - 1
	r.Samples = slices.DeleteFunc(r.Samples, func(s beff.Sample) bool { return s.Length == longest && s.Pattern == 3 })
	require.ErrorContains(t, r.Check(), fmt.Sprintf("pattern %s has no sample of length %d", r.Patterns[3].Name,
		r.Lmax))
}
