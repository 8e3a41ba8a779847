// Command peers compares beff imb with the Intel MPI Benchmarks (IMB). It prints tables in Markdown with beff's time of
// each kernel divided by IMB's time, and next to it the ratio of the times of two runs of IMB.
//
//	cd tools && go run ./peers -imb DIR -beff ../bin/beff -launch "mpirun -n 2" -name "Open MPI" > table.md
//
// -osu DIR compares beff's kernels osu:* with the OSU micro-benchmarks 7.4 in the same way, with -imb or without.
//
// DIR has binaries of IMB that were built for the same MPI (IMB-MPI1, IMB-EXT, IMB-IO, IMB-NBC, IMB-RMA, IMB-P2P,
// IMB-MT). Peers fetches and builds nothing. IMB, beff and IMB again run in turn, some kernels at a time, and for each
// figure the least of all runs counts. The machine must be quiet: a table of a busy machine means nothing.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/suites"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// options are the options of the command line.
type options struct {
	imb, osu, beff, launch, name, kernels, directory string
	runs, batch                                      int
	all                                              bool
	lengths                                          []int64
	more, own                                        []string
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("peers", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.imb, "imb", "", "directory of IMB's binaries")
	f.StringVar(&o.osu, "osu", "", "directory of the programs of the OSU micro-benchmarks")
	f.StringVar(&o.beff, "beff", "bin/beff", "the binary of beff")
	f.StringVar(&o.launch, "launch", "mpirun -n 2", "launcher, with the number of processes")
	f.StringVar(&o.name, "name", "MPI", "name of the MPI in the table")
	f.StringVar(&o.kernels, "kernels", "*", "glob of kernels, such as RMA:*put*")
	f.StringVar(&o.directory, "p", os.TempDir(), "directory of the files of IMB-IO")
	f.IntVar(&o.runs, "runs", 9, "runs of each program, of which the least time counts")
	f.IntVar(&o.batch, "batch", 8, "kernels in a run")
	f.BoolVar(&o.all, "all", false, "print a row for each figure, not only for those outside of the band")
	more := f.String("args", "", "words to add to both command lines of IMB-MT, and to OSU's")
	own := f.String("own", "", "words to add to beff probe, which gets no -args")
	lengths := f.String("lengths", "4,1024,65536,4194304", "message lengths in bytes")
	if err = f.Parse(args); err != nil {
		return o, err
	}
	o.more, o.own = strings.Fields(*more), strings.Fields(*own)
	for word := range strings.SplitSeq(*lengths, ",") {
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return o, fmt.Errorf("-lengths %q: want whole numbers, separated by commas", *lengths)
		}
		o.lengths = append(o.lengths, n)
	}
	if o.imb == "" && o.osu == "" {
		return o, fmt.Errorf("want -imb or -osu with the directory of IMB's or OSU's programs")
	}
	if _, err := path.Match(o.kernels, ""); err != nil || o.runs < 1 || o.batch < 1 {
		return o, fmt.Errorf("-kernels %q, -runs %d, -batch %d: want a glob, and one or more", o.kernels, o.runs,
			o.batch)
	}
	return o, nil
}

// run measures all kernels and writes the tables. It prints the names of a batch that fails, and measures the others.
func run(args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	c, err := newContest(o, stderr)
	if err != nil {
		return err
	}
	defer os.RemoveAll(c.directory)
	var all []figure
	for _, batch := range c.batches() {
		figures, err := c.measure(batch)
		if err != nil {
			fmt.Fprintf(stderr, "%s: %v\n", names(batch), err)
			continue
		}
		all = append(all, figures...)
	}
	_, err = io.WriteString(stdout, report(&o, all))
	return err
}

// batches returns the kernels in groups that run together. A group has up to c.batch kernels of one component.
func (c *contest) batches() (list [][]*kernel.Kernel) {
	for _, component := range suites.Components() {
		var batch []*kernel.Kernel
		for _, k := range suites.Kernels() {
			matches, _ := path.Match(c.kernels, string(k.Component)+":"+k.Name)
			if k.Component != component || !c.has(k) || !matches && c.kernels != "*" {
				continue
			}
			if batch = append(batch, k); len(batch) == c.batch || k.Component == kernel.OSU {
				list, batch = append(list, batch), nil
			}
		}
		if len(batch) > 0 {
			list = append(list, batch)
		}
	}
	return list
}

// names returns the kernels of a batch in words.
func names(batch []*kernel.Kernel) string {
	var list []string
	for _, k := range batch {
		list = append(list, k.Name)
	}
	return string(batch[0].Component) + " " + strings.Join(list, ", ")
}
