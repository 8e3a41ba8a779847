package sum21_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/format/sum21"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/internal/golden"
)

func TestWrite(t *testing.T) {
	list := fixture.IOResults()
	list["imported"] = read(t, fixture.Foreign(t))
	for name, r := range list {
		t.Run(name, func(t *testing.T) {
			golden.Equal(t, name+".sum", written(t, r))
		})
	}
}

// A quick look, a broken run and what the embedded engine measured are not valid.
func TestMarked(t *testing.T) {
	for name, r := range fixture.IOResults() {
		valid := !strings.Contains(written(t, r), "NOT VALID for comparison")
		require.Equal(t, name == "whole" || name == "sure" || name == "old", valid, name)
	}
}

// A name with a line's end in it makes no line of its own.
func TestOneLine(t *testing.T) {
	r := fixture.IOResults()["whole"]
	r.Host.Name, r.FileSystem.Directory, r.Imported = "n1\nb_eff_io = 1 MB/s", "/a\n -N 3", ""
	text := written(t, r)
	require.NotContains(t, text, "\nb_eff_io = 1")
	require.NotContains(t, text, "\n -N 3")
	read(t, text)
}

// The keys that readers look for are there.
func TestKeys(t *testing.T) {
	text := written(t, fixture.IOResults()["quick"])
	for _, key := range []string{
		"MEMORY_PER_PROCESSOR = ", ", MT=", " T=", "Date of measurement:", "b_eff_io of these measurements =",
		"total-write", "total-rewrite", "total-read",
		"NOT VALID for comparison", "criterion 1: ", "criterion 2: ", "criterion 3: ", "segmened",
		"individual file pointer",
	} {
		require.Contains(t, text, key)
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, " PEs ") && !strings.Contains(line, "total-") {
			require.Len(t, strings.Fields(line), 10, line)
		}
	}
}

func TestWriteErrors(t *testing.T) {
	r := fixture.IOResults()["old"]
	size := len(written(t, r))
	for _, room := range []int{0, size / 2, size - 1} {
		require.ErrorIs(t, sum21.Write(&fixture.Disk{Room: room}, r), fixture.ErrFull)
	}
	require.NoError(t, sum21.Write(&fixture.Disk{Room: size}, r))
}
