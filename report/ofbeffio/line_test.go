package ofbeffio_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
)

// ioWriters has the functions that write the texts of a result, by the ends of their golden files' names.
var ioWriters = map[string]func(io.Writer, *beffio.Result) error{
	"json": ofbeffio.Form.Write, "kv": verifiedIO,
	"report.txt": func(w io.Writer, r *beffio.Result) error {
		return document.PlainText(w, ofbeffio.Document(r, nil))
	},
}

func verifiedIO(w io.Writer, r *beffio.Result) error {
	return ofbeffio.Report{Result: r}.KeyValue(w, true)
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
			fixture.Golden(t, "io_plan_"+name+".txt", b.String())
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

// The last line is for scripts, and nothing follows it.
func TestIOTextEndsWithLine(t *testing.T) {
	for name, r := range fixture.IOResults() {
		t.Run(name, func(t *testing.T) {
			line := ofbeffio.Line(r)
			require.NotContains(t, line, "\n")
			require.True(t, strings.HasSuffix(fixture.IOText(t, ioWriters["report.txt"], r), "\n\n"+line+"\n"))
			require.Equal(t, r.Derived.BEffIO > 0, strings.HasPrefix(line, "b_eff_io = "))
			require.Equal(t, r.Derived.BEffIO > 0 && !r.Valid, strings.Contains(line, ", NOT VALID (see above)"))
			require.Equal(t, r.Engine.Engine == "local", strings.Contains(line, ", embedded engine"))
		})
	}
}

// A name with a line feed doesn't add a line.
func TestIOOneLine(t *testing.T) {
	r := fixture.IOResults()["whole"]
	r.Host.Name, r.FileSystem.Directory = "n1\nb_eff_io = 1 MB/s", "/a\n -N 3"
	require.NotContains(t, ofbeffio.Line(r), "\nb_eff_io")
}

// The line rounds the memory of a process down, as .sum files do.
func TestIOMemory(t *testing.T) {
	m := fixture.IOCluster()
	m.Config.Memory = 256<<20 - 1
	require.Contains(t, ofbeffio.Line(m.Result()), " with 255 MByte/PE")
}

// If a write fails at any place, for example on a full device, the function returns the error.
func TestIOWriteErrors(t *testing.T) {
	plan := fixture.IOCluster().Plan()
	list := map[string]func(io.Writer) error{
		"plan": func(w io.Writer) error { return ofbeffio.Plan(w, plan, beffio.FileSystem{}, mpi.Library{}) },
	}
	r := fixture.IOResults()["old"]
	for name, write := range ioWriters {
		list[name] = func(w io.Writer) error { return write(w, r) }
	}
	for name, write := range list {
		t.Run(name, func(t *testing.T) { fixture.WriteErrors(t, write) })
	}
}
