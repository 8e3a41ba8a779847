// Package ior writes the text that IOR 4.1 prints of tests of files: head, options, a row for each phase, summary. Its
// forms are those of ior-output.c, so that scripts and importers read it.
package ior

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Version is that of the program whose method and text these are.
const Version = "4.1.0+dev"

const (
	kibi = 1 << 10
	mebi = 1 << 20
	gibi = 1 << 30
	date = "Mon Jan _2 15:04:05 2006"
)

// writer writes the text. Its first error is kept.
type writer struct {
	*bufio.Writer
	r *ior.Result
}

// Write writes the text of a result. IOR has no tests of metadata.
func Write(w io.Writer, r *ior.Result) error {
	t := &writer{bufio.NewWriter(w), r}
	t.head()
	for i := range r.Tests {
		if r.Tests[i].Metadata == nil {
			t.test(i)
		}
	}
	fmt.Fprintln(t)
	t.summary()
	if r.Complete {
		t.pair("Finished", r.Started.Add(time.Duration(r.WallSeconds*float64(time.Second))).Format(date))
	}
	return t.Flush()
}

func (t *writer) pair(name, value string) { fmt.Fprintf(t, "%-20s: %s\n", name, words.OneLine(value)) }

func (t *writer) head() {
	fmt.Fprintf(t, "IOR-%s: MPI Coordinated Test of Parallel I/O\n", Version)
	t.pair("Began", t.r.Started.Format(date))
	command := "beff ior"
	if e := t.r.Environment; e != nil && len(e.Command) > 0 {
		command = strings.Join(e.Command, " ")
	}
	t.pair("Command line", command)
	t.pair("Machine", t.r.Host.System+" "+t.r.Host.Name)
}

// FileSystem returns the line about a file system, which mdtest prints as well.
func FileSystem(f *rating.FileSystem) string {
	size, unit := float64(f.Size)/gibi, "GiB"
	if size > 1024 {
		size, unit = size/1024, "TiB"
	}
	inodes := 0.0
	if f.Files > 0 {
		inodes = 1 - float64(f.FreeFiles)/float64(f.Files)
	}
	return fmt.Sprintf("%-20s: %.1f %s   Used FS: %.1f%%   Inodes: %.1f Mi   Used Inodes: %.1f%%\n", "FS", size, unit,
		100*f.Used(), float64(f.Files)/mebi, 100*inodes)
}

func (t *writer) test(n int) {
	s, f := &t.r.Tests[n], &t.r.FileSystem
	t.pair("TestID", fmt.Sprint(n))
	t.pair("StartTime", t.r.Started.Format(date))
	path := s.Paths(1)[0]
	if !filepath.IsAbs(path) {
		path = filepath.Join(f.Directory, filepath.Base(path))
	}
	t.pair("Path", path)
	if f.Size > 0 && f.Files > 0 {
		fmt.Fprint(t, FileSystem(f))
	}
	fmt.Fprint(t, "\nOptions: \n")
	t.options(s)
	fmt.Fprint(t, "\nResults: \n\n"+
		"access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  "+
		"open(s)    wr/rd(s)   close(s)   total(s)   iter\n"+
		"------    ---------  ----       ----------  ---------- ---------  "+
		"--------   --------   --------   --------   ----\n")
	for i := range t.r.Samples {
		if x := &t.r.Samples[i]; x.Test == n {
			t.row(s, x)
		}
	}
	if list := t.r.Of(n, ior.Write); s.WearOut {
		pairs := int64(0)
		if len(list) > 0 {
			pairs = list[0].Most
		}
		fmt.Fprintf(t, "Pairs deadlineForStonewallingaccessed: %d\n", pairs)
	}
}

// options writes what the test was asked for.
func (t *writer) options(s *ior.Settings) {
	version := ""
	if s.API == ior.MPIIO {
		version = "(" + words.Either(t.r.Engine.Standard != "", t.r.Engine.Standard, "3.1") + ")"
	}
	shift := words.Either(s.ShiftNodes > 0, "constant task offset", "no tasks offsets")
	list := [][2]string{{"api", string(s.API)}, {"apiVersion", version}, {"test filename", s.File},
		{"access", words.Either(s.FilePerProcess, "file-per-process", "single-shared-file")},
		{"type", words.Either(s.Collective, "collective", "independent")}, {"segments", fmt.Sprint(s.Segments)},
		{"ordering in a file", words.Either(s.Random || s.Scattered, "random", "sequential")},
		{"ordering inter file", shift}}
	if s.ShiftNodes > 0 {
		list = append(list, [2]string{"task offset", fmt.Sprint(s.ShiftNodes)})
	}
	list = append(list, [][2]string{{"nodes", fmt.Sprint(max(len(t.r.Placement), 1))},
		{"tasks", fmt.Sprint(t.r.Processes)}, {"clients per node", fmt.Sprint(t.perNode())}}...)
	if s.Filled > 0 {
		list = append(list, [2]string{"memoryPerTask", Size(s.Filled)})
	}
	list = append(list, [][2]string{{"memoryBuffer", "CPU"}, {"dataAccess", "CPU"}, {"GPUDirect", "0"},
		{"repetitions", fmt.Sprint(s.Repetitions)}, {"xfersize", Size(s.Transfer)}, {"blocksize", Size(s.Block)},
		{"aggregate filesize", Size(s.Bytes(t.r.Processes))}}...)
	if s.Stonewall > 0 {
		list = append(list, [2]string{"stonewallingTime", fmt.Sprintf("%.0f", s.Stonewall)},
			[2]string{"stoneWallingWearOut", words.Either(s.WearOut, "1", "0")})
	}
	for _, o := range list {
		fmt.Fprintf(t, "%-20s: %s\n", o[0], words.OneLine(o[1]))
	}
}

func (t *writer) perNode() int { return max(t.r.PerNode(), 1) }

// Size returns bytes in the largest unit that they reach.
func Size(bytes int64) string {
	for _, u := range []struct {
		name string
		of   int64
	}{{"TiB", 1 << 40}, {"GiB", gibi}, {"MiB", mebi}} {
		switch {
		case bytes >= u.of && bytes%u.of == 0:
			return fmt.Sprintf("%d %s", bytes/u.of, u.name)
		case bytes >= u.of:
			return fmt.Sprintf("%.2f %s", float64(bytes)/float64(u.of), u.name)
		}
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// row writes a phase of a repetition.
func (t *writer) row(s *ior.Settings, x *ior.Sample) {
	if s.WearOut {
		tasks := float64(t.r.Processes)
		fmt.Fprintf(t, "stonewalling pairs accessed min: %d max: %d -- min data: %.1f GiB mean data: %.1f GiB "+
			"time: %.1fs\n", x.WallLeast, x.WallMost, float64(x.WallLeast*s.Transfer)/gibi,
			float64(x.WallTransfers*s.Transfer)/tasks/gibi, x.WallSeconds)
	}
	fmt.Fprintf(t, "%-10s", x.Access)
	for _, f := range []struct {
		value float64
		end   string
	}{{x.Bandwidth() / mebi, " "}, {x.Rate(), " "}, {x.Latency, "  "}, {float64(s.Block) / kibi, " "},
		{float64(s.Transfer) / kibi, " "}, {x.Open, " "}, {x.Move, " "}, {x.Close, " "}, {x.Seconds, " "}} {
		fmt.Fprint(t, figure(f.value), f.end)
	}
	fmt.Fprintf(t, "%-4d\n", x.Repetition)
}

// figure returns a number in ten characters, with decimals by its size.
func figure(x float64) string {
	decimals := 0
	switch {
	case x < 0 || math.IsNaN(x):
		return "   -      "
	case x < 1:
		decimals = 6
	case x < 3600:
		decimals = 2
	}
	return fmt.Sprintf("%-10.*f", decimals, x)
}

// summary writes a line for each access of each test.
func (t *writer) summary() {
	fmt.Fprint(t, "Summary of all tests:\n"+
		"Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs)  Mean(OPs)     StdDev    Mean(s) "+
		"Stonewall(s) Stonewall(MiB) Test# #Tasks tPN reps fPP reord reordoff reordrand seed segcnt   blksiz    "+
		"xsize aggs(MiB)   API RefNum\n")
	for n := range t.r.Tests {
		for _, a := range ior.Accesses() {
			if list := t.r.Of(n, a); len(list) > 0 && t.r.Tests[n].Metadata == nil {
				t.summarize(n, a, list)
			}
		}
	}
}

func (t *writer) summarize(n int, a ior.Access, list []ior.Sample) {
	s := &t.r.Tests[n]
	var all spread
	seconds, wall, data := 0., 0., 0.
	for x := range lists.Elements(list) {
		all.add(x.Bandwidth())
		seconds += x.Seconds / float64(len(list))
		wall += x.WallSeconds
		data += float64(x.WallTransfers*s.Transfer) / float64(t.r.Processes)
	}
	fmt.Fprintf(t, "%-9s ", a)
	for _, unit := range []float64{mebi, float64(s.Transfer)} {
		fmt.Fprintf(t, "%10.2f %10.2f %10.2f %10.2f ", all.most/unit, all.least/unit, all.mean()/unit,
			all.deviation()/unit)
	}
	fmt.Fprintf(t, "%10.5f ", seconds)
	if s.WearOut && wall > 0 {
		fmt.Fprintf(t, "%10.2f %13.2f ", wall/float64(len(list)), data/mebi/wall)
	} else {
		fmt.Fprintf(t, "%10s %13s ", "NA", "NA")
	}
	one := func(is bool) int {
		return words.Either(is, 1, 0)
	}
	fmt.Fprintf(t, "%5d %6d %3d %4d %3d %5d %8d %9d %4d %6d %8d %8d %9.1f %3s %6d\n", n, t.r.Processes, t.perNode(),
		s.Repetitions, one(s.FilePerProcess), one(s.ShiftNodes > 0), max(s.ShiftNodes, 1), 0, 0, s.Segments, s.Block,
		s.Transfer, float64(list[0].Bytes)/mebi, s.API, 0)
}

// spread adds up bandwidths.
type spread struct {
	n, sum, squares, least, most float64
}

func (s *spread) add(x float64) {
	if s.n == 0 {
		s.least, s.most = x, x
	}
	s.n, s.sum, s.squares = s.n+1, s.sum+x, s.squares+x*x
	s.least, s.most = min(s.least, x), max(s.most, x)
}

func (s *spread) mean() float64 { return s.sum / s.n }

// deviation returns the standard deviation of all repetitions that there are.
func (s *spread) deviation() float64 {
	return math.Sqrt(max(s.squares/s.n-s.mean()*s.mean(), 0))
}
