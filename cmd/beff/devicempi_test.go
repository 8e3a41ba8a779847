package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/conformance"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/ofbeff"
)

// standIn makes the stand-ins for drivers and for Cray MPICH's library once, and returns their directory.
var standIn = sync.OnceValues(func() (string, error) {
	directory, err := os.MkdirTemp("", "beff-driver")
	if err != nil {
		return "", err
	}
	atEnd = append(atEnd, func() { os.RemoveAll(directory) })
	for library, source := range map[string]string{"libcuda.so.1": "cuda.c", "libze_loader.so.1": "levelzero.c",
		"gtl/lib/libmpi_gtl_cuda.so": "gtl.c"} {
		library = filepath.Join(directory, library)
		if err := os.MkdirAll(filepath.Dir(library), 0o755); err != nil {
			return "", err
		}
		out, err := exec.Command("cc", "-O2", "-shared", "-fPIC", "-o", library,
			"../../mpi/libmpi/testdata/standin/"+source, "-lpthread").CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("%w: %s", err, out)
		}
		if err := os.Chmod(library, 0o755); err != nil { // trusted, whatever the umask is
			return "", err
		}
	}
	return directory, nil
})

// onStandIn runs beff with the stand-ins as drivers, with options of mpi/libmpi/testdata/standin/driver.h in the form
// "NAME=VALUE …", and returns the output. Tests call it in parallel, because a start takes longer than the work.
func onStandIn(t *testing.T, ranks int, options string, args ...string) (string, error) {
	if !slices.Contains(args, "--buffers") {
		args = append(args, "--buffers", "cuda")
	}
	c := underMPI(t, launcher(t), ranks, args...)
	directory, err := standIn()
	require.NoError(t, err)
	c.Env = append(c.Env, "LD_LIBRARY_PATH="+directory+":"+os.Getenv("LD_LIBRARY_PATH"))
	c.Env = append(c.Env, strings.Fields(options)...)
	out, err := c.CombinedOutput()
	return string(out), err
}

// shortProbe and shortRating are arguments for few measurements. The rating has two patterns.
var (
	shortProbe  = []string{"probe", "--msgsize", "4,65536", "--iter", "3"}
	shortRating = []string{"run", "--quick", "--memory", "512KiB", "--patterns", "ring-1[*]?fix,random-01"}
)

// Kernels of all kinds of calls have right data when staged, though the host's instructions can't touch the device's
// memory. The result names the ranks' devices and the memory of the messages.
func TestStagedUnderMPI(t *testing.T) {
	t.Parallel()
	prefix := filepath.Join(t.TempDir(), "staged")
	out, err := onStandIn(t, 3, "STANDIN_DEVICES=2", append(shortProbe, "PingPong", "Exchange", "Bcast", "Reduce",
		"Scatterv", "Alltoallv", "Iallreduce_pure", "Gather_binomial", "Scatter_chain", "osu_bibw", "osu_alltoallw",
		"osu_neighbor_alltoall", "Fragments", "--staged", "--npmin", "3", "-o", prefix)...)
	require.NoError(t, err, out)
	require.Contains(t, out, "processes share a device (CUDA 12.4; ranks 0,2: device 0, stand-in at 0000:1e:00.0, "+
		"shared by 2 processes; ranks 1: ")
	r := readProbe(t, prefix+".json")
	require.Equal(t, "cuda:device, staged", r.Settings.Memory.Place())
	rows := 0
	for b, row := range r.Rows() {
		require.Zero(t, row.Defects, b.Kernel)
		require.Empty(t, row.Missing, b.Kernel)
		rows += int(min(row.Checked, 1))
	}
	require.Greater(t, rows, 18, "most rows were checked")
	d := r.Environment.Devices
	require.Equal(t, "CUDA 12.4", d.Driver)
	require.Len(t, d.Places, 2)
	require.Equal(t, "0,2", d.Places[0].Ranks, "the processes take the devices in turn")
	require.Equal(t, "0000:1e:00.0", d.Places[0].PCI, "devices are numbered in the order of PCI addresses")
	require.Equal(t, []string{"5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a01"}, d.Places[0].UUIDs)
	require.Equal(t, 2, d.Places[0].SharedBy)
	require.Zero(t, d.Places[1].SharedBy)
}

// b_eff in a device's memory, direct and staged, has right data and a separate class. A rating of processes that share
// devices isn't valid. Each process assumes its share of the device's memory.
func TestRatingOfDevicesUnderMPI(t *testing.T) {
	t.Parallel()
	at := t.TempDir()
	staged, direct := filepath.Join(at, "staged"), filepath.Join(at, "direct")
	out, err := onStandIn(t, 4, "STANDIN_DEVICES=2", append(shortRating, "--staged", "--methods",
		"sendrecv,alltoallv,nonblocking,neighbour,persistent", "-o", staged)...)
	require.NoError(t, err, out)
	r := readRating(t, staged+".json")
	require.Equal(t, "cuda:device, staged", r.Place())
	require.EqualValues(t, 128<<20, r.MemoryAvailable, "half of a device's memory")
	criteria := map[string]rating.Criterion{}
	for _, c := range r.Criteria {
		criteria[c.Name] = c
	}
	require.True(t, criteria[rating.RightData].Reached)
	require.False(t, criteria["devices"].Reached)
	require.Equal(t, "cuda:device, staged memory", criteria["memory"].Class)

	out, err = onStandIn(t, 2, "STANDIN_DEVICES=2 STANDIN_HOST=1", append(shortRating, "--methods",
		"sendrecv,alltoallv,nonblocking,staged", "-o", direct)...)
	require.NoError(t, err, out)
	r = readRating(t, direct+".json")
	require.Equal(t, "cuda:device", r.Place())
	require.Positive(t, r.DirectOverStaged(0, len(r.Lengths)))
	var stdout, stderr strings.Builder
	_ = run([]string{"compare", staged + ".json", direct + ".json"}, &stdout, &stderr)
	require.Contains(t, strings.Join(strings.Fields(stdout.String()), " "),
		"messages in memory of cuda:device, staged and cuda:device", stderr.String())
	require.Zero(t, run([]string{"verify", direct + ".json"}, io.Discard, &stderr), stderr.String())
}

// Pinned and managed memory need no support by the MPI library. Each is a class of its own. The longest message depends
// on the host's memory if messages are in pinned memory, otherwise on the device's.
func TestKindsOfMemoryUnderMPI(t *testing.T) {
	for _, kind := range []mpi.MemoryKind{"cuda:host", "cuda:managed"} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			prefix, prove := filepath.Join(t.TempDir(), "run"), kind == "cuda:managed"
			out, err := onStandIn(t, 2, "", append(shortRating, "--methods", "sendrecv", "--buffers", string(kind),
				"-o", prefix, fmt.Sprintf("--prove=%t", prove))...)
			require.NoError(t, err, out)
			r := readRating(t, prefix+".json")
			require.Equal(t, prove, r.Prove)
			require.Equal(t, prove, strings.Contains(out, "the times contain the checks of data (--prove)"))
			require.Equal(t, prove, strings.HasSuffix(r.Criteria[0].Text, "; every loop was checked"))
			require.Equal(t, string(kind), r.Place())
			require.Equal(t, kind == "cuda:managed", r.MemoryAvailable == 128<<20, "%d", r.MemoryAvailable)
			require.Equal(t, kind == "cuda:managed", r.Environment.Devices.Shared())
			require.True(t, slices.ContainsFunc(r.Criteria, func(c rating.Criterion) bool {
				return c.Name == "memory" && c.Class == string(kind)+" memory"
			}))
			require.Equal(t, kind == "cuda:managed", slices.ContainsFunc(r.Criteria, func(c rating.Criterion) bool {
				return c.Name == "devices"
			}))
		})
	}
}

// Messages in the memory of a device of Level Zero are right, staged, and direct if the library takes such memory.
// b_eff has both, and names the devices.
func TestLevelZeroUnderMPI(t *testing.T) {
	t.Parallel()
	out, err := onStandIn(t, 2, "", append(shortProbe, "PingPong", "Alltoallv", "--buffers", "level_zero:device",
		"--staged")...)
	require.NoError(t, err, out)
	require.NotContains(t, out, "defects")
	prefix := filepath.Join(t.TempDir(), "direct")
	out, err = onStandIn(t, 2, "STANDIN_DEVICES=2 STANDIN_HOST=1", append(shortRating, "--buffers", "level_zero",
		"--methods", "alltoallv,nonblocking,staged", "-o", prefix)...)
	require.NoError(t, err, out)
	r := readRating(t, prefix+".json")
	require.Equal(t, "level_zero:device", r.Place())
	require.EqualValues(t, 256<<20, r.MemoryAvailable)
	require.Positive(t, r.DirectOverStaged(0, len(r.Lengths)))
	d := r.Environment.Devices
	require.False(t, d.Shared())
	require.Contains(t, d.String(), "Level Zero 1.3; ranks 0: device 0, stand-in at 0000:1e:00.0")
}

// Two kinds of memory are on the first and second processes of pairs. Of two processes, the one with messages in the
// host's memory has no device.
func TestTwoKindsOfMemoryUnderMPI(t *testing.T) {
	t.Parallel()
	at := t.TempDir()
	staged, direct := filepath.Join(at, "staged"), filepath.Join(at, "direct")
	out, err := onStandIn(t, 4, "STANDIN_DEVICES=2", append(shortProbe, "PingPong", "osu_mbw_mr", "--npmin", "4",
		"--staged", "--buffers", "cuda,host", "-o", staged)...)
	require.NoError(t, err, out)
	out, err = onStandIn(t, 2, "STANDIN_HOST=1", append(shortProbe, "PingPong", "osu_bibw", "--buffers", "host,cuda",
		"-o", direct)...)
	require.NoError(t, err, out)
	for name, want := range map[string][]string{staged: {"cuda:device to host, staged", "0,2", "1,3"},
		direct: {"host to cuda:device", "1"}} {
		r := readProbe(t, name+".json")
		require.Equal(t, want[0], r.Settings.Memory.Place())
		for _, p := range r.Environment.Devices.Places {
			require.Contains(t, want[1:], p.Ranks)
		}
		require.Len(t, r.Environment.Devices.Places, len(want)-1)
		require.Equal(t, "CUDA 12.4", r.Environment.Devices.Driver)
		for b, row := range r.Rows() {
			require.Zero(t, row.Defects, b.Kernel)
			require.Positive(t, row.Checked, "%s %s", b.Kernel, row.Missing)
		}
	}
	var stdout, stderr strings.Builder
	_ = run([]string{"compare", staged + ".json", direct + ".json"}, &stdout, &stderr)
	require.Contains(t, strings.Join(strings.Fields(stdout.String()), " "),
		"messages in memory of cuda:device to host, staged and host to cuda:device", stderr.String())
}

// readRating reads and proves a result of b_eff.
func readRating(t *testing.T, name string) *beff.Result {
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	r, err := ofbeff.Verify(data)
	require.NoError(t, err)
	return r
}

// Without --staged, MPI gets addresses in the device's memory, also as a window's. If the library can access it, the
// data are right. Otherwise the library crashes, with short and with long messages, and beff prints the cause.
func TestDirectUnderMPI(t *testing.T) {
	t.Parallel()
	prefix := filepath.Join(t.TempDir(), "direct")
	out, err := onStandIn(t, 2, "STANDIN_HOST=1", append(shortProbe, "PingPong", "Allreduce", "Alltoall",
		"Ibcast_pure", "Unidir_put", "Get_accumulate", "Compare_and_swap", "Put_get", "Strided_get_both",
		"osu_put_bibw", "-o", prefix)...)
	require.NoError(t, err, out)
	for b, row := range readProbe(t, prefix+".json").Rows() {
		require.Zero(t, row.Defects, b.Kernel)
		require.Empty(t, row.Missing, b.Kernel)
		require.Positive(t, row.Checked, b.Kernel)
	}
	directory, err := standIn()
	require.NoError(t, err)
	out, err = onStandIn(t, 2, "STANDIN_HOST=1 MPICH_GPU_SUPPORT_ENABLED=1 CRAY_MPICH_ROOTDIR="+directory, "doctor")
	require.NoError(t, err, out)
	require.Equal(t, 2, strings.Count(out, "GTL loaded before MPI"), "Cray MPICH's library, on each process")
	require.Contains(t, out, "CUDA 12.4; ranks 0-1: device 0, stand-in at 0000:1f:00.0, shared by 2")
	require.Regexp(t, `(?m)^exchange +8 B and 1 MiB between the devices of ranks 0 and 1: right$`, out)
	for _, command := range []string{"doctor", "probe PingPong --msgsize 1048576 --iter 3",
		"probe PingPong --msgsize 1048576 --iter 3 --buffers cuda,host"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			out, err := onStandIn(t, 2, "", strings.Fields(command)...)
			conformance.RequireDied(t, strings.Fields(launcher(t))[0], err, out)
			require.Regexp(t, `(?m)^beff: rank \d on \S+: (Open MPI|MPICH) \S+ crashed because it used cuda memory as `+
				`the host's: .* add --staged, `, out)
			require.NotContains(t, out, "goroutine")
		})
	}
}

// wrongCopy is the text about a wrong byte in a rating, with a format for the length.
const wrongCopy = `WRONG DATA: pattern \S+, method nonblocking, length %s, repetition 1, in cuda:device, staged ` +
	`memory of host \S+: rank \d received wrong data: first bytes of chunk \d in loop \d+ are 0x\w+, expected 0x\w+`

// If a driver or a device fails, beff prints an error of one line. It finds wrong data.
func TestDeviceFaultsUnderMPI(t *testing.T) {
	for name, c := range map[string]struct {
		ranks   int
		options string
		args    []string
		more    string
		want    string
	}{
		"no such device": {1, "STANDIN_DEVICES=2", shortProbe, "PingPong --device 5",
			`beff: .*there is no device 5: this process sees 2, numbered from 0`},
		"no library of Cray MPICH": {1, "MPICH_GPU_SUPPORT_ENABLED=1", shortProbe, "PingPong",
			`beff: .*MPICH_GPU_SUPPORT_ENABLED is 1, but no libmpi_gtl_cuda.so can be loaded: libmpi_gtl_cuda.so: `},
		"wrong bytes": {2, "STANDIN_WRONG=1", shortProbe, "PingPong --staged",
			`beff: .*wrong data: IMB-MPI1 PingPong, 4 bytes on 2 processes: 2 defects`},
		"wrong bytes on one side": {2, "STANDIN_WRONG=1", shortProbe, "PingPong --staged --buffers host,cuda",
			`beff: .*wrong data: IMB-MPI1 PingPong, 4 bytes on 2 processes: 1 defect in 1 checked repetition`},
		"failed copy": {2, "STANDIN_FAIL=12", shortProbe, "PingPong --staged",
			`beff: .*a copy from or to stand-in: cuMemcpy failed with code 700 \(error of the ` +
				`stand-in\)`},
		"wrong bytes of a timed loop": {2, "STANDIN_WRONG=12", shortRating, "--staged --methods nonblocking --prove",
			`beff: ` + strings.Replace(fmt.Sprintf(wrongCopy, "1"), `loop \d+`, "loop 11", 1) +
				`; nothing was measured yet: NOT VALID$`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := onStandIn(t, c.ranks, c.options, append(c.args, strings.Fields(c.more)...)...)
			require.Error(t, err, out)
			require.Regexp(t, `(?m)^`+c.want, out)
		})
	}
	t.Run("too little memory", func(t *testing.T) {
		t.Parallel()
		out, err := onStandIn(t, 2, "STANDIN_BYTES=1000000", append(shortProbe, "PingPong")...)
		require.NoError(t, err, out)
		require.Contains(t, out, "out-of-mem.; cuda:device can't give that much to all processes")
	})
	// A run that has samples ends with a result that isn't valid.
	t.Run("wrong bytes later", func(t *testing.T) {
		t.Parallel()
		prefix := filepath.Join(t.TempDir(), "wrong")
		out, err := onStandIn(t, 2, "STANDIN_WRONG=3 STANDIN_LONG=64", "run", "--memory", "512KiB", "--staged",
			"--device", "0", "--methods", "nonblocking", "--patterns", "ring-1[*]?fix", "-o", prefix)
		require.Error(t, err, out)
		screen := strings.Join(strings.Fields(strings.ReplaceAll(out, "\\\n", "")), " ")
		require.Regexp(t, fmt.Sprintf(wrongCopy, `(64|\d{3,})`)+`\. NOT VALID`, screen) // copies below 64 B are right
		require.NotContains(t, screen, "Also WRONG DATA")
		require.Contains(t, screen, "run --buffers cuda:device --staged --device 0 --resume ")
		require.True(t, readRating(t, prefix+".json").Verdict.WrongData())
	})
}
