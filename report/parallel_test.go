package report

import (
	"bytes"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

// Files that are read in parallel give the same results and reports as one by one, although lists and buffers are
// reused.
func TestReadAll(t *testing.T) {
	dir := t.TempDir()
	cluster := fixture.ProbeCluster()
	cluster.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
	var io, probed bytes.Buffer
	require.NoError(t, ofbeffio.Form.Seal(&io, fixture.IOCluster().Result()))
	require.NoError(t, ofprobe.Form.Seal(&probed, &cluster.Result))
	var paths []string
	for i := range 4 {
		name := fmt.Sprint(i)
		paths = append(paths, run(t, dir, name+".json", "A", 1+float64(i)/100, nil).Path,
			file(t, dir, name+"-io.json", io.String()), file(t, dir, name+"-probe.json", probed.String()),
			file(t, dir, name+"-none.json", "{}"))
	}
	said := func(f *File) string {
		var b bytes.Buffer
		fmt.Fprintf(&b, "%s: %v\n", f.Path, f.Problem)
		if f.Usable {
			assert.NoError(t, document.PlainText(&b, f.Document()))
		}
		return b.String()
	}
	var want []string
	for _, path := range paths {
		want = append(want, said(Read(path)))
	}
	var got [16]atomic.Value
	files := ReadAll(paths, func(f *File) {
		got[slices.Index(paths, f.Path)].Store(said(f))
		f.Forget()
	})
	for i, f := range files {
		require.Equal(t, paths[i], f.Path)
		require.Equal(t, want[i], got[i].Load(), "%d", i)
	}
}
