package ofbeffio

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// KeyValue writes a b_eff_io result as ofbeff.KeyValue writes one of b_eff. The keys of an access method or a type are
// of the rated partition. The keys of each partition begin with its number, counted from 1.
func KeyValue(w io.Writer, r *beffio.Result, verified bool) error {
	return keyValue(w, r, verified, func(parts.Keys) {})
}

// keyValue writes the result's lines, and behind the ratings those of what they are made of.
func keyValue(w io.Writer, r *beffio.Result, verified bool, of func(parts.Keys)) error {
	k := parts.NewKeys(w)
	d := &r.Derived
	for _, line := range [][2]string{
		{"benchmark", r.Benchmark}, {"schema_version", fmt.Sprint(r.SchemaVersion)}, {"beff_version", r.Beff},
		{"system", parts.NameOf(r.System, r.Host)},
		{"host", r.Host.Name}, {"machine", r.Host.Machine}, {"engine", r.Engine.Engine}, {"library", r.Engine.Library},
		{"library_version", r.Engine.Version},
		{"rules", string(r.Rules)}, {"quick", parts.Flag(r.Quick)}, {"imported", r.Imported},
		{"started", r.Started.UTC().Format(time.RFC3339)},
		{"directory", r.FileSystem.Directory}, {"file_system", r.FileSystem.Type},
	} {
		k.Text(line[0], line[1])
	}
	k.Stated(r.System)
	k.Bytes("file_system_size", r.FileSystem.Size)
	k.Plain("duration_seconds", r.Duration)
	k.Plain("wall_seconds", r.WallSeconds)
	k.Plain("pilot_seconds", r.PilotSeconds)
	k.Text("processes", fmt.Sprint(r.Processes))
	k.Bytes("memory_per_process", r.MemoryPerProcess)
	k.Bytes("total_memory", r.TotalMemory)
	k.Bytes("m_part", r.MPart)
	k.Text("rewrite_all", parts.Flag(r.RewriteAll))
	k.Text("noshared", parts.Flag(r.NoShared))
	k.Text("nounique", parts.Flag(r.NoUnique))
	k.Text("hints", fmt.Sprint(len(r.Hints)))
	k.Mbps("b_eff_io", d.BEffIO)
	k.Plain("b_eff_io_processes", float64(d.Processes))
	k.Mbps("b_eff_io_paper", d.Paper)
	k.Mbps("b_eff_io_2_1", d.Release21)
	of(k)
	intervalKeys(k, r)
	if n := r.Rated(); n >= 0 {
		accessKeys(k, "", d.Partitions[n])
	}
	k.Text("partitions", strings.ReplaceAll(words.Numbers(r.Partitions), ", ", ","))
	for i, p := range d.Partitions {
		partitionKeys(k, fmt.Sprintf("partition_%d_", i+1), p)
	}
	for _, c := range r.Criteria {
		k.Text("criterion_"+parts.KeyName(c.Name), parts.Flag(c.Reached))
	}
	k.Text("errors", fmt.Sprint(r.WrongChunks(-1)))
	k.Text("noisy", parts.Flag(r.Noisy))
	k.Text("warnings", fmt.Sprint(len(r.Warnings)))
	k.Text("verified", parts.Flag(verified))
	k.Text("Success", parts.Flag(verified && r.Valid))
	return k.Flush()
}

func partitionKeys(k parts.Keys, prefix string, p beffio.Partition) {
	k.Text(prefix+"processes", fmt.Sprint(p.Processes))
	k.Mbps(prefix+"b_eff_io_paper", p.Paper)
	k.Mbps(prefix+"b_eff_io_2_1", p.Release21)
	k.Bytes(prefix+"written", p.Bytes)
	k.Plain(prefix+"seconds", p.Seconds)
	accessKeys(k, prefix, p)
}

func accessKeys(k parts.Keys, prefix string, p beffio.Partition) {
	for _, m := range p.Accesses {
		k.Mbps(prefix+string(m.Access), m.Bandwidth)
		for t, x := range m.Types {
			k.Mbps(fmt.Sprintf("%s%s_%v", prefix, m.Access, beffio.Types()[t]), x)
		}
	}
}
