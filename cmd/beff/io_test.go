package main

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
)

// Wrong data end a run over files with exit code 1, and the first one is named. The campaign of faults changes bytes of
// the files of whole runs.
func TestWrongDataFail(t *testing.T) {
	require.NoError(t, (&files{}).Wrong(&beffio.Measured{Samples: []beffio.Sample{{}}}))
	err := (&files{}).Wrong(&beffio.Measured{Samples: []beffio.Sample{{Errors: 2}},
		Errors: []beffio.DataError{{Rank: 7}}})
	require.Regexp(t, `^wrong data: .*rank 7.*; 2 wrong chunks in all$`, err.Error())
	require.Equal(t, exit.Failed, exit.Code(err))
}

// So does each command that reads their result.
func TestWrongDataRead(t *testing.T) {
	require.NoError(t, publish.Refused{Of: 2}.End(io.Discard))
	err := publish.Refused{Of: 2, Wrong: []string{"a.json", "b.json"}}.End(io.Discard)
	require.EqualError(t, err, "WRONG DATA in a.json and 1 more")
	require.Equal(t, exit.Failed, exit.Code(err))
}
