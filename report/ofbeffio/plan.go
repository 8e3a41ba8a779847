package ofbeffio

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// guessedIORate is the assumed rate of writing to an unknown file system, in bytes per second.
const guessedIORate = 1e9

// Plan writes, before anything runs, the measurements of a run with a library in a file system, and the criteria that
// the run can't meet.
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
	planRounds(b, p)
	planPartitions(b, p)
	planSpace(b, p, fs)
	planCold(b, p)
	planCriteria(b, p, fs, lib)
	return b.Flush()
}

// planBytes returns the bytes that the initial write of a partition is expected to write at the guessed rate. Types 3
// and 4 write as much as fits into their time at the rates of types 0 to 2.
func planBytes(p *beffio.Plan) float64 {
	return guessedIORate * p.PartitionSeconds() * p.WritePart()
}

// planRounds writes how an adaptive run ends, and its time limit.
func planRounds(b io.Writer, p *beffio.Plan) {
	if !p.Adaptive() {
		return
	}
	fmt.Fprintf(b, "adaptive: rounds of T = %s s, at least %d, until b_eff_io is known within %.3g %%\n"+
		"at most %s s in all: the run ends by then, and begins no round that may take longer\n"+
		"each round removes its files, so there are never more bytes and files than listed below\n\n",
		words.Seconds(p.Duration.Seconds()), rating.MinPasses, 100*p.Within, words.Seconds(p.AtMost.Seconds()))
}

func planPartitions(b io.Writer, p *beffio.Plan) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "partition\tprocesses\tseconds\tfiles\tbytes at %.0f GB/s\t\n", guessedIORate/1e9)
	total := planBytes(p) * float64(len(p.Partitions))
	bounded := min(total, float64(p.MaxBytes))
	for i, n := range p.Partitions {
		fmt.Fprintf(t, "%d\t%d\t%s\t%d\t%s\t\n", i+1, n, words.Seconds(p.PartitionSeconds()), beffio.Files(n),
			rating.Bytes(int64(bounded)/int64(len(p.Partitions))))
	}
	fmt.Fprintf(t, "all\t\t%s\t%d\t%s\t\n", words.Seconds(p.Duration.Seconds()), p.Files(),
		rating.Bytes(int64(bounded)))
	t.Flush() // b keeps its error
	fmt.Fprintf(b, "\nThe MPI library itself may make %d of all files: one for a shared file pointer, or one for each "+
		"process while it opens a file.\n", slices.Max(p.Partitions))
	fmt.Fprintf(b, "\nThe amount written depends on the file system: as much as it writes in %s s, but at most %s "+
		"(--max-bytes)", words.Seconds(p.PartitionSeconds()*p.WritePart()*float64(len(p.Partitions))),
		rating.Bytes(p.MaxBytes))
	if total > float64(p.MaxBytes) {
		fmt.Fprintf(b, "; at %.0f GB/s this limit ends patterns early", guessedIORate/1e9)
	}
	fmt.Fprint(b, ".\n")
}

func planSpace(b io.Writer, p *beffio.Plan, fs beffio.FileSystem) {
	files := int64(p.Files())
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
	case files < fs.FreeFiles: // the directory takes one inode
		fmt.Fprintf(b, "inodes: %d free: %d files fit\n", fs.FreeFiles, files)
	default:
		fmt.Fprintf(b, "inodes: %d free: %d files do NOT fit: give smaller partitions by --partitions\n",
			fs.FreeFiles, files)
	}
}

// planLimit returns the number of bytes that may be written, and the source of this limit in words.
func planLimit(p *beffio.Plan, fs beffio.FileSystem) (bytes int64, of string) {
	if fs.Free > 0 && fs.Free < p.MaxBytes {
		return fs.Free, "the free space is " + rating.Bytes(fs.Free)
	}
	return p.MaxBytes, "--max-bytes allows " + rating.Bytes(p.MaxBytes)
}

// PlanRemarks returns remarks about a run before it starts: its time, its space, and why it will not be valid.
func PlanRemarks(p *beffio.Plan, fs beffio.FileSystem, lib mpi.Library) []string {
	if p.Adaptive() {
		return nil
	}
	partitions, those := float64(len(p.Partitions)), words.Numbers(p.Partitions)+" processes"
	if len(p.Partitions) == 1 {
		those = words.Processes(p.Partitions[0])
	}
	list := []string{fmt.Sprintf("T = %s min, %s min for each of %s (%s); at %.0f GB/s %s are written, "+
		"at most %s (--max-bytes)", minutes(p.Duration.Seconds()), minutes(p.PartitionSeconds()),
		words.Count(len(p.Partitions), "partition"), those, guessedIORate/1e9,
		rating.Bytes(int64(planBytes(p)*partitions)), rating.Bytes(p.MaxBytes))}
	if p.Short() {
		list = append(list, "this rating will be in the class "+beffio.ShortClass+", and is ranked only there")
	}
	if p.Quick {
		return list
	}
	why := unmetCriteria(p, fs)
	for _, text := range why {
		list = append(list, "this rating will not be valid: "+text)
	}
	return append(list, provisos(p, lib, len(why) == 0)...)
}

// provisos returns the conditions under which a plan that can give a valid result doesn't, and a remark on the embedded
// engine.
func provisos(p *beffio.Plan, lib mpi.Library, valid bool) (list []string) {
	if total := planBytes(p) * float64(len(p.Partitions)); valid && total > float64(p.MaxBytes) {
		list = append(list, fmt.Sprintf("a file system that writes more than %s MB/s reaches the limit of bytes, "+
			"and then the rating is not valid: give a larger --max-bytes if there is room",
			rating.Rounded(guessedIORate*float64(p.MaxBytes)/total/words.Mega, 4)))
	}
	if lib.Kind().Embedded {
		list = append(list, "the embedded engine rates the file system as seen by one machine, not an MPI-IO library: "+
			rating.EmbeddedRemedy)
	}
	return list
}

// planCriteria writes the criteria that the run can't meet, with remedies.
func planCriteria(b io.Writer, p *beffio.Plan, fs beffio.FileSystem, lib mpi.Library) {
	list := unmetCriteria(p, fs)
	switch {
	case len(list) == 0 && p.Short():
		fmt.Fprintf(b, "\nThis can give a result that is valid in the class %s.\n", beffio.ShortClass)
	case len(list) == 0:
		fmt.Fprint(b, "\nThis can give a result that is valid for comparison.\n")
	default:
		fmt.Fprint(b, "\nThis plan will not give a result that is valid for comparison, because:\n")
	}
	for _, text := range list {
		fmt.Fprintf(b, "  %s\n", text)
	}
	for _, text := range provisos(p, lib, len(list) == 0) {
		fmt.Fprintf(b, "But %s.\n", text)
	}
}

// unmetCriteria returns the criteria that the run can't meet, with remedies.
func unmetCriteria(p *beffio.Plan, fs beffio.FileSystem) (list []string) {
	partitions := float64(len(p.Partitions))
	wanted := p.MinDuration().Seconds() / partitions
	add := func(found bool, format string, args ...any) {
		if found {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	add(p.Quick, "--quick gives a first impression of the file system, not a rating: leave it out")
	short := p.PartitionSeconds() < wanted && !p.Adaptive() && !p.Short()
	writing := wanted * p.WritePart() * partitions // seconds
	limit, of := planLimit(p, fs)
	tooLittle := short && guessedIORate*writing > float64(limit)
	would := fmt.Sprintf("time: %s min for a partition are less than %s min", minutes(p.PartitionSeconds()),
		minutes(wanted))
	if rate := guessedIORate / 1e9; tooLittle {
		add(true, "%s, but %.0f s would write %s at %.0f GB/s, and %s. This is the limit unless the file system "+
			"writes less than %s MB/s",
			would, wanted*partitions, rating.Bytes(int64(guessedIORate*writing)), rate, of,
			rating.Rounded(float64(limit)/writing/words.Mega, 4))
	} else {
		add(short, "%s: -T %.0f would suffice, and write %s at %.0f GB/s", would, wanted*partitions,
			rating.Bytes(int64(guessedIORate*writing)), rate)
	}
	add(planBytes(p) < float64(p.MinData()), "data: the files of a partition must hold %s, for which -T %.0f "+
		"would suffice at %.0f GB/s", rating.Bytes(p.MinData()), dataSeconds(p), guessedIORate/1e9)
	add(p.NoShared, "shared: pattern type 1 must use shared file pointers, so leave --noshared out")
	return list
}
