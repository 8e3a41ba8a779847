package ofior

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/findings"
	iortext "github.com/effective-bandwidth/beff/report/format/ior"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// meaning says what the figures are to readers who don't know IOR.
const meaning = "All processes together write and read files in transfers of one size, as IOR does. The bandwidth is " +
	"all bytes over the time from the first opening to the last closing."

// meaningOfSet says it of an IO500-like set.
const meaningOfSet = "All processes together write and read large files, easily in files of their own and hard in " +
	"pieces of one, and make, look at, read and remove small ones, as IO500 has it. The score is the root of the " +
	"mean bandwidth in GiB/s times the mean rate in thousands of files a second. IO500 itself is another program."

// title returns the name of a test: what it is for, or its layout.
func title(s *ior.Settings) string {
	if s.Name != "" {
		return s.Name
	}
	return fmt.Sprintf("%s, %s", rating.Bytes(s.Transfer), words.Either(s.FilePerProcess, "own files", "one file"))
}

// phaseKey returns the begin of the keys of an access of a test, which the name of a test of a set says.
func phaseKey(r *ior.Result, p ior.Phase) string {
	if s := r.Tests[p.Test].Name; s != "" {
		return parts.KeyName(s) + "_"
	}
	return fmt.Sprintf("test_%d_%s_", p.Test+1, p.Access)
}

// settings returns how a test moves its data, in words.
func settings(s *ior.Settings) string {
	list := []string{string(s.API), words.Either(s.FilePerProcess, "a file of each process", "one file"),
		fmt.Sprintf("transfers of %s, blocks of %s, %s", iortext.Size(s.Transfer), iortext.Size(s.Block),
			words.Count(int(s.Segments), "segment"))}
	if m := s.Metadata; m != nil {
		list = []string{words.Either(m.Bytes > 0, "files of "+iortext.Size(m.Bytes), "files without data"),
			words.Either(m.Own, "a directory of each process", "one directory")}
		if m.Phase == ior.Find {
			list = []string{"each directory is searched by one process, for files of " + iortext.Size(m.Bytes) +
				" with 01 in their name"}
		}
	}
	data, shifted := s.Metadata == nil, s.Shift > 0 && !s.Measures(ior.Write) && !s.Measures(ior.Find)
	for _, o := range []struct {
		given bool
		text  string
	}{
		{s.Collective, "collective"}, {s.Random, "in random order within a block"}, {s.Scattered, "in random order"},
		{data && s.Shift > 0, fmt.Sprintf("read %d ranks ahead", s.Shift)}, {data && s.Sync, "fsync"},
		{!data && shifted, "of other processes"}, {!data && s.Sync, "sync at the end"},
		{s.SyncEach, "fsync after each transfer"}, {s.Barriers, "barriers between the parts"},
		{s.Stonewall > 0, fmt.Sprintf("stonewall of %g s", s.Stonewall)}, {s.WearOut, "with wear-out"},
		{s.Cold, "dropped from memory before it is read"}, {s.Existing, "files that were there"},
		{s.Filled > 0, rating.Bytes(s.Filled) + " of memory filled by each process"},
	} {
		if o.given {
			list = append(list, o.text)
		}
	}
	return strings.Join(list, "; ")
}

// way returns how all tests move their data, in words. Results that differ in it measure different things.
func way(r *ior.Result) string {
	if first := &r.Tests[0]; r.Set() {
		return fmt.Sprintf("IO500-like set; %s; easy transfers of %s; stonewall of %g s", first.API,
			rating.Bytes(first.Transfer), first.Stonewall)
	}
	var list []string
	for i := range r.Tests {
		list = append(list, settings(&r.Tests[i]))
	}
	return strings.Join(list, " | ")
}

// Document returns the whole report of a result that has passed ior's Result.Check.
func Document(r *ior.Result) *document.Document {
	d := &document.Document{Title: words.Either(r.Set(), "IO500-like set of ", "IOR's tests of ") +
		parts.NameOf(r.System, r.Host), Subtitle: words.Either(r.Set(), "bandwidth and metadata of files",
		"bandwidth of files"), Date: r.Started, Facts: facts(r), Notices: parts.Notices(r.Verdict, rating.Doubt{}),
		Lead: parts.Lead(words.Either(r.Set(), meaningOfSet, meaning), findings.IOR(r))}
	figures := Figures(r)
	units := document.List{"1 MB/s = 10^6 bytes per second; IOR's own text, `beff report --format ior`, has MiB/s of " +
		"2^20 bytes"}
	d.Sections = parts.Sections(phasesSection(r, figures), metadataSection(r, figures), samplesSection(r),
		metadataSamples(r), parts.VerdictSection(r.Verdict),
		document.Section{ID: "environment", Title: "Environment",
			Blocks: append(parts.Surroundings(r.Placement, r.Circumstances), units)})
	return d
}

func facts(r *ior.Result) []document.Fact {
	list := parts.MachineFacts(r.System, &r.Host, r.Engine, ": one machine, no MPI-IO")
	f := &r.FileSystem
	list.Add(r.Set(), "IO500-like", "%s", Score(r))
	list.Add(true, "directory", "%s", f.Directory)
	list.Add(true, "file system", "%s", f.Type)
	list.Add(f.Size > 0, "its size", "%s, %s free before the run", rating.Bytes(f.Size), rating.Bytes(f.Free))
	list.Add(true, "processes", "%d", r.Processes)
	list.Add(true, "placement", "%s", parts.Placement(r.Placement))
	list.Add(true, "duration", "%.1f s", r.WallSeconds)
	list.Add(r.Beff != "", "program", "beff %s", r.Beff)
	return list
}

// Score says the score of an IO500-like set, or what it lacks; empty of other tests.
func Score(r *ior.Result) string {
	const gibi, thousand = 1 << 30, 1000
	s := r.Derived.Score
	switch {
	case s == nil:
		return ""
	case s.Total > 0:
		return fmt.Sprintf("score %.6f: bandwidth %.6f GiB/s, rate %.6f kIOPS%s", s.Total, s.Bandwidth/gibi,
			s.Rate/thousand, words.Either(r.Valid, "", "; not valid"))
	}
	return "no score: not all phases were measured"
}

// phasesSection returns a table with a row for each access of each test of data.
func phasesSection(r *ior.Result, figures []*document.Figure) document.Section {
	repeated := slices.ContainsFunc(r.Tests, func(s ior.Settings) bool { return s.Repetitions > 1 })
	t := &document.Table{ID: "phases", Caption: "Bytes over the time from the first opening to the last closing" +
		words.Either(repeated, ", the geometric mean of the repetitions, with the interval (95 %) between three or "+
			"more of them", "") + ". Rates are transfers over the time in which data were moved, the " +
		"mean of the repetitions.",
		Columns: document.Heads("test", "access", "mean [MB/s]", "interval [± %]", "least [MB/s]", "most [MB/s]",
			"rate [1/s]", "time [s]", "how")}
	for _, p := range r.Derived.Phases {
		s := &r.Tests[p.Test]
		if s.Metadata != nil {
			continue
		}
		t.Add(title(s), string(p.Access), parts.Strong(parts.Bandwidth(p.Mean)),
			parts.Number(100*p.Interval.Part(p.Mean), 1), parts.Bandwidth(p.Least), parts.Bandwidth(p.Most),
			parts.Four(p.Rate), parts.Four(p.Seconds), settings(s))
	}
	if !repeated {
		t.Drop("interval", "least", "most")
	}
	return parts.Section("phases-section", "Bandwidths",
		append([]document.Block{t}, parts.Pictured(figures, bandwidthsID)...)...)
}

// metadataSection returns a table with a row for each phase of metadata; it is empty without any.
func metadataSection(r *ior.Result, figures []*document.Figure) document.Section {
	t := &document.Table{ID: "metadata", Caption: "Files of all processes over the time of the slowest one, with the " +
		"time in which all processes came to the same number of files behind the stonewall.",
		Columns: document.Heads("test", "calls", "rate [1/s]", "time [s]", "how")}
	for _, p := range r.Derived.Phases {
		if s := &r.Tests[p.Test]; s.Metadata != nil {
			t.Add(title(s), calls[p.Access], parts.Strong(parts.Four(p.Rate)), parts.Four(p.Seconds), settings(s))
		}
	}
	return parts.Section("metadata-section", "Metadata",
		append([]document.Block{t}, parts.Pictured(figures, ratesID)...)...)
}

// calls are those of phases of metadata.
var calls = map[ior.Access]string{ior.Write: "open, write, close", ior.Stat: "stat", ior.Read: "open, read, close",
	ior.Delete: "unlink", ior.Find: "readdir, stat of those with the name"}

// samplesSection returns a table of all repetitions of tests of data.
func samplesSection(r *ior.Result) document.Section {
	t := &document.Table{ID: "samples", Raw: true, Sortable: true, Caption: "Each repetition. Times are from the " +
		"first process that begins to the last one that ends. The latency is the mean time of a transfer of the " +
		"process that has the least one. In memory is the part of the pages that the nodes had before they read them.",
		Columns: document.Heads("test", "access", "repetition []", "bandwidth [MB/s]", "open [s]", "move [s]",
			"close [s]", "all [s]", "latency [µs]", "moved [MB]", "fewest transfers []", "most []", "wrong []",
			"in memory [%]")}
	for s := range lists.Elements(r.Samples) {
		if r.Tests[s.Test].Metadata != nil {
			continue
		}
		t.Add(title(&r.Tests[s.Test]), string(s.Access), document.Whole(s.Repetition+1), parts.Bandwidth(s.Bandwidth()),
			parts.Number(s.Open, 6), parts.Number(s.Move, 6), parts.Number(s.Close, 6), parts.Number(s.Seconds, 6),
			parts.Microseconds(s.Latency), parts.Number(float64(s.Bytes)/words.Mega, 3), document.Whole(s.Least),
			document.Whole(s.Most), parts.Number(float64(s.Wrong), 0), parts.Share(s.Pages.HeldBefore()))
	}
	return parts.Section("samples-section", "Repetitions", t)
}

// metadataSamples returns a table of all phases of metadata.
func metadataSamples(r *ior.Result) document.Section {
	t := &document.Table{ID: "metadata-samples", Raw: true, Sortable: true, Caption: "Each phase of metadata. At the " +
		"stonewall processes had different numbers of files; then each went on until it had as many as the first one.",
		Columns: document.Heads("test", "files []", "of a process []", "time [s]", "at the stonewall []", "fewest []",
			"time until then [s]", "found []", "wrong []")}
	for s := range lists.Elements(r.Samples) {
		if r.Tests[s.Test].Metadata == nil {
			continue
		}
		t.Add(title(&r.Tests[s.Test]), document.Whole(s.Transfers), document.Whole(s.Most), parts.Number(s.Seconds, 6),
			document.Whole(s.WallTransfers), document.Whole(s.WallLeast), parts.Number(s.WallSeconds, 6),
			document.Whole(s.Found), parts.Number(float64(s.Wrong), 0))
	}
	return parts.Section("metadata-samples-section", "Phases of metadata", t)
}
