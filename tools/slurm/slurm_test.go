package slurm

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/ofbeff"
)

// TestSlurm runs when BEFF_SLURM says which part: start, that of make test, or all of them.
func TestSlurm(t *testing.T) {
	part := os.Getenv("BEFF_SLURM")
	if part == "" {
		t.Skip("make test-slurm runs this: it needs slurmctld, slurmd, munge and both MPIs")
	}
	program := build(t)
	c := start(t)
	for name, test := range map[string]func(*cluster, string){
		"srun with PMI-2 and MPICH":   func(c *cluster, p string) { c.srun(p, "pmi2", "MPICH") },
		"srun with PMIx and Open MPI": func(c *cluster, p string) { c.srun(p, "pmix", "Open MPI") },
		"sbatch":                      (*cluster).batch,
		"a batch script without srun": (*cluster).forgotten,
	} {
		t.Run(name, func(t *testing.T) { test(&cluster{t, c.dir, c.host}, program) })
	}
	if part == "start" {
		return
	}
	for name, test := range map[string]func(*cluster, string){
		"scancel":                     (*cluster).cancelled,
		"requeue":                     (*cluster).requeued,
		"time limit that Slurm tells": (*cluster).limited,
		"time limit that nobody told": (*cluster).killed,
		"files by sbatch":             (*cluster).files,
	} {
		t.Run(name, func(t *testing.T) { test(&cluster{t, c.dir, c.host}, program) })
	}
}

// build builds beff, with plug-ins of both MPIs beside it.
func build(t *testing.T) string {
	program := filepath.Join(t.TempDir(), "beff")
	for _, line := range []string{"go build -C ../.. -o " + program + " ./cmd/beff",
		program + " mpi add --mpicc mpicc.openmpi",
		program + " mpi add --mpicc mpicc.mpich"} {
		words := strings.Fields(line)
		x := exec.Command(words[0], words[1:]...)
		x.Env = append(os.Environ(), "CGO_ENABLED=0", "BEFF_PLUGINS=", "XDG_DATA_HOME=/nonexistent")
		out, err := x.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return program
}

// result reads a document, proven.
func (c *cluster) result(name string) *beff.Result {
	data, err := os.ReadFile(filepath.Join(c.dir, "work", name))
	require.NoError(c, err)
	r, err := ofbeff.Verify(data)
	require.NoError(c, err)
	return r
}

// line is the last line of a run.
var line = regexp.MustCompile(`(?m)^b_eff = .* PEs with .*$`)

// srun measures by a process on each node: a rating, a kernel, and files.
func (c *cluster) srun(program, interfaced, library string) {
	name := "srun-" + interfaced
	beff := func(args ...string) string {
		return c.output("srun", append([]string{"--mpi=" + interfaced, "--nodes=2", "--ntasks=2", program}, args...)...)
	}
	out := beff("run", "--quick", "--memory", "64MiB", "--patterns", "ring", "--methods", "sendrecv", "-o", name)
	require.Equal(c, 1, strings.Count(out, "NOT VALID for comparison"), "one rating, in order: %s", out)
	r := c.result(name + ".json")
	require.True(c, r.Complete)
	require.Equal(c, 2, r.Processes)
	require.Equal(c, library, r.Engine.Library)
	require.Len(c, r.Placement, 2, "two hosts")
	require.Regexp(c, `(?m)^ +8 +\d`, beff("probe", "PingPong", "--msglog", "3:4"))
	require.Contains(c, beff("io", "-T", "2", "--memory", "256MiB"), "b_eff_io")
}

// script writes the script of a job of two nodes with a process each, and returns its path.
func (c *cluster) script(name, program string, args ...string) string {
	text := c.output(program, append([]string{"job", "--slurm", "-N", "2", "--per-node", "1", "--program",
		program},
		args...)...)
	path := filepath.Join(c.dir, "work", name+".sh")
	require.NoError(c, os.WriteFile(path, []byte(text), 0o755))
	return path
}

// submit submits a script and returns the job's number.
func (c *cluster) submit(script string) string {
	id, _, _ := strings.Cut(strings.TrimSpace(c.output("sbatch", "--parsable", script)), ";")
	return id
}

// field returns a field of a job, such as JobState.
func (c *cluster) field(id, name string) string {
	for _, word := range strings.Fields(c.output("scontrol", "show", "job", id)) {
		if value, ok := strings.CutPrefix(word, name+"="); ok {
			return value
		}
	}
	return ""
}

// ended waits until a job has a state that it ends with, and returns the state.
func (c *cluster) ended(id string) (state string) {
	c.await("end of job "+id, func() bool {
		state = c.field(id, "JobState")
		return state != "PENDING" && state != "RUNNING" && state != "COMPLETING" && state != "CONFIGURING"
	})
	return state
}

// log returns what a job printed.
func (c *cluster) log(job, id string) string {
	text, err := os.ReadFile(filepath.Join(c.dir, "work", job+"-"+id+".out"))
	require.NoError(c, err)
	return string(text)
}

// batch submits a script of beff job.
func (c *cluster) batch(program string) {
	id := c.submit(c.script("batch", program, "--launcher", "srun --mpi=pmix", "run", "--quick", "--memory", "64MiB"))
	state := c.ended(id)
	out := c.log("beff-run", id)
	require.Equal(c, "COMPLETED", state, out)
	require.Len(c, line.FindAllString(out, -1), 1, out)
	r := c.result("beff-run-" + id + ".json")
	require.True(c, r.Complete)
	require.Equal(c, 2, r.Processes)
}

// forgotten submits a script in which srun was forgotten: it must not rate the embedded engine.
func (c *cluster) forgotten(program string) {
	path := filepath.Join(c.dir, "work", "forgotten.sh")
	text := "#!/bin/bash\n#SBATCH --nodes=2 --ntasks=2 --job-name=forgotten --output=%x-%j.out\n" + program +
		" run --quick\n"
	require.NoError(c, os.WriteFile(path, []byte(text), 0o755))
	id := c.submit(path)
	state := c.ended(id)
	out := c.log("forgotten", id)
	require.Equal(c, "FAILED", state, out)
	require.NotContains(c, out, "b_eff = ")
	require.Contains(c, out, "srun")
}
