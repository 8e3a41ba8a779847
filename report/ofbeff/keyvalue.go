package ofbeff

import (
	"fmt"
	"io"
	"time"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/parts"
)

// KeyValue writes one key=value per line, in the form in which scripts and JUBE read HPCC's output: plain decimals
// without exponent, no blanks around the sign, Success as the last key. A key ends with its unit (MBps = 10^6 bytes per
// second, us = 10^-6 seconds). Keys are stable: new ones may come, and none changes its meaning. Figures that were not
// measured are left out. Success is 1 for a verified result that is valid for comparison, else 0.
func KeyValue(w io.Writer, r *beff.Result, verified bool) error {
	return keyValue(w, r, verified, func(k parts.Keys) {
		if r.Passes > 1 {
			k.Text("passes", fmt.Sprint(r.Passes))
		}
		for i, p := range r.Derived.Passes {
			k.Mbps(fmt.Sprintf("pass_%d", i+1), p.BEff)
		}
	})
}

// keyValue writes the result's lines, and between them those of what it is made of.
func keyValue(w io.Writer, r *beff.Result, verified bool, of func(parts.Keys)) error {
	b := parts.NewKeys(w)
	text, plain, mbps, us := b.Text, b.Plain, b.Mbps, b.Us
	d := &r.Derived

	text("benchmark", r.Benchmark)
	text("schema_version", fmt.Sprint(r.SchemaVersion))
	text("beff_version", r.Beff)
	text("system", parts.NameOf(r.System, r.Host))
	b.Stated(r.System)
	text("host", r.Host.Name)
	text("machine", r.Host.Machine)
	text("engine", r.Engine.Engine)
	text("library", r.Engine.Library)
	text("library_version", r.Engine.Version)
	text("rules", string(r.Rules))
	text("quick", parts.Flag(r.Quick))
	text("started", r.Started.UTC().Format(time.RFC3339))
	plain("wall_seconds", r.WallSeconds)
	text("processes", fmt.Sprint(r.Processes))
	text("memory_per_process_bytes", fmt.Sprint(r.MemoryPerProcess))
	text("lmax_bytes", fmt.Sprint(r.Lmax))
	text("seed", fmt.Sprint(r.Seed))
	mbps("b_eff", d.BEff)
	if in := d.BEffInterval; in != nil {
		mbps("b_eff_low", in.Low)
		mbps("b_eff_high", in.High)
	}
	mbps("b_eff_per_process", d.BEffPerProcess)
	mbps("at_lmax", d.AtLmax)
	mbps("at_lmax_per_process", d.AtLmaxPerProcess)
	mbps("rings_at_lmax", d.RingsAtLmax)
	mbps("rings_at_lmax_per_process", d.RingsAtLmaxPerProcess)
	mbps("ping_pong_at_lmax", d.PingPongAtLmax)
	us("latency_rings_and_randoms", d.LatencyRingsAndRandoms)
	us("latency_rings", d.LatencyRings)
	us("latency_ping_pong", d.LatencyPingPong)
	mbps("rings", d.Rings)
	mbps("randoms", d.Randoms)
	for i, x := range d.PerMethod {
		mbps("method_"+r.Methods[i], x)
	}
	mbps("best_method_after_averaging", d.BestMethod)
	for i, x := range d.PerRepetition {
		mbps(fmt.Sprintf("repetition_%d", i+1), x)
	}
	of(b)
	for i, x := range d.PerLength {
		text(fmt.Sprintf("length_%d_bytes", i+1), fmt.Sprint(r.Lengths[i]))
		mbps(fmt.Sprintf("length_%d", i+1), x)
	}
	for _, c := range r.Criteria {
		text("criterion_"+parts.KeyName(c.Name), parts.Flag(c.Reached))
	}
	text("noisy", parts.Flag(r.Noisy))
	text("warnings", fmt.Sprint(len(r.Warnings)))
	text("verified", parts.Flag(verified))
	text("Success", parts.Flag(verified && r.Valid))
	return b.Flush()
}
