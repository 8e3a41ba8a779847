package report

import (
	"bufio"
	"fmt"
	"io"
	"time"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/internal/tables"
)

// ProbeKeyValue writes a probe's result as KeyValue does it: for each kernel, number of processes and mode the time of
// the slowest process, or of the slowest group, and the bandwidth, at the shortest and the longest length that has
// figures, and at 1 kB and 64 kB if they are there. Keys are COMPONENT_KERNEL_[MODE_]PROCESSES_BYTES_. Success is 1 if
// the run was whole and no data were wrong.
func ProbeKeyValue(w io.Writer, r *probe.Result, verified bool) error {
	k := keys{bufio.NewWriter(w)}
	for _, line := range [][2]string{
		{"benchmark", r.Benchmark}, {"schema_version", fmt.Sprint(r.SchemaVersion)}, {"beff_version", r.Beff},
		{"system", ProbeSystemName(r)},
		{"host", r.Host.Name}, {"machine", r.Host.Machine}, {"engine", r.Engine.Engine}, {"library", r.Engine.Library},
		{"library_version", r.Engine.Version},
		{"imported", r.Imported}, {"started", r.Started.UTC().Format(time.RFC3339)},
	} {
		k.text(line[0], line[1])
	}
	k.plain("wall_seconds", r.WallSeconds)
	k.text("processes", fmt.Sprint(r.Processes))
	for _, kernel := range tables.Of(r) {
		for _, b := range kernel.Blocks {
			k.probe(kernel, b)
		}
	}
	n := probeDefects(r)
	k.text("defects", fmt.Sprint(n))
	k.text("warnings", fmt.Sprint(len(r.Warnings)))
	k.text("verified", flag(verified))
	k.text("Success", flag(verified && r.Complete && n == 0))
	return k.Flush()
}

// probe writes a block.
func (k keys) probe(kernel *tables.Kernel, b *probe.Block) {
	prefix := fmt.Sprintf("%s_%s_", kernel.Component, keyName(kernel.Title()))
	if b.Mode != probe.Plain {
		prefix += keyName(string(b.Mode)) + "_"
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
		for j, t := range kernel.Times() {
			name := key
			if j > 0 {
				name += "_" + t.Name
			}
			k.us(name, t.Slowest(row))
		}
		k.mbps(key, tables.Bandwidth(row))
	}
}

// probeDefects is how many places were wrong.
func probeDefects(r *probe.Result) (n int64) {
	for _, b := range r.Blocks {
		for _, row := range b.Rows {
			n += row.Defects
		}
	}
	return n
}

// ProbeSystemName is that of SystemName for a probe's result.
func ProbeSystemName(r *probe.Result) string { return systemName(r.System, r.Host) }
