package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/report/oftune"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/tune"
)

// jobsToMake returns lines about the most jobs that there are, their algorithms and lengths, and how long they take as
// far as it is known.
func (t *tuning) jobsToMake(algorithms func(collective string) []tune.Algorithm, library string) (list []string) {
	p := &t.result.Plan
	most, possible := 0, false
	for _, name := range p.Collectives {
		one := p.Rounds*(1+len(algorithms(name))) + 2*p.Pairs
		if len(kernelsBeside(name)) > 0 {
			one, possible = one+firstLook, true
		}
		most += one * len(p.Processes)
	}
	sizes := words.Joined(lists.Each(p.Processes, strconv.Itoa), "and")
	list = append(list, fmt.Sprintf("at most %s: %s on %s processes, %d rounds of the default and each algorithm%s, "+
		"then at most %d pairs without and with the file; and a few short ones for each rule",
		words.Count(most, "job"), words.Joined(p.Collectives, "and"), sizes, p.Rounds,
		words.Either(possible, fmt.Sprintf(", MPIBlib's in the first %d", firstLook), ""), p.Pairs))
	for _, name := range p.Collectives {
		names := lists.Each(algorithms(name), func(a tune.Algorithm) string { return a.Name })
		list = append(list, fmt.Sprintf("%s of %s: %s", name, library, strings.Join(names, ", ")))
	}
	lengths := lists.Each(p.Lengths, func(n int64) string { return fmt.Sprint(n) })
	if n := len(lengths); n > 8 {
		lengths = slices.Concat(lengths[:3], []string{"…"}, lengths[n-1:])
	}
	list = append(list, fmt.Sprintf("%s: %s bytes", words.Count(len(p.Lengths), "length"), strings.Join(lengths, ", ")))
	longest := "a job has no limit"
	if t.limit > 0 {
		longest = fmt.Sprintf("a job that takes longer than %v is ended (--limit)", t.limit)
	}
	switch {
	case t.library == nil && t.lasted == 0:
		longest += "; the first one tells how long they take: about a second, with long " +
			"messages or many processes more"
	case t.lasted > 0:
		all := time.Duration(most) * t.lasted
		longest += fmt.Sprintf("; the first one took %.2g s: about %v in all", t.lasted.Seconds(),
			all.Round(time.Second))
	}
	return append(list, longest)
}

// dry prints the plan and the first command, after a look at what would end the command at once.
func (t *tuning) dry() error {
	if err := writable(t.Into); err != nil {
		return exit.With(exit.Usage, fmt.Errorf("--into: %w", err))
	}
	known := func(collective string) []tune.Algorithm { return tune.OpenMPI{}.Algorithms(tune.Find(collective)) }
	for _, line := range append(t.jobsToMake(known, "Open MPI 4.1 (the first job finds those of the library)"),
		oftune.OfDefault(t.result)...) {
		fmt.Fprintf(t.stderr, "beff: %s\n", line)
	}
	first := t.all()[0]
	fmt.Fprintln(t.stdout, quoted(t.line(nil, first.processes, []string{first.Name},
		t.nameOf(t.sampleName(first, tune.Choosing, tune.Default, 1)), t.timed()...)))
	return nil
}

// launcher finds the words that start a job, of a program that is there.
func (t *tuning) launcher() (err error) {
	if t.launch, err = starter(t.Launch, nil); err != nil {
		return err
	}
	if len(t.launch) == 0 {
		return errors.New("--launch: want a command, such as mpirun")
	}
	if slices.ContainsFunc(t.launch, func(w string) bool { return w == "-n" || w == "-np" || w == "--ntasks" }) {
		return errors.New("--launch: leave out the number of processes: each job has its own, by -n")
	}
	if _, err = exec.LookPath(t.launch[0]); err != nil {
		for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
			err = inner // without what was done to find it
		}
		return fmt.Errorf("--launch %s: %w", t.launch[0], err)
	}
	return nil
}

// writable returns an error if a directory can't be made, or nothing can be written in it.
func writable(dir string) error {
	for {
		info, err := os.Stat(dir)
		if above := filepath.Dir(dir); errors.Is(err, fs.ErrNotExist) && above != dir {
			dir = above
			continue
		}
		switch {
		case err != nil:
			return err
		case !info.IsDir():
			return fmt.Errorf("%s is no directory", dir)
		}
		if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
			return fmt.Errorf("nothing can be written in %s: %w", dir, err)
		}
		return nil
	}
}
