package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
)

const evil = "=1+a\x1b[2J\x07\u009b1m\u202e\rb\nb_eff = 1 MB/s\nSuccess=1\n<script>x</script>[y](javascript:z);=2"

// everyText calls f for each text that a value of a type has or could have, with a function that puts another value in
// the text's place. Missing structures around the text get their required members. In lists, f is called for the first
// element.
func everyText(value any, of reflect.Type, place string, put func(any), f func(place string, put func(any))) {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch {
	case of == reflect.TypeFor[time.Time]():
	case of.Kind() == reflect.String:
		f(place, put)
	case of.Kind() == reflect.Slice:
		list, _ := value.([]any)
		if len(list) == 0 {
			list = []any{nil}
		}
		everyText(list[0], of.Elem(), place+"/0", func(x any) { put(append([]any{x}, list[1:]...)) }, f)
	case of.Kind() == reflect.Map:
		f(place+"/name", func(x any) { put(map[string]any{x.(string): exampleOf(of.Elem(), "")}) })
		everyText(nil, of.Elem(), place+"/x", func(x any) { put(map[string]any{"x": x}) }, f)
	case of.Kind() == reflect.Struct:
		members, is := value.(map[string]any)
		if !is {
			members = exampleOf(of, "").(map[string]any)
		}
		for name, field := range fieldsOf(of) {
			was, there := members[name]
			everyText(was, field.Type, place+"/"+name, func(x any) { members[name] = x; put(members) }, f)
			if members[name] = was; !there {
				delete(members, name)
			}
		}
	}
}

// digest finds the digest of a document.
var digest = regexp.MustCompile(`(?m)^  "digest": .*\n`)

// No text of a result, whether it is there or only allowed by the schema, brings control characters, additional lines,
// markup or formulas into a text or table of the report.
func TestLeaves(t *testing.T) {
	m := fixture.Cluster("a")
	m.Config.Quick, m.Config.Memory = true, 512<<10
	m.Config.Patterns, m.Config.Methods = []string{"ring", "random"}, []string{"sendrecv"}
	io := fixture.IOCluster().Result()
	cluster := fixture.ProbeCluster()
	cluster.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
	other, err := os.ReadFile("../testdata/foreign-1.json")
	require.NoError(t, err)
	other = digest.ReplaceAll(other, nil)
	r, probed := m.Result(), cluster.Result
	r.Digest, io.Digest, probed.Digest = "", "", ""
	for _, write := range []func(*bytes.Buffer) error{
		func(b *bytes.Buffer) error { return ofbeff.Form.Write(b, r) },
		func(b *bytes.Buffer) error { return ofbeffio.Form.Write(b, io) },
		func(b *bytes.Buffer) error { return ofprobe.Form.Write(b, &probed) },
		func(b *bytes.Buffer) error { _, err := b.Write(other); return err },
	} {
		var b bytes.Buffer
		require.NoError(t, write(&b))
		k, err := find(b.Bytes())
		require.NoError(t, err)
		good, _ := k.read(b.Bytes())
		require.NotNil(t, good)
		decoder := json.NewDecoder(&b)
		decoder.UseNumber()
		var doc any
		require.NoError(t, decoder.Decode(&doc))
		tried, shown := 0, 0
		everyText(doc, reflect.TypeOf(k.bare(good)).Elem(), "", func(any) {}, func(place string, put func(any)) {
			tried++
			put(evil)
			text, err := json.Marshal(doc)
			require.NoError(t, err)
			if _, err := find(text); err != nil { // the benchmark's name was replaced
				return
			}
			if made, _ := k.read(text); made != nil {
				shown++
				harmless(t, k.name+place, k, made)
			}
		})
		t.Logf("%s: %d of %d texts are read", k.name, shown, tried)
		require.Greater(t, shown, 20, k.name)
	}
}

// harmless requires that all texts and tables of a report have only visible characters, and nothing of the evil text.
func harmless(t *testing.T, place string, k *benchmark, r Report) {
	t.Helper()
	type writer struct {
		name  string
		write func(io.Writer) error
	}
	d := r.Document()
	writers := []writer{{"kv", func(w io.Writer) error { return r.KeyValue(w, true) }}}
	for _, x := range r.Texts() {
		writers = append(writers, writer{x.Name, x.Write})
	}
	for name, write := range map[string]func(io.Writer, *document.Document) error{"text": document.PlainText,
		"md": document.Markdown, "json": document.JSON, "html": document.HTML} {
		writers = append(writers, writer{name, func(w io.Writer) error { return write(w, d) }})
	}
	f := &File{Path: "a.json", Usable: true, kind: k, report: r}
	list := ranking.Document(ranking.Rank([]ranking.Entry{f.Entry()}, false), ranking.View{})
	writers = append(writers, writer{"table", f.CSV}, writer{"ranking",
		func(w io.Writer) error { return document.PlainText(w, list) }}, writer{"openmetrics",
		func(w io.Writer) error { return OpenMetrics(w, []Metric{f.Metric()}) }})
	for _, x := range writers {
		var b bytes.Buffer
		require.NoError(t, x.write(&b))
		at := strings.IndexFunc(b.String(), func(r rune) bool { return !words.Visible(r) && r != '\n' && r != '\t' })
		require.Negative(t, at, "%s in %s: %.40q", place, x.name, b.String()[max(0, at):])
		for _, markup := range map[string][]string{"html": {"<script>x"}, "md": {"<script>x", "[y]("}}[x.name] {
			require.False(t, strings.Contains(b.String(), markup), "%s: %s in %s", place, markup, x.name)
		}
		if slices.Contains([]string{"csv", "table"}, x.name) {
			c := csv.NewReader(strings.NewReader(b.String()))
			c.FieldsPerRecord = -1
			lines, err := c.ReadAll()
			require.NoError(t, err)
			for _, line := range strings.Split(b.String(), "\n") { // as if semicolons separated the cells
				lines = append(lines, strings.Split(line, ";"))
			}
			for _, cells := range lines {
				require.False(t, slices.ContainsFunc(cells, formula), "%s in %s: %q", place, x.name, cells)
			}
		}
		for _, forged := range []string{"\nb_eff = 1 MB/s", "\nSuccess=1\n"} {
			require.LessOrEqual(t, strings.Count(b.String(), forged), allowed(x.name, forged), "%s in %s", place,
				x.name)
		}
	}
}

// formula reports whether a spreadsheet takes a cell for a formula.
func formula(cell string) bool { return strings.HasPrefix(strings.TrimLeft(cell, `" `), "=") }

// allowed returns how many lines like a forged one a format itself writes.
func allowed(format, line string) int {
	if format == "kv" && strings.Contains(line, "Success") {
		return 1
	}
	return 0
}
