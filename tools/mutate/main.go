// Command mutate measures how many wrong answers tests notice. It changes one operator or constant of a package at a
// time, and runs the package's tests on each such mutant. A mutant that passes them all has survived. Either it
// computes the same (it is equivalent, and equivalent.txt gives the reason), or no test knows the answer that it gets
// wrong.
//
//	go build -C tools -o ../build/tools/ ./mutate && build/tools/mutate -n 60 -seed 1 ./patterns ./beff
//
// Sources stay unchanged: a mutant is an overlay of the go command. The seed draws mutants at random from the whole
// package, or from the files that -files names. Mutate exits with 1 if it kills fewer percent of the mutants than
// -least. Equivalent ones don't count. Gremlins v0.6.0 does the same with fewer mutations. It changes no constants, but
// half of the 40 mutants for which this tool was made change a constant. It also runs all mutants of a package.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	count      int
	seed       uint64
	files      string
	least      float64
	workers    int
	equivalent string
	verbose    bool
}

// run mutates the packages that the arguments name, one after the other.
func run(args []string, stdout, stderr io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&s.count, "n", 60, "mutants of each package; 0: all")
	flags.Uint64Var(&s.seed, "seed", 1, "`seed` of the draw")
	flags.StringVar(&s.files, "files", "*.go", "mutate only files that fit one of these `globs`, with commas "+
		"between them")
	flags.Float64Var(&s.least, "least", 90, "`percent` of the mutants that tests must kill")
	flags.IntVar(&s.workers, "p", 2, "mutants that are tested at the same time")
	flags.StringVar(&s.equivalent, "equivalent", "tools/mutate/equivalent.txt", "`file` of known equivalent mutants")
	flags.BoolVar(&s.verbose, "v", false, "print all mutants")
	if err := flags.Parse(args); err != nil {
		return err
	}
	equivalents, err := readEquivalents(s.equivalent)
	if err != nil {
		return err
	}
	failed := 0
	for _, pattern := range flags.Args() {
		c := campaign{settings: s, pattern: pattern, equivalents: equivalents, out: stdout}
		score, err := c.run()
		if err != nil {
			return fmt.Errorf("%s: %w", pattern, err)
		}
		if score < s.least {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("in %d packages fewer than %g %% of the mutants were killed", failed, s.least)
	}
	return nil
}
