package ofbeffio

import (
	"fmt"
	"io"
	"strings"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// KeyValue writes a b_eff_io result in the form that package ofbeff uses for b_eff. The keys of an access method or a
// type belong to the main partition. The keys of each partition begin with its number, counted from 1.
func (r Report) KeyValue(w io.Writer, verified bool) error {
	return keyValue(w, r.Result, verified, func(parts.Keys) {})
}

// keyValue writes the result's lines, with the lines of its runs among them.
func keyValue(w io.Writer, r *beffio.Result, verified bool, of func(parts.Keys)) error {
	return parts.KeyValue(w, Report{r}.Header(), r, beffio.Figures, r.Verdict, verified, func(k parts.Keys) {
		k.Text("rules", string(r.Rules))
		k.Text("quick", parts.Flag(r.Quick))
		k.Text("directory", r.FileSystem.Directory)
		k.Text("file_system", r.FileSystem.Type)
		k.Bytes("file_system_size", r.FileSystem.Size)
		k.Plain("duration_seconds", r.Duration)
		k.Bytes("memory_per_process", r.MemoryPerProcess)
		k.Bytes("total_memory", r.TotalMemory)
		k.Bytes("m_part", r.MPart)
		k.Text("rewrite_all", parts.Flag(r.RewriteAll))
		k.Text("noshared", parts.Flag(r.NoShared))
		k.Text("nounique", parts.Flag(r.NoUnique))
		k.Text("hints", fmt.Sprint(len(r.Hints)))
		k.Plain("b_eff_io_processes", float64(r.Derived.Processes))
		of(k)
		readKeys(k, r)
		memoryKeys(k, r)
		k.Text("partitions", strings.ReplaceAll(words.Numbers(r.Partitions), ", ", ","))
		for i, p := range r.Derived.Partitions {
			prefix := fmt.Sprintf("partition_%d_", i+1)
			if nodes, _, most := r.Nodes(i); nodes > 0 {
				k.Text(prefix+"nodes", fmt.Sprint(nodes))
				k.Text(prefix+"processes_per_node", fmt.Sprint(most))
			}
			partitionKeys(k, prefix, p)
		}
		k.Text("errors", fmt.Sprint(r.WrongChunks(-1)))
		k.Plain("read_closing", r.Closing())
	})
}

func partitionKeys(k parts.Keys, prefix string, p beffio.Partition) {
	k.Text(prefix+"processes", fmt.Sprint(p.Processes))
	k.Mbps(prefix+"b_eff_io_paper", p.Paper)
	k.Mbps(prefix+"b_eff_io_2_1", p.Release21)
	k.Bytes(prefix+"written", p.Bytes)
	k.Plain(prefix+"seconds", p.Seconds)
	parts.Figures(k, prefix, beffio.OfPartition, &p)
}
