package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/beffio"
)

// IOKeyValue writes a b_eff_io result as KeyValue does it. The keys of an access method or a type stand for the
// partition that is rated; those of each partition begin with its number, counted from 1.
func IOKeyValue(w io.Writer, r *beffio.Result, verified bool) error {
	k := keys{bufio.NewWriter(w)}
	d := &r.Derived
	for _, line := range [][2]string{
		{"benchmark", r.Benchmark}, {"schema_version", fmt.Sprint(r.SchemaVersion)}, {"beff_version", r.Beff},
		{"system", IOSystemName(r)},
		{"host", r.Host.Name}, {"machine", r.Host.Machine}, {"engine", r.Engine.Engine}, {"library", r.Engine.Library},
		{"library_version", r.Engine.Version},
		{"rules", string(r.Rules)}, {"quick", flag(r.Quick)}, {"imported", r.Imported},
		{"started", r.Started.UTC().Format(time.RFC3339)},
		{"directory", r.FileSystem.Directory}, {"file_system", r.FileSystem.Type},
	} {
		k.text(line[0], line[1])
	}
	k.bytes("file_system_size", r.FileSystem.Size)
	k.plain("duration_seconds", r.Duration)
	k.plain("wall_seconds", r.WallSeconds)
	k.plain("pilot_seconds", r.PilotSeconds)
	k.text("processes", fmt.Sprint(r.Processes))
	k.bytes("memory_per_process", r.MemoryPerProcess)
	k.bytes("total_memory", r.TotalMemory)
	k.bytes("m_part", r.MPart)
	k.text("rewrite_all", flag(r.RewriteAll))
	k.text("noshared", flag(r.NoShared))
	k.text("nounique", flag(r.NoUnique))
	k.text("hints", fmt.Sprint(len(r.Hints)))
	k.mbps("b_eff_io", d.BEffIO)
	k.plain("b_eff_io_processes", float64(d.Processes))
	k.mbps("b_eff_io_paper", d.Paper)
	k.mbps("b_eff_io_2_1", d.Release21)
	if n := r.Rated(); n >= 0 {
		k.accesses("", d.Partitions[n])
	}
	k.text("partitions", strings.ReplaceAll(numbers(r.Partitions), ", ", ","))
	for i, p := range d.Partitions {
		k.partition(fmt.Sprintf("partition_%d_", i+1), p)
	}
	for _, c := range r.Criteria {
		k.text("criterion_"+keyName(c.Name), flag(c.Reached))
	}
	k.text("errors", fmt.Sprint(countErrors(r, -1)))
	k.text("warnings", fmt.Sprint(len(r.Warnings)))
	k.text("verified", flag(verified))
	k.text("Success", flag(verified && r.Valid))
	return k.Flush()
}

func (k keys) partition(prefix string, p beffio.Partition) {
	k.text(prefix+"processes", fmt.Sprint(p.Processes))
	k.mbps(prefix+"b_eff_io_paper", p.Paper)
	k.mbps(prefix+"b_eff_io_2_1", p.Release21)
	k.bytes(prefix+"written", p.Bytes)
	k.plain(prefix+"seconds", p.Seconds)
	k.accesses(prefix, p)
}

func (k keys) accesses(prefix string, p beffio.Partition) {
	for _, m := range p.Accesses {
		k.mbps(prefix+string(m.Access), m.Bandwidth)
		for t, x := range m.Types {
			k.mbps(fmt.Sprintf("%s%s_%v", prefix, m.Access, beffio.Types()[t]), x)
		}
	}
}
