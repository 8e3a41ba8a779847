// Peers holds beff imb-* up against the Intel MPI Benchmarks: the time of each kernel over that of IMB, and IMB's own
// over itself, as a table in Markdown.
//
//	go run ./internal/peers -imb DIR -beff bin/beff -launch "mpirun -n 2" -name "Open MPI" > table.md
//
// DIR has binaries of IMB that were built for the same MPI (IMB-MPI1, IMB-EXT, IMB-IO, IMB-NBC, IMB-RMA). It fetches
// and builds nothing. IMB, beff and IMB again run in turn, and of each the least time of all runs counts. The machine
// must be quiet: a table of a busy one says nothing.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// options are those of the command line.
type options struct {
	imb, beff, launch, name, kernels, directory string
	runs                                        int
	lengths                                     []int64
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("peers", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.imb, "imb", "", "directory of IMB's binaries")
	f.StringVar(&o.beff, "beff", "bin/beff", "the binary of beff")
	f.StringVar(&o.launch, "launch", "mpirun -n 2", "launcher of two processes")
	f.StringVar(&o.name, "name", "MPI", "name of the MPI in the table")
	f.StringVar(&o.kernels, "kernels", "*", "glob of kernels, such as RMA:*put*")
	f.StringVar(&o.directory, "p", os.TempDir(), "directory of the files of IMB-IO")
	f.IntVar(&o.runs, "runs", 9, "runs of each, of which the least time counts")
	lengths := f.String("lengths", "4,1024,65536,4194304", "message lengths in bytes")
	if err = f.Parse(args); err != nil {
		return o, err
	}
	for word := range strings.SplitSeq(*lengths, ",") {
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return o, fmt.Errorf("-lengths %q: want whole numbers, separated by commas", *lengths)
		}
		o.lengths = append(o.lengths, n)
	}
	if o.imb == "" {
		return o, fmt.Errorf("-imb is missing: the directory of IMB's binaries")
	}
	if _, err := path.Match(o.kernels, ""); err != nil || o.runs < 1 {
		return o, fmt.Errorf("-kernels %q, -runs %d: want a glob and one run or more", o.kernels, o.runs)
	}
	return o, nil
}

// run measures all kernels and writes a table of each component.
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
	fmt.Fprint(stdout, heading(o))
	for i := range probe.Kernels {
		k := &probe.Kernels[i]
		matches, _ := path.Match(o.kernels, string(k.Component)+":"+k.Name)
		if !c.has(k) || !matches && o.kernels != "*" {
			continue
		}
		rows, err := c.measure(k)
		if err != nil {
			fmt.Fprintf(stderr, "%s: %v\n", k.Name, err)
			continue
		}
		if _, err := io.WriteString(stdout, rows); err != nil {
			return err
		}
	}
	return nil
}

// heading returns the head of the table.
func heading(o options) string {
	head, rule := "| kernel | time |", "|---|---|"
	for _, n := range o.lengths {
		head, rule = head+fmt.Sprintf(" %d B |", n), rule+"---|"
	}
	return fmt.Sprintf("%s: time of beff over that of IMB, in brackets IMB over itself; least of %d runs.\n\n%s\n%s\n",
		o.name, o.runs, head, rule)
}
