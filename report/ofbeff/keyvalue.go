package ofbeff

import (
	"fmt"
	"io"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/parts"
)

// KeyValue writes one key=value per line, in the form of HPCC's output, which scripts and JUBE read: plain decimals
// without exponent, no blanks around =, Success as the last key. A key ends with its unit (MBps = 10^6 bytes per
// second, us = 10^-6 seconds). Keys are stable: new keys may be added, but no key changes its meaning. Figures that
// were not measured are left out. Success is 1 for a verified result that is valid for comparison, otherwise 0.
func (r Report) KeyValue(w io.Writer, verified bool) error {
	return keyValue(w, r.Result, verified, func(k parts.Keys) {
		if r.Passes > 1 {
			k.Text("passes", fmt.Sprint(r.Passes))
		}
		for i, p := range r.Derived.Passes {
			k.Mbps(fmt.Sprintf("pass_%d", i+1), p.BEff)
		}
	})
}

// keyValue writes the result's lines. Among them, writeRuns writes the lines of its passes or runs.
func keyValue(w io.Writer, r *beff.Result, verified bool, writeRuns func(parts.Keys)) error {
	return parts.KeyValue(w, Report{r}.Header(), r, beff.Figures, r.Verdict, verified, func(k parts.Keys) {
		d := &r.Derived
		k.Text("rules", string(r.Rules))
		k.Text("quick", parts.Flag(r.Quick))
		k.Bytes("memory_per_process", r.MemoryPerProcess)
		if r.Buffers != "" {
			k.Text("memory_of_messages", r.Place())
		}
		k.Bytes("lmax", r.Lmax)
		k.Text("seed", fmt.Sprint(r.Seed))
		for i, x := range d.PerMethod {
			k.Mbps("method_"+r.Methods[i], x)
		}
		if a := r.Separate; a != nil {
			for i, x := range a.PerMethod {
				k.Mbps("apart_"+a.Methods[i], x)
			}
		}
		k.Mbps("best_method_after_averaging", d.BestMethod)
		for i, x := range d.PerRepetition {
			k.Mbps(fmt.Sprintf("repetition_%d", i+1), x)
		}
		writeRuns(k)
		for i, x := range d.PerLength {
			k.Bytes(fmt.Sprintf("length_%d", i+1), r.Lengths[i])
			k.Mbps(fmt.Sprintf("length_%d", i+1), x)
		}
	})
}
