package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/format/tools"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

// readProbe reads a result document of a probe and proves it.
func readProbe(t *testing.T, name string) *probe.Result {
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	r, err := ofprobe.Verify(data)
	require.NoError(t, err)
	return r
}

// libraryFault is a part of the message for a kernel that beff skips because the library's call is wrong.
const libraryFault = ", which in MPICH 4."

// Every kernel of every component of IMB runs in the standard and in the multiple mode, with no wrong data and figures
// in all rows, and the text on stdout reads back as the measurement.
func TestProbeUnderMPI(t *testing.T) {
	for _, c := range suites.Components() {
		// See TestMPIBlibUnderMPI, TestPGASUnderMPI, and TestThreadsUnderMPI, whose text isn't imported.
		if !strings.HasPrefix(suites.Title(c), "IMB-") || c == kernel.MT {
			continue
		}
		for _, ranks := range []int{2, 4} {
			t.Run(fmt.Sprintf("%s P=%d", c, ranks), func(t *testing.T) {
				testComponent(t, c, ranks)
			})
		}
	}
}

// Cuts of four processes over an MPI have halves by rank, or by a map of the node, as sides, and no wrong data.
func TestCutUnderMPI(t *testing.T) {
	directory := t.TempDir()
	prefix, topology := filepath.Join(directory, "cut"), filepath.Join(directory, "map")
	host, err := os.Hostname()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(topology, []byte(host+" s1 g1\n"), 0o600))
	out, err := underMPI(t, launcher(t), 4, "probe", "cut", "--msgsize", "0,4096", "--iter", "3", "--topology",
		topology, "-o", prefix).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "# cut: halves (by rank, within one node), 2 against 2 processes\n")
	r := readProbe(t, prefix+".json")
	require.Equal(t, []string{"s1"}, r.Placement[0].Units, "all are in the only group")
	require.Len(t, r.Blocks, 2)
	for _, b := range r.Blocks {
		require.Zero(t, b.Rows[1].Defects)
		require.EqualValues(t, 1, b.Rows[1].Checked)
		require.Len(t, b.Rows[1].Crossing.Shifts, 2)
	}
}

// All kernels of MPIBlib for two processes run. MPIBlib has no command line in IMB's grammar.
func TestMPIBlibUnderMPI(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "probe")
	args, kernels := []string{"probe", "--msglog", "12:12", "--iter", "2,1,2", "-o", prefix}, 0
	for _, k := range suites.Kernels() {
		if k.Component == kernel.MPIB && k.MinProcesses <= 2 {
			args = append(args, k.Name)
			kernels++
		}
	}
	out, err := underMPI(t, launcher(t), 2, args...).CombinedOutput()
	require.NoError(t, err, string(out))
	r := readProbe(t, prefix+".json")
	require.True(t, r.Complete)
	require.Len(t, r.Blocks, kernels)
	for _, b := range r.Blocks {
		require.NotEmpty(t, b.Rows)
		for _, row := range b.Rows {
			require.Empty(t, row.Missing, b.Kernel)
			require.Zero(t, row.Defects, b.Kernel)
		}
	}
}

func testComponent(t *testing.T, c kernel.Component, ranks int) {
	var optional []string
	want := map[string]bool{}
	for _, k := range suites.Kernels() {
		if k.Component != c || !k.Fits(ranks) {
			continue
		}
		want[k.Name] = true
		if k.Optional {
			optional = append(optional, k.Name)
		}
	}
	scratch, prefix := t.TempDir(), filepath.Join(t.TempDir(), "probe")
	args := append([]string{"imb", strings.ToLower(string(c)), "-msglog", "12:12", "-time", "120", "-p", scratch, "-o",
		prefix}, shortOptions(c, ranks)...)
	if c == kernel.MPI4 && strings.Contains(os.Getenv("MPICC"), "mpich") {
		// Three calls of MPICH 4.0.2 are wrong (mpi.Library.Fault).
		wrong := map[string]bool{}
		for _, name := range []string{"Gather", "Scatter", "Allgather"} {
			wrong[name+"_persist"], wrong[name+"_persist_pure"] = true, true
		}
		optional = slices.DeleteFunc(optional, func(name string) bool { return wrong[name] })
		maps.DeleteFunc(want, func(name string, _ bool) bool { return wrong[name] })
	}
	if len(optional) > 0 {
		args = append(args, "-include", strings.Join(optional, ","))
	}
	if c == kernel.P2P { // some of these need more processes
		args = append(append(args, "-pause", "0"), slices.Collect(maps.Keys(want))...)
	}
	if ranks == 4 && c != kernel.IO && c != kernel.P2P { // for files see TestProbeGroupsOfFilesUnderMPI
		args = append(args, "-multi", "1")
	}
	var stdout, stderr bytes.Buffer
	cmd := underMPI(t, launcher(t), ranks, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Run(), "%s\n%s", &stdout, &stderr)
	messages := slices.DeleteFunc(ours(stderr.String()), func(line string) bool {
		return strings.HasPrefix(line, "beff: warning: ") && strings.Contains(line, "more processes than processors") ||
			strings.HasPrefix(line, "beff: skipped: ") && strings.Contains(line, libraryFault) ||
			strings.HasPrefix(line, "beff: found: ") ||
			strings.HasPrefix(line, "beff: valid, but noisy: ") ||
			strings.HasPrefix(line, "beff: valid, slowed: ") // by the machine that runs the tests
	})
	require.Equal(t, []string{"beff: done; the measured data are in " + prefix + ".json, " + prefix + ".txt and " +
		prefix + ".csv"}, messages)
	requireEmpty(t, scratch)

	r := readProbe(t, prefix+".json")
	require.True(t, r.Complete)
	require.Equal(t, "libmpi", r.Engine.Engine)
	cached := func(w rating.Warning) bool { return w.Code == "memory" } // files that were written just before
	require.Equal(t, c == kernel.IO, slices.ContainsFunc(r.Warnings, cached))
	require.Empty(t, slices.DeleteFunc(r.Warnings, func(w rating.Warning) bool {
		return cached(w) || ofMachine(w) || w.Code == "kernel-skipped" && strings.Contains(w.Text, libraryFault)
	}))
	for _, b := range r.Blocks {
		delete(want, b.Kernel)
		require.NotEmpty(t, b.Rows)
		for _, row := range b.Rows {
			require.Empty(t, row.Missing, "%s of %d bytes", b.Kernel, row.Bytes)
			require.Zero(t, row.Defects, "%s of %d bytes", b.Kernel, row.Bytes)
			require.NotEmpty(t, row.Derived)
		}
	}
	require.Empty(t, want, "kernels that were not measured")

	imported, err := tools.Read(&stdout, "stdout")
	require.NoError(t, err)
	require.Len(t, imported.Tables, len(r.Blocks))
	for i, x := range imported.Tables {
		b := r.Blocks[i]
		name := b.Name()
		if len(b.Groups) < 2 { // IMB's text only names groups that run at the same time
			name = strings.TrimPrefix(name, "Multi-")
		}
		require.Equal(t, name, x.Test)
		require.Len(t, x.Rows, len(b.Rows)*max(1, len(b.Groups)), b.Kernel)
	}
}

// shortOptions returns options that keep a test short, because kernels with files synchronise them, and nonblocking
// ones compute in each repetition, by default for 0.1 s.
func shortOptions(c kernel.Component, ranks int) []string {
	if c == kernel.IO {
		return []string{"-iter", "1,1,1", "-npmin", fmt.Sprint(ranks), "--compute", "1ms"}
	}
	return []string{"-iter", "2,1,2"}
}

// Groups that write at the same time have separate files.
func TestProbeGroupsOfFilesUnderMPI(t *testing.T) {
	scratch, prefix := t.TempDir(), filepath.Join(t.TempDir(), "probe")
	args := "imb io -multi 1 -npmin 2 -iter 2,1,2 -msglog 12:12 P_Write_Indv P_Read_Priv C_Write_Shared C_Read_Expl " +
		"S_Write_Expl"
	out, err := underMPI(t, launcher(t), 4, append(strings.Fields(args), "-p", scratch, "-o",
		prefix)...).CombinedOutput()
	require.NoError(t, err, string(out))
	requireEmpty(t, scratch)
	groups := 0
	for _, b := range readProbe(t, prefix+".json").Blocks {
		groups = max(groups, len(b.Groups))
		for _, row := range b.Rows {
			require.Empty(t, row.Missing)
			require.Zero(t, row.Defects)
		}
	}
	require.Equal(t, 4, groups) // each of one process
}

// The result has the level of thread support that was asked for.
func TestThreadLevelUnderMPI(t *testing.T) {
	for _, level := range []string{"single", "funneled"} {
		prefix := filepath.Join(t.TempDir(), "probe")
		out, err := underMPI(t, launcher(t), 2, "imb", "mpi1", "PingPong", "-msglog", "2", "-iter", "2",
			"-thread_level",
			level, "-o", prefix).CombinedOutput()
		require.NoError(t, err, string(out))
		require.Equal(t, "MPI_THREAD_"+strings.ToUpper(level), readProbe(t, prefix+".json").ThreadLevel)
	}
}

// Every failure prints one line on one rank, and ends the whole job.
func TestProbeRefusalsUnderMPI(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	for args, want := range map[string]string{
		"imb mpi1 -unknown_option off":           `unknown option "-unknown_option"`,
		"imb mpi1 -map 3x3 PingPong":             "map",
		"probe PongPing":                         "unknown benchmark",
		"probe --option input=" + none:           "list of benchmarks",
		"probe -p " + none + " P_Write_Priv":     none,
		"probe -n 2 PingPong":                    "-n is for the embedded engine",
		"probe -o " + none + "/x --iter 1 Bcast": none + "/x.journal",
	} {
		t.Run(args, func(t *testing.T) { refused(t, 2, args, want) })
	}
}

// A signal ends a job in the middle of a run: nothing is left on disk, and the samples are kept, even if they were only
// in memory until then. The signal goes to the processes: a launcher that gets it kills them a second later, which may
// be too soon on a slow machine.
func TestProbeSignalUnderMPI(t *testing.T) {
	scratch, prefix := t.TempDir(), filepath.Join(t.TempDir(), "probe")
	text := filepath.Join(t.TempDir(), "stdout")
	stdout, err := os.Create(text)
	require.NoError(t, err)
	defer stdout.Close()
	var stderr bytes.Buffer
	cmd := underMPI(t, launcher(t), 2, "probe", "--sample-time", "2", "--iter", "20000,1000000", "-p",
		scratch, "-o", prefix,
		"PingPong", "P_Write_Priv")
	cmd.Stdout, cmd.Stderr = stdout, &stderr
	require.NoError(t, cmd.Start())
	shown := func() string {
		data, err := os.ReadFile(text)
		require.NoError(t, err)
		return string(data)
	}
	row := regexp.MustCompile(`(?m)^ +0 +\d+ +\d+\.\d\d`)
	require.Eventually(t, func() bool { return row.MatchString(shown()) }, time.Minute, 100*time.Millisecond,
		"no row is shown")
	ranks := processesWith(t, prefix)
	require.Len(t, ranks, 2)
	killAll(t, ranks, syscall.SIGTERM)
	_ = cmd.Wait() // Hydra may end with 0 although its ranks end with 1
	require.Contains(t, stderr.String(), "beff: terminated: stopping; the measured data are in "+prefix+".json")
	require.Contains(t, shown(), "# Ended early")
	require.Eventually(t, func() bool {
		entries, err := os.ReadDir(scratch)
		return err == nil && len(entries) == 0
	}, 20*time.Second, 100*time.Millisecond, "the files are still there")
	r := readProbe(t, prefix+".json")
	require.False(t, r.Complete)
	require.NotEmpty(t, r.Blocks[0].Rows)
}
