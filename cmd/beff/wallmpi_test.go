package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
)

// slowCalls makes a library whose writes to the files of a rated run don't return while the file hold exists, and
// returns the variable that loads it.
func slowCalls(t *testing.T, hold string) string {
	const source = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
static void slow(int fd) {
	char link[64], path[4096] = "";
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	if (readlink(link, path, sizeof path - 1) > 0 && strstr(path, "/beff-io-"))
		while (access(HOLD, F_OK) == 0) usleep(10000);
}
#define SLOW(name, kinds, args) \
	ssize_t name kinds { \
		static ssize_t (*next) kinds; \
		if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name); \
		slow(fd); \
		return next args; \
	}
SLOW(write, (int fd, const void *data, size_t n), (fd, data, n))
SLOW(pwrite, (int fd, const void *data, size_t n, off_t at), (fd, data, n, at))
SLOW(pwrite64, (int fd, const void *data, size_t n, off64_t at), (fd, data, n, at))
SLOW(writev, (int fd, const struct iovec *v, int n), (fd, v, n))
SLOW(pwritev, (int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at))
SLOW(pwritev64, (int fd, const struct iovec *v, int n, off64_t at), (fd, v, n, at))
`
	dir := t.TempDir()
	name, library := filepath.Join(dir, "slow.c"), filepath.Join(dir, "slow.so")
	require.NoError(t, os.WriteFile(name, []byte(source), 0o600))
	out, err := exec.Command("cc", "-shared", "-fPIC", `-DHOLD="`+hold+`"`, "-o", library, name,
		"-ldl").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return "LD_PRELOAD=" + library
}

// A time limit ends a run in the middle of a file call, and the files are removed.
func TestLimitInCallUnderMPI(t *testing.T) {
	t.Parallel() // a call waits most of the time
	scratch, dir := t.TempDir(), t.TempDir()
	prefix, hold := filepath.Join(dir, "slow"), filepath.Join(dir, "hold")
	require.NoError(t, os.WriteFile(hold, nil, 0o600))
	stderr := &text{}
	c := underMPI(t, launcher(t), 2, "io", "-T", "20s", "--partitions", "2", "--memory", "128MiB", "--max-bytes",
		"1GiB", "--wall", "3s", "-p", scratch, "-o", prefix)
	c.Env, c.Stderr = append(c.Env, slowCalls(t, hold)), stderr
	require.Error(t, c.Run())
	require.FileExists(t, hold, "the call was still under way")
	require.Contains(t, stderr.String(), "beff: stopped before the end: the wall limit has come")
	code := c.ProcessState.ExitCode()
	const killed = int(syscall.SIGKILL) // Hydra adds the signal by which it ends the other process, or returns only it
	require.Contains(t, []int{exit.Unfinished, exit.Unfinished | killed, killed}, code, "%s", stderr)
	awaitEmpty(t, scratch)
}
