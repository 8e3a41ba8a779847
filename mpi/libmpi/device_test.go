package libmpi

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
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
// with the cause, and that the memories of a device are allocated, set to 0, copied and freed. The stand-ins have the
// drivers' file names, so this process loads them as the drivers.
func TestOpenDevice(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip(err)
	}
	setenv, err := purego.Dlsym(purego.RTLD_DEFAULT, "setenv")
	require.NoError(t, err)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	open := func(kind mpi.MemoryKind, devices, of string) (*device, error) {
		name, value := append([]byte("STANDIN_DEVICES"), 0), append([]byte(devices), 0)
		purego.SyscallN(setenv, uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(&value[0])), 1)
		return openDevice(DeviceChoice{MessageMemory: mpi.MessageMemory{Buffers: kind}, Of: of,
			Locate:  func(string) (int, bool) { return -1, false },
			Trusted: func(path string) (string, error) { return path, nil }}, plugin.Files{})
	}
	for _, x := range []struct {
		source, library string
		kinds           []mpi.MemoryKind
		driver, none    string
	}{
		{"cuda.c", "libcuda.so.1", []mpi.MemoryKind{"cuda:device", "cuda:host", "cuda:managed"}, "CUDA 12.4",
			"cuInit failed with code 100 (no CUDA-capable device is detected)"},
		{"levelzero.c", "libze_loader.so.1", []mpi.MemoryKind{"level_zero:device", "level_zero:host",
			"level_zero:shared"}, "Level Zero 1.3",
			"zeInit failed with code 0x78000001 (no driver of a GPU could be initialized)"},
	} {
		_, err = open(x.kinds[0], "1", "")
		require.ErrorContains(t, err, " on this host: "+x.library+": ")
		file := filepath.Join(t.TempDir(), x.library)
		out, err := exec.Command("cc", "-O2", "-shared", "-fPIC", "-Wl,-soname,"+x.library, "-o", file,
			"testdata/standin/"+x.source, "-lpthread").CombinedOutput()
		require.NoError(t, err, string(out))
		_, err = purego.Dlopen(file, purego.RTLD_NOW)
		require.NoError(t, err)
		_, err = open(x.kinds[0], "0", "")
		require.EqualError(t, err, x.none)
		_, err = open(x.kinds[0], "2", "5")
		require.ErrorContains(t, err, ": there is no device 5: this process sees 2, numbered from 0")
		for _, kind := range x.kinds {
			d, err := open(kind, "2", "")
			_, of, _ := strings.Cut(string(kind), ":")
			require.NoError(t, err)
			require.Equal(t, mpi.Device{Driver: x.driver, Name: "stand-in", PCI: "0000:1e:00.0", NUMA: -1,
				UUID: [16]byte([]byte("ZZZZZZZZZZZZZZZ\x01")), Memory: 256 << 20}, d.Device)
			base, err := d.memory(of, 5000)
			require.NoError(t, err, kind)
			data, zeros := []byte("data"), make([]byte, 5000)
			d.do(d.driver.set, uintptr(base), 5000)
			d.copy(unsafe.Add(base, 4996), unsafe.Pointer(&data[0]), 4)
			got := bytes.Repeat([]byte{1}, 5000)
			d.copy(unsafe.Pointer(&got[0]), base, 5000)
			require.NoError(t, d.err)
			require.Equal(t, append(zeros[:4996], data...), got)
			_, err = d.memory(of, 256<<20)
			require.ErrorContains(t, err, "out of memory")
			d.free(of, base)
			large, err := d.memory(of, 256<<20)
			require.NoError(t, err, "all is free again")
			d.free(of, large)
			require.NoError(t, d.err)
		}
	}
	d, err := open("cuda:device", "1", "")
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
		_, err := d.memory("device", 1)
		done <- err
	}()
	require.ErrorContains(t, <-done, "code 201 (invalid device context)")
	require.NoError(t, d.err)
}

func TestNormalPCI(t *testing.T) {
	for from, want := range map[string]string{"00000000:1F:00.0": "0000:1f:00.0", "0000:1f:00.0": "0000:1f:00.0",
		"00010002:C1:00.0": "10002:c1:00.0"} {
		require.Equal(t, want, normalPCI(from))
	}
}
