package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating/journal"
)

// hostiles create files of the wrong kind.
var hostiles = map[string]func(path string) error{
	"pipe":      func(path string) error { return syscall.Mkfifo(path, 0o666) },
	"socket":    func(path string) error { return syscall.Mknod(path, syscall.S_IFSOCK|0o666, 0) },
	"device":    func(path string) error { return os.Symlink("/dev/zero", path) },
	"directory": func(path string) error { return os.Mkdir(path, 0o755) },
	"link": func(path string) error { // of another user
		return errors.Join(os.Symlink("precious", path), os.Lchown(path, 65534, 65534))
	},
	"loop":  func(path string) error { return os.Symlink(filepath.Base(path), path) },
	"empty": func(path string) error { return os.WriteFile(path, nil, 0o644) },
	"huge": func(path string) error {
		err := os.WriteFile(path, []byte("{"), 0o644)
		if err == nil {
			err = os.Truncate(path, 1<<40)
		}
		return err
	},
	"code": func(path string) error { return os.WriteFile(path, []byte("#!/bin/sh\ntouch ran\n"), 0o777) },
	"garbled": func(path string) error {
		return os.WriteFile(path, bytes.Repeat([]byte("\x1b]0;x\a\x00\xff{[(\"'$(touch ran)`touch ran`\n"), 99), 0o644)
	},
}

// opened maps names of files that are made hostile to the commands that open them. beff.toml is hostile to all.
var opened = map[string][]string{
	"": {"run --dry-run -n 2", "io --dry-run -n 2", "probe --dry-run -n 2 PingPong", "imb mpi1 -help", "version",
		"config", "job --slurm --per-node 2 run", "completion bash", "help run", "mpi list", "rank --reference",
		"mpi add --mpicc ./mpicc --name x", "complete-words run --mpi="},
	"a.json": {"verify a.json", "report a.json", "rank . --all", "compare a.json b.json", "trend .",
		"export a.json",
		"site a.json -o pub", "import a.json",
		"model fit a.json -o out.yaml", "run --resume a", "report b.json -o a.json", "model run t3e -n 2 -o a"},
	"a.json.gz":   {"verify a.json.gz", "rank ."},
	"a.journal":   {"verify a.journal", "report a.journal", "run -n 2 --resume a"},
	"b.journal":   {"verify b.json", "rank ."},
	"system.yaml": {"verify b.json", "rank ."},
	"m.yaml":      {"model run m.yaml", "model scale m.yaml -n 2", "run --engine sim --machine m.yaml --dry-run"},
	"hints":       {"io -n 2 --hints hints --dry-run"},
	"words": {"imb mpi1 -input words", "imb mpi1 -msglen words PingPong", "probe -n 2 --dry-run -f words",
		"probe list words"},
	"out.html":       {"report b.json -o out.html", "compare b.json b.json -o out.html", "rank b.json -o out.html"},
	"out.csv":        {"export b.json -o out.csv"},
	"out.sqlite":     {"export b.json -o out.sqlite"},
	"plugins/x.so":   {"mpi list", "run --engine mpi --dry-run", "version"},
	"out.json":       {"model run t3e -n 2 -o out", "import b.txt -o out"},
	"out.journal":    {"run --dry-run -n 2 -o out"},
	"pub/index.html": {"site b.json -o pub"},
}

// In a directory full of misleading files no command executes one, changes one, or waits forever.
func TestHostileDirectory(t *testing.T) {
	good := t.TempDir()
	t.Chdir(good)
	for _, line := range []string{"model run t3e -n 2 -o a", "model run t3e -n 3 -o b"} {
		require.Zero(t, run(strings.Fields(line), new(bytes.Buffer), new(bytes.Buffer)), line)
	}
	require.NoError(t, os.WriteFile("precious", []byte("precious\n"), 0o600))
	require.NoError(t, os.WriteFile("mpicc", []byte("#!/bin/sh\nexit 1\n"), 0o755))
	for kind, hostile := range hostiles {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			if kind == "link" && os.Geteuid() != 0 {
				t.Skip("only root makes links of other users")
			}
			for name, commands := range opened {
				dir := t.TempDir()
				require.NoError(t, os.CopyFS(dir, os.DirFS(good)))
				for _, under := range []string{"plugins", "pub"} {
					require.NoError(t, os.Mkdir(filepath.Join(dir, under), 0o755))
				}
				for _, n := range []string{name, "beff.toml"} {
					if n != "" {
						os.Remove(filepath.Join(dir, n))
						require.NoError(t, hostile(filepath.Join(dir, n)))
					}
				}
				before := stateOf(t, dir, name, kind)
				for _, line := range commands {
					runPlainly(t, dir, fmt.Sprintf("%s as a %s: %s", name, kind, line), strings.Fields(line), 1<<30)
				}
				assert.Equal(t, before, stateOf(t, dir, name, kind), "%s as a %s", name, kind)
			}
		})
	}
}

// weighed is main, and prints at its end the largest amount of memory that it took.
func weighed() {
	code := run(os.Args[1:], os.Stdout, os.Stderr)
	status, _ := os.ReadFile("/proc/self/status")
	fmt.Fprintf(os.Stderr, "%s\n", peak.Find(status))
	os.Exit(code)
}

var peak = regexp.MustCompile(`(?m)^VmHWM:\s*(\d+) kB$`)

// runPlainly runs the program. It must end without a signal, take less than maxBytes of memory, and print plain words.
// runPlainly returns the output.
func runPlainly(t *testing.T, dir, what string, args []string, maxBytes int) string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	self, err := os.Executable()
	require.NoError(t, err)
	c := exec.CommandContext(ctx, self)
	c.Args, c.Dir = append([]string{"beff-weighed"}, args...), dir
	c.Env = append(os.Environ(), "GOGC=100", "BEFF_PLUGINS="+filepath.Join(dir, "plugins"), "HOME=/nonexistent",
		"XDG_CONFIG_HOME=", "XDG_DATA_HOME=")
	out, err := c.CombinedOutput()
	require.NoError(t, ctx.Err(), "%s: it doesn't end", what)
	if err != nil {
		assert.ErrorAs(t, err, new(*exec.ExitError), what)
	}
	state := c.ProcessState.Sys().(syscall.WaitStatus)
	assert.False(t, state.Signaled(), "%s: %v", what, state.Signal())
	if used := peak.FindSubmatch(out); assert.NotNil(t, used, "%s: %s", what, out) {
		kilobytes, err := strconv.Atoi(string(used[1]))
		require.NoError(t, err)
		assert.Less(t, kilobytes, maxBytes>>10, "%s: kilobytes", what)
	}
	assert.NotRegexp(t, "goroutine|panic|\x1b]|\a", string(out), what)
	return string(out)
}

// The name of a file can neither control a terminal nor imitate a line from beff.
func TestHostileNames(t *testing.T) {
	good, dir := t.TempDir(), t.TempDir()
	t.Chdir(good)
	require.Zero(t, run(strings.Fields("model run t3e -n 2 -o a"), new(bytes.Buffer), new(bytes.Buffer)))
	document, err := os.ReadFile("a.json")
	require.NoError(t, err)
	const evil = "e\x1b]0;x\a\u202e\nbeff: verified"
	require.NoError(t, os.WriteFile(filepath.Join(dir, evil+".json"), document, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, evil+".bad.json"), []byte("{"), 0o644))
	j, _, err := journal.Open(filepath.Join(dir, evil+"j.journal"), false)
	require.NoError(t, err)
	require.NoError(t, j.Begin(journal.Head{Document: document, Decided: []byte("{}")}))
	require.NoError(t, j.Close())
	for _, args := range [][]string{
		{"verify", "."}, {"verify", evil + "j.journal"}, {"verify", evil + ".json"},
		{"rank", ".", "--all"}, {"report", evil + "j.journal"},
		{"site", evil + ".json", "-o", "s" + evil}, {"report", evil + ".json", "-f", "html", "-o", "r" + evil},
		{"model", "run", "t3e", "-n", "2", "-o", "m" + evil}, {"export", evil + ".json", "-o", "x" + evil},
		{"import", evil}, {"model", "run", evil}, {"run", "-n", "2", "--resume", evil}, {"verify", evil + ".bad.json"},
	} {
		out := runPlainly(t, dir, args[0], args, 1<<30)
		assert.NotRegexp(t, "(?m)[\x1b\u202e\r]|^beff: verified", out, "%q", args)
	}
}

// The memory for reading a text of another program is bounded by the text's size.
func TestTextsTakeLittleMemory(t *testing.T) {
	for _, c := range []struct{ head, unit, command string }{
		{"hosts:\n", "- 1\n", "model run"}, {"", "- - - - - - - -\n", "model run"}, {"", "[", "model scale"},
		{"# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n", "1 1\n", "import"},
		{"", "# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n1 1\n", "import"},
		{"#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n", "# Benchmarking PingPong\n# #processes = 2\n" +
			"       #bytes #repetitions      t[usec]   Mbytes/sec\n" +
			"            0         1000         0.50         0.00\n", "import"},
		{"", "all all all all a b\n", "io -n 2 --dry-run --hints"},
		{"", "PingPong\n", "imb mpi1 --dry-run -input"}, {"", "1\n", "imb mpi1 --dry-run PingPong -msglen"},
	} {
		for _, n := range []int{30_000, 500_000, 8_000_000} {
			dir := t.TempDir()
			text := c.head + strings.Repeat(c.unit, n/len(c.unit))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "text"), []byte(text), 0o644))
			what := fmt.Sprintf("%s of %d bytes of %.20q", c.command, n, c.unit)
			out := runPlainly(t, dir, what, strings.Fields(c.command+" text"), 8*n+120_000_000)
			assert.NotContains(t, out, "beff help", what) // the command line is right
		}
	}
}

// stateOf returns the files of a directory with their modes and contents. For an output that is an empty file or a
// directory it returns nothing, as commands may write there.
func stateOf(t *testing.T, dir, name, kind string) map[string]string {
	list := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at, _ := filepath.Rel(dir, path)
		info, err := entry.Info()
		if err != nil {
			return err
		}
		stem, _, _ := strings.Cut(strings.ReplaceAll(name, "/", "."), ".")
		if kind == "directory" && strings.HasPrefix(at, name+"/") || kind == "empty" && strings.HasPrefix(at, stem) {
			return nil
		}
		list[at] = fmt.Sprint(info.Mode(), " ", info.Size())
		if info.Mode().IsRegular() && info.Size() < 1<<30 {
			text, err := os.ReadFile(path)
			list[at] += " " + string(text)
			return err
		}
		return nil
	}))
	return list
}
