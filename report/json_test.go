package report_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/internal/golden"
	"github.com/effective-bandwidth/beff/report/ofbeff"
)

// small is a result of one ring and one pair: short enough to be read, and to be fuzzed.
func small() *beff.Result {
	r := &beff.Result{
		Identity: rating.Identity{Benchmark: "b_eff", SchemaVersion: 1}, Rules: beff.Rules2001,
		Software: rating.Software{Beff: "0.1.0",
			Engine: mpi.Library{Engine: "libmpi", Library: "MPICH", Version: "4.0.2", Standard: "4.0"}},
		Processes: 4, MemoryPerProcess: 512 << 10, Lmax: 4096, Seed: 1,
		Machine: rating.Machine{
			Host:      rating.Host{System: "Linux", Name: "n1", Release: "5.14", Version: "#1", Machine: "x86_64"},
			Placement: []job.Placement{{Host: "n1", Ranks: "0-3"}},
		},
		Period:      rating.Period{Started: time.Date(2026, 11, 21, 8, 30, 0, 0, time.UTC), WallSeconds: 0.5},
		LoopSeconds: 0.375, Complete: true, Repetitions: 1,
		Patterns: []beff.Pattern{
			{Name: "ring-1*4fix", Kind: patterns.KindRing, Processes: 4, Messages: 8},
			{Name: "ping-pong", Kind: patterns.KindDetail, Processes: 2, Messages: 2},
		},
		Lengths: []int64{1, 4096}, Methods: []string{"sendrecv"},
		Verdict: rating.Verdict{
			Warnings: []rating.Warning{{Code: "elapsed", Text: "load < 1 & more", Remedy: "look"}},
			Criteria: []rating.Criterion{{Name: "complete", Text: "finished", Reached: true},
				{Name: "patterns", Text: "all", Reached: false}},
		},
		Samples: []beff.Sample{
			{Pattern: 0, Length: 0, Loops: 8, Seconds: 0.125, Min: 0.125, Mean: 0.125},
			{Pattern: 1, Length: 0, Loops: 1, Seconds: 0.25, Min: 0.125, Mean: 0.1875},
			{Pattern: 0, Length: 1, Loops: 1, Seconds: 0.5, Min: 0.25, Mean: 0.375},
			{Pattern: 1, Length: 1, Loops: 4, Seconds: 1, Min: 1, Mean: 1},
		},
	}
	r.Derived = beff.Derive(r)
	return r
}

func text(t testing.TB, r *beff.Result) []byte {
	var b bytes.Buffer
	require.NoError(t, report.JSON(&b, r))
	return b.Bytes()
}

func TestJSON(t *testing.T) {
	r := small()
	r.Derived = beff.Derived{PerPattern: []float64{65568, 16388}} // exact on every processor
	golden.Equal(t, "small.json", string(text(t, r)))

	r.Samples = nil
	require.True(t, json.Valid(text(t, r)))
}

// The document is what encoding/json makes of the result, but for blanks.
func TestJSONIsTheResult(t *testing.T) {
	for name, r := range fixture.Results(t) {
		plain, err := json.Marshal(r)
		require.NoError(t, err)
		var compact bytes.Buffer
		require.NoError(t, json.Compact(&compact, text(t, r)))
		require.Equal(t, string(plain), compact.String(), name)
	}
}

func TestRoundTrip(t *testing.T) {
	list := fixture.Results(t)
	list["small"] = small()
	for name, r := range list {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, r.Check())
			data := text(t, r)
			read, err := report.ReadJSON(bytes.NewReader(data))
			require.NoError(t, err)
			require.Equal(t, r, read)
			require.Equal(t, string(data), string(text(t, read)))
		})
	}
}

// A figure that the file lacks is computed from the samples.
func TestReadComputes(t *testing.T) {
	r, want := small(), beff.Derive(small())
	r.Derived = beff.Derived{}
	read, err := report.ReadJSON(bytes.NewReader(text(t, r)))
	require.NoError(t, err)
	require.Equal(t, want, read.Derived)
}

func TestNotANumber(t *testing.T) {
	r := small()
	r.Samples[1].Seconds = math.NaN()
	require.ErrorContains(t, report.JSON(io.Discard, r), "sample 1")
	r = small()
	r.WallSeconds = math.Inf(1)
	require.Error(t, report.JSON(io.Discard, r))
}

func TestReadRefuses(t *testing.T) {
	good := string(text(t, small()))
	for name, c := range map[string]struct{ old, new, want string }{
		"nothing":            {good, "", "EOF"},
		"no JSON":            {good, "b_eff = 1 MB/s", "invalid character"},
		"null":               {good, "null", `benchmark ""`},
		"half":               {good[len(good)/2:], "", "unexpected EOF"},
		"two documents":      {good, good + good, "more behind its end"},
		"later field":        {`"seed": 1`, `"seed": 1, "colour": "red"`, "colour"},
		"other benchmark":    {`"benchmark": "b_eff"`, `"benchmark": "b_eff_io"`, `benchmark "b_eff_io"`},
		"later version":      {`"schema_version": 1`, `"schema_version": 2`, "schema version 2"},
		"pattern":            {`{"pattern":1,"length":1`, `{"pattern":2,"length":1`, "sample 3: pattern 2 of 2"},
		"length":             {`{"pattern":1,"length":1`, `{"pattern":1,"length":-1`, "sample 3: length -1 of 2"},
		"NaN":                {`"seconds":0.5`, `"seconds":NaN`, "invalid character 'N'"},
		"more than a double": {`"seconds":0.5`, `"seconds":1e999`, "1e999"},
		"many repetitions":   {`"repetitions": 1`, `"repetitions": 1000000000000`, "more than 1048576 measurements"},
		"another rating":     {`"per_pattern": [`, `"b_eff": 1e9, "per_pattern": [`, "b_eff does not follow"},
		"another time":       {`"seconds":0.5`, `"seconds":0.51`, "does not follow"},
		"valid":              {`"valid": false`, `"valid": true`, "valid is true"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, good, c.old)
			r, err := report.ReadJSON(strings.NewReader(strings.Replace(good, c.old, c.new, 1)))
			require.ErrorContains(t, err, "read result: ")
			require.ErrorContains(t, err, c.want)
			require.Nil(t, r)
		})
	}
}

// Whatever is in a file, reading it gives an error, or a result that all documents can be made of.
func FuzzReadJSON(f *testing.F) {
	good := text(f, small())
	f.Add(good)
	f.Add([]byte("{}"))
	for _, change := range [][2]string{
		{`"repetitions": 1`, `"repetitions": 1048577`},
		{`"pattern":1`, `"pattern":99`},
		{`"lmax": 4096`, `"lmax": -1`},
		{`"messages": 8`, `"messages": 9223372036854775807`},
		{`"seconds":0.5`, `"seconds":5e-324`},
		{`"lengths": [`, `"lengths": [], "x": [`},
	} {
		f.Add(bytes.Replace(good, []byte(change[0]), []byte(change[1]), 1))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := report.ReadJSON(bytes.NewReader(data))
		if err != nil {
			require.Nil(t, r)
			return
		}
		require.NoError(t, ofbeff.Summary(io.Discard, r))
		again, err := report.ReadJSON(bytes.NewReader(text(t, r)))
		require.NoError(t, err)
		require.Equal(t, text(t, r), text(t, again))
	})
}

// A document that a real run of the first version wrote stays readable.
func TestReadFirstVersion(t *testing.T) {
	f, err := os.Open("../testdata/b_eff-1.json")
	require.NoError(t, err)
	defer f.Close()
	r, err := report.ReadJSON(f)
	require.NoError(t, err)
	require.Equal(t, 2, r.Processes)
	require.NotZero(t, r.Derived.BEff)
	require.Equal(t, "Open MPI", r.Engine.Library)
}
