// Package jobscript writes the job scripts of batch systems for a measurement: nodes of its own, a core for each
// process, a time limit, and a run that goes on where it was cut if the job is started again.
package jobscript

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/report"
)

// Job is what a script asks for.
type Job struct {
	Name       string
	Nodes      int
	PerNode    int // processes of each node
	Limit      time.Duration
	Basis      string // of the limit, in words
	Queue      string // partition or queue; empty: the default one
	Account    string // empty: the default one
	Modules    []string
	Directives []string // further lines for the batch system, without its word
	Launcher   string   // command that starts processes, with options of its own; empty: the scheduler's
	Hydra      bool     // mpirun and mpiexec are MPICH's
	Program    string   // beff, or its path
	Steps      []Step
}

// Step is a run of the program in a job.
type Step struct {
	Title   string // a comment; empty: none
	PerNode int
	// Processes of all nodes, the last of which may have fewer; 0: each node has PerNode.
	Processes int
	Args      []string // behind the program's name, without the output
	Output    string   // prefix of the documents, quoted; Number stands for the job's number
}

// Scheduler is a batch system.
type Scheduler struct {
	Name     string
	word     string // at the beginning of each directive
	id       string // variable with the job's number, which stays the same if the job is started again
	Launcher string // that starts processes
	begin    string // first command of a script
	// directives returns what the job asks for, without the word.
	directives func(j *Job) []string
}

// Schedulers has a row for each batch system. Words are those of the manuals of Slurm 22.05 (sbatch), OpenPBS (qsub),
// Flux (flux-batch) and LSF (bsub).
var Schedulers = []Scheduler{
	{Name: "slurm", word: "#SBATCH", id: "SLURM_JOB_ID", Launcher: "srun", directives: func(j *Job) []string {
		return given(
			"--job-name="+j.Name, fmt.Sprintf("--nodes=%d", j.Nodes), fmt.Sprintf("--ntasks-per-node=%d", j.PerNode),
			"--exclusive", "--time="+clock(j.Limit), "--requeue", "--open-mode=append", "--output=%x-%j.out",
			option("--partition=", j.Queue), option("--account=", j.Account))
	}},
	{Name: "pbs", word: "#PBS", id: "PBS_JOBID", Launcher: "mpirun", begin: `cd "$PBS_O_WORKDIR"`,
		directives: func(j *Job) []string {
			return given("-N "+j.Name, fmt.Sprintf("-l select=%d:ncpus=%d:mpiprocs=%d", j.Nodes, j.PerNode, j.PerNode),
				"-l place=scatter:excl", "-l walltime="+clock(j.Limit), "-r y", "-j oe", option("-q ", j.Queue),
				option("-A ", j.Account))
		}},
	{Name: "flux", word: "#flux:", id: "FLUX_JOB_ID", Launcher: "flux run", directives: func(j *Job) []string {
		return given("--job-name="+j.Name, fmt.Sprintf("--nodes=%d", j.Nodes),
			fmt.Sprintf("--nslots=%d", j.Nodes*j.PerNode), "--exclusive",
			fmt.Sprintf("--time-limit=%dm", int(j.Limit.Minutes())), "--output={{name}}-{{id}}.out",
			option("--queue=", j.Queue), option("--bank=", j.Account))
	}},
	{Name: "lsf", word: "#BSUB", id: "LSB_JOBID", Launcher: "mpirun", directives: func(j *Job) []string {
		return given("-J "+j.Name, fmt.Sprintf("-n %d", j.Nodes*j.PerNode),
			fmt.Sprintf(`-R "span[ptile=%d]"`, j.PerNode),
			"-x", fmt.Sprintf("-W %d:%02d", int(j.Limit.Hours()), int(j.Limit.Minutes())%60), "-r", "-o %J.out",
			option("-q ", j.Queue), option("-P ", j.Account))
	}},
}

// given returns the texts that aren't empty.
func given(list ...string) []string {
	return lists.Where(list, func(s string) bool { return s != "" })
}

// option returns an option with its value, empty if it has none.
func option(name, value string) string {
	if value == "" {
		return ""
	}
	return name + value
}

// clock returns a duration as hours, minutes and seconds.
func clock(d time.Duration) string {
	s := int(d.Seconds())
	return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60)
}

// starters have the options by which a launcher's program places and binds processes, for nodes, processes of each
// node, and all of them.
var starters = map[string]string{
	"srun":  "--nodes=NODES --ntasks=ALL --ntasks-per-node=EACH --cpu-bind=cores", // --ntasks: the job's counts else
	"flux":  "--nodes=NODES --ntasks=ALL -o cpu-affinity=per-task",
	"hydra": "-n ALL -ppn EACH -bind-to core",
	"":      "-n ALL --map-by ppr:EACH:node --bind-to core", // Open MPI's
}

// launch returns the command that starts a step's processes.
func (j *Job) launch(s *Scheduler, of *Step) string {
	command := j.Launcher
	if command == "" {
		command = s.Launcher
	}
	name, _, _ := strings.Cut(command, " ")
	name = filepath.Base(name)
	if _, ok := starters[name]; !ok {
		name = ""
		if j.Hydra || strings.Contains(command, "hydra") || strings.Contains(command, "mpich") {
			name = "hydra"
		}
	}
	return command + " " + strings.NewReplacer("NODES", fmt.Sprint(j.Nodes), "EACH", fmt.Sprint(of.PerNode), "ALL",
		fmt.Sprint(cmp.Or(of.Processes, j.Nodes*of.PerNode))).Replace(starters[name])
}

// wall returns the time that each of as many steps may take, so that the last one ends in order before the limit.
func wall(limit time.Duration, steps int) string {
	share := limit / time.Duration(steps)
	share -= min(2*time.Minute, share/5)
	if share > 10*time.Minute {
		return fmt.Sprintf("%dm", int(share.Minutes()))
	}
	return fmt.Sprintf("%ds", int(share.Seconds()))
}

// Write writes the script of a job.
func (s *Scheduler) Write(w io.Writer, j *Job) error {
	b := &strings.Builder{}
	fmt.Fprintln(b, "#!/bin/bash")
	for _, d := range append(s.directives(j), j.Directives...) {
		fmt.Fprintf(b, "%s %s\n", s.word, d)
	}
	fmt.Fprintf(b, "\n# Time limit: %s.\n", j.Basis)
	fmt.Fprintln(b, "set -u")
	for _, line := range given(s.begin, option("module load ", strings.Join(j.Modules, " "))) {
		fmt.Fprintln(b, line)
	}
	b.WriteString(`
# measure PREFIX COMMAND… runs beff. In a job that was started again it goes on where the first one was cut.
measure() {
	local output=(-o "$1") name=${1%.gz}
	name=${name%.json}
	if [ -s "$name.journal" ]; then
		output=(--resume "$1")
	elif [ -s "$name.json" ] || [ -s "$name.json.gz" ]; then
		echo "$name.json is there, and whole: it isn't measured again" >&2
		return
	fi
	shift
	"$@" "${output[@]}"
}
`)
	for _, step := range j.Steps {
		fmt.Fprintln(b)
		if step.Title != "" {
			fmt.Fprintf(b, "# %s\n", step.Title)
		}
		fmt.Fprintf(b, "measure %s %s %s %s --wall %s\n", s.prefix(step.Output), j.launch(s, &step), j.Program,
			strings.Join(step.Args, " "), wall(j.Limit, len(j.Steps)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Number stands for the job's number in the output of a step.
const Number = "\x00"

// prefix returns a step's output as a word of the shell.
func (s *Scheduler) prefix(output string) string {
	return strings.ReplaceAll(output, Number, `"$`+s.id+`"`)
}

// Quote returns a word as the shell takes it.
func Quote(word string) string { return report.Quoted([]string{word}) }
