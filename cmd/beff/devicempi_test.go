package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/conformance"
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
	out, err := onDevice(t, 3, "PingPong", "Exchange", "Bcast", "Reduce", "Scatterv", "Alltoallv", "Iallreduce",
		"Gather_binomial", "Scatter_chain", "osu_bibw", "osu_alltoallw", "osu_neighbor_alltoall", "Fragments",
		"--staged", "-o", prefix)
	require.NoError(t, err, out)
	require.Contains(t, out, "beff: 2 processes share device 0 (stand-in): ")
	r := readProbe(t, prefix+".json")
	require.Equal(t, "cuda:device, staged", r.Settings.Memory.Place())
	rows := 0
	for b, row := range r.Rows() {
		require.Zero(t, row.Defects, b.Kernel)
		require.Empty(t, row.Missing, b.Kernel)
		rows += int(min(row.Checked, 1))
	}
	require.Greater(t, rows, 20, "most rows were checked")
	d := r.Environment.Devices
	require.Equal(t, "CUDA 12.4", d.Driver)
	require.Len(t, d.Places, 2)
	require.Equal(t, "0,2", d.Places[0].Ranks, "the processes take the devices in turn")
	require.Equal(t, "0000:1e:00.0", d.Places[0].PCI, "devices are numbered in the order of PCI addresses")
	require.Equal(t, []string{"5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a01"}, d.Places[0].UUIDs)
	require.Equal(t, 2, d.Places[0].SharedBy)
	require.Zero(t, d.Places[1].SharedBy)

	host := filepath.Join(t.TempDir(), "host")
	hosts, err := underMPI(t, launcher(t), 3, "probe", "--msgsize", "4,65536", "--iter", "3", "Bcast", "-o",
		host).CombinedOutput()
	require.NoError(t, err, string(hosts))
	var shown, said strings.Builder
	_ = run([]string{"compare", prefix + ".json", host + ".json"}, &shown, &said) // the code is compare's
	require.Contains(t, shown.String(), "messages in memory of cuda:device, staged and host", said.String())
}

// Without --staged, messages go from and to the device's memory: a library that takes it has right data. One that
// doesn't crashes, for short and for long messages, and a line says why. No library returns an error.
func TestDirectUnderMPI(t *testing.T) {
	standIn(t, "STANDIN_HOST=1")
	out, err := onDevice(t, 2, "PingPong", "Allreduce", "Alltoall", "Ibcast")
	require.NoError(t, err, out)
	require.NotContains(t, out, "defects")
	t.Setenv("STANDIN_HOST", "0")
	for _, bytes := range []string{"8", "1048576"} {
		out, err := underMPI(t, launcher(t), 2, "probe", "PingPong", "--msgsize", bytes, "--iter", "3", "--buffers",
			"cuda").CombinedOutput()
		conformance.RequireDied(t, strings.Fields(launcher(t))[0], err, string(out))
		require.Regexp(t, `(?m)^beff: rank \d on \S+: (Open MPI|MPICH) \S+ crashed because it used cuda memory as the `+
			`host's: .* add --staged, `, string(out))
		require.NotContains(t, string(out), "goroutine")
	}
}

// A driver's or a device's fault is an error of one line, and wrong data are found.
func TestDeviceFaultsUnderMPI(t *testing.T) {
	standIn(t)
	for name, c := range map[string]struct{ variables, args, want string }{
		"no device": {"STANDIN_DEVICES=0", "PingPong",
			`cuInit failed with code 100 \(no CUDA-capable device is detected\)`},
		"no such device": {"STANDIN_DEVICES=2", "PingPong --device 5",
			`there is no device 5: this process sees 2, numbered from 0`},
		"wrong bytes": {"STANDIN_WRONG=1", "PingPong --staged",
			`wrong data: IMB-MPI1 PingPong, 4 bytes on 2 processes: 2 defects`},
		"failed copy": {"STANDIN_FAIL=12", "PingPong --staged",
			`a copy from or to stand-in: cuMemcpy(HtoD|DtoH)_v2 failed with code 700 \(error of the stand-in\)`},
		"window": {"", "rma:Accumulate", `uses windows, which cuda:device can't have yet: leave --buffers out`},
	} {
		t.Run(name, func(t *testing.T) {
			setAll(t, strings.Fields(c.variables))
			out, err := onDevice(t, 2, strings.Fields(c.args)...)
			require.Error(t, err, out)
			require.Regexp(t, `(?m)^beff: .*`+c.want, out)
		})
	}
	t.Setenv("STANDIN_BYTES", "1000000")
	out, err := onDevice(t, 2, "PingPong")
	require.NoError(t, err, out)
	require.Contains(t, out, "out-of-mem.; cuda:device can't give that much to all processes")
	t.Setenv("LD_LIBRARY_PATH", "/nowhere")
	none, err := underMPI(t, launcher(t), 2, "probe", "PingPong", "--buffers", "rocm").CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(none), "no driver of ROCm on this host: libamdhip64.so: ")
}
