package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// standardPlugin makes a plug-in for MPI's standard ABI once, and returns its path.
var standardPlugin = sync.OnceValues(func() (string, error) {
	binary, err := buildOnce()
	if err != nil {
		return "", err
	}
	standard, err := filepath.Abs("../../mpi/libmpi/plugin/abi")
	if err != nil {
		return "", err
	}
	name := filepath.Join(filepath.Dir(binary), "abi", "abi.so") // not among the plug-ins next to the program
	if err := os.Mkdir(filepath.Dir(name), 0o755); err != nil {
		return "", err
	}
	if out, err := exec.Command(binary, "mpi", "build", "cc -I"+standard, name).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return name, nil
})

// badMPIs makes plug-ins and libraries that can't be used, and returns their directory.
func badMPIs(t *testing.T) string {
	launcher(t)
	dir := t.TempDir()
	write := func(name, content string) {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	plugin, err := standardPlugin()
	require.NoError(t, err)
	require.NoError(t, os.Link(plugin, dir+"/abi.so"))
	out, err := exec.Command("cc", "-shared", "-o", dir+"/empty.so", "-x", "c", "/dev/null").CombinedOutput()
	require.NoError(t, err, string(out))
	write("old.so", "beff plug-in of the engine over MPI\n123456789abc\nMPICH\n/usr/bin/mpicc\n")
	write("text/libmpi_abi.so.1", "INPUT(libmpi.so)\n")
	other := map[string]elf.Machine{"amd64": elf.EM_AARCH64, "arm64": elf.EM_X86_64}[runtime.GOARCH]
	for name, machine := range map[string]elf.Machine{"foreign": other, "cut": map[string]elf.Machine{
		"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[runtime.GOARCH]} {
		var b bytes.Buffer
		h := elf.Header64{Type: uint16(elf.ET_DYN), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT)}
		copy(h.Ident[:], elf.ELFMAG+string([]byte{byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)}))
		require.NoError(t, binary.Write(&b, binary.LittleEndian, h))
		write(name+"/libmpi_abi.so.1", b.String())
	}
	require.NoError(t, os.Mkdir(dir+"/empty", 0o755))
	require.NoError(t, os.Rename(dir+"/empty.so", dir+"/empty/libmpi_abi.so.1"))
	return dir
}

// If a library can't be loaded, only rank 0 reports it, in a line with path and reason and with exit code 2. The others
// don't hang.
func TestBadMPIUnderMPI(t *testing.T) {
	launcher := launcher(t)
	dir := badMPIs(t)
	for args, want := range map[string]string{
		"--mpi DIR/none/libmpi_abi.so.1":    "DIR/none: no such file or directory",
		"--mpi DIR/text/libmpi_abi.so.1":    "DIR/text/libmpi_abi.so.1: bad magic number",
		"--mpi DIR/foreign/libmpi_abi.so.1": "DIR/foreign/libmpi_abi.so.1 is a library for EM_",
		"--mpi DIR/cut/libmpi_abi.so.1":     "plug-in DIR/abi.so: DIR/cut/libmpi_abi.so.1: ",
		"--mpi DIR/empty/libmpi_abi.so.1":   "DIR/empty/libmpi_abi.so.1 is not an MPI library: it has no MPI_Init",
		"--mpi DIR/old.so":                  "DIR/old.so: ",
		"--mpi old":                         "DIR/old.so: its interface is of version 123456789abc and ",
		"root":                              "MPI_ABI_ROOT=DIR/nowhere: there is no libmpi_abi.so.1 below it",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel() // the launcher takes most of the time
			c := underMPI(t, launcher, 2, append([]string{"run", "--quick"},
				strings.Fields(strings.ReplaceAll(args, "DIR", dir))...)...)
			c.Env = append(c.Env, "BEFF_PLUGINS="+dir)
			if args == "root" {
				c.Args = c.Args[:len(c.Args)-1]
				c.Env = append(c.Env, "MPI_ABI_ROOT="+dir+"/nowhere")
			}
			var stdout, stderr bytes.Buffer
			c.Stdout, c.Stderr = &stdout, &stderr
			require.Error(t, c.Run())
			require.Equal(t, 2, c.ProcessState.ExitCode(), &stderr)
			lines := ours(stderr.String())
			require.Len(t, lines, 1, &stderr)
			require.Contains(t, lines[0], strings.ReplaceAll(want, "DIR", dir))
		})
	}
}

// A library whose interface isn't the one that its name suggests is recognized by its functions.
func TestOtherInterfaceUnderMPI(t *testing.T) {
	dir := badMPIs(t)
	libraries, err := filepath.Glob("/usr/lib/*-linux-gnu/libmpi.so.40")
	require.NoError(t, err)
	if strings.Contains(launcher(t), "mpich") {
		libraries, err = filepath.Glob("/usr/lib/*-linux-gnu/libmpich.so.12")
		require.NoError(t, err)
	}
	require.NotEmpty(t, libraries)
	require.NoError(t, os.Symlink(libraries[0], dir+"/libmpi_abi.so.1"))
	c := underMPI(t, launcher(t), 2, "run", "--quick", "--mpi", dir+"/libmpi_abi.so.1")
	c.Env = append(c.Env, "BEFF_PLUGINS="+dir)
	out, err := c.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, 2, c.ProcessState.ExitCode(), string(out))
	lines := ours(string(out))
	require.Len(t, lines, 1, string(out))
	require.Contains(t, lines[0], "doesn't have the plug-in's binary interface (standard ABI): run beff mpi add")
}

// If the library is missing on another node than rank 0's, that node's first process reports it and the job ends,
// because the others wait in MPI_Init. The test sets the second process's local rank to 0, as if it were the first
// process on another node.
func TestMissingOnNodeUnderMPI(t *testing.T) {
	if isOpenMPI5(t) {
		t.Skip("this launcher crashes with several programs of one job")
	}
	none := filepath.Join(t.TempDir(), "none")
	words := append(strings.Fields(launcher(t)), "-n", "1", program(t), "doctor", ":", "-n", "1", "env",
		"MPI_LOCALRANKID=0", "OMPI_COMM_WORLD_LOCAL_RANK=0", program(t), "doctor", "--mpi", none+"/libmpi.so.12")
	c := exec.Command(words[0], words[1:]...)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), noPlugins...)
	var both text
	c.Stdout, c.Stderr = &both, &both
	require.NoError(t, c.Start())
	late := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
	require.Error(t, c.Wait())
	require.True(t, late.Stop(), "the job hangs: %s", &both)
	require.Regexp(t, `(?m)^beff: rank 1 on \S+: `+none+`: no such file or directory$`, both.String())
}
