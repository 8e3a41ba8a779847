package ofbeff_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
)

// sections lists the sections of each result that its golden file has; nil means all of them.
var sections = map[string][]string{"whole": nil, "stopped": nil, "quick": {"summary"}, "warned": {"validity"},
	"hosts": {"environment"}, "rings": {"lengths"}, "pair": {"summary"}}

// Every result makes a document that the writers accept.
func TestDocument(t *testing.T) {
	for name, r := range fixture.Results() {
		t.Run(name, func(t *testing.T) {
			d := ofbeff.Document(r, nil)
			require.NoError(t, d.Validate())
			require.Equal(t, !r.Valid, d.Notices[0].Level == document.Bad)
			require.Contains(t, sections, name)
			fixture.Golden(t, "report_"+name+".txt", fixture.Shown(t, d, sections[name]...))
		})
	}
}

func TestKeyValue(t *testing.T) {
	for name, r := range fixture.Results() {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			require.NoError(t, ofbeff.Report{Result: r}.KeyValue(&b, true))
			fixture.Golden(t, "keyvalue_"+name+".kv", b.String())
			fixture.KeyValue(t, b.String(), r.Valid)
		})
	}
}

// Texts from a file can't add lines.
func TestKeyValueHostile(t *testing.T) {
	r := fixture.Nodes().Result()
	r.Valid = false
	r.Host.Name, r.System = "a\nSuccess=1", &rating.System{Name: "x\r\nSuccess=1\x1b[2J"}
	var b strings.Builder
	require.NoError(t, ofbeff.Report{Result: r}.KeyValue(&b, true))
	require.NotRegexp(t, `(?m)^Success=1`, b.String())
	require.NotContains(t, b.String(), "\x1b")
	require.True(t, strings.HasSuffix(b.String(), "\nSuccess=0\n"))
}

func TestDigest(t *testing.T) {
	room := fixture.Documents[beff.Result, beff.Sample]{Form: ofbeff.Form, Verify: ofbeff.Verify}
	room.Digest(t, fixture.Cluster("a").Result(), func(r *beff.Result) { r.Host.Name = "other" })
}
