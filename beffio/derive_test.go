package beffio_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// config returns a run that is long enough for both rules.
func config() beffio.Config {
	return beffio.Config{
		Rules: beffio.RulesPaper, Partitions: []int{2, 4}, Duration: 2 * time.Hour, Memory: 256 << 20,
		TotalMemory: 1 << 30, MaxBytes: 1 << 42,
	}
}

// made returns a result in which every call of a process takes a second for 1 MB of 2^20 bytes, with ten calls per unit
// of time. Writing has a rate of 1, rewriting of 2, reading of 4.
func made(t testing.TB, c beffio.Config) *beffio.Result {
	plan, err := beffio.NewPlan(4, c)
	require.NoError(t, err)
	speed := map[beffio.Access]float64{beffio.Write: 1, beffio.Rewrite: 2, beffio.Read: 4}
	m := &beffio.Measured{WallSeconds: 7000}
	for _, a := range beffio.Accesses() {
		for n, processes := range plan.Partitions {
			for _, typ := range beffio.Types() {
				if a == beffio.Rewrite && typ != patterns.Scatter && !c.RewriteAll {
					continue
				}
				for _, row := range plan.Rows {
					if row.Type != typ {
						continue
					}
					s := beffio.Sample{Partition: n, Access: a, Pattern: row.Number,
						Repetitions: max(10*int64(row.Units), 1), Scheduled: 1}
					s.Calls = s.Repetitions * int64(processes)
					s.Bytes = s.Calls * row.Memory
					s.Seconds = float64(s.Bytes) / float64(processes) / (1 << 20) / speed[a]
					if row.Fill {
						s.Repetitions, s.Calls, s.Seconds = 0, 0, 0.5
					}
					s.IO, s.Barrier, s.LastIO = s.Seconds/2, s.Seconds/4, s.Seconds/100
					m.Samples = append(m.Samples, s)
				}
				m.Files = append(m.Files, beffio.FileSample{Partition: n, Access: a, Type: typ.String(), Open: 0.25,
					Close: 0.25})
			}
		}
	}
	return beffio.NewResult(plan, m, beffio.Run{FileSystem: beffio.FileSystem{Directory: "/scratch"}, Run: rating.Run{
		Version: "0.1.0", Library: mpi.Library{Engine: "libmpi", Library: "Open MPI", Version: "4.1.4"},
		Host:    rating.Host{System: "Linux", Name: "n1"},
		Started: time.Date(2026, 11, 21, 8, 30, 0, 0, time.UTC),
	}})
}

// The formulas give the ratings of a result file of release 2.1, from the bandwidths of the types in it.
func TestFormulasOfRelease21(t *testing.T) {
	p := beffio.Partition{Processes: 4}
	for _, m := range []beffio.AccessMethod{
		{Access: beffio.Write, Types: []float64{58.579e6, 48.697e6, 77.944e6, 77.036e6, 73.113e6}},
		{Access: beffio.Rewrite, Types: []float64{63.841e6, 0, 0, 0, 0}, Bandwidth: 63.841e6},
		{Access: beffio.Read, Types: []float64{691.619e6, 691.619e6, 691.619e6, 691.619e6, 691.619e6}},
	} {
		if m.Bandwidth == 0 {
			m.Bandwidth = beffio.MeanOfTypes(beffio.Types(), func(t patterns.IOType) float64 { return m.Types[t] })
		}
		p.Accesses = append(p.Accesses, m)
	}
	write := p.Access(beffio.Write).Bandwidth
	require.InDelta(t, 65.658e6, write, 500)
	require.InDelta(t, 214.516e6, beffio.Rules21.Formula().Of(&p), 1000)
	require.InDelta(t, 0.25*write+0.25*63.841e6+0.5*691.619e6, beffio.RulesPaper.Formula().Of(&p), 1)
}

func TestDerive(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*beffio.Config)
		all    bool
	}{
		"type 0 rewritten": {func(*beffio.Config) {}, false},
		"all rewritten":    {func(c *beffio.Config) { c.RewriteAll = true }, true},
	} {
		t.Run(name, func(t *testing.T) {
			config := config()
			c.change(&config)
			r := made(t, config)
			p := r.Derived.Partitions[1]
			require.Equal(t, 4, p.Processes)
			require.Equal(t, 4, r.Derived.Processes)
			// The types' bytes over seconds, counted independently here: M = 2^20 bytes and seconds of each process.
			units := []float64{4*2 + 4*2 + 4 + 2 + 2 + 2*(1+256.0/(1<<20)) + 2*(1+8192.0/(1<<20)) + 2*(1+8.0/(1<<20))}
			small := (32768 + 1024 + 32776 + 1032) / float64(1<<20)
			last := 2 * (1 + 8.0/(1<<20))
			units = append(units, 4*2+2+small+last, 2*2+2+small+last, 2*2+2+small+last, 2*2+2+small+last)
			want := func(typ int, speed float64) float64 {
				megas := 1 + 10*units[typ]
				seconds := megas/speed + 0.5
				if typ >= 3 {
					seconds += 0.5
				}
				return 4 * megas * (1 << 20) / seconds
			}
			bw := map[beffio.Access][]float64{} // bandwidths
			mean := map[beffio.Access]float64{}
			for _, m := range p.Accesses {
				speed := map[beffio.Access]float64{beffio.Write: 1, beffio.Rewrite: 2, beffio.Read: 4}[m.Access]
				for typ := range beffio.Types() {
					if m.Access == beffio.Rewrite && typ > 0 && !c.all {
						require.Zero(t, m.Types[typ])
						continue
					}
					require.InEpsilon(t, want(typ, speed), m.Types[typ], 1e-12, "%s %d", m.Access, typ)
				}
				bw[m.Access], mean[m.Access] = m.Types, m.Bandwidth
			}
			require.InEpsilon(t, (2*bw["write"][0]+bw["write"][1]+bw["write"][2]+bw["write"][3]+bw["write"][4])/6,
				mean["write"], 1e-12)
			if !c.all {
				require.Equal(t, bw["rewrite"][0], mean["rewrite"])
			}
			require.InEpsilon(t, 0.25*mean["write"]+0.25*mean["rewrite"]+0.5*mean["read"], p.Paper, 1e-12)
			sum := bw["write"][0] + bw["write"][1] + bw["write"][2] + bw["write"][3] + bw["write"][4] + bw["rewrite"][0]
			require.InEpsilon(t, math.Sqrt(sum/6*mean["read"]), p.Release21, 1e-12)
			require.Equal(t, p.Paper, r.Derived.BEffIO)
			r.Rules = beffio.Rules21
			require.Equal(t, p.Release21, beffio.Derive(r).BEffIO)
		})
	}
}

// Bandwidths are in proportion to the speed: less than a byte in a second, or all patterns in less than a second.
func TestSpeeds(t *testing.T) {
	for _, slower := range []float64{1e8, 1e-6} {
		r := made(t, config())
		before := r.Derived
		for i := range r.Samples {
			r.Samples[i].Seconds *= slower
		}
		for i := range r.Files {
			r.Files[i].Open, r.Files[i].Close = r.Files[i].Open*slower, r.Files[i].Close*slower
		}
		d := beffio.Derive(r)
		require.InEpsilon(t, before.BEffIO/slower, d.BEffIO, 1e-9)
		require.InEpsilon(t, before.Release21/slower, d.Release21, 1e-9)
		for n, p := range d.Partitions {
			require.InEpsilon(t, before.Partitions[n].Seconds*slower, p.Seconds, 1e-9)
			for i, m := range p.Accesses {
				require.InEpsilon(t, before.Partitions[n].Accesses[i].Weighted/slower, m.Weighted, 1e-9)
				require.InEpsilon(t, before.Partitions[n].Accesses[i].Share(0)/slower, m.Share(0), 1e-9)
				require.InEpsilon(t, before.Partitions[n].Accesses[i].Bandwidth/slower, m.Bandwidth, 1e-9)
			}
		}
	}
	m := beffio.AccessMethod{Types: []float64{0.5, 0.25, 0, 0, 0}}
	require.InEpsilon(t, 2./3*0.5, m.Share(0), 1e-12)
}

// All patterns have the same rate except the fill of segments, so their weighted mean is that rate.
func TestWeighted(t *testing.T) {
	for _, p := range made(t, config()).Derived.Partitions {
		for _, m := range p.Accesses {
			speed := map[beffio.Access]float64{beffio.Write: 1, beffio.Rewrite: 2, beffio.Read: 4}[m.Access]
			require.InEpsilon(t, speed*float64(p.Processes)*(1<<20), m.Weighted, 1e-12)
		}
	}
}

// A result with missing samples has no rating, but has its other figures.
func TestDeriveNotWhole(t *testing.T) {
	r := made(t, config())
	for name, change := range map[string]func(r *beffio.Result){
		"a sample": func(r *beffio.Result) { r.Samples = append([]beffio.Sample{}, r.Samples[1:]...) },
		"a file":   func(r *beffio.Result) { r.Files = append([]beffio.FileSample{}, r.Files[1:]...) },
	} {
		less := *r
		change(&less)
		d := beffio.Derive(&less)
		require.Zero(t, d.Partitions[0].Paper, name)
		require.Zero(t, d.Partitions[0].Release21, name)
		require.Equal(t, 4, d.Processes, name)
		require.NotZero(t, d.Partitions[0].Accesses[0].Types[1], name)
		// The first pattern is a call of 1 s, opening and closing take 0.5 s.
		without := map[string]float64{"a sample": 1, "a file": 0.5}[name]
		require.InEpsilon(t, r.Derived.Partitions[0].Accesses[0].Seconds-without,
			d.Partitions[0].Accesses[0].Seconds, 1e-12, name)
		require.Zero(t, d.Partitions[0].Accesses[0].Types[0], name)
	}
	r.Samples, r.Files = nil, nil
	d := beffio.Derive(r)
	require.Zero(t, d.BEffIO)
	require.Zero(t, d.Processes, "none is rated")
	require.Len(t, d.Partitions, 2)
	require.NotNil(t, d.Partitions[0].Accesses)
}

func TestDeriveErrors(t *testing.T) {
	r := made(t, config())
	before := r.Bandwidth(1, beffio.Read, 22)
	require.NotZero(t, before)
	for i := range r.Samples {
		if s := &r.Samples[i]; s.Partition == 1 && s.Access == beffio.Read && s.Pattern == 22 {
			s.Errors = 1
		}
	}
	require.Zero(t, r.Bandwidth(1, beffio.Read, 22))
	require.Zero(t, r.Bandwidth(2, beffio.Read, 22))
	require.Equal(t, r.Derived.Partitions[1].Accesses[2].Types, beffio.Derive(r).Partitions[1].Accesses[2].Types)
}

// TestRoundOfNothing has a pattern that moved nothing in one of its rounds.
func TestRoundOfNothing(t *testing.T) {
	r := made(t, config())
	s := r.Samples[0]
	require.NotZero(t, r.Bandwidth(s.Partition, s.Access, s.Pattern))
	s.Bytes = 0
	r.Samples = append(r.Samples, s)
	require.Zero(t, r.Bandwidth(s.Partition, s.Access, s.Pattern))
}

// Without any time there is no bandwidth.
func TestNoTime(t *testing.T) {
	r := made(t, config())
	for i := range r.Samples {
		r.Samples[i].Seconds = 0
	}
	for i := range r.Files {
		r.Files[i].Open, r.Files[i].Close = 0, 0
	}
	d := beffio.Derive(r)
	require.Zero(t, d.BEffIO)
	for _, p := range d.Partitions {
		require.Zero(t, p.Seconds)
		require.Zero(t, p.Access(beffio.Write).Types[0])
		require.Zero(t, p.Access(beffio.Write).Weighted)
	}
}
