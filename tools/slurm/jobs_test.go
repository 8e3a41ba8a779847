package slurm

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
)

// submitLong submits a job of a long run, waits until its journal has samples, and returns the job's ID.
func (c *cluster) submitLong(program string, j job) string {
	id := c.submit(c.script(program, j))
	c.awaitSamples(j.name)
	return id
}

// awaitSamples waits until the journal of a run has samples.
func (c *cluster) awaitSamples(name string) {
	c.await("samples of "+name, func() bool {
		text, err := os.ReadFile(filepath.Join(c.dir, "work", name+".journal"))
		if err != nil {
			return false
		}
		left, err := journal.Parse(text)
		return err == nil && len(left.Records) > 0 && !left.Ended
	})
}

// requireKept requires that a run that ended early has a whole document, isn't valid, and has a journal to resume from.
// It returns the number of its samples.
func (c *cluster) requireKept(program, name, id string) int {
	// A job may have its last state before its processes end.
	c.await("whole document: "+c.log("beff", id), func() bool {
		out, _ := c.command(program, "verify", name+".json").Output()
		return strings.HasPrefix(string(out), name+".json: verified: ")
	})
	r := c.result(name + ".json")
	require.False(c, r.Complete)
	require.False(c, r.Valid)
	require.NotEmpty(c, r.Samples)
	require.Contains(c, unmet(r.Criteria), "complete")
	require.FileExists(c, filepath.Join(c.dir, "work", name+".journal"))
	return len(r.Samples)
}

// unmet returns the names of the criteria that a run doesn't meet.
func unmet(list []rating.Criterion) (names []string) {
	for _, k := range list {
		if !k.Reached {
			names = append(names, k.Name)
		}
	}
	return names
}

// cancel cancels a job in the middle. Its samples are kept.
func (c *cluster) cancel(program string) {
	id := c.submitLong(program, job{name: "cancelled"})
	c.output("scancel", id)
	require.Equal(c, "CANCELLED", c.ended(id))
	c.requireKept(program, "cancelled", id)
}

// requeue restarts a job in the middle. It resumes and completes.
func (c *cluster) requeue(program string) {
	id := c.submitLong(program, job{name: "requeued"})
	c.output("scontrol", "requeue", id)
	c.await("second start", func() bool {
		return c.field(id, "Restarts") == "1" && c.field(id, "JobState") == "RUNNING"
	})
	state := c.ended(id)
	out := c.log("beff", id)
	require.Equal(c, "COMPLETED", state, out)
	require.Regexp(c, `(?m)^beff: resuming after sample [1-9]`, out)
	r := c.result("requeued.json")
	require.True(c, r.Complete)
	require.Len(c, r.Joined, 1)
}

// endByWall gives a run a --wall shortly before the job's time limit. The run stops itself, isn't valid, and resumes
// when the same script is submitted again.
func (c *cluster) endByWall(program string) {
	id := c.submitLong(program, job{name: "limited", limit: "00:01:00", wall: "--wall 48s"})
	state := c.ended(id)
	out := c.log("beff", id)
	require.Equal(c, "FAILED", state, out) // the exit code of an incomplete run, instead of TIMEOUT
	require.Regexp(c, `(?m)^beff: stopped before the end: the wall limit has come$`, out)
	require.Regexp(c, `(?m)^beff: --resume limited measures the missing parts$`, out)
	before := c.requireKept(program, "limited", id)
	c.resume(program, "limited", before)
}

// exceedLimit lets a job reach a time limit that beff doesn't know. Slurm ends its processes, and the samples are kept.
func (c *cluster) exceedLimit(program string) {
	path := c.script(program, job{name: "killed", limit: "00:01:00", wall: " "})
	text, err := os.ReadFile(path)
	require.NoError(c, err)
	bare := strings.Replace(string(text), "\n\n", "\n\nunset SLURM_JOB_END_TIME\n", 1)
	require.NotEqual(c, string(text), bare)
	require.NoError(c, os.WriteFile(path, []byte(bare), 0o755))
	id := c.submit(path)
	c.awaitSamples("killed")
	require.Equal(c, "TIMEOUT", c.ended(id), c.log("beff", id))
	before := c.requireKept(program, "killed", id)
	c.resume(program, "killed", before)
}

// resume submits a run that ended early again, with enough time. It must complete, and include the samples
// measured before.
func (c *cluster) resume(program, name string, before int) {
	id := c.submit(c.script(program, job{name: name}))
	require.Equal(c, "COMPLETED", c.ended(id), c.log("beff", id))
	r := c.result(name + ".json")
	require.True(c, r.Complete)
	require.Len(c, r.Joined, 1)
	require.Equal(c, before, r.Joined[0].Samples)
}

// measureFiles runs beff io with all processes, and with one process on each node.
func (c *cluster) measureFiles(program string) {
	for name, perNode := range map[string]int{"files": 2, "files-one-per-node": 1} {
		id := c.submit(c.script(program, job{name: name, mpi: "pmix", perNode: perNode,
			command: "io -T 10s --memory 256MiB"}))
		state := c.ended(id)
		require.Equal(c, "COMPLETED", state, c.log("beff", id))
		require.Contains(c, c.output(program, "verify", name+".json"), "verified")
	}
}
