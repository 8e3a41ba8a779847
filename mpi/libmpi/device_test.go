package libmpi

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// TestPickDevice checks that the processes of a node take in turn the devices of a list, the devices near them, or all.
func TestPickDevice(t *testing.T) {
	all := []found{{}, {near: true}, {}, {near: true}}
	for name, x := range map[string]struct {
		choice DeviceChoice
		want   []int // of the processes 0 to 4
	}{
		"all":         {DeviceChoice{}, []int{0, 1, 2, 3, 0}},
		"list":        {DeviceChoice{Of: "2,0"}, []int{2, 0, 2, 0, 2}},
		"near":        {DeviceChoice{Of: Near}, []int{1, 3, 1, 3, 1}},
		"list of one": {DeviceChoice{Of: "3"}, []int{3, 3, 3, 3, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			for local, want := range x.want {
				x.choice.Local = local
				got, err := x.choice.pick(all)
				require.NoError(t, err)
				require.Equal(t, want, got)
			}
		})
	}
	far := DeviceChoice{Of: Near, Local: 1}
	got, err := far.pick(all[:1])
	require.NoError(t, err)
	require.Zero(t, got, "no device is near, so all are taken in turn")
	_, err = (&DeviceChoice{Of: "4"}).pick(all)
	require.EqualError(t, err, "there is no device 4: this process sees 4, numbered from 0")
	_, err = (&DeviceChoice{}).pick(nil)
	require.EqualError(t, err, "this process sees no device")
}

// TestOpenDevice checks that a process without a driver, without a device or without the wanted device gets an error
// with the cause. The stand-in has the driver's file name, so this process loads it as the driver.
func TestOpenDevice(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "libcuda.so.1")
	out, err := exec.Command("cc", "-O2", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", file,
		"testdata/standin/cuda.c", "-lpthread").CombinedOutput()
	require.NoError(t, err, string(out))
	_, err = purego.Dlopen(file, purego.RTLD_NOW)
	require.NoError(t, err)
	setenv, err := purego.Dlsym(purego.RTLD_DEFAULT, "setenv")
	require.NoError(t, err)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cuda := mpi.MessageMemory{Buffers: mpi.CUDADevice}
	for _, x := range []struct {
		devices string
		choice  DeviceChoice
		want    string
	}{
		{"0", DeviceChoice{MessageMemory: cuda}, "cuInit failed with code 100 (no CUDA-capable device is detected)"},
		{"2", DeviceChoice{MessageMemory: cuda, Of: "5"},
			"CUDA: there is no device 5: this process sees 2, numbered from 0"},
		{"2", DeviceChoice{MessageMemory: mpi.MessageMemory{Buffers: mpi.ROCmDevice}},
			"no driver of ROCm on this host: libamdhip64.so: "},
		{"2", DeviceChoice{MessageMemory: cuda}, ""},
	} {
		name, value := append([]byte("STANDIN_DEVICES"), 0), append([]byte(x.devices), 0)
		purego.SyscallN(setenv, uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(&value[0])), 1)
		x.choice.Locate = func(string) (int, bool) { return -1, false }
		d, err := openDevice(x.choice)
		if x.want != "" {
			require.ErrorContains(t, err, x.want)
			continue
		}
		require.NoError(t, err)
		first, err := d.pin(100)
		require.NoError(t, err)
		second, err := d.pin(100)
		require.NoError(t, err)
		require.NotEqual(t, first, second, "the first pinned memory is in use")
		first.used = false
		again, err := d.pin(50)
		require.NoError(t, err)
		require.Equal(t, first, again)
		second.used = false
		_, err = d.pin(200)
		require.NoError(t, err)
		require.Len(t, d.pins, 2, "the second pinned memory was too short")
		done := make(chan error)
		go func() {
			runtime.LockOSThread() // another thread, which ends
			_, err := d.memory(doAllocate, 1)
			done <- err
		}()
		require.ErrorContains(t, <-done, "code 201 (invalid device context)")
		require.NoError(t, d.err)
	}
}

func TestNormalPCI(t *testing.T) {
	for from, want := range map[string]string{"00000000:1F:00.0": "0000:1f:00.0", "0000:1f:00.0": "0000:1f:00.0",
		"00010002:C1:00.0": "10002:c1:00.0"} {
		require.Equal(t, want, normalPCI(from))
	}
}
