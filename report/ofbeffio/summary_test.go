package ofbeffio_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/internal/golden"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
)

// ioWriters are all documents of a result of b_eff_io, by the ends of their golden files' names.
var ioWriters = map[string]func(io.Writer, *beffio.Result) error{
	"summary.txt": ofbeffio.Summary, "sum": report.Sum, "prot": ofbeffio.Protocol, "line.txt": ofbeffio.Line,
	"json": report.IOJSON,
	"kv":   verifiedIO, "report.txt": func(w io.Writer, r *beffio.Result) error {
		return document.PlainText(w,
			ofbeffio.Document(r, nil))
	},
}

func verifiedIO(w io.Writer, r *beffio.Result) error { return ofbeffio.KeyValue(w, r, true) }

func TestIO(t *testing.T) {
	list := fixture.IOResults()
	list["imported"] = fixture.Imported(t, fixture.Foreign(t))
	for name, r := range list {
		for _, kind := range []string{"summary.txt", "sum", "prot"} {
			t.Run(name+"."+kind, func(t *testing.T) { golden.Equal(t, "io_"+name+"."+kind, fixture.IOText(t, ioWriters[kind], r)) })
		}
	}
}

func TestIOPlan(t *testing.T) {
	for name, c := range map[string]struct {
		made *fixture.IO
		fs   beffio.FileSystem
		lib  mpi.Library
	}{
		"whole": {fixture.IOCluster(), fixture.IOCluster().Run.FileSystem, fixture.IOCluster().Run.Library},
		"quick": {quickPlan(), beffio.FileSystem{Directory: "/tmp", Type: "tmpfs", Size: 2 << 30, Free: 1 << 29,
			FreeFiles: 9}, mpi.Library{Engine: "local", Library: "beff embedded engine"}},
		"short": {shortPlan(20 * time.Minute), beffio.FileSystem{}, fixture.IOCluster().Run.Library},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			require.NoError(t, ofbeffio.Plan(&b, c.made.Plan(), c.fs, c.lib))
			golden.Equal(t, "io_plan_"+name+".txt", b.String())
		})
	}
}

func shortPlan(d time.Duration) *fixture.IO {
	m := fixture.IOCluster()
	m.Config.Duration = d
	return m
}

func quickPlan() *fixture.IO {
	m := fixture.IOCluster()
	m.Config.Quick, m.Config.NoShared, m.Config.RewriteAll, m.Config.Duration, m.Config.MaxBytes = true, true, true,
		10e9, 1<<30
	return m
}

// The last line is for scripts, and stands alone.
func TestIOSummaryEndsWithLine(t *testing.T) {
	for name, r := range fixture.AllIO(t) {
		t.Run(name, func(t *testing.T) {
			line := fixture.IOText(t, ofbeffio.Line, r)
			require.Equal(t, 1, strings.Count(line, "\n"))
			require.True(t, strings.HasSuffix(fixture.IOText(t, ofbeffio.Summary, r), "\n\n"+line))
			require.Equal(t, r.Derived.BEffIO > 0, strings.HasPrefix(line, "b_eff_io = "))
			require.Equal(t, r.Derived.BEffIO > 0 && !r.Valid, strings.Contains(line, ", NOT VALID (see above)"))
			require.Equal(t, r.Engine.Engine == "local", strings.Contains(line, ", embedded engine"))
		})
	}
}

// What is not a rating is not valid in the .sum file either, and nothing in the protocol is wider than a screen.
func TestIOMarked(t *testing.T) {
	for name, r := range fixture.AllIO(t) {
		text := fixture.IOText(t, report.Sum, r)
		require.Equal(t, name == "whole" || name == "old", !strings.Contains(text, "NOT VALID for comparison"), name)
		for _, line := range strings.Split(fixture.IOText(t, ofbeffio.Protocol, r), "\n") {
			require.LessOrEqual(t, len([]rune(line)), 160, line)
		}
	}
}

// A name with a line's end in it makes no line of its own.
func TestIOOneLine(t *testing.T) {
	r := fixture.IOResults()["whole"]
	r.Host.Name, r.FileSystem.Directory, r.Imported = "n1\nb_eff_io = 1 MB/s", "/a\n -N 3", ""
	require.NotContains(t, fixture.IOText(t, ofbeffio.Line, r), "\nb_eff_io")
	require.NotContains(t, fixture.IOText(t, report.Sum, r), "\nb_eff_io = 1")
	require.NotContains(t, fixture.IOText(t, report.Sum, r), "\n -N 3")
	fixture.Imported(t, fixture.IOText(t, report.Sum, r))
}

// What is expected is there: the keys that readers look for (CONVENTIONS.md).
func TestSumKeys(t *testing.T) {
	text := fixture.IOText(t, report.Sum, fixture.IOResults()["quick"])
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
