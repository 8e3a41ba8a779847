package ofprobe

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/mutants"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/pairs"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

var room = fixture.Documents[probe.Result, measured.Block]{Form: Form, Verify: Verify}

// eachClass returns a result with a kernel of each class.
func eachClass() *probe.Result {
	p := fixture.ProbeCluster()
	p.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
	p.Add(kernel.MPI1, "Exchange", settings.Plain, 4, 1)
	p.Add(kernel.MPI1, "Barrier", settings.Plain, 4, 1)
	p.Add(kernel.NBC, "Ibcast", settings.Plain, 4, 1)
	p.Add(kernel.RMA, "One_put_all", settings.Plain, 4, 1)
	p.Add(kernel.RMA, "Truly_passive_put", settings.Plain, 2, 1)
	return concluded(&p.Result)
}

// concluded returns a result with the verdict that follows from it.
func concluded(r *probe.Result) *probe.Result {
	r.Conclude(nil)
	if r.Settings.Rows.Lengths = fixture.ProbeLengths; len(r.Blocks[0].Rows) == 1 {
		b := r.Blocks[0]
		r.Settings.Rows.Lengths = []int64{b.Rows[0].Bytes}
	}
	return r
}

// Every result that is made is proven, and read as the same result.
func TestProbeProven(t *testing.T) {
	room.Proven(t, eachClass())
	room.AnyLayout(t, eachClass())
}

// The first thing that does not hold is named, with both values.
func TestProbeRefused(t *testing.T) {
	good := string(room.Sealed(t, eachClass()))
	for name, c := range map[string]struct {
		old, new, want string
		usable         bool
	}{
		"nothing":       {good, "", "the file is truncated", false},
		"two":           {good, good + good, "it is not JSON", false},
		"unknown field": {`"npmin"`, `"colour": "red", "npmin"`, "colour", false},
		"component":     {`"component":"MPI1"`, `"component":"MPI9"`, "/blocks/0/component", false},
		"kernel":        {`"kernel":"PingPong"`, `"kernel":"PongPing"`, "PongPing", false},
		"a sample's time": {`"seconds_max":0.002,`, `"seconds_max":0.003,`,
			"PingPong of 2 processes, 0 bytes: derived[0].t_max is 1e-06, the samples give 1.5e-06", true},
		"a figure":        {`"bandwidth":9`, `"bandwidth":8`, "derived[0].bandwidth is 8", true},
		"no figures":      {`,"derived":[{`, `,"x":[{`, "'x'", false},
		"host's name":     {`"name": "n001"`, `"name": "n002"`, "digest is ", true},
		"digest":          {`"digest": "`, `"digest": "0`, "digest is ", true},
		"a later version": {`"schema_version": 1`, `"schema_version": 2`, "'/schema_version'", false},
	} {
		t.Run(name, func(t *testing.T) { room.Refused(t, good, c.old, c.new, c.want, c.usable) })
	}
}

// A row has the figures that its samples give, no more and no fewer.
func TestProbeFigures(t *testing.T) {
	for want, change := range map[string]func(*measured.Row){
		"derived has 2 figures, the samples give 1": func(r *measured.Row) {
			r.Derived = append(r.Derived, kernel.Times{})
		},
		"derived has 0 figures, the samples give 1": func(r *measured.Row) { r.Derived = nil },
	} {
		result := eachClass()
		change(&result.Blocks[0].Rows[0])
		_, err := Verify(room.Sealed(t, result))
		require.ErrorContains(t, err, want)
	}
}

// Whatever is read gives an error of one line, or a result whose document is read as the same one.
func FuzzProbe(f *testing.F) {
	room.Seeds(f, eachClass())
	mutants.Fuzz(f, func(t *testing.T, data []byte) { room.ReadAgain(t, data) })
}

// Verdicts on pairs follow from the times: a changed or a lacking one is named.
func TestPairsProven(t *testing.T) {
	r := concluded(&PairsCluster().Result)
	room.Proven(t, r)
	good := string(room.Sealed(t, r))
	const row = "Roundtrip_pairs of 64 processes, 65536 bytes: verdicts"
	for name, c := range map[string]struct{ old, new, want string }{
		"a node":       {`"from":"n012"`, `"from":"n013"`, row + "[0].findings[0].from is n013, the samples give n012"},
		"a link":       {`"trouble":"link"`, `"trouble":"slow"`, row + "[0].findings[1].trouble is slow"},
		"a time":       {`"medians":[[`, `"medians":[[9,`, "times of 2016 pairs, not 2017"},
		"a repetition": {`"repetitions":27,`, `"repetitions":0,`, "no samples"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(good, c.old, c.new, 1)
			require.NotEqual(t, good, text)
			_, err := Verify([]byte(text))
			require.ErrorContains(t, err, c.want)
		})
	}
	for want, change := range map[string]func(*measured.Row){
		"verdicts has 0 figures, the samples give 2": func(r *measured.Row) { r.Verdicts = nil },
		"verdicts[0].findings has 0 figures, the samples give 2": func(r *measured.Row) {
			r.Verdicts[0].Findings = []pairs.Finding{}
		},
	} {
		r := concluded(&PairsCluster().Result)
		change(&r.Blocks[0].Rows[0])
		_, err := Verify(room.Sealed(t, r))
		require.ErrorContains(t, err, want)
	}
}
