package main

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
)

// Wrong data in files end a run with exit code 1 and the place of the first wrong chunk. tools/faults changes bytes in
// the files of whole runs.
func TestWrongDataFail(t *testing.T) {
	require.NoError(t, (&fileIO{}).Wrong(&beffio.Measured{Samples: []beffio.Sample{{}}}))
	err := (&fileIO{}).Wrong(&beffio.Measured{Samples: []beffio.Sample{{Errors: 2}},
		Errors: []beffio.DataError{{Rank: 7}}})
	require.Regexp(t, `^wrong data: .*rank 7.*; 2 wrong chunks in all$`, err.Error())
	require.Equal(t, exit.Failed, exit.Code(err))
}

// Commands that read results with wrong data end with exit code 1 and name the files.
func TestWrongDataRead(t *testing.T) {
	require.NoError(t, publish.Refused{Of: 2}.End(io.Discard))
	err := publish.Refused{Of: 2, Wrong: []string{"a.json", "b.json"}}.End(io.Discard)
	require.EqualError(t, err, "WRONG DATA in a.json and 1 more")
	require.Equal(t, exit.Failed, exit.Code(err))
}

// A resumed run that finds too little space names the files that the earlier part may have left.
func TestNoRoomToResume(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "beff-io-x"), 0o700))
	to := &target{Config: beffio.Config{MaxBytes: math.MaxInt64}, FileSystem: beffio.FileSystem{Directory: dir}}
	require.ErrorContains(t, to.checkSpace(&flow.Earlier{}), "; beff-io-x there may be left from a run that was killed")
	require.NoError(t, to.checkSpace(nil))
}
