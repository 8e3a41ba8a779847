package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/conformance"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/ofbeff"
)

// standIn makes processes load the stand-in for CUDA's driver, with options of mpi/libmpi/testdata/standin/cuda.c.
func standIn(t *testing.T, options ...string) {
	directory := t.TempDir()
	out, err := exec.Command("cc", "-O2", "-shared", "-fPIC", "-o", filepath.Join(directory, "libcuda.so.1"),
		"../../mpi/libmpi/testdata/standin/cuda.c", "-lpthread").CombinedOutput()
	require.NoError(t, err, string(out))
	t.Setenv("LD_LIBRARY_PATH", directory+":"+os.Getenv("LD_LIBRARY_PATH"))
	setAll(t, options)
}

// setAll sets variables of the form NAME=VALUE.
func setAll(t *testing.T, variables []string) {
	for _, v := range variables {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
}

// onDevice measures kernels in the memory of the stand-in, and returns the output.
func onDevice(t *testing.T, ranks int, args ...string) (string, error) {
	out, err := underMPI(t, launcher(t), ranks, append([]string{"probe", "--msgsize", "4,65536", "--iter", "3",
		"--buffers", "cuda"}, args...)...).CombinedOutput()
	return string(out), err
}

// Kernels of all kinds of calls have right data when staged, though the host's instructions can't touch the device's
// memory. The result names the devices of the ranks, and is of a class of its own.
func TestStagedUnderMPI(t *testing.T) {
	standIn(t, "STANDIN_DEVICES=2")
	prefix := filepath.Join(t.TempDir(), "staged")
	out, err := onDevice(t, 3, "PingPong", "Exchange", "Bcast", "Reduce", "Scatterv", "Alltoallv", "Iallreduce_pure",
		"Gather_binomial", "Scatter_chain", "osu_bibw", "osu_alltoallw", "osu_neighbor_alltoall", "Fragments",
		"--staged", "--npmin", "3", "-o", prefix)
	require.NoError(t, err, out)
	require.Contains(t, out, "beff: 2 processes share device 0 (stand-in), ")
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

// rateDevice rates two patterns in the memory of the stand-in with short messages, and returns the output.
func rateDevice(t *testing.T, ranks int, args ...string) (string, error) {
	out, err := underMPI(t, launcher(t), ranks, append([]string{"run", "--quick", "--memory", "512KiB", "--patterns",
		"ring-1[*]?fix,random-01", "--buffers", "cuda"}, args...)...).CombinedOutput()
	return string(out), err
}

// b_eff of a device's memory, direct and staged, has right data, and is of a class of its own. A rating of processes
// that share devices isn't valid. Each process may have its share of the device's memory.
func TestRatingOfDevicesUnderMPI(t *testing.T) {
	standIn(t, "STANDIN_DEVICES=2")
	at := t.TempDir()
	staged, direct := filepath.Join(at, "staged"), filepath.Join(at, "direct")
	out, err := rateDevice(t, 4, "--staged", "--methods", "sendrecv,alltoallv,nonblocking,neighbour,persistent",
		"-o", staged)
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

	t.Setenv("STANDIN_HOST", "1")
	out, err = rateDevice(t, 2, "--methods", "sendrecv,alltoallv,nonblocking,staged", "-o", direct)
	require.NoError(t, err, out)
	r = readRating(t, direct+".json")
	require.Equal(t, "cuda:device", r.Place())
	require.Positive(t, r.DirectOverStaged(0, len(r.Lengths)))
	var shown, said strings.Builder
	_ = run([]string{"compare", staged + ".json", direct + ".json"}, &shown, &said) // the code is compare's
	require.Contains(t, strings.Join(strings.Fields(shown.String()), " "),
		"messages in memory of cuda:device, staged and cuda:device", said.String())
	require.Zero(t, run([]string{"verify", direct + ".json"}, io.Discard, &said), said.String())
}

// readRating reads and proves a result of b_eff.
func readRating(t *testing.T, name string) *beff.Result {
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	r, err := ofbeff.Verify(data)
	require.NoError(t, err)
	return r
}

// Without --staged, messages go from and to the device's memory: a library that takes it has right data. One that
// doesn't crashes, for short and for long messages, and a line says why. No library returns an error.
func TestDirectUnderMPI(t *testing.T) {
	standIn(t, "STANDIN_HOST=1")
	out, err := onDevice(t, 2, "PingPong", "Allreduce", "Alltoall", "Ibcast_pure")
	require.NoError(t, err, out)
	require.NotContains(t, out, "defects")
	examined, err := underMPI(t, launcher(t), 2, "doctor", "--buffers", "cuda").CombinedOutput()
	require.NoError(t, err, string(examined))
	require.Contains(t, string(examined), "CUDA 12.4; ranks 0-1: device 0, stand-in at 0000:1f:00.0, shared by 2")
	require.Regexp(t, `(?m)^exchange +8 B and 1 MiB between the devices of ranks 0 and 1: right$`, string(examined))
	t.Setenv("STANDIN_HOST", "0")
	for _, command := range []string{"doctor", "probe PingPong --msgsize 1048576 --iter 3"} {
		words := append(strings.Fields(command), "--buffers", "cuda")
		out, err := underMPI(t, launcher(t), 2, words...).CombinedOutput()
		conformance.RequireDied(t, strings.Fields(launcher(t))[0], err, string(out))
		require.Regexp(t, `(?m)^beff: rank \d on \S+: (Open MPI|MPICH) \S+ crashed because it used cuda memory as the `+
			`host's: .* add --staged, `, string(out))
		require.NotContains(t, string(out), "goroutine")
	}
}

// A driver's or a device's fault is an error of one line, and wrong data are found.
func TestDeviceFaultsUnderMPI(t *testing.T) {
	standIn(t)
	for name, c := range map[string]struct {
		ranks                 int
		variables, args, want string
	}{
		"no such device": {1, "STANDIN_DEVICES=2", "PingPong --device 5",
			`there is no device 5: this process sees 2, numbered from 0`},
		"wrong bytes": {2, "STANDIN_WRONG=1", "PingPong --staged",
			`wrong data: IMB-MPI1 PingPong, 4 bytes on 2 processes: 2 defects`},
		"failed copy": {2, "STANDIN_FAIL=12", "PingPong --staged",
			`a copy from or to stand-in: cuMemcpy(HtoD|DtoH)_v2 failed with code 700 \(error of the stand-in\)`},
	} {
		t.Run(name, func(t *testing.T) {
			setAll(t, strings.Fields(c.variables))
			out, err := onDevice(t, c.ranks, strings.Fields(c.args)...)
			require.Error(t, err, out)
			require.Regexp(t, `(?m)^beff: .*`+c.want, out)
		})
	}
	t.Setenv("STANDIN_WRONG", "3")
	out, err := rateDevice(t, 2, "--staged", "--methods", "nonblocking")
	require.Error(t, err, out)
	found := `WRONG DATA: pattern \S+, method nonblocking, length %s, repetition 1, in cuda:device, staged memory of ` +
		`host \S+: rank \d received wrong data: first bytes of chunk \d in loop \d+ are 0x\w+, expected 0x\w+`
	require.Regexp(t, `(?m)^beff: `+fmt.Sprintf(found, "1")+"; nothing was measured yet: NOT VALID$", out)

	// A run that has samples ends with a result that isn't valid.
	t.Setenv("STANDIN_LONG", "64")
	prefix := filepath.Join(t.TempDir(), "wrong")
	ended, err := underMPI(t, launcher(t), 2, "run", "--memory", "512KiB", "--buffers", "cuda", "--staged", "--device",
		"0", "--methods", "nonblocking", "--patterns", "ring-1[*]?fix", "-o", prefix).CombinedOutput()
	require.Error(t, err, string(ended))
	out = string(ended)
	screen := strings.Join(strings.Fields(strings.ReplaceAll(out, "\\\n", "")), " ")
	require.Regexp(t, fmt.Sprintf(found, `(64|\d{3,})`)+`\. NOT VALID`, screen) // copies below 64 B are right
	require.Contains(t, screen, "run --buffers cuda:device --staged --device 0 --resume ")
	require.True(t, readRating(t, prefix+".json").Verdict.WrongData())
	t.Setenv("STANDIN_WRONG", "0")
	t.Setenv("STANDIN_BYTES", "1000000")
	out, err = onDevice(t, 2, "PingPong")
	require.NoError(t, err, out)
	require.Contains(t, out, "out-of-mem.; cuda:device can't give that much to all processes")
}
