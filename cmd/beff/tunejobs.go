package main

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/input"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/oftune"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/tune"
)

// tuning is a campaign of jobs under way.
type tuning struct {
	*tuneCommand
	*process
	jobs    jobs
	beff    string
	launch  []string
	limit   time.Duration
	library tune.Library // of the first job; nil before
	result  *tune.Result
	lasted  time.Duration // the last job that was started; 0: none was

	// Of timed jobs: how many there are, and have a warning of a code; the first one of each.
	timedJobs int
	warned    map[string]int
	warnings  []rating.Warning
}

// lone is a collective on as many processes.
type lone struct {
	*tune.Collective
	processes int
}

func (l lone) String() string { return fmt.Sprintf("%s on %d processes", l.Name, l.processes) }

// all returns each collective on each number of processes.
func (t *tuning) all() (list []lone) {
	for _, name := range t.result.Collectives {
		for _, n := range t.result.Processes {
			list = append(list, lone{tune.Find(name), n})
		}
	}
	return list
}

// line returns the words that run kernels on as many processes with variables.
func (t *tuning) line(variables []string, processes int, kernels []string, prefix string, more ...string) []string {
	if t.MPI != "" {
		more = append(more, "--mpi", t.MPI)
	}
	n := fmt.Sprint(processes)
	return jobOf(variables, t.launch, []string{"-n", n, t.beff, "probe"}, kernels, []string{"--npmin", n}, more,
		[]string{"-o", prefix})
}

// timed are the options of jobs whose times count: a call begins when all processes are there, and the time is the
// median of its repetitions, because other work on the machine makes some long.
func (t *tuning) timed() []string {
	var lengths []string
	for _, n := range t.result.Lengths {
		lengths = append(lengths, fmt.Sprint(n))
	}
	return []string{"--timing", "max", "--option", "statistic=median", "--repetitions", "40", "--sample-time", "1",
		"--msgsize", strings.Join(lengths, ",")}
}

// failedEnding ends the name of the file that says why a job failed, and isn't tried again.
const failedEnding = ".failed"

// job returns what a job measured: one that is there, or a new one. One that was cut off is made anew, as it is short.
func (t *tuning) job(variables []string, processes int, kernels []string, name string, more ...string) (*probe.Result,
	error) {
	prefix := t.nameOf(name)
	if said, err := input.ReadAll(prefix+failedEnding, 1<<16); err == nil {
		why, line, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
		return nil, &jobError{why, line}
	}
	begun, there := time.Now(), publish.LeftAt(prefix) == publish.Whole
	f, err := t.jobs.measured(prefix, t.limit, nil, func(cut bool) []string {
		line := t.line(variables, processes, kernels, prefix, more...)
		if cut {
			line = append(line, "--force")
		}
		return line
	})
	if err != nil {
		return nil, err
	}
	if !there {
		t.lasted = time.Since(begun)
	}
	r := f.Probe()
	if r == nil {
		return nil, fmt.Errorf("%s is no result of probe", f.Name())
	}
	switch kind := r.Engine.Kind(); {
	case kind.Embedded, kind.Simulated, kind.SHMEM, !kind.Distributed:
		return nil, exit.Misuse("%s has no algorithms to choose from: jobs must run over Open MPI or MPICH: give "+
			"--launch", r.Engine.Library)
	case r.Processes != processes:
		return nil, fmt.Errorf("%s isn't a job of %s, as its processes don't find each other: give --launch the "+
			"launcher of the library", f.Name(), words.Processes(processes))
	}
	p := &t.result.Period
	if p.Started.IsZero() {
		p.Started = r.Started
	}
	end := r.Started.Add(time.Duration(r.WallSeconds * float64(time.Second)))
	p.WallSeconds = max(p.WallSeconds, end.Sub(p.Started).Seconds())
	return r, nil
}

// times returns the time of a call of a kernel at each length of the plan.
func (t *tuning) times(r *probe.Result, collective, kernel string) []float64 {
	lengths := t.result.LengthsOf(collective)
	list := make([]float64, len(lengths))
	for _, k := range ofprobe.Of(r) {
		if k.Name != kernel {
			continue
		}
		for _, b := range k.Blocks {
			for i := range b.Rows {
				row := &b.Rows[i]
				if at := slices.Index(lengths, row.Bytes); at >= 0 && row.Missing == "" && b.Processes == r.Processes {
					list[at] = row.Slowest(k.Times()[0])
				}
			}
		}
	}
	return list
}

// measure makes the job of a setting of a collective, and keeps its sample.
func (t *tuning) measure(l lone, phase tune.Phase, setting string, round int, variables []string) error {
	r, err := t.job(variables, l.processes, []string{l.Name}, t.sampleName(l, phase, setting, round), t.timed()...)
	if err != nil {
		return err
	}
	if t.library == nil {
		if err := t.meet(r); err != nil {
			return err
		}
	}
	t.note(r)
	if setting == tune.Default && (t.result.Placement == nil || t.largest(r.Processes)) {
		t.result.Machine = r.Machine
		t.result.Load = nil // that of one job
	}
	where := fmt.Sprintf("%s: %s", words.Processes(l.processes), parts.Placement(r.Placement))
	if !slices.Contains(t.result.Placements, where) {
		t.result.Placements = append(t.result.Placements, where)
	}
	t.result.Samples = append(t.result.Samples, tune.Sample{Phase: phase, Collective: l.Name, Processes: l.processes,
		Setting: setting, Round: round, Seconds: t.times(r, l.Name, l.Name)})
	return nil
}

// note keeps the warnings of a timed job that are about what disturbed it.
func (t *tuning) note(r *probe.Result) {
	t.timedJobs++
	about, _ := rating.AboutSigns(r.Warnings, r.Signs)
	for _, w := range append(about, rating.CrowdedWarning(r.Placement)...) {
		if t.warned[w.Code]++; t.warned[w.Code] == 1 {
			t.warnings = append(t.warnings, w)
		}
	}
}

// largest reports whether jobs of as many processes are the largest ones.
func (t *tuning) largest(processes int) bool { return processes == slices.Max(t.result.Processes) }

// sampleName returns the name of a job. Those of a proof are of their rules.
func (t *tuning) sampleName(l lone, phase tune.Phase, setting string, round int) string {
	list := []string{string(phase), l.Name, onProcesses(l.processes), setting, fmt.Sprint(round)}
	if phase == tune.Proving {
		list = append(list, mark(tune.Of(t.result.Derived.Rules, l.Name, l.processes)))
	}
	return strings.Join(list, "-")
}

// mark tells rules apart in names of files: more rounds may have given others.
func mark(rules []tune.Rule) string {
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(fmt.Append(nil, rules)))
}

// meet finds the library and its algorithms by the first job.
func (t *tuning) meet(r *probe.Result) error {
	t.result.Software, t.result.Circumstances = r.Software, r.Circumstances
	t.result.Waits = nil
	file := ""
	if e := r.Environment; e != nil {
		file = e.MPI.File
		e.Command = append([]string{"beff"}, t.args...)
	}
	name := r.Engine.Library + " " + r.Engine.Version
	var library tune.Library
	switch {
	case r.Engine.Library == "Open MPI":
		if major := strings.SplitN(r.Engine.Version, ".", 2)[0]; major != "4" && major != "5" {
			return exit.Misuse("files of rules are known of Open MPI 4 and 5, and this is %s", name)
		}
		library = tune.OpenMPI{Info: infoOfOpenMPI(r.Engine.Version)}
	case r.Engine.Library == "MPICH":
		text, err := input.ReadAll(file, 1<<30)
		if err != nil {
			return fmt.Errorf("the library's file, which has its algorithms: %w", err)
		}
		if library, err = tune.NewMPICH(text); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	default:
		return exit.Misuse("%s has no choice of algorithms that tune knows: want Open MPI or MPICH", name)
	}
	for _, collective := range t.result.Collectives {
		list := library.Algorithms(tune.Find(collective))
		if len(list) == 0 {
			return exit.Misuse("%s has no choice of algorithms for %s, or rules that don't know the length", name,
				collective)
		}
		t.result.Algorithms = append(t.result.Algorithms, tune.Choice{Collective: collective, Algorithms: list})
	}
	t.library = library
	for _, line := range append(t.jobsToMake(t.result.AlgorithmsOf, name), oftune.OfDefault(t.result)...) {
		fmt.Fprintf(t.stderr, "beff: %s\n", line)
	}
	return nil
}

// infoOfOpenMPI returns what ompi_info says of coll_tuned's parameters; empty if there is none of the same version.
func infoOfOpenMPI(version string) string {
	said, err := exec.Command("ompi_info", "--version").Output()
	if err != nil || !strings.Contains(string(said), "v"+version+"\n") {
		return ""
	}
	said, err = exec.Command("ompi_info", "--param", "coll", "tuned", "--level", "9", "--parsable").Output()
	if err != nil {
		return ""
	}
	return string(said)
}

// campaign makes the jobs of the choice, proves that the library takes the rules that follow, and measures their gain.
func (t *tuning) campaign() error {
	for _, l := range t.all() {
		if err := t.choose(l); err != nil {
			return err
		}
	}
	t.result.Derived = t.result.Derive()
	rules, err := t.taken(t.result.Derived.Rules)
	if err != nil {
		return err
	}
	prefix, err := t.tried()
	if err != nil {
		return err
	}
	for _, l := range t.all() {
		if err := t.prove(l, prefix, rules); err != nil {
			return err
		}
	}
	t.result.Derived = t.result.Derive()
	return nil
}

// firstLook is the number of rounds after which algorithms without hope are left out.
const firstLook = 3

// choose makes the rounds of a collective on as many processes: the default and each algorithm, in random order.
func (t *tuning) choose(l lone) error {
	if err := t.measure(l, tune.Choosing, tune.Default, 1, nil); err != nil {
		if failed := (*jobError)(nil); errors.As(err, &failed) {
			return fmt.Errorf("tune: %v by default: %w", l, err)
		}
		if t.library == nil { // it can't be tuned: the directory is free for another campaign
			t.remove(t.sampleName(l, tune.Choosing, tune.Default, 1) + ".*")
		}
		return fmt.Errorf("tune: %w", err)
	}
	list := slices.Clone(t.result.AlgorithmsOf(l.Name))
	possible := kernelsBeside(l.Name)
	for round := 1; round <= t.result.Rounds; round++ {
		if round == firstLook+1 {
			list, possible = t.result.Hopeful(t.result.Samples, l.Name, l.processes, list), nil
		}
		if len(list) == 0 {
			return nil
		}
		jobs := []roundJob{{t.sampleName(l, tune.Choosing, tune.Default, round), func(string) error {
			if round == 1 {
				return nil // it is the first job of all
			}
			return t.measure(l, tune.Choosing, tune.Default, round, nil)
		}}}
		for _, a := range slices.Clone(list) {
			jobs = append(jobs, roundJob{t.sampleName(l, tune.Choosing, a.Name, round), func(name string) error {
				variables, err := t.forced(l, a)
				if err == nil {
					err = t.measure(l, tune.Choosing, a.Name, round, variables)
				}
				failed, err := t.skip(l, a.Name, name, err)
				if failed {
					list = slices.DeleteFunc(list, func(b tune.Algorithm) bool { return b == a })
				}
				return err
			}})
		}
		if len(possible) > 0 {
			name := strings.Join([]string{string(tune.Possible), l.Name, onProcesses(l.processes),
				fmt.Sprint(round)}, "-")
			jobs = append(jobs, roundJob{name, func(name string) error {
				failed, err := t.skip(l, "beff's own", name, t.measurePossible(l, possible, name, round))
				if failed {
					possible = nil
				}
				return err
			}})
		}
		if err := t.round(l, round, jobs); err != nil {
			return err
		}
	}
	return nil
}

// roundJob is a job of a round, and what makes it by its name.
type roundJob struct {
	name string
	make func(name string) error
}

// round makes jobs in random order, and says before how many of them are there.
func (t *tuning) round(l lone, round int, jobs []roundJob) error {
	there := 0
	for _, job := range jobs {
		prefix := t.nameOf(job.name)
		if _, err := os.Stat(prefix + failedEnding); err == nil || publish.LeftAt(prefix) == publish.Whole {
			there++
		}
	}
	said := ""
	switch {
	case there == len(jobs):
		said = ", there already"
	case there > 1 || there == 1 && round > 1: // the first job of all is made before its round
		said = fmt.Sprintf(", %d of them there already", there)
	}
	fmt.Fprintf(t.stderr, "beff: %v, round %d of %d: %s%s\n", l, round, t.result.Rounds,
		words.Count(len(jobs), "job"), said)
	draw := rand.New(rand.NewPCG(t.result.Seed, uint64(l.OpenMPI)<<40|uint64(l.processes)<<10|uint64(round)))
	draw.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
	for _, job := range jobs {
		if err := job.make(job.name); err != nil {
			return fmt.Errorf("tune: %v: %w", l, err)
		}
	}
	return nil
}

// forced returns the variables by which calls of a collective on as many processes take an algorithm.
func (t *tuning) forced(l lone, a tune.Algorithm) ([]string, error) {
	if list := t.library.Force(l.Collective, a); list != nil {
		return list, nil
	}
	prefix, err := filepath.Abs(t.nameOf("forced", l.Name, onProcesses(l.processes), a.Name))
	if err != nil {
		return nil, err
	}
	lengths := t.result.LengthsOf(l.Name)
	first, last := lengths[0], lengths[len(lengths)-1]
	rules := []tune.Rule{{Collective: l.Name, Processes: l.processes, From: first, To: last,
		Below: 2 * last, Algorithm: a}}
	return t.library.Use(prefix, rules), t.write(prefix, rules, false)
}

// mostReason is the length of a reason; all of it is in the file of the job that failed.
const mostReason = 200

// skip leaves an algorithm out whose job failed, says so, and keeps why: it isn't tried again. Other errors end the
// campaign.
func (t *tuning) skip(l lone, algorithm, name string, err error) (failed bool, _ error) {
	of := (*jobError)(nil)
	if !errors.As(err, &of) {
		return false, err
	}
	why := words.OneLine(of.why)
	if r := []rune(why); len(r) > mostReason {
		why = string(r[:mostReason]) + "…"
	}
	t.result.Skipped = append(t.result.Skipped, tune.Skipped{Collective: l.Name, Processes: l.processes,
		Algorithm: algorithm, Reason: why})
	fmt.Fprintf(t.stderr, "beff: %v: %s is left out: %s\n", l, algorithm, why)
	return true, publish.Failed(publish.Replace(t.nameOf(name)+failedEnding, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\n%s\n", of.why, of.line)
		return err
	}))
}

// kernelsBeside returns the kernels that do a collective by algorithms that libraries may lack.
func kernelsBeside(collective string) (list []string) {
	for _, k := range suites.Algorithms(collective) {
		list = append(list, k.Name)
	}
	return list
}

// measurePossible makes the job of algorithms that the library lacks, which are beff's own programs.
func (t *tuning) measurePossible(l lone, kernels []string, name string, round int) error {
	r, err := t.job(nil, l.processes, kernels, name, t.timed()...)
	if err != nil {
		return err
	}
	t.note(r)
	for _, kernel := range kernels {
		t.result.Samples = append(t.result.Samples, tune.Sample{Phase: tune.Possible, Collective: l.Name,
			Processes: l.processes, Setting: kernel, Round: round, Seconds: t.times(r, l.Name, kernel)})
	}
	return nil
}
