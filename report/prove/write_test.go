package prove_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/prove"
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

func written[R, S any](t testing.TB, f prove.Form[R, S], r *R) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, f.Write(&b, r))
	return b.Bytes()
}

func TestLayout(t *testing.T) {
	r := small()
	r.Derived = beff.Derived{PerPattern: []float64{65568, 16388}} // exact on every processor
	fixture.Golden(t, "small.json", string(written(t, ofbeff.Form, r)))
	r.Samples = nil
	require.Contains(t, string(written(t, ofbeff.Form, r)), "\n  \"samples\": [\n  ]\n}\n")
}

// requireRoundTrip requires that a document equals encoding/json's except for blanks, and that the result in it is
// written as the same document.
func requireRoundTrip[R, S any](t *testing.T, f prove.Form[R, S], r *R) {
	data := written(t, f, r)
	plain, err := json.Marshal(r)
	require.NoError(t, err)
	var compact bytes.Buffer
	require.NoError(t, json.Compact(&compact, data))
	require.Equal(t, string(plain), compact.String())
	again := new(R)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(again))
	require.Equal(t, string(data), string(written(t, f, again)))
}

func TestRoundTrip(t *testing.T) {
	list := fixture.Results()
	list["small"] = small()
	for name, r := range list {
		t.Run("b_eff "+name, func(t *testing.T) { requireRoundTrip(t, ofbeff.Form, r) })
	}
	for name, r := range fixture.IOResults() {
		t.Run("b_eff_io "+name, func(t *testing.T) { requireRoundTrip(t, ofbeffio.Form, r) })
	}
	for name, r := range fixture.Probed() {
		t.Run("probe "+name, func(t *testing.T) { requireRoundTrip(t, ofprobe.Form, r) })
	}
}

// Results from sealed documents are written as the same bytes.
func TestSealedBefore(t *testing.T) {
	t.Run("b_eff", func(t *testing.T) { requireResealed(t, ofbeff.Form, "b_eff-1.json") })
	t.Run("b_eff_io", func(t *testing.T) { requireResealed(t, ofbeffio.Form, "b_eff_io-1.json") })
	t.Run("probe", func(t *testing.T) { requireResealed(t, ofprobe.Form, "probe-1.json") })
}

// requireResealed requires that the result in a file of testdata is written as that file, and sealed with the same
// digest.
func requireResealed[R, S any](t *testing.T, f prove.Form[R, S], name string) {
	data, err := os.ReadFile(filepath.Join("../../testdata", name))
	require.NoError(t, err)
	r := new(R)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(r))
	require.Equal(t, string(data), string(written(t, f, r)))
	var sealed bytes.Buffer
	require.NoError(t, f.Seal(&sealed, r))
	require.Equal(t, string(data), sealed.String())
}

func TestSeal(t *testing.T) {
	r := small()
	var b bytes.Buffer
	require.NoError(t, ofbeff.Form.Seal(&b, r))
	require.Empty(t, r.Digest)
	sealed := new(beff.Result)
	require.NoError(t, json.Unmarshal(b.Bytes(), sealed))
	want, err := ofbeff.Form.Digest(r)
	require.NoError(t, err)
	require.Equal(t, want, sealed.Digest)
}

func TestNotANumber(t *testing.T) {
	r := small()
	r.Samples[1].Seconds = math.NaN()
	require.ErrorContains(t, ofbeff.Form.Write(io.Discard, r), "write JSON: samples[1]: ")
	r = small()
	r.WallSeconds = math.Inf(1)
	require.ErrorContains(t, ofbeff.Form.Write(io.Discard, r), "write JSON: ")
}

// Write returns an error wherever a device gets full.
func TestWriteErrors(t *testing.T) {
	r := small()
	size := len(written(t, ofbeff.Form, r))
	for room := range size {
		require.ErrorIs(t, ofbeff.Form.Write(&fixture.Disk{Room: room}, r), fixture.ErrFull)
	}
	require.NoError(t, ofbeff.Form.Write(&fixture.Disk{Room: size}, r))
}

func BenchmarkWrite(b *testing.B) {
	r := small()
	for len(r.Samples) < 1<<20 {
		r.Samples = append(r.Samples, r.Samples...)
	}
	for b.Loop() {
		require.NoError(b, ofbeff.Form.Write(io.Discard, r))
	}
}
