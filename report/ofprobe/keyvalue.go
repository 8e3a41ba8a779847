package ofprobe

import (
	"fmt"
	"io"
	"time"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/parts"
)

// KeyValue writes a probe's result as ofbeff.KeyValue writes one of b_eff. For each kernel, number of processes and
// mode there are the time of the slowest process or group, and the bandwidth. They are of the shortest and the longest
// length with figures, and of 1 kB and 64 kB if measured. Keys begin with COMPONENT_KERNEL_[MODE_]PROCESSES_BYTES_.
// Success is 1 if the run was whole and no data were wrong.
func KeyValue(w io.Writer, r *probe.Result, verified bool) error {
	k := parts.NewKeys(w)
	for _, line := range [][2]string{
		{"benchmark", r.Benchmark}, {"schema_version", fmt.Sprint(r.SchemaVersion)}, {"beff_version", r.Beff},
		{"system", parts.NameOf(r.System, r.Host)},
		{"host", r.Host.Name}, {"machine", r.Host.Machine}, {"engine", r.Engine.Engine}, {"library", r.Engine.Library},
		{"library_version", r.Engine.Version},
		{"imported", r.Imported}, {"started", r.Started.UTC().Format(time.RFC3339)},
	} {
		k.Text(line[0], line[1])
	}
	k.Stated(r.System)
	k.Plain("wall_seconds", r.WallSeconds)
	k.Text("processes", fmt.Sprint(r.Processes))
	for _, kernel := range Of(r) {
		for _, b := range kernel.Blocks {
			blockKeys(k, kernel, b)
		}
	}
	n := Defects(r)
	k.Text("defects", fmt.Sprint(n))
	k.Text("noisy", parts.Flag(r.Noisy))
	k.Text("warnings", fmt.Sprint(len(r.Warnings)))
	k.Text("verified", parts.Flag(verified))
	k.Text("Success", parts.Flag(verified && r.Complete && n == 0))
	return k.Flush()
}

// blockKeys writes the keys of a block.
func blockKeys(k parts.Keys, kernel *Kernel, b *probe.Block) {
	prefix := fmt.Sprintf("%s_%s_", kernel.Component, parts.KeyName(kernel.Title()))
	if b.Mode != probe.Plain {
		prefix += parts.KeyName(string(b.Mode)) + "_"
	}
	if b.Completion != "" && b.Completion != probe.CompleteEach {
		prefix += parts.KeyName(string(b.Completion)) + "_"
	}
	var there []*probe.Row
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
		if kernel.NoLength() {
			key = fmt.Sprintf("%s%d", prefix, b.Processes)
		}
		if kernel.Strided() {
			key += fmt.Sprintf("_S%d", row.Stride)
		}
		for j, t := range kernel.Times() {
			name := key
			if j > 0 {
				name += "_" + t.Name
			}
			k.Us(name, Slowest(t, row))
		}
		k.Mbps(key, Bandwidth(row))
	}
}

// Defects returns the number of wrong places.
func Defects(r *probe.Result) (n int64) {
	for _, b := range r.Blocks {
		for _, row := range b.Rows {
			n += row.Defects
		}
	}
	return n
}
