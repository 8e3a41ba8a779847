package slurm

import (
	"cmp"
	"fmt"
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

// TestSlurm runs the parts that BEFF_SLURM names: start, the part in make test, or all.
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
		"scancel":                 (*cluster).cancel,
		"requeue":                 (*cluster).requeue,
		"--wall before the limit": (*cluster).endByWall,
		"unknown time limit":      (*cluster).exceedLimit,
		"files by sbatch":         (*cluster).measureFiles,
	} {
		t.Run(name, func(t *testing.T) { test(&cluster{t, c.dir, c.host}, program) })
	}
}

// build builds beff, with plug-ins for both MPIs next to it.
func build(t *testing.T) string {
	program := filepath.Join(t.TempDir(), "beff")
	for _, line := range []string{"go build -C ../.. -ldflags=-w -o " + program + " ./cmd/beff",
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

// result reads and verifies a result document of b_eff.
func (c *cluster) result(name string) *beff.Result {
	data, err := os.ReadFile(filepath.Join(c.dir, "work", name))
	require.NoError(c, err)
	r, err := ofbeff.Verify(data)
	require.NoError(c, err)
	return r
}

// line matches the last line of a run.
var line = regexp.MustCompile(`(?m)^b_eff = .* PEs with .*$`)

// srun measures a rating, a kernel and files with one process on each node.
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
	c.repeats(interfaced, program)
	require.Regexp(c, `(?m)^ +8 +\d`, beff("probe", "PingPong", "--msglog", "3:4"))
	require.Contains(c, beff("io", "-T", "1", "--memory", "256MiB"), "b_eff_io")
}

// repeats runs the next command that a preview prints, with the preview's flags added.
func (c *cluster) repeats(interfaced, program string) {
	flags := []string{"--quick", "--memory", "64MiB", "--patterns", "ring", "--methods", "sendrecv"}
	out := c.output("srun", append([]string{"--mpi=" + interfaced, "--nodes=2", "--ntasks=2", program, "run"},
		flags...)...)
	next := regexp.MustCompile(`(?m)^Next +((?:.*\\\n)*.*?)(?: #.*)?$`).FindStringSubmatch(out)
	require.NotNil(c, next, "%s", out)
	require.Contains(c, next[1], "srun --mpi="+interfaced+" -N 2 -n 2 ")
	c.output("sh", "-c", next[1]+" "+strings.Join(flags, " "))
	require.Len(c, c.result("NAME.json").Placement, 2, "two hosts")
	require.NoError(c, os.Remove(filepath.Join(c.dir, "work", "NAME.json")))
	require.NoError(c, os.Remove(filepath.Join(c.dir, "work", "NAME.txt")))
}

// job describes the changes to a script of docs/jobs.md.
type job struct {
	name    string // of the result
	mpi     string // srun's --mpi (empty: pmi2)
	perNode int    // 0: 1
	limit   string // empty: half an hour
	wall    string // empty for 28 minutes, blank for none
	command string // empty: a run of several minutes
}

// script writes a script of docs/jobs.md for two nodes, and returns its path.
func (c *cluster) script(program string, j job) string {
	page, err := os.ReadFile("../../docs/jobs.md")
	require.NoError(c, err)
	text := regexp.MustCompile(`(?m)^    #!/bin/bash\n    #SBATCH.*\n(?:(?:    .*)?\n)+`).FindString(string(page))
	text = strings.ReplaceAll("\n"+text, "\n    ", "\n")[1:]
	for _, change := range [][2]string{{"--nodes=16", "--nodes=2"},
		{"--ntasks-per-node=48", fmt.Sprintf("--ntasks-per-node=%d", cmp.Or(j.perNode, 1))},
		{"--time=00:10:00", "--time=" + cmp.Or(j.limit, "00:30:00")}, {"site", j.name},
		{"srun", "srun --mpi=" + cmp.Or(j.mpi, "pmi2")}, {"--wall 8m", cmp.Or(j.wall, "--wall 28m")},
		{"beff run", program + " " + cmp.Or(j.command, "run --memory 4GiB")}} {
		require.Contains(c, text, change[0])
		text = strings.ReplaceAll(text, change[0], change[1])
	}
	path := filepath.Join(c.dir, "work", j.name+".sh")
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

// ended waits for the end of a job, and returns the job's state.
func (c *cluster) ended(id string) (state string) {
	c.await("end of job "+id, func() bool {
		state = c.field(id, "JobState")
		return state != "PENDING" && state != "RUNNING" && state != "COMPLETING" && state != "CONFIGURING"
	})
	return state
}

// log returns the output of the job with a name.
func (c *cluster) log(name, id string) string {
	text, err := os.ReadFile(filepath.Join(c.dir, "work", name+"-"+id+".out"))
	require.NoError(c, err)
	return string(text)
}

// batch submits the script of docs/jobs.md.
func (c *cluster) batch(program string) {
	id := c.submit(c.script(program, job{name: "batch", mpi: "pmix", command: "run --quick --memory 64MiB"}))
	state := c.ended(id)
	out := c.log("beff", id)
	require.Equal(c, "COMPLETED", state, out)
	require.Len(c, line.FindAllString(out, -1), 1, out)
	r := c.result("batch.json")
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
