package report

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

var (
	hostile = flag.Int("hostile", 300, "mutated results to read")
	during  = flag.Duration("during", time.Hour, "and no longer than this")
)

// values take the place of a number or a text in a result.
var values = [][]byte{[]byte("null"), []byte("-1"), []byte("0"), []byte("1e308"), []byte("1e-320"), []byte("1.5"),
	[]byte("9223372036854775807"), []byte("[]"), []byte("{}"), []byte(`""`), []byte(`"\u0000"`), []byte(`"\u202e"`),
	[]byte("true"), []byte("NaN"), bytes.Repeat([]byte("9"), 400), []byte("[[[[[[[[1]]]]]]]]")}

// mutate changes a text in one to four places: a bit, a range that is lost, doubled or moved, or a value.
func mutate(r *rand.Rand, text []byte) []byte {
	text = slices.Clone(text)
	for range 1 + r.IntN(4) {
		at := r.IntN(len(text))
		end := min(len(text), at+1+r.IntN(64))
		switch r.IntN(5) {
		case 0:
			text[at] ^= 1 << r.IntN(8)
		case 1:
			text = slices.Delete(text, at, end)
		case 2:
			text = slices.Insert(text, end, slices.Clone(text[at:end])...)
		case 3:
			text = slices.Insert(text, r.IntN(len(text)), slices.Clone(text[at:end])...)
		default:
			colon := bytes.IndexByte(text[at:], ':')
			if colon < 0 {
				continue
			}
			from := at + colon + 1
			value := bytes.IndexAny(text[from:], ",\n}]")
			if value < 0 {
				continue
			}
			text = slices.Replace(text, from, from+value, values[r.IntN(len(values))]...)
		}
		if len(text) == 0 {
			return text
		}
	}
	return text
}

// Whatever is in a result, it is read or refused: nothing that is read panics, nor does its report. The seed is fixed,
// so that each mutant is the same again.
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
				text := mutate(random, texts[n%int64(len(texts))])
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
	t.Logf("%d mutants were read in %v, of %d a report was made", read.Load(), time.Since(begin).Round(time.Second),
		taken.Load())
	require.Positive(t, taken.Load())
}
