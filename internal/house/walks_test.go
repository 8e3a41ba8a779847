package house

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// insertion puts a part of a code block in docs/dev/adding.md into a file, after a line that contains some text, or at
// the end.
type insertion struct {
	section     string
	block, part int // counted from 0; parts are separated by blank lines, and the last one has the rest
	parts       int
	file, after string
}

// TestWalks follows docs/dev/adding.md for a kernel, a figure, a command, and formats of documents, of a benchmark and
// of another program. The program is built with the files that the page changes, while the sources stay as they are.
func TestWalks(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	dir := t.TempDir()
	replaced := map[string]string{}
	for _, in := range []insertion{
		{"A kernel", 0, 0, 1, "probe/suites/table_mpi1.go", `{Name: "Sendrecv",`},
		{"A kernel", 1, 0, 2, "probe/suites/programs_mpi1.go", `"Sendrecv":`},
		{"A kernel", 1, 1, 2, "probe/suites/programs_mpi1.go", ""},
		{"A figure", 0, 0, 1, "beff/figures.go", "return d.Rings })},"},
		{"A format", 0, 0, 1, "report/document/tsv.go", ""},
		{"A format", 1, 0, 1, "cmd/beff/internal/publish/formats.go", `{name: "md",`},
		{"A format", 2, 0, 1, "report/ofbeff/oneline.go", ""},
		{"A format", 3, 0, 1, "report/ofbeff/report.go", `{Name: "skampi",`},
		{"A format", 4, 0, 1, "report/format/tools/netpipe.go", ""},
		{"A format", 5, 0, 1, "report/format/tools/readers.go", `{Program: "elbencho",`},
		{"A command", 0, 0, 1, "cmd/beff/kinds.go", ""},
		{"A command", 1, 0, 1, "cmd/beff/cli.go", "Config "},
		{"A command", 2, 0, 1, "cmd/beff/texts.go", `"import": {`},
	} {
		path, err := filepath.Abs(filepath.Join(root, in.file))
		require.NoError(t, err)
		if replaced[path] == "" {
			replaced[path] = filepath.Join(dir, strings.ReplaceAll(in.file, "/", "-"))
			text, err := os.ReadFile(path)
			if in.after != "" {
				require.NoError(t, err)
			}
			require.NoError(t, os.WriteFile(replaced[path], text, 0o666))
		}
		text := read(t, replaced[path])
		at := len(text)
		if in.after != "" {
			require.Equal(t, 1, strings.Count(text, in.after), in)
			at = strings.Index(text, in.after)
			at += strings.IndexByte(text[at:], '\n') + 1
		}
		text = text[:at] + in.code(t) + text[at:]
		require.NoError(t, os.WriteFile(replaced[path], []byte(text), 0o666))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o666))
	output := func(name string, words ...string) string {
		command := exec.Command(name, words...)
		command.Dir = dir
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%v: %s", words, out)
		return string(out)
	}
	beff := filepath.Join(dir, "beff")
	sources, err := filepath.Abs(root)
	require.NoError(t, err)
	// Most packages are compiled without optimization, which takes less time.
	output("go", "build", "-C", sources, "-ldflags=-s -w", "-gcflags=./report/...=-N -l", "-gcflags=./cmd/...=-N -l",
		"-overlay", filepath.Join(dir, "overlay.json"), "-o", beff, "./cmd/beff")
	require.Contains(t, output(beff, "probe", "Shift", "--engine", "local", "-n", "3", "--msglog", "2", "--iter", "3",
		"-o", "shift"), "# Benchmarking Shift")
	require.Contains(t, output(beff, "verify", "shift.json"), "shift.json: verified")
	require.Contains(t, output(beff, "kinds", "shift.json"), "shift.json: probe")
	require.Contains(t, output(beff, "kinds", "--help"), "beff kinds results/")
	missing, err := exec.Command(beff, "kinds", filepath.Join(dir, "missing.json")).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(missing), "missing.json: ")
	require.NotContains(t, string(missing), "panic")
	// A simulation measures all patterns and methods. A preview of a real engine leaves some out on a busy machine.
	output(beff, "run", "--engine", "sim", "--machine", "t3e", "-n", "3", "--memory", "512KiB", "-o", "x")
	require.Contains(t, output(beff, "rank", "x.json", "--columns", "system,best_method_after_averaging"),
		"best method after averaging")
	require.Regexp(t, `(?m)^ping-pong of 2 processes\t[0-9.]+\t`, output(beff, "report", "x.json", "--format", "tsv"))
	require.Regexp(t, `^.+\t3\t[0-9.e+]+\n$`, output(beff, "report", "x.json", "--format", "oneline"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "netpipe.txt"), []byte(
		"  0:       8 bytes   9937 times -->      4.41 Mbps in      13.86 usec\n"), 0o666))
	output(beff, "import", "netpipe.txt", "-o", "netpipe.json")
	require.Contains(t, output(beff, "report", "netpipe.json", "--format", "csv"), "seconds,0.00001386,usec")
}

// code returns the part of the block of code.
func (in insertion) code(t *testing.T) string {
	_, section, found := strings.Cut(read(t, root+"/docs/dev/adding.md"), "\n## "+in.section+"\n")
	require.True(t, found, in.section)
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := regexp.MustCompile("(?ms)^   ```go\n(.*?)^   ```\n").FindAllStringSubmatch(section, -1)
	require.Greater(t, len(blocks), in.block, in)
	parts := strings.SplitN(regexp.MustCompile("(?m)^   ").ReplaceAllString(blocks[in.block][1], ""), "\n\n", in.parts)
	require.Len(t, parts, in.parts, in)
	return parts[in.part] + "\n"
}
