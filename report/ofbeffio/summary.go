package ofbeffio

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Summary writes the text for users: system, averages, warnings, criteria, wrong data, and Line as the last line.
func Summary(w io.Writer, r *beffio.Result) error {
	b := bufio.NewWriter(w)
	parts.Sections(b, r, system, table, ratingLines,
		func(w io.Writer, r *beffio.Result) { parts.Warnings(w, r.Warnings) },
		func(w io.Writer, r *beffio.Result) { parts.Verdict(w, r.Verdict, part(r)) },
		wrongData)
	if err := Line(b, r); err != nil {
		return err
	}
	return b.Flush()
}

func system(w io.Writer, r *beffio.Result) {
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-12s %s\n", name, words.OneLine(fmt.Sprintf(format, args...)))
	}
	if x := r.Derived.BEffIO; x > 0 {
		number, unit := words.Rated(x, part(r))
		row("rating", "b_eff_io = %s %s %s", number, unit, within(r))
		if text := ofAccesses(r); text != "" {
			row("", "%s", text)
		}
	}
	for _, x := range r.System.Facts() {
		row(x.Name, "%s", words.OneLine(x.Text))
	}
	quick := ""
	if r.Quick {
		quick = ", quick"
	}
	row("b_eff_io", "%s, rules %s%s", program(r), r.Rules, quick)
	if r.Imported != "" {
		row("imported", "from %s", r.Imported)
	}
	row("engine", "%s %s%s", r.Engine.Library, r.Engine.Version,
		words.Either(r.Engine.Kind().Embedded, ": one machine, no MPI-IO", ""))
	row("file system", "%s", fileSystem(r.FileSystem))
	row("processes", "%d, rated in partitions of %s; %s of memory each, longest chunk M_PART = %s", r.Processes,
		words.Numbers(r.Partitions), rating.Bytes(r.MemoryPerProcess), rating.Bytes(r.MPart))
	took := ""
	if r.Imported == "" {
		took = fmt.Sprintf("; took %.1f s, %.1f s of them in the pilot run", r.WallSeconds, r.PilotSeconds)
	}
	row("time", "T = %s s, %s s for each partition%s", words.Seconds(r.Duration),
		words.Seconds(r.Duration/float64(len(r.Partitions))), took)
	if options := options(r); options != "" {
		row("options", "%s", options)
	}
	if len(r.Placement) > 0 {
		row("placement", "%s", parts.Placement(r.Placement))
	}
	row("host", "%s %s %s %s %s", r.Host.System, r.Host.Name, r.Host.Release, r.Host.Version, r.Host.Machine)
	if r.Host.Cores > 0 {
		row("processor", "%s", strings.TrimPrefix(fmt.Sprintf("%s, %d logical cores", r.Host.CPU, r.Host.Cores), ", "))
	}
	for _, port := range r.Host.Interconnect {
		row("network", "%s", port)
	}
	row("measured", "%s", r.Started.Format(time.RFC1123Z))
	row("units", "1 MB/s = 10^6 bytes per second; 1 MByte = 1 MiB = 2^20 bytes")
}

// program returns the program that made a result, as far as it is known: a .sum file doesn't have beff's version.
func program(r *beffio.Result) string { return words.OneLine("beff " + r.Beff) }

// fileSystem returns the directory, type and sizes of the file system, as far as they are known.
func fileSystem(f beffio.FileSystem) string {
	var facts []string
	if f.Type != "" {
		facts = append(facts, f.Type)
	}
	if f.Size > 0 {
		facts = append(facts, rating.Bytes(f.Size), rating.Bytes(f.Free)+" free before the run")
	}
	if len(facts) == 0 {
		return f.Directory
	}
	return fmt.Sprintf("%s (%s)", f.Directory, strings.Join(facts, ", "))
}

// options returns the options that change the measurements.
func options(r *beffio.Result) string {
	var list []string
	for _, o := range []struct {
		given bool
		text  string
	}{
		{r.NoShared, "type 1 by individual file pointers (--noshared)"},
		{r.NoUnique, "files opened without MPI_MODE_UNIQUE_OPEN (--nounique)"},
		{r.RewriteAll, "all pattern types rewritten (--rewrite)"}, {r.Keep, "files kept (--keep)"},
		{len(r.Hints) > 0, fmt.Sprintf("%d hints given", len(r.Hints))},
	} {
		if o.given {
			list = append(list, o.text)
		}
	}
	return strings.Join(list, "; ")
}

// table writes a row for each access method of each partition.
func table(w io.Writer, r *beffio.Result) {
	const heads = `number  |         | mean, type|   type 0  |   type 1  |   type 2  |   type 3  |   type 4
of pro- | access  |  0 twice  |  scatter  |   shared  | separated | segmented | seg_coll
cesses  |         |    MB/s   |    MB/s   |    MB/s   |    MB/s   |    MB/s   |    MB/s
`
	line := strings.Repeat("-", 88) + "\n"
	fmt.Fprint(w, heads)
	for _, p := range beffio.Derive(r).Partitions {
		fmt.Fprint(w, line)
		for _, m := range p.Accesses {
			fmt.Fprintf(w, "%7d | %-7s | %9s", p.Processes, m.Access, words.Figure(m.Bandwidth/words.Mega, 3))
			for _, x := range m.Types {
				fmt.Fprintf(w, " | %9s", words.Figure(x/words.Mega, 3))
			}
			fmt.Fprintln(w)
		}
		if len(p.Accesses) == 0 {
			fmt.Fprintf(w, "%7d | not measured\n", p.Processes)
		}
	}
}

// ratingLines writes the ratings of each partition by both formulas, and the bytes that were moved.
func ratingLines(w io.Writer, r *beffio.Result) {
	for _, p := range beffio.Derive(r).Partitions {
		fmt.Fprintf(w, "b_eff_io of %s: %s by the paper, %s by release 2.1%s\n", words.Processes(p.Processes),
			rate(p.Paper),
			rate(p.Release21), moved(r, p))
	}
}

func moved(r *beffio.Result, p beffio.Partition) string {
	if r.Imported != "" {
		return ""
	}
	text := "; " + rating.Bytes(p.Bytes) + " in its files"
	if r.TotalMemory > 0 {
		text += fmt.Sprintf(" = %.1f %% of the memory of all nodes", 100*float64(p.Bytes)/float64(r.TotalMemory))
	}
	return text
}

// wrongData writes the first wrong chunks.
func wrongData(w io.Writer, r *beffio.Result) {
	const most = 5
	n := r.WrongChunks(-1)
	if n == 0 {
		return
	}
	fmt.Fprintf(w, "WRONG DATA: %d chunks were not what had been written\n", n)
	for i, e := range slices.Concat(r.PilotErrors, r.Errors) {
		if i == most {
			fmt.Fprintf(w, "  and more: see the protocol\n")
			break
		}
		fmt.Fprintf(w, "  %s\n", dataError(r, e))
	}
}

// Line writes the line that scripts look for. Remarks that a reader must not miss follow the machine's name. Without
// all access methods there is no b_eff_io, and the line says so.
func Line(w io.Writer, r *beffio.Result) error {
	d := beffio.Derive(r)
	if d.BEffIO == 0 {
		_, err := fmt.Fprintf(w, "b_eff_io not computed: %s\n", r.NotComputed())
		return err
	}
	h := &r.Host
	_, err := fmt.Fprintf(w, "b_eff_io = %.3f MB/s on %d processes with %s MByte/PE, scheduled time=%s min, rules "+
		"%s, on %s%s\n", d.BEffIO/words.Mega, d.Processes,
		words.Memory(r.MemoryPerProcess), minutes(r.Duration/float64(len(r.Partitions))), r.Rules,
		words.OneLine(strings.Join([]string{h.System, h.Name, h.Release, h.Version, h.Machine}, " ")),
		parts.OfSystem(r.System)+remarks(r))
	return err
}

// minutes returns seconds in minutes with one decimal, and more for less than six seconds.
func minutes(seconds float64) string {
	const least = 6
	if seconds < least {
		return fmt.Sprintf("%.2g", seconds/60)
	}
	return fmt.Sprintf("%.1f", seconds/60)
}

func remarks(r *beffio.Result) string {
	text := ""
	if r.Engine.Kind().Embedded {
		text += ", embedded engine"
	}
	text += parts.Doubt(r.Verdict, part(r))
	if n := r.WrongChunks(-1); n > 0 {
		text += fmt.Sprintf(", with %d ERRORS", n)
	}
	return text
}

// guessedIORate is the assumed rate of writing to an unknown file system, in bytes per second.
const guessedIORate = 1e9

// Plan writes the measurements of a run over a library in a file system, before anything runs, and the criteria that it
// can't meet.
func Plan(w io.Writer, p *beffio.Plan, fs beffio.FileSystem, lib mpi.Library) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "b_eff_io by rules %s%s on %s of %s, T = %s s\n\n", p.Rules,
		words.Either(p.Quick, ", quick,", ""), words.Processes(p.Processes), words.OneLine(lib.Library),
		words.Seconds(p.Duration.Seconds()))
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "pattern\ttype\tbytes on disk\tin memory\tunits of time\t\n")
	for _, r := range p.Rows {
		disk, memory := fmt.Sprint(r.Disk), fmt.Sprint(r.Memory)
		if r.Fill {
			disk, memory = "fill", "fill"
		}
		fmt.Fprintf(t, "%d\t%v\t%s\t%s\t%d\t\n", r.Number, r.Type, disk, memory, r.Units)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	rewritten := "scatter"
	if p.RewriteAll {
		rewritten = "all"
	}
	fmt.Fprintf(b, "\naccess methods: write, rewrite (pattern types: %s), read; each for all partitions\n", rewritten)
	fmt.Fprintf(b, "memory per process: %s, so M_PART = %s; two buffers of %s each\n\n", rating.Bytes(p.Memory),
		rating.Bytes(p.MPart), rating.Bytes(p.BufferSize()))
	planPartitions(b, p)
	planSpace(b, p, fs)
	planCriteria(b, p, fs, lib)
	return b.Flush()
}

// planUnits returns the units of time of the initial write, and of all access methods.
func planUnits(p *beffio.Plan) (write, all float64) {
	for _, r := range p.Rows {
		u := float64(r.Units)
		write, all = write+u, all+2*u
		if p.RewriteAll || r.Type == 0 {
			all += u
		}
	}
	return write, all
}

// planBytes returns the bytes that the initial write of a partition is expected to write at the guessed rate. Types 3
// and 4 write as much as fits into their time by the rates of types 0 to 2.
func planBytes(p *beffio.Plan) float64 {
	write, all := planUnits(p)
	return guessedIORate * p.PartitionSeconds() * write / all
}

func planPartitions(b io.Writer, p *beffio.Plan) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "partition\tprocesses\tseconds\tfiles\tbytes at %.0f GB/s\t\n", guessedIORate/1e9)
	files, total := 0, planBytes(p)*float64(len(p.Partitions))
	bounded := min(total, float64(p.MaxBytes))
	for i, n := range p.Partitions {
		files += beffio.Files(n)
		fmt.Fprintf(t, "%d\t%d\t%s\t%d\t%s\t\n", i+1, n, words.Seconds(p.PartitionSeconds()), beffio.Files(n),
			rating.Bytes(int64(bounded)/int64(len(p.Partitions))))
	}
	fmt.Fprintf(t, "all\t\t%s\t%d\t%s\t\n", words.Seconds(p.Duration.Seconds()), files, rating.Bytes(int64(bounded)))
	t.Flush() // b keeps its error
	fmt.Fprintf(b, "\nHow much is written depends on the file system: what it writes in %s s, but at most %s "+
		"(--max-bytes)", words.Seconds(p.PartitionSeconds()*writePart(p)*float64(len(p.Partitions))),
		rating.Bytes(p.MaxBytes))
	if total > float64(p.MaxBytes) {
		fmt.Fprintf(b, "; at %.0f GB/s this limit ends patterns early", guessedIORate/1e9)
	}
	fmt.Fprint(b, ".\n")
}

// writePart returns the part of the initial write in the time, 0 to 1.
func writePart(p *beffio.Plan) float64 {
	write, all := planUnits(p)
	return write / all
}

func planSpace(b io.Writer, p *beffio.Plan, fs beffio.FileSystem) {
	files := int64(0)
	for _, n := range p.Partitions {
		files += int64(beffio.Files(n))
	}
	fmt.Fprintf(b, "file system: %s", words.OneLine(fs.Directory))
	if fs.Type != "" {
		fmt.Fprintf(b, ", %s", words.OneLine(fs.Type))
	}
	switch {
	case fs.Free == 0:
		fmt.Fprint(b, "; its free space is not known\n")
	case p.MaxBytes <= fs.Free:
		fmt.Fprintf(b, "; %s free: %s fit\n", rating.Bytes(fs.Free), rating.Bytes(p.MaxBytes))
	default:
		fmt.Fprintf(b, "; %s free: %s may NOT fit: give a smaller --max-bytes\n", rating.Bytes(fs.Free),
			rating.Bytes(p.MaxBytes))
	}
	switch {
	case fs.FreeFiles == 0:
	case files <= fs.FreeFiles:
		fmt.Fprintf(b, "inodes: %d free: %d files fit\n", fs.FreeFiles, files)
	default:
		fmt.Fprintf(b, "inodes: %d free: %d files do NOT fit: give smaller partitions with -N\n", fs.FreeFiles, files)
	}
}

// planLimit returns the bytes that may be written, and the source of the limit, in words.
func planLimit(p *beffio.Plan, fs beffio.FileSystem) (bytes int64, of string) {
	if fs.Free > 0 && fs.Free < p.MaxBytes {
		return fs.Free, "the free space is " + rating.Bytes(fs.Free)
	}
	return p.MaxBytes, "--max-bytes allows " + rating.Bytes(p.MaxBytes)
}

// planCriteria writes the criteria that the run can't meet, and the remedies.
func planCriteria(b io.Writer, p *beffio.Plan, fs beffio.FileSystem, lib mpi.Library) {
	partitions := float64(len(p.Partitions))
	wanted := p.Rules.LeastSeconds()
	if p.Rules == beffio.RulesPaper { // files must hold this many seconds of writing
		wanted = max(wanted, beffio.LeastWriting/writePart(p))
	}
	list := []string{}
	add := func(found bool, format string, args ...any) {
		if found {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	add(p.Quick, "--quick is a look at the file system, not a rating: leave it out")
	short := p.PartitionSeconds() < wanted
	writing := wanted * writePart(p) * partitions // seconds
	limit, of := planLimit(p, fs)
	tooLittle := short && guessedIORate*writing > float64(limit)
	would := fmt.Sprintf("time: %s min of a partition are less than %s min", minutes(p.PartitionSeconds()),
		minutes(wanted))
	if rate := guessedIORate / 1e9; tooLittle {
		add(true, "%s: T = %.0f s would write %s at %.0f GB/s, but %s: that is the limit here, unless the file "+
			"system writes less than %.4g MB/s",
			would, wanted*partitions, rating.Bytes(int64(guessedIORate*writing)), rate, of,
			float64(limit)/writing/words.Mega)
	} else {
		add(short, "%s: -T %.0f would do, and write %s at %.0f GB/s", would, wanted*partitions,
			rating.Bytes(int64(guessedIORate*writing)), rate)
	}
	add(p.NoShared, "shared: shared file pointers must be used for pattern type 1: leave --noshared out")
	add(!tooLittle && planBytes(p)*partitions > float64(p.MaxBytes), "bytes: a file system that writes %.0f GB/s "+
		"reaches the limit of bytes: give a larger --max-bytes, if there is room", guessedIORate/1e9)
	add(lib.Kind().Embedded, "the embedded engine rates what one machine gets from the file system, not an "+
		"MPI-IO: "+rating.EmbeddedRemedy)
	if len(list) == 0 {
		fmt.Fprint(b, "\nThis can give a result that is valid for comparison.\n")
		return
	}
	fmt.Fprint(b, "\nThis plan will not give a result that is valid for comparison, because:\n")
	for _, text := range list {
		fmt.Fprintf(b, "  %s\n", text)
	}
}
