package report

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

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

const evil = "a\x1b[2J\x07\u009b1m\u202e\rb\nb_eff = 1 MB/s\nSuccess=1"

// leaves calls f for each text in a value, of lists in the first element, with a function that sets it.
func leaves(value any, place string, f func(place string, set func(any))) {
	switch v := value.(type) {
	case map[string]any:
		for name, x := range v {
			if _, is := x.(string); is {
				f(place+"/"+name, func(x any) { v[name] = x })
			}
			leaves(x, place+"/"+name, f)
		}
	case []any:
		if len(v) == 0 {
			return
		}
		if _, is := v[0].(string); is {
			f(place+"/0", func(x any) { v[0] = x })
		}
		leaves(v[0], place+"/0", f)
	}
}

// digest finds the digest of a document.
var digest = regexp.MustCompile(`(?m)^  "digest": .*\n`)

// No text of a result of any kind brings control characters into a text or a table, or lines of its own.
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
	shown := 0
	for _, write := range []func(*bytes.Buffer) error{
		func(b *bytes.Buffer) error { return ofbeff.Form.Write(b, r) },
		func(b *bytes.Buffer) error { return ofbeffio.Form.Write(b, io) },
		func(b *bytes.Buffer) error { return ofprobe.Form.Write(b, &probed) },
		func(b *bytes.Buffer) error { _, err := b.Write(other); return err },
	} {
		var b bytes.Buffer
		require.NoError(t, write(&b))
		var doc any
		require.NoError(t, json.Unmarshal(b.Bytes(), &doc))
		leaves(doc, "", func(place string, set func(any)) {
			was := at(doc, place)
			set(evil)
			text, err := json.Marshal(doc)
			set(was)
			require.NoError(t, err)
			k, err := find(text)
			if err != nil {
				return
			}
			if made, _ := k.read(text); made != nil {
				shown++
				harmless(t, place, k, made)
			}
		})
	}
	require.Greater(t, shown, 40)
}

// at returns the value at a place.
func at(value any, place string) any {
	for _, name := range strings.Split(place, "/")[1:] {
		if list, is := value.([]any); is {
			value = list[0]
		} else {
			value = value.(map[string]any)[name]
		}
	}
	return value
}

// harmless requires that all texts and tables of a report have visible characters alone.
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
		"csv": document.CSV, "md": document.Markdown, "json": document.JSON, "html": document.HTML} {
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
		for _, forged := range []string{"\nb_eff = 1 MB/s", "\nSuccess=1\n"} {
			require.LessOrEqual(t, strings.Count(b.String(), forged), allowed(x.name, forged), "%s in %s", place,
				x.name)
		}
	}
}

// allowed is how often a format has a line itself.
func allowed(format, line string) int {
	if format == "kv" && strings.Contains(line, "Success") {
		return 1
	}
	return 0
}
