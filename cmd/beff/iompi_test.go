package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
)

// readIO reads a result document of b_eff_io and checks it.
func readIO(t *testing.T, name string) *beffio.Result {
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	r, err := measuredIO(f)
	require.NoError(t, err)
	return r
}

func requireEmpty(t *testing.T, dir string) {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// A whole run over the MPI's own MPI-IO has all patterns, reads everything back correctly, and leaves nothing on disk.
func TestIOUnderMPI(t *testing.T) {
	for _, c := range []struct {
		ranks int
		args  []string
	}{
		{2, nil},
		{2, []string{"--rewrite", "--noshared", "--nounique", "--rules", "2.1"}},
		{3, []string{"--partitions", "3"}},
	} {
		t.Run(fmt.Sprintf("P=%d %s", c.ranks, strings.Join(c.args, " ")), func(t *testing.T) {
			scratch, prefix := t.TempDir(), filepath.Join(t.TempDir(), "rating")
			args := append([]string{"io", "-T", "2s", "--memory", "256MiB", "--max-bytes", "1GiB", "-p", scratch, "-o",
				prefix}, c.args...)
			var stdout, stderr bytes.Buffer
			cmd := underMPI(t, launcher(t), c.ranks, args...)
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			files := maxFiles(scratch)
			err := cmd.Run()
			most := files()
			require.NoError(t, err, "%s\n%s", &stdout, &stderr)
			require.Regexp(t, `(?m)^b_eff_io = [\d.]+ MB/s on \d process(es)? with 256 MByte/PE, .*\n\z`,
				stdout.String())
			requireEmpty(t, scratch)

			r := readIO(t, prefix+".json")
			again, err := recomputed(t, prefix+".json")
			require.NoError(t, err, again)
			require.True(t, r.Complete)
			require.Equal(t, "libmpi", r.Engine.Engine)
			require.Empty(t, r.Errors)
			require.Positive(t, r.Derived.BEffIO)
			require.InEpsilon(t, ioFromSamples(r), r.Derived.Paper, 1e-12)
			plan := beffio.Plan{Config: beffio.Config{Partitions: r.Partitions, NoShared: r.NoShared}}
			require.LessOrEqual(t, most, plan.Files())
			beffs := 0
			for _, n := range r.Partitions {
				beffs += beffio.Files(n)
			}
			require.GreaterOrEqual(t, most, beffs, "all except files that only the library needs")
			text, err := os.ReadFile(prefix + ".sum")
			require.NoError(t, err)
			require.NotEmpty(t, text)
		})
	}
}

// maxFiles counts the files in the directories below one until it is stopped, and returns the largest number.
func maxFiles(directory string) func() int {
	end, most := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		for ticks := time.NewTicker(2 * time.Millisecond); ; {
			select {
			case <-end:
				ticks.Stop()
				most <- n
				return
			case <-ticks.C:
				runs, _ := os.ReadDir(directory)
				now := 0
				for _, run := range runs {
					files, _ := os.ReadDir(filepath.Join(directory, run.Name()))
					now += len(files)
				}
				n = max(n, now)
			}
		}
	}()
	return func() int {
		close(end)
		return <-most
	}
}

// ioFromSamples computes the paper's rating from a document's samples, without any of package beffio's averages.
func ioFromSamples(r *beffio.Result) float64 {
	rating := 0.0
	for n := range r.Partitions {
		access := map[beffio.Access]float64{}
		for _, a := range []beffio.Access{beffio.Write, beffio.Rewrite, beffio.Read} {
			sum, weights := 0.0, 0.0
			for typ, name := range []string{"scatter", "shared", "separated", "segmented", "seg_coll"} {
				bytes, seconds := 0.0, 0.0
				for _, s := range r.Samples {
					if s.Pass == 0 && s.Partition == n && s.Access == a && int(r.Patterns[s.Pattern].Type) == typ {
						bytes, seconds = bytes+float64(s.Bytes), seconds+s.Seconds
					}
				}
				closing := 0.0 // in the last pass
				for _, f := range r.Files {
					if f.Partition == n && f.Access == a && f.Type == name {
						closing = f.Close
						if f.Pass == 0 {
							seconds += f.Open
						}
					}
				}
				seconds += closing
				if seconds == 0 {
					continue
				}
				weight := map[bool]float64{true: 2, false: 1}[typ == 0]
				sum, weights = sum+weight*bytes/seconds, weights+weight
			}
			access[a] = sum / weights
		}
		rating = max(rating, access[beffio.Write]/4+access[beffio.Rewrite]/4+access[beffio.Read]/2)
	}
	return rating
}

// A disk that gets full ends the run with one error and exit code 1, and no files remain.
func TestFullDiskUnderMPI(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can mount a small file system; beffio's TestNoSpace needs none")
	}
	// MPICH's shared file pointer is in a separate file. If the disk is full when that is first written, MPICH ends the
	// job by itself, so the run must meet the full disk in another call.
	var stderr string
	var codes []string
	for range 5 {
		if stderr, codes = runOnFullDisk(t); !strings.Contains(stderr, "Could not access shared file pointer") {
			break
		}
	}
	lines := ours(stderr)
	require.Len(t, lines, 3, stderr)
	require.Regexp(t, `^beff: T = `, lines[0])
	require.Regexp(t, `^beff: this rating will not be valid: `, lines[1])
	require.Regexp(t, `^beff: (pilot run: )?write of pattern \d+ \(\w+\) on (1 process|2 processes): `+
		`MPI_File_write\w* .*(written|full)`, lines[2])
	require.Contains(t, codes, "1", stderr)
	require.NotContains(t, codes, "0", stderr)
}

// runOnFullDisk starts a run of 2 processes on a disk that gets full, and returns its stderr and the exit codes of the
// processes that were not killed. The launcher's exit code doesn't count, because Hydra has ended with 0 in this case.
func runOnFullDisk(t *testing.T) (stderr string, codes []string) {
	disk, dir := t.TempDir(), t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=256m", "none", disk).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %v: %s", err, out)
	}
	defer func() { require.NoError(t, syscall.Unmount(disk, syscall.MNT_DETACH)) }()
	cmd := underMPI(t, launcher(t), 2, "io", "-T", "20s", "--memory", "256MiB", "--max-bytes", "250MiB", "-p", disk,
		"-o", filepath.Join(dir, "rating"))
	at := slices.Index(cmd.Args, program(t))
	cmd.Args = slices.Insert(cmd.Args, at, "sh", "-c", `"$@"; echo $? >>`+filepath.Join(dir, "codes"), "sh")
	var printed bytes.Buffer
	cmd.Stderr = &printed
	require.NoError(t, cmd.Start())
	// The test shrinks the disk, because filling it with another file would race with the run's own writing, and lose
	// on a busy machine. A size below the used one is refused, so the test tries again.
	require.Eventually(t, func() bool {
		files, err := filepath.Glob(filepath.Join(disk, "*", "*"))
		var s syscall.Statfs_t
		if err != nil || len(files) == 0 || syscall.Statfs(disk, &s) != nil {
			return false
		}
		used := (s.Blocks - s.Bfree) * uint64(s.Bsize)
		return syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%d", used+1<<20)) == nil
	}, time.Minute, time.Millisecond)
	_ = cmd.Wait()
	awaitEmpty(t, disk) // a library that ends the job by itself leaves the files to the directory's guard
	text, err := os.ReadFile(filepath.Join(dir, "codes"))
	require.True(t, err == nil || errors.Is(err, fs.ErrNotExist), err)
	return printed.String(), strings.Fields(string(text))
}

// The launcher's SIGTERM comes in the middle of a run: no file is left, and the samples are kept.
func TestIOSignalUnderMPI(t *testing.T) {
	scratch, prefix := t.TempDir(), filepath.Join(t.TempDir(), "rating")
	var stderr bytes.Buffer
	cmd := underMPI(t, launcher(t), 2, "io", "-T", "120s", "--memory", "256MiB", "--max-bytes", "8GiB", "-p", scratch,
		"-o", prefix)
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Start())
	// The first samples come after the first pattern of the run itself, which follows the pilot.
	require.Eventually(t, func() bool {
		return recorded(t, prefix)
	}, time.Minute, 100*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait() // Hydra may end with 0 although its ranks end with 1
	if !isOpenMPI5(t) {
		require.NotEmpty(t, ours(stderr.String()))
		require.Contains(t, stderr.String(), "beff: terminated: stopping; the measured data are in "+prefix+".json")
	}
	awaitEmpty(t, scratch)
	r := readIO(t, prefix+".json")
	require.False(t, r.Complete)
	require.False(t, r.Valid)
}
