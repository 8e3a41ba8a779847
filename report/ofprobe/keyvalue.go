package ofprobe

import (
	"fmt"
	"io"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/parts"
)

// KeyValue writes a probe's result in the form that package ofbeff uses for b_eff. Each kernel, number of processes and
// mode has the time of the slowest process or group, and the bandwidth: for the shortest and the longest length with
// figures, and for 1 kB and 64 kB if measured. Keys begin with COMPONENT_KERNEL_[MODE_]PROCESSES_BYTES_. Success is 1
// for a verified result that is valid.
func (r Report) KeyValue(w io.Writer, verified bool) error {
	v := r.Verdict()
	v.Valid = r.status().Valid()
	return parts.KeyValue(w, r.Header(), r.Result, probe.Figures, v, verified, func(k parts.Keys) {
		for _, kernel := range kernelsOf(r.Result) {
			for _, b := range kernel.Blocks {
				blockKeys(k, kernel, b)
			}
		}
		for x := range lists.Elements(r.Impacts) {
			for _, c := range loadColumns {
				key := fmt.Sprintf("impact_%s_%d_%s_%s", x.Kernel, x.Bytes, parts.KeyName(x.Congestors), c.key)
				k.Plain(key, c.of(x).Factor)
			}
		}
		k.Text("defects", fmt.Sprint(Defects(r.Result)))
	})
}

// blockKeys writes the keys of a block.
func blockKeys(k parts.Keys, of *Kernel, b *measured.Block) {
	prefix := fmt.Sprintf("%s_%s_", of.Component, parts.KeyName(of.Title()))
	if b.Mode != settings.Plain {
		prefix += parts.KeyName(string(b.Mode)) + "_"
	}
	if b.Completion != "" && b.Completion != settings.CompleteEach {
		prefix += parts.KeyName(string(b.Completion)) + "_"
	}
	var there []*measured.Row
	for i := range b.Rows {
		if len(b.Rows[i].Derived) > 0 {
			there = append(there, &b.Rows[i])
		}
	}
	for i, row := range there {
		if i > 0 && i < len(there)-1 && row.Bytes != 1<<10 && row.Bytes != 64<<10 {
			continue
		}
		key := fmt.Sprintf("%s%d_%d", prefix, b.Processes, row.Bytes)
		if of.NoLength() {
			key = fmt.Sprintf("%s%d", prefix, b.Processes)
		}
		if axis := of.Axis(); axis != nil {
			key += fmt.Sprintf("_%s%d", axis.Key, row.AxisValue())
		}
		for j, t := range of.Times() {
			name := key
			if j > 0 {
				name += "_" + t.Name
			}
			k.In(rating.Latency, name, row.Slowest(t))
		}
		k.Mbps(key, row.Bandwidth())
	}
}

// Defects returns the number of wrong places in the data.
func Defects(r *probe.Result) (n int64) {
	for _, row := range r.Rows() {
		n += row.Defects
	}
	return n
}
