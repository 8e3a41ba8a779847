package report

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

// bombSize is the size of a text whose reading must not take much more memory.
const bombSize = 16_000_000

// filled returns a document of bombSize bytes, in which the value of a member begins with open and repeats a unit.
func filled(t *testing.T, text, name, open, unit, end string) string {
	t.Helper()
	at := regexp.MustCompile(`"` + name + `": ?`).FindStringIndex(text)
	require.NotNil(t, at, name)
	var value json.RawMessage
	d := json.NewDecoder(strings.NewReader(text[at[1]:]))
	require.NoError(t, d.Decode(&value))
	before, after := text[:at[1]]+open, end+text[at[1]+len(value):]
	if open == "[" {
		end = unit
		before += unit
		unit = "," + unit
	}
	return before + strings.Repeat(unit, (bombSize-len(before)-len(after))/len(unit)) + after
}

// bombs returns texts whose reading could take much memory, by name.
func bombs(t *testing.T) map[string]string {
	m := fixture.Cluster("a")
	m.Config.Quick, m.Config.Memory = true, 512<<10
	cluster := fixture.ProbeCluster()
	cluster.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
	io, r, probed := fixture.IOCluster().Result(), m.Result(), cluster.Result
	r.Digest, io.Digest, probed.Digest = "", "", ""
	texts := map[string]string{}
	var b bytes.Buffer
	require.NoError(t, ofbeff.Form.Write(&b, r))
	rating := b.String()
	b.Reset()
	require.NoError(t, ofbeffio.Form.Write(&b, io))
	files := b.String()
	b.Reset()
	require.NoError(t, ofprobe.Form.Write(&b, &probed))
	probes := b.String()
	for name, text := range map[string]string{"rating": rating, "files": files} {
		texts[name+" empty"] = filled(t, text, "samples", "[", "{}", "]")
		texts[name+" lists"] = filled(t, text, "samples", "[", "[]", "]")
		texts[name+" deep"] = filled(t, text, "samples", "", "[", "")
		texts[name+" text"] = filled(t, text, "beff_version", `"`, "a", `"`)
		texts[name+" number"] = filled(t, text, "memory_per_process", "", "1", "")
		texts[name+" warnings"] = filled(t, text, "warnings", "[", `{"code":"a","text":"b","remedy":"c"}`, "]")
		texts[name+" hosts"] = filled(t, text, "placement", "[",
			`{"host":"a","ranks":"0","processes":1,"processors":1}`, "]")
	}
	first := regexp.MustCompile(`\{"pattern":.*\}`).FindString(rating)
	texts["rating equal"] = filled(t, rating, "samples", "[", first, "]")
	texts["rating zeros"] = filled(t, rating, "per_length", "[", "0", "]")
	texts["rating equal patterns"] = filled(t, rating, "patterns", "[",
		`{"name":"","kind":"ring","processes":2,"messages":1}`, "]")
	texts["probe empty"] = filled(t, probes, "blocks", "[", "{}", "]")
	texts["probe rows"] = filled(t, probes, "rows", "[", `{"bytes":1}`, "]")
	texts["nothing"] = strings.Repeat(" ", bombSize)
	texts["deep"] = strings.Repeat("[", bombSize)
	texts["members"] = "{" + strings.Repeat(`"a":1,`, bombSize/6)
	texts["late"] = `{"a":"` + strings.Repeat("a", bombSize) + `",` + rating[1:]
	return texts
}

// A text of n bytes, packed or not, is read, listed and reported in 8 n + 100 MB of memory, even if several are read at
// once.
func TestBombs(t *testing.T) {
	const variable = "BEFF_TEST_BOMB"
	if dir := os.Getenv(variable); dir != "" { // the process that reads
		paths, err := filepath.Glob(filepath.Join(dir, "*.j*"))
		require.NoError(t, err)
		report := func(f *File) {
			if f.Usable {
				require.NoError(t, document.HTML(new(bytes.Buffer), f.Document()))
			}
			f.Forget()
		}
		for _, f := range ReadAll(paths, report) {
			fmt.Printf("%s: %v\n", filepath.Base(f.Path), f.Problem)
		}
		status, err := os.ReadFile("/proc/self/status")
		require.NoError(t, err)
		fmt.Printf("%s\n", regexp.MustCompile(`(?m)^VmHWM:.*`).Find(status))
		return
	}
	if testing.Short() {
		t.Skip("makes documents of 16 MB")
	}
	check := func(name, dir string) {
		c := exec.Command(os.Args[0], "-test.run", "^TestBombs$")
		c.Env = append(os.Environ(), "GOGC=100", variable+"="+dir)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
		_, line, _ := strings.Cut(string(out), "VmHWM:")
		var used int
		_, err = fmt.Sscan(line, &used)
		require.NoError(t, err, "%s", out)
		require.Less(t, used*1024, 8*bombSize+100_000_000, "%s: %.300s", name, out)
	}
	for name, text := range bombs(t) {
		dir := t.TempDir()
		file(t, dir, "a.json", text)
		var packed bytes.Buffer
		z, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
		require.NoError(t, err)
		_, err = z.Write([]byte(text))
		require.NoError(t, err)
		require.NoError(t, z.Close())
		file(t, dir, "b.json.gz", packed.String())
		check(name, dir)
	}
	for kind, record := range map[journal.Kind]string{
		journal.Data:  `{"Samples":[` + strings.Repeat("{},", bombSize/3) + `{}]}`,
		journal.Whole: `{"samples":[` + strings.Repeat("{},", bombSize/3) + `{}]}`,
		journal.Waits: `[` + strings.Repeat("{},", bombSize/3) + `{}]`,
	} {
		dir := t.TempDir()
		j := kept(t, filepath.Join(dir, "a.journal"), fixture.Cluster("").Result())
		require.NoError(t, j.Append(kind, json.RawMessage(record)))
		require.NoError(t, j.Close())
		check(string(kind), dir)
	}
}
