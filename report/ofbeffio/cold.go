package ofbeffio

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// coldDescription describes in words how a cold run was made. It returns "" for other runs.
func coldDescription(r *beffio.Result) string {
	n := max(r.Main(), 0)
	if r.Cold == nil || n >= len(r.Cold.Shifts) {
		return ""
	}
	text := fmt.Sprintf("read cold (--cold): each process read data that were written %s ahead, on another node for "+
		"%d of %d, and then dropped from memory", words.Count(r.Cold.Shifts[n], "rank"), r.Cold.Elsewhere[n],
		r.Partitions[n])
	if r.Cold.Filled > 0 {
		text += fmt.Sprintf("; %s of memory filled by each process", rating.Bytes(r.Cold.Filled))
	}
	if r.Cold.Times > 0 {
		text += fmt.Sprintf("; files of %.3g times the memory that isn't filled", r.Cold.Times)
	}
	return text
}

// fromMemory returns in words which part of the bytes read was in memory, or "" if that isn't known.
func fromMemory(r *beffio.Result) string {
	part := r.FromMemory()
	if math.IsNaN(part) {
		return ""
	}
	return fmt.Sprintf("%.1f %% of the bytes read were in the memory of the nodes that read them", 100*part)
}

// memorySection returns a table of the read files' pages in memory. It has no rows if these pages aren't known.
func memorySection(r *beffio.Result) document.Section {
	t := &document.Table{ID: "memory", Caption: "The part of the examined pages that was in the memory of the " +
		"reading nodes, for each pass over reading. Fetched is the data that came from storage meanwhile, if the " +
		"file system counts it.",
		Columns: document.Heads("processes []", "type", "pass []", "pages []", "in memory before [%]",
			"in memory after [%]", "fetched [MB]")}
	for _, f := range r.Files {
		if p := f.Pages; p != nil {
			part := func(n int64) document.Cell { return parts.Share(float64(n) / float64(p.Looked)) }
			t.Add(parts.Number(float64(r.Partitions[f.Partition]), 0), f.Type, document.Whole(f.Pass),
				parts.Number(float64(p.Looked), 0), part(p.Before), part(p.After),
				parts.Number(float64(p.Fetched)/words.Mega, 3))
		}
	}
	return parts.Section("memory-section", "Data in memory", t)
}

// memoryKeys writes which part of the bytes read was in memory, if it is known, and how a cold run was made.
func memoryKeys(k parts.Keys, r *beffio.Result) {
	if part := r.FromMemory(); !math.IsNaN(part) {
		k.Text("read_from_memory", strconv.FormatFloat(part, 'f', -1, 64)) // 0 is known, too
	}
	if n := max(r.Main(), 0); r.Cold != nil && n < len(r.Cold.Shifts) {
		k.Bytes("cold_filled_per_process", r.Cold.Filled)
		if r.Cold.Times > 0 {
			k.Text("cold_times_memory", strconv.FormatFloat(r.Cold.Times, 'f', -1, 64))
		}
		k.Text("cold_shift", fmt.Sprint(r.Cold.Shifts[n]))
		k.Text("cold_elsewhere", fmt.Sprint(r.Cold.Elsewhere[n]))
	}
}

// dataSeconds returns the T in seconds with which a file system of the guessed rate writes enough data for a cold run.
func dataSeconds(p *beffio.Plan) float64 {
	return math.Ceil(float64(p.MinData()) / guessedIORate / p.WritePart() * float64(len(p.Partitions)))
}

// planCold writes the steps of a cold run, and how much it should write.
func planCold(b io.Writer, p *beffio.Plan) {
	if p.Cold == nil {
		return
	}
	fmt.Fprint(b, "\nread cold: before each pass over reading, files are flushed to the device and dropped from "+
		"memory\n")
	for i, n := range p.Partitions {
		fmt.Fprintf(b, "  on %s each reads data that were written %s ahead, on another node for %d of them\n",
			words.Processes(n), words.Count(p.Cold.Shifts[i], "rank"), p.Cold.Elsewhere[i])
	}
	if p.Cold.Filled > 0 {
		fmt.Fprintf(b, "  each process fills %s of memory\n", rating.Bytes(p.Cold.Filled))
	}
	if least := p.MinData(); least > 0 {
		fmt.Fprintf(b, "  the files of a partition must hold %s, %.3g times the memory that isn't filled: T = %.0f "+
			"s suffices at %.0f GB/s\n", rating.Bytes(least), p.Cold.Times, dataSeconds(p), guessedIORate/1e9)
		return
	}
	if left := p.TotalMemory - int64(p.Processes)*p.Cold.Filled; p.TotalMemory > 0 && left > 0 {
		fmt.Fprintf(b, "  servers may keep data that are dropped from memory here: files of %s are one and a half "+
			"times the memory that is left\n", rating.Bytes(left+left/2))
	}
}
