package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/effective-bandwidth/beff/internal/mutants"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/ranking"
)

func sealed(t testing.TB) string {
	var b bytes.Buffer
	require.NoError(t, ofbeff.Form.Seal(&b, fixture.Cluster("").Result()))
	return b.String()
}

func file(t testing.TB, dir, name, content string) string {
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

func entry(t *testing.T, f *File) ranking.Entry {
	t.Helper()
	return f.Entry()
}

func TestRead(t *testing.T) {
	f := Read(file(t, t.TempDir(), "a.json", sealed(t)))
	require.NoError(t, f.Problem)
	require.Equal(t, "b_eff", f.Benchmark())
	require.NotEmpty(t, f.Digest())
	require.Equal(t, "n001", entry(t, f).System.Name)
	require.Equal(t, ranking.Valid, entry(t, f).Status)
	require.NoError(t, f.Document().Validate())
	var b bytes.Buffer
	require.NoError(t, f.KeyValue(&b))
	require.Contains(t, b.String(), "\nSuccess=1\n")
}

// WrongData reports whether data were wrong when the result was measured, even after Forget.
func TestWrongData(t *testing.T) {
	for name, r := range fixture.IOResults() {
		var b bytes.Buffer
		require.NoError(t, ofbeffio.Form.Seal(&b, r))
		f := Read(file(t, t.TempDir(), "a.json", b.String()))
		require.NoError(t, f.Problem)
		require.Equal(t, name == "wrong", f.WrongData(), name)
		f.Forget()
		require.Equal(t, name == "wrong", f.WrongData(), name)
	}
	require.False(t, Read(file(t, t.TempDir(), "a.json", sealed(t))).WrongData())
}

// Every problem is one line that names the cause.
func TestProblems(t *testing.T) {
	good := sealed(t)
	for name, c := range map[string]struct {
		content, want           string
		foreign, usable, system bool
	}{
		"empty":       {"", "the file is empty", false, false, false},
		"truncated":   {good[:len(good)/2], "the file is truncated", false, false, false},
		"after a key": {`{"benchmark":`, "the file is truncated", false, false, false},
		"only a head": {good[:200], "truncated", false, false, false},
		"text":        {"b_eff = 1 MB/s\n", "not a result document: invalid character 'b'", false, false, false},
		"binary":      {"\x00\x1b[2J\xff", "not a result document", false, false, false},
		"a list":      {"[]", "no benchmark and schema_version", true, false, false},
		"a report":    {`{"title":"x"}`, "no benchmark and schema_version", true, false, false},
		"other": {`{"benchmark":"linpack\u001b[31m","schema_version":1}`,
			`benchmark "linpack\x1b[31m" are not known`, false, false, false},
		"future": {strings.Replace(good, `"schema_version": 1`, `"schema_version": 7`, 1),
			"b_eff result of schema version 7, written by a later beff: this one reads versions up to 1", false, false,
			false},
		"version as text": {`{"benchmark":"b_eff","schema_version":"1"}`,
			"not a result document: json: cannot unmarshal string", false, false, false},
		"deep":        {strings.Repeat("[", 100000), "not a result document", true, false, false},
		"deep inside": {`{"a":` + strings.Repeat("[", 100000), "not a result document", false, false, false},
		"changed": {strings.Replace(good, `"name": "n001"`, `"name": "n002"`, 1), "digest is", false, true,
			false},
		"hostile field": {strings.Replace(good, `"seed"`, `"\u001b[2J\n`+strings.Repeat("x", 9999)+`"`, 1),
			"it violates the schema", false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := Read(file(t, t.TempDir(), "a.json", c.content))
			require.ErrorContains(t, f.Problem, c.want)
			require.NotContains(t, f.Problem.Error(), "\n")
			require.NotContains(t, f.Problem.Error(), "\x1b")
			require.Less(t, len(f.Problem.Error()), 500)
			require.Equal(t, c.usable, f.Usable)
			require.Equal(t, c.foreign, f.NoResult)
			if f.Usable {
				require.Equal(t, document.Bad, f.Document().Notices[0].Level)
				require.Contains(t, f.Document().Notices[0].Text, "UNVERIFIED")
				require.Equal(t, ranking.Unverified, entry(t, f).Status)
				var b bytes.Buffer
				require.NoError(t, f.KeyValue(&b))
				require.Contains(t, b.String(), "\nverified=0\nSuccess=0\n")
			}
		})
	}
	require.ErrorContains(t, Read(t.TempDir()).Problem, "is a directory")
	require.EqualError(t, Read("/no/such.json").Problem, "no such file or directory")
}

func TestSystem(t *testing.T) {
	dir := t.TempDir()
	path := file(t, dir, "a.json", sealed(t))
	file(t, dir, "system.yaml", "name: Hawk\nsite: HLRS\n")
	f := Read(path)
	require.NoError(t, f.Problem)
	require.Equal(t, "Hawk", entry(t, f).System.Name)
	require.Equal(t, "HLRS", entry(t, f).System.Site)
	require.Equal(t, "b_eff of Hawk", f.Document().Title)

	file(t, dir, "system.yaml", "name: Hawk\nvendor: Maker\nyear: 2026\nprocessor: CPU Y\nnodes: 4\nrmax_tflops: 1.5\n")
	f = Read(path)
	require.NoError(t, f.Problem)
	require.Equal(t, rating.System{Name: "Hawk", Vendor: "Maker", Year: 2026, Processor: "CPU Y", Nodes: 4, Rmax: 1.5},
		entry(t, f).System)

	file(t, dir, "system.yaml", "")
	require.NoError(t, Read(path).Problem)
	for _, wrong := range []string{"nam: Hawk", "name: [1", "- a", "name: {a: b}", "year: soon"} {
		file(t, dir, "system.yaml", wrong)
		f = Read(path)
		require.ErrorContains(t, f.Problem, "system.yaml next to it: ", wrong)
		require.NotContains(t, f.Problem.Error(), "\n")
	}
}

// Standard input can be read only once, and is.
func TestReadOnce(t *testing.T) {
	good := sealed(t)
	once, err := os.Open(file(t, t.TempDir(), "a.json", good))
	require.NoError(t, err)
	defer once.Close()
	defer func(before *os.File) { os.Stdin = before }(os.Stdin)
	os.Stdin = once
	f := Read(input.Stdin)
	require.NoError(t, f.Problem)
	text, err := f.Text()
	require.NoError(t, err)
	require.Equal(t, good, string(text))
}

func TestCompare(t *testing.T) {
	dir := t.TempDir()
	a, b := Read(file(t, dir, "a.json", sealed(t))),
		Read(file(t, dir, "b.json", strings.Replace(sealed(t), `"n001"`, `"n002"`, 1)))
	c, err := Compare(SidePerFile([]*File{a, b}))
	require.NoError(t, err)
	require.InDelta(t, 1, c.Mains()[0].Ratio(), 1e-12)
	require.Contains(t, c.Document.Notices[0].Text, "UNVERIFIED")
	require.NoError(t, c.Document.Validate())
	require.Equal(t, []string{"a", "b"}, names([]*File{a, b}))
	require.Equal(t, []string{a.Path[:len(a.Path)-5], a.Path[:len(a.Path)-5] + " #2"}, names([]*File{a, a}))
}

// Numbers that no machine can have are refused.
func TestSystemOfNumbers(t *testing.T) {
	dir := t.TempDir()
	path := file(t, dir, "a.json", sealed(t))
	for _, wrong := range []string{"nodes: -1", "rmax_tflops: .nan", "rmax_tflops: .inf", "rmax_tflops: -1"} {
		file(t, dir, "system.yaml", wrong)
		require.ErrorContains(t, Read(path).Problem, "want a number of at least 0", wrong)
	}
}

// A system.yaml of the largest allowed size takes little memory, even with aliases of aliases.
func TestSystemsAreBounded(t *testing.T) {
	const most = 64 << 10
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := range 12 {
		bomb += fmt.Sprintf("a%d: &a%[1]d [%s*a%d]\n", i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 8), i)
	}
	for _, text := range []string{bomb + "name: *a12\n", strings.Repeat("a: {", most/4), strings.Repeat("[", most),
		strings.Repeat("- ", most/2), strings.Repeat("? ", most/2), "name: " + strings.Repeat("&a ", most/3)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := parseSystem([]byte(text))
		runtime.ReadMemStats(&after)
		require.Error(t, err)
		require.Less(t, after.HeapSys, before.HeapSys+uint64(8*len(text)+100_000_000), "%.20q", text)
	}
}

func FuzzSystem(f *testing.F) {
	for _, s := range []string{"name: a\nsite: b\nnote: c\n", "", "name: &a [*a]", "a: b", "---\n---\n",
		"name: !!binary x"} {
		f.Add([]byte(s))
	}
	mutants.Fuzz(f, func(t *testing.T, data []byte) {
		if _, err := parseSystem(data); err != nil {
			require.NotContains(t, line(err).Error(), "\n")
		}
	})
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{`{"benchmark":"b_eff","schema_version":1}`,
		`{"a":[{}],"schema_version":1,"benchmark":"b_eff"}`, "{", "", "[]", `{"benchmark":1}`,
		`{"benchmark":"b_eff","benchmark":"b_eff"}`} {
		f.Add([]byte(s))
	}
	mutants.Fuzz(f, func(t *testing.T, data []byte) {
		k, err := find(data)
		require.Equal(t, err == nil, k != nil)
	})
}

// A thousand results, as beff rank reads them.
func BenchmarkThousand(b *testing.B) {
	dir, text := b.TempDir(), sealed(b)
	var paths []string
	for i := range 1000 {
		path := filepath.Join(dir, fmt.Sprintf("%d.json", i))
		if i == 0 {
			file(b, dir, "0.json", text)
		} else {
			require.NoError(b, os.Link(paths[0], path))
		}
		paths = append(paths, path)
	}
	b.SetBytes(int64(len(text) * len(paths)))
	for b.Loop() {
		for _, f := range ReadAll(paths, (*File).Forget) {
			require.NoError(b, f.Problem)
		}
	}
}

// Only the beginning of a file that isn't JSON is read, and nothing of a file that is too large.
func TestHuge(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		size int64
		want string
	}{"zeros": {200 << 20, `invalid character '\x00'`}, "too large": {maxBytes + 1, "is larger than 256 MiB"}} {
		path := filepath.Join(dir, name+".json")
		require.NoError(t, os.WriteFile(path, nil, 0o644))
		require.NoError(t, os.Truncate(path, c.size)) // takes no disk
		require.ErrorContains(t, Read(path).Problem, c.want)
		var buffer []byte
		_ = content(path, &buffer, mayBeJSON)
		require.Less(t, cap(buffer), 2*readSize, name)
	}
}

// A name that holds control characters is shown in quotes.
func TestName(t *testing.T) {
	require.Equal(t, "dir/größe <x>.json", (&File{Path: "dir/größe <x>.json"}).Name())
	require.Equal(t, `"a\x1b[31m.json"`, (&File{Path: "a\x1b[31m.json"}).Name())
	require.Equal(t, `"a\xff"`, (&File{Path: "a\xff"}).Name())
}

// BenchmarkReadAll prints how long it takes to read and verify 1,000 results of whole runs on all processors.
func BenchmarkReadAll(b *testing.B) {
	text := sealed(b)
	var paths []string
	for i := range 100 {
		paths = append(paths, file(b, b.TempDir(), fmt.Sprintf("%d.json", i), text))
	}
	b.SetBytes(int64(len(paths) * len(text)))
	for b.Loop() {
		for _, f := range ReadAll(paths, (*File).Forget) {
			require.NoError(b, f.Problem)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*1000/float64(len(paths)), "s/1000-files")
}

// A system.yaml that isn't a regular file gives an error and isn't opened, because opening a pipe would wait forever.
func TestSystemIsAFile(t *testing.T) {
	dir := t.TempDir()
	path := file(t, dir, "a.json", sealed(t))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, systemFile), 0o600))
	require.EqualError(t, Read(path).Problem, "system.yaml next to it: is a pipe: only files are read")
}

// A result isn't read if the name of an environment variable isn't a valid one.
func TestVariablesHaveNames(t *testing.T) {
	const good = `"variables": [{"name": "UCX_TLS"`
	text := strings.Replace(sealed(t), `"host": {`, `"environment": {`+good+`}]}, "host": {`, 1)
	dir := t.TempDir()
	require.True(t, Read(file(t, dir, "a.json", text)).Usable)
	f := Read(file(t, dir, "b.json", strings.Replace(text, "UCX_TLS", "UCX_X;id;", 1)))
	require.ErrorContains(t, f.Problem, `"UCX_X;id;" is no name of a variable`)
	require.False(t, f.Usable)
}
