package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// If a system call of one rank fails once, in the pilot run, the run ends with a line that has the system's error,
// although Open MPI's OMPIO returns success from the MPI call that made the system call.
func TestSwallowedErrorUnderMPI(t *testing.T) {
	scratch, library := t.TempDir(), filepath.Join(t.TempDir(), "fault.so")
	out, err := exec.Command("cc", "-shared", "-fPIC", "-o", library, "../../tools/faults/shim/fault.c",
		"-ldl").CombinedOutput()
	require.NoError(t, err, "%s", out)
	c := underMPI(t, launcher(t), 2, "io", "-T", "20s", "--partitions", "2", "--memory", "128MiB", "--max-bytes",
		"512MiB", "-p",
		scratch, "-o", filepath.Join(t.TempDir(), "r"))
	c.Env = append(c.Env, "LD_PRELOAD="+library, "FAULT_RANK=1", "FAULT_CALL=write", "FAULT_AT=20", "FAULT_DO=EIO",
		"FAULT_FILE=separated") // MPICH ends the job itself after an error in the file of a shared pointer
	text, err := c.CombinedOutput()
	require.Error(t, err, "%s", text)
	require.Regexp(t, `(?m)^beff: (pilot run: )?write of pattern \d+ .*(?i:input/output error|I/O error)`, string(text))
	awaitEmpty(t, scratch)
}

// A disk that has no room for the samples ends a run before it measures, and nothing is left on it.
func TestNoRoomForSamplesUnderMPI(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can mount a small file system; make faults tests the same")
	}
	disk := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "none", disk).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %v: %s", err, out)
	}
	defer func() { require.NoError(t, syscall.Unmount(disk, 0)) }()
	c := underMPI(t, launcher(t), 2, "run", "--memory", "4MiB", "-o", filepath.Join(disk, "r"))
	text, err := c.CombinedOutput()
	require.Error(t, err)
	require.Regexp(t, `(?m)^beff: output: there is no room for the samples: no space left on device$`, string(text))
	requireEmpty(t, disk)
}
