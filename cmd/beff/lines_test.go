package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pieces keeps the argument of each call of Write.
type pieces struct {
	mu   sync.Mutex
	list []string
}

func (p *pieces) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = append(p.list, string(text))
	return len(text), nil
}

// While an MPI library may write to the same terminal or file, beff writes whole lines by one call, so that no line of
// the library splits them.
func TestWholeLines(t *testing.T) {
	for _, args := range []string{
		"probe PingPong Unidir_Put Bcast P_Write_Priv --engine local -n 2 --msglog 3:5 -p DIR -o DIR/probe",
		"probe PingPong --engine local -n 2 --msglog 3:5 --dry-run",
		"imb mpi1 PingPong Allreduce -msglog 3:4",
		"run --engine local -n 2 --quick --memory 512KiB --patterns ring --methods sendrecv -v -o DIR/run",
		"run --engine local -n 2 --quick --memory 512KiB --patterns ring --methods sendrecv",
		"io --engine local -n 2 -T 0.2 --memory 256MiB -p DIR",
		"doctor -n 2 -p DIR",
		"doctor cuts -n 2",
	} {
		var stdout, stderr pieces
		require.Zero(t, run(strings.Fields(strings.ReplaceAll(args, "DIR", t.TempDir())), &stdout, &stderr), "%s: %s",
			args, stderr.list)
		require.NotEmpty(t, stdout.list, args)
		for _, text := range append(stdout.list, stderr.list...) {
			assert.True(t, strings.HasSuffix(text, "\n"), "%s: %q", args, text)
		}
	}
}

// TestOthersPrintUnderMPI joins stdout and stderr, to which a preloaded library writes lines all the time, as Open MPI
// 6.0.0rc2 does before each window. All lines are whole, and the rows without the others' lines equal the rows of the
// text.
func TestOthersPrintUnderMPI(t *testing.T) {
	launcher := launcher(t)
	dir := t.TempDir()
	library := filepath.Join(dir, "prints.so")
	out, err := exec.Command("cc", "-shared", "-fPIC", "-pthread", "-o", library, "testdata/prints.c").CombinedOutput()
	require.NoError(t, err, string(out))
	c := underMPI(t, launcher, 2, "probe", "PingPong", "Unidir_Put", "Bcast", "--msglog", "3:6", "-o", dir+"/probe")
	c.Env = append(c.Env, "LD_PRELOAD="+library)
	var joined bytes.Buffer
	c.Stdout, c.Stderr = &joined, &joined
	require.NoError(t, c.Run(), &joined)
	const other = "[other] a line of another program"
	var lines []string
	others := 0
	for line := range strings.Lines(joined.String()) {
		if strings.Contains(line, "[other]") {
			require.Equal(t, other+"\n", line)
			others++
			continue
		}
		lines = append(lines, line)
	}
	require.Greater(t, others, 20)
	text, err := os.ReadFile(dir + "/probe.txt")
	require.NoError(t, err)
	row := regexp.MustCompile(`(?m)^ +\d+ .*\n`)
	want := row.FindAllString(string(text), -1)
	require.Greater(t, len(want), 12)
	require.Equal(t, want, row.FindAllString(strings.Join(lines, ""), -1))
}
