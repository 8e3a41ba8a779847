// Command faults injects faults that happen to machines into runs of beff. For each run it prints how soon beff
// reported the fault, the exit code, the samples kept, the files left, and the message (docs/studies/data/faults.csv).
// It exits with 1 if a run was silent, lost samples, printed goroutines, or ended before the fault.
package main

import (
	_ "embed"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	binary = flag.String("beff", "bin/beff", "path of beff, with its plug-ins in the same directory")
	only   = flag.String("only", "", "run only faults whose name contains this")
	phase  = flag.String("phase", "", "run only faults of this phase: init, start, run, write, rewrite, read, io, …")
	quick  = flag.Bool("quick", false, "run only the faults that matter most, which take two minutes together")
	server = flag.Bool("serve", false, "serve a directory as a file system at a place (for this program itself)")
	piece  = flag.String("piece", "1/1", "run only this piece of the table, such as 2/3")
)

//go:embed shim/fault.c
var shim string

//go:embed shim/clock.c
var clock string

// engine is a way to start beff on two processes.
type engine struct {
	name     string
	launcher []string
	flags    []string // at the end of the command line
	loses    bool     // the launcher loses the last lines of a job that it ends by a signal: Open MPI 5's
}

// engines returns the engines of this machine: the embedded one, and the MPIs with a launcher and a plug-in.
func engines() []engine {
	list := []engine{{name: "embedded", flags: []string{"--engine", "local", "--ranks", "2"}}}
	for _, e := range []engine{
		{name: "Open MPI", launcher: []string{"mpirun.openmpi", "--oversubscribe", "-n", "2"}},
		{name: "MPICH", launcher: []string{"mpirun.mpich", "-n", "2"}},
	} {
		plugin := filepath.Join(filepath.Dir(*binary), strings.TrimPrefix(e.launcher[0], "mpirun.")+".so")
		if _, err := os.Stat(plugin); err != nil {
			continue
		}
		if version, err := exec.Command(e.launcher[0], "--version").Output(); err == nil {
			e.loses = strings.Contains(string(version), "(Open MPI) 5.")
			list = append(list, e)
		}
	}
	return list
}

func main() {
	flag.Parse()
	do := campaign
	if *server {
		do = func() error { return serve(flag.Arg(0), flag.Arg(1)) }
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

// campaign injects all faults on all engines, and prints a row of CSV for each.
func campaign() error {
	var err error
	if *binary, err = filepath.Abs(*binary); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "beff-faults")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	library := filepath.Join(dir, "fault.so")
	if err := compile(shim, library, "-shared", "-fPIC"); err != nil {
		return err
	}
	if err := compile(clock, filepath.Join(dir, "clock")); err != nil {
		return err
	}
	var first, pieces int
	if _, err := fmt.Sscanf(*piece, "%d/%d", &first, &pieces); err != nil || first < 1 || first > pieces {
		return fmt.Errorf("-piece %s: want a piece such as 2/3", *piece)
	}
	table := chosen()
	table = table[(first-1)*len(table)/pieces : first*len(table)/pieces]
	if first == 1 {
		fmt.Println("fault,phase,engine,told after,exit,samples,left behind,first line")
	}
	var bad []string
	n := 0
	for _, f := range table {
		_, err := exec.LookPath(f.needs)
		if f.needs == "" {
			err = nil
		}
		if f.prepare != nil && os.Getuid() != 0 {
			err = errors.New("only root may mount file systems and make networks")
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "faults: left out: %s: %v\n", f.name, err)
			continue
		}
		for _, e := range engines() {
			if f.engines != nil && !slices.Contains(f.engines, e.name) {
				continue
			}
			own := filepath.Join(dir, fmt.Sprintf("run%d", n))
			n++
			row, err := f.make(e, own, library)
			if errors.Is(err, errNotHere) {
				fmt.Fprintf(os.Stderr, "faults: left out: %s, %s: %v\n", f.name, e.name, err)
				continue
			}
			if err != nil {
				return fmt.Errorf("%s, %s: %w", f.name, e.name, err)
			}
			fmt.Println(row)
			if row.silent || row.lost || row.early || row.dump {
				bad = append(bad, row.String())
			}
		}
	}
	if len(bad) > 0 {
		return fmt.Errorf("%d of %d runs were silent, lost samples, printed goroutines, or ended before the fault:\n%s",
			len(bad), n, strings.Join(bad, "\n"))
	}
	return nil
}

// chosen returns the faults that the flags select.
func chosen() []fault {
	return slices.DeleteFunc(slices.Concat(faults, fileFaults), func(f fault) bool {
		return !strings.Contains(f.name, *only) || *quick && !f.quick || *phase != "" && *phase != f.phase
	})
}

// compile compiles a C program.
func compile(source, program string, flags ...string) error {
	if err := os.WriteFile(program+".c", []byte(source), 0o644); err != nil {
		return err
	}
	words := append([]string{"-O1", "-o", program, program + ".c"}, append(flags, "-ldl")...)
	if out, err := exec.Command("cc", words...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(program), err, out)
	}
	return nil
}

// row is a row of the table.
type row struct {
	fault, phase, engine, told, kept, left, line string
	exit                                         int
	// told: when line came. early: the run ended before the fault. dump: the Go runtime printed its goroutines.
	silent, lost, early, dump bool
}

// String returns the row as a line of CSV.
func (r row) String() string {
	line := r.line
	if r.silent {
		line = "silent"
	}
	if r.early {
		line = "ended before the fault: " + line
	}
	if r.dump {
		line = "goroutines: " + line
	}
	if r.lost {
		r.kept = "lost"
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write([]string{r.fault, r.phase, r.engine, r.told, strconv.Itoa(r.exit), r.kept, r.left, line})
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// make runs beff on an engine with the fault, and returns the row.
func (f *fault) make(e engine, dir, library string) (row, error) {
	if err := os.MkdirAll(filepath.Join(dir, "files"), 0o755); err != nil {
		return row{}, err
	}
	env := append([]string{}, f.env...)
	made := filepath.Join(filepath.Dir(dir), filepath.Base(dir)+".made")
	if len(f.env) > 0 {
		env = append(env, "LD_PRELOAD="+library, "FAULT_MADE="+made)
	}
	args := append(slices.Clone(phases[f.phase]), f.flags...)
	w := &setup{dir: dir, engine: e, wrapper: f.beforeLauncher}
	defer func() {
		for _, undo := range slices.Backward(w.undo) {
			undo()
		}
	}()
	if f.prepare != nil {
		if err := f.prepare(w); err != nil {
			return row{}, err
		}
	}
	r, err := start(w.engine, dir, env, w.wrapper, f.beforeProcess, args...)
	if err != nil {
		return row{}, err
	}
	out := f.watch(r, e)
	if _, err := os.Stat(made); len(f.env) > 0 && err != nil {
		out.early = true
	}
	return out, nil
}

// watch injects the fault in the middle of a run, waits for its end, and returns its row.
func (f *fault) watch(r *run, e engine) row {
	before := 0
	early := false
	if f.inject != nil {
		early = !r.awaitPhase(f.phase)
		time.Sleep(f.delay)
		before = r.samples()
		if !early {
			r.hit = time.Now()
			f.inject(r)
		}
	}
	most := f.maxTime
	if most == 0 {
		most = time.Minute
	}
	hung := r.wait(most)
	out := row{fault: f.name, phase: f.phase, engine: e.name, exit: r.exit, line: r.line, left: r.left()}
	kept := r.samples()
	switch {
	case kept == 0:
		out.kept = "none measured"
	case r.verified():
		out.kept = fmt.Sprintf("%d, verified", kept)
	default:
		out.kept = fmt.Sprintf("%d, not verified", kept)
	}
	out.lost = kept < before
	if out.told = "-"; r.reported >= 0 {
		out.told = fmt.Sprintf("%.1f s", r.reported.Seconds())
	}
	out.early, out.dump = early, r.lines.dumped()
	// A run that completed before it got the signal to end has printed that. Its launcher may have got the signal.
	whole := f.harmless && r.lines.done()
	dropped := e.loses && !hung && strings.HasPrefix(f.name, "SIG")
	out.silent = r.reported < 0 && !f.mute && !dropped && !whole && (hung || r.exit != 0 || !f.harmless)
	switch {
	case r.reported < 0 && f.mute:
		out.line = "(nobody is left to say anything)"
	case r.reported < 0 && dropped:
		out.line = "(the launcher lost the last lines)"
	}
	if hung {
		out.line += " (ended by the campaign)"
	}
	return out
}
