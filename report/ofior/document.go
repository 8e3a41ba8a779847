package ofior

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// meaning says what the figures are to readers who don't know IOR.
const meaning = "All processes together write and read files in transfers of one size, as IOR does. The bandwidth is " +
	"all bytes over the time from the first opening to the last closing."

// title returns the name of a test: what it is for, or its layout.
func title(s *ior.Settings) string {
	if s.Name != "" {
		return s.Name
	}
	return fmt.Sprintf("%s, %s", rating.Bytes(s.Transfer), words.Either(s.FilePerProcess, "own files", "one file"))
}

// phaseKey returns the begin of the keys of an access of a test.
func phaseKey(r *ior.Result, p ior.Phase) string {
	name := fmt.Sprintf("test_%d", p.Test+1)
	if s := r.Tests[p.Test].Name; s != "" {
		name = parts.KeyName(s)
	}
	return name + "_" + string(p.Access) + "_"
}

// settings returns how a test moves its data, in words.
func settings(s *ior.Settings) string {
	list := []string{string(s.API), words.Either(s.FilePerProcess, "a file of each process", "one file"),
		fmt.Sprintf("%s of %s in blocks of %s", words.Count(int(s.Segments), "segment"), rating.Bytes(s.Transfer),
			rating.Bytes(s.Block))}
	for _, o := range []struct {
		given bool
		text  string
	}{
		{s.Collective, "collective"}, {s.Random, "in random order within a block"}, {s.Scattered, "in random order"},
		{s.Shift > 0, fmt.Sprintf("read %d ranks ahead", s.Shift)}, {s.Sync, "fsync"},
		{s.SyncEach, "fsync after each transfer"}, {s.Barriers, "barriers between the parts"},
		{s.Stonewall > 0, fmt.Sprintf("stonewall of %g s", s.Stonewall)}, {s.WearOut, "with wear-out"},
		{s.Cold, "dropped from memory before it is read"}, {s.Existing, "files that were there"},
	} {
		if o.given {
			list = append(list, o.text)
		}
	}
	return strings.Join(list, "; ")
}

// way returns how all tests move their data, in words. Results that differ in it measure different things.
func way(r *ior.Result) string {
	var list []string
	for i := range r.Tests {
		list = append(list, settings(&r.Tests[i]))
	}
	return strings.Join(list, " | ")
}

// Document returns the whole report of a result that has passed ior's Result.Check.
func Document(r *ior.Result) *document.Document {
	d := &document.Document{Title: "IOR's tests of " + parts.NameOf(r.System, r.Host),
		Subtitle: "bandwidth of files", Date: r.Started, Facts: facts(r),
		Notices: parts.Notices(r.Verdict, rating.Doubt{}), Lead: parts.Lead(meaning, nil)}
	units := document.List{"1 MB/s = 10^6 bytes per second; IOR's own text, `beff report --format ior`, has MiB/s of " +
		"2^20 bytes"}
	d.Sections = parts.Sections(phasesSection(r), samplesSection(r), parts.VerdictSection(r.Verdict),
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
		return fmt.Sprintf("IO500-like score %.6f: bandwidth %.6f GiB/s, rate %.6f kIOPS", s.Total, s.Bandwidth/gibi,
			s.Rate/thousand)
	case s.Bandwidth > 0:
		return fmt.Sprintf("IO500-like bandwidth %.6f GiB/s; no score: the phases of metadata aren't measured",
			s.Bandwidth/gibi)
	}
	return "no IO500-like score: not all phases were measured"
}

// phasesSection returns a table with a row for each access of each test.
func phasesSection(r *ior.Result) document.Section {
	t := &document.Table{ID: "phases", Caption: "Bytes over the time from the first opening to the last closing, " +
		"over the repetitions. The interval (95 %) is that between three repetitions or more. Rates are transfers " +
		"over the time in which data were moved.",
		Columns: document.Heads("test", "access", "mean [MB/s]", "interval [± %]", "least [MB/s]", "most [MB/s]",
			"rate [1/s]", "time [s]", "how")}
	for _, p := range r.Derived.Phases {
		s := &r.Tests[p.Test]
		t.Add(title(s), string(p.Access), parts.Strong(parts.Bandwidth(p.Mean)),
			parts.Number(100*p.Interval.Part(p.Mean), 1), parts.Bandwidth(p.Least), parts.Bandwidth(p.Most),
			parts.Four(p.Rate), parts.Four(p.Seconds), settings(s))
	}
	return parts.Section("phases-section", "Bandwidths", t)
}

// samplesSection returns a table of all repetitions.
func samplesSection(r *ior.Result) document.Section {
	t := &document.Table{ID: "samples", Raw: true, Sortable: true, Caption: "Each repetition. Times are from the " +
		"first process that begins to the last one that ends. The latency is the mean time of a transfer of the " +
		"process that has the least one.",
		Columns: document.Heads("test", "access", "repetition []", "bandwidth [MB/s]", "open [s]", "move [s]",
			"close [s]", "all [s]", "latency [µs]", "moved [MB]", "fewest transfers []", "most []", "wrong []")}
	for i := range r.Samples {
		s := &r.Samples[i]
		t.Add(title(&r.Tests[s.Test]), string(s.Access), document.Whole(s.Repetition+1), parts.Bandwidth(s.Bandwidth()),
			parts.Number(s.Open, 6), parts.Number(s.Move, 6), parts.Number(s.Close, 6), parts.Number(s.Seconds, 6),
			parts.Microseconds(s.Latency), parts.Number(float64(s.Bytes)/words.Mega, 3), document.Whole(s.Least),
			document.Whole(s.Most), parts.Number(float64(s.Wrong), 0))
	}
	return parts.Section("samples-section", "Repetitions", t)
}
