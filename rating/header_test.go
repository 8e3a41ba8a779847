package rating_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/rating"
)

// Documents of commit 7ef1c34, when results had no common header, are written again byte for byte.
func TestDocumentsStay(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	require.Len(t, files, 3)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			written, err := os.ReadFile(file)
			require.NoError(t, err)
			var head struct{ Benchmark string }
			require.NoError(t, json.Unmarshal(written, &head))
			result := map[string]any{
				beff.Benchmark: new(beff.Result), beffio.Benchmark: new(beffio.Result),
				probe.Benchmark: new(probe.Result),
			}[head.Benchmark]
			decoder := json.NewDecoder(bytes.NewReader(written))
			decoder.DisallowUnknownFields()
			require.NoError(t, decoder.Decode(result))
			again, err := json.Marshal(result)
			require.NoError(t, err)
			var want bytes.Buffer
			require.NoError(t, json.Compact(&want, written))
			require.Equal(t, want.String(), string(again))
		})
	}
}

// Documents of all schema versions up to the newest one are readable.
func TestCheckIdentity(t *testing.T) {
	for version, fits := range map[int]bool{0: false, 1: true, 2: true, 3: false} {
		i := rating.Identity{Benchmark: "b_eff", SchemaVersion: version}
		require.Equal(t, fits, i.CheckIdentity("b_eff", 2) == nil, version)
		require.Error(t, i.CheckIdentity("probe", 2), version)
	}
}

func TestVerdict(t *testing.T) {
	data, err := json.Marshal(rating.NewVerdict(nil, nil, nil))
	require.NoError(t, err)
	require.JSONEq(t, `{"warnings": [], "valid": true, "criteria": []}`, string(data), "null is not a list")
}

func TestRun(t *testing.T) {
	run := rating.Run{}
	require.Nil(t, run.Identity("b", 1).System, "nothing is known about it")
	require.NotNil(t, run.Machine().Placement)
	run.System.Site = "here"
	require.Equal(t, rating.Identity{Benchmark: "b", SchemaVersion: 1, System: &run.System}, run.Identity("b", 1))
}

// The reason why a run ended early is in its document.
func TestEndError(t *testing.T) {
	require.NoError(t, new(rating.Period).EndError(true))
	require.EqualError(t, (&rating.Period{Ended: "c"}).EndError(false), "c")
	require.ErrorIs(t, new(rating.Period).EndError(false), rating.ErrStopped)
}
