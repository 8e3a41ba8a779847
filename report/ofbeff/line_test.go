package ofbeff_test

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
)

// text returns the report of a result as text.
func text(t *testing.T, r *beff.Result) string {
	var b strings.Builder
	require.NoError(t, document.PlainText(&b, ofbeff.Report{Result: r}.Document()))
	return b.String()
}

// The last line is for scripts, and nothing follows it.
func TestTextEndsWithLine(t *testing.T) {
	for name, r := range fixture.Results() {
		t.Run(name, func(t *testing.T) {
			require.NotContains(t, ofbeff.Line(r), "\n")
			require.True(t, strings.HasSuffix(text(t, r), "\n\n"+ofbeff.Line(r)+"\n"))
		})
	}
}

// A number that isn't a valid rating is never shown without a remark.
func TestMarked(t *testing.T) {
	for name, r := range fixture.Results() {
		text := text(t, r)
		require.Equal(t, name != "whole", strings.Contains(text, "NOT VALID for comparison"), name)
		require.Equal(t, r.Engine.Engine == "local", strings.Contains(text, "no MPI"), name)
	}
}

// The line of a Cray T3E in a form that scripts have read for 25 years.
func TestLine(t *testing.T) {
	r := &beff.Result{
		Verdict: rating.Verdict{Valid: true}, Processes: 256, MemoryPerProcess: 128 << 20,
		Machine: rating.Machine{Host: rating.Host{System: "sn6715", Name: "hwwt3e", Release: "2.0.4.71",
			Version: "unicosmk", Machine: "CRAY T3E"}},
		Derived: beff.Derived{BEff: 9709.549e6, BEffPerProcess: 9709.549e6 / 256},
	}
	line := func() string { return ofbeff.Line(r) }
	front := func(figures string) string {
		return "b_eff = " + figures + " * 256 PEs with 128 MB/PE on sn6715 hwwt3e 2.0.4.71 unicosmk CRAY T3E"
	}
	require.Equal(t, front("9709.549 MB/s = 37.927926")+", ± not known", line(), "the original's line, then the doubt")
	r.Derived.BEffInterval = &rating.Interval{Low: 9.6e9, High: 9.8e9}
	require.Equal(t, front("9709.549 MB/s = 37.927926")+", ± 1.1 %", line())
	r.System = &rating.System{Name: "Demo"}
	r.Noisy, r.Derived.BEffInterval = true, &rating.Interval{Low: 8e9, High: 9709.549e6 * 1.53}
	require.Equal(t, front("9709.549 MB/s = 37.927926")+", system Demo, -18 to +53 %, very noisy", line())
	r.Derived.BEffInterval.High = 10.8e9
	require.Equal(t, front("9709.549 MB/s = 37.927926")+", system Demo, -18 to +11 %, noisy", line())
	r.Derived.BEffInterval = nil
	require.Equal(t, front("9709.549 MB/s = 37.927926")+", system Demo, ± not known, noisy", line())
	r.Valid, r.System = false, nil
	require.Contains(t, line(), " CRAY T3E, ± not known, NOT VALID (see above)")
	r.MemoryPerProcess = 512 << 10
	require.Contains(t, line(), " with 0.5 MB/PE on ")
	r.MemoryPerProcess = 3<<20 - 1
	require.Contains(t, line(), " with 2 MB/PE on ")
	r.Derived = beff.Derived{}
	require.Regexp(t, `^b_eff not computed: `, line())
	require.NotContains(t, line(), "=")
}

// A script that takes the figures from the line gets the document's figures, and their product is right.
func TestLineOfResult(t *testing.T) {
	r := fixture.Nodes().Result()
	m := regexp.MustCompile(`^b_eff = (\S+) MB/s = (\S+) \* (\d+) PEs with (\d+) MB/PE on ` +
		`Linux n001 5.14.0 #1 SMP x86_64, beff 0.1.0, ± 4.3 %$`).FindStringSubmatch(ofbeff.Line(r))
	require.NotNil(t, m, ofbeff.Line(r))
	require.Equal(t, "8", m[3])
	require.Equal(t, "4096", m[4])
	require.InDelta(t, r.Derived.BEff/1e6, fixture.Number(t, m[1]), 0.0005)
	require.InDelta(t, fixture.Number(t, m[1]), 8*fixture.Number(t, m[2]), 0.001)
}

func TestPlan(t *testing.T) {
	for name, m := range map[string]*fixture.Machine{
		"whole": fixture.Nodes(),
		"quick": fixture.Laptop(beff.Config{Rules: beff.Rules36, Memory: 512 << 10, Seed: 7, Quick: true,
			Patterns: []string{"ping-pong", "random-0?"}, Methods: []string{"sendrecv"}}),
	} {
		t.Run(name, func(t *testing.T) {
			plan, err := beff.NewPlan(m.Processes, m.Config)
			require.NoError(t, err)
			var b strings.Builder
			require.NoError(t, ofbeff.Plan(&b, plan, mpi.Library{Library: "Open MPI", Version: "4.1.4"}))
			fixture.Golden(t, "plan_"+name+".txt", b.String())
		})
	}
}

// If a write fails at any place, for example on a full device, the function returns the error.
func TestWriteErrors(t *testing.T) {
	r := fixture.Nodes().Result()
	plan, err := beff.NewPlan(8, fixture.Nodes().Config)
	require.NoError(t, err)
	for name, write := range map[string]func(io.Writer) error{
		"JSON":    func(w io.Writer) error { return ofbeff.Form.Write(w, r) },
		"Summary": ofbeff.Report{Result: r}.Texts()[0].Write,
		"Plan":    func(w io.Writer) error { return ofbeff.Plan(w, plan, mpi.Library{}) },
	} {
		t.Run(name, func(t *testing.T) { fixture.WriteErrors(t, write) })
	}
}
