package ofbeffio_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
)

// sections lists the sections of each result that its golden file has; nil means all of them.
var sections = map[string][]string{"whole": nil, "stopped": nil, "quick": {"validity"}, "half": {"types"},
	"old": {"times"}, "sure": {"intervals-section"}, "wrong": {"errors"}}

// Every result makes a document that the writers accept.
func TestIODocument(t *testing.T) {
	for name, r := range fixture.IOResults() {
		t.Run(name, func(t *testing.T) {
			d := ofbeffio.Document(r, nil)
			require.NoError(t, d.Validate())
			require.Equal(t, !r.Valid, d.Notices[0].Level == document.Bad)
			require.Contains(t, sections, name)
			require.Equal(t, name == "wrong", strings.HasPrefix(d.Notices[0].Text, "WRONG DATA: 3 chunks"))
			require.Equal(t, name == "wrong", strings.HasPrefix(d.Screen[0].Value, "WRONG DATA: 3 chunks"))
			require.Equal(t, name == "wrong", strings.Contains(d.Last, ", WRONG DATA, "))
			fixture.Golden(t, "io_report_"+name+".txt", fixture.Shown(t, d, sections[name]...))
		})
	}
}

func TestIOKeyValue(t *testing.T) {
	for name, r := range fixture.IOResults() {
		t.Run(name, func(t *testing.T) {
			text := fixture.IOText(t, verifiedIO, r)
			fixture.Golden(t, "io_keyvalue_"+name+".kv", text)
			fixture.KeyValue(t, text, r.Valid)
		})
	}
}

// Texts from a file can't add lines.
func TestIOKeyValueHostile(t *testing.T) {
	r := fixture.IOCluster().Result()
	r.Valid = false
	r.Host.Name, r.System, r.FileSystem.Directory = "a\nSuccess=1", &rating.System{Name: "x\r\nSuccess=1\x1b[2J"},
		"/a\nSuccess=1"
	text := fixture.IOText(t, verifiedIO, r)
	require.NotRegexp(t, `(?m)^Success=1`, text)
	require.NotContains(t, text, "\x1b")
	require.True(t, strings.HasSuffix(text, "\nSuccess=0\n"))
}

// Reading has the figures of its first pass, and the report shows the number of passes.
func TestIOPasses(t *testing.T) {
	m := fixture.IOCluster()
	m.Passes = 3
	var text bytes.Buffer
	require.NoError(t, document.PlainText(&text, ofbeffio.Document(m.Result(), nil)))
	require.Contains(t, strings.ReplaceAll(text.String(), "\n", " "), "from the first of 3 passes")
}

func TestIODigest(t *testing.T) {
	room := fixture.Documents[beffio.Result, beffio.Sample]{Form: ofbeffio.Form, Verify: ofbeffio.Verify}
	room.Digest(t, fixture.IOCluster().Result(), func(r *beffio.Result) { r.FileSystem.Type = "other" })
}
