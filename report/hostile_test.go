package report

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/mutants"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

var (
	hostile = flag.Int("hostile", 300, "mutated results to read")
	during  = flag.Duration("during", time.Hour, "time limit")
)

// Whatever a file contains, reading it and making its report doesn't panic. The seed is fixed, so that all runs have
// the same mutants.
func TestHostile(t *testing.T) {
	m := fixture.Cluster("a")
	m.Config.Quick, m.Config.Memory = true, 512<<10
	m.Config.Patterns, m.Config.Methods = []string{"ping-pong"}, []string{"sendrecv"}
	io := fixture.IOCluster().Result()
	cluster := fixture.ProbeCluster()
	cluster.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
	probed := cluster.Result
	r := m.Result()
	r.Digest, io.Digest, probed.Digest = "", "", ""
	var texts [][]byte
	for _, seal := range []func(*bytes.Buffer) error{
		func(b *bytes.Buffer) error { return ofbeff.Form.Write(b, r) },
		func(b *bytes.Buffer) error { return ofbeffio.Form.Write(b, io) },
		func(b *bytes.Buffer) error { return ofprobe.Form.Write(b, &probed) },
	} {
		var b bytes.Buffer
		require.NoError(t, seal(&b))
		texts = append(texts, b.Bytes())
	}
	var next, read, taken atomic.Int64
	var workers sync.WaitGroup
	begin := time.Now()
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for n := next.Add(1); n <= int64(*hostile) && time.Since(begin) < *during; n = next.Add(1) {
				random := rand.New(rand.NewPCG(1, uint64(n)))
				text := mutants.Of(random, texts[n%int64(len(texts))])
				read.Add(1)
				k, err := find(text)
				if err != nil {
					continue
				}
				if r, _ := k.read(text); r != nil {
					taken.Add(1)
					r.Document()
				}
			}
		})
	}
	workers.Wait()
	t.Logf("%d mutants were read in %v; %d gave a report", read.Load(), time.Since(begin).Round(time.Second),
		taken.Load())
	require.Positive(t, taken.Load())
}
