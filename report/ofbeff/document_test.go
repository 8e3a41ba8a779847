package ofbeff_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/internal/golden"
	"github.com/effective-bandwidth/beff/report/ofbeff"
)

// Every result makes a document that the writers accept.
func TestDocument(t *testing.T) {
	for name, r := range fixture.Results(t) {
		t.Run(name, func(t *testing.T) {
			d := ofbeff.Document(r, nil)
			require.NoError(t, d.Validate())
			require.Equal(t, !r.Valid, d.Notices[0].Level == document.Bad)
			var text bytes.Buffer
			require.NoError(t, document.PlainText(&text, d))
			golden.Equal(t, "report_"+name+".txt", text.String())
		})
	}
}

func TestKeyValue(t *testing.T) {
	for name, r := range fixture.Results(t) {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			require.NoError(t, ofbeff.KeyValue(&b, r, true))
			golden.Equal(t, "keyvalue_"+name+".kv", b.String())
			lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
			seen := map[string]bool{}
			for _, line := range lines {
				require.Regexp(t, `^[A-Za-z0-9_]+=.+$`, line)
				key, value, _ := strings.Cut(line, "=")
				require.False(t, seen[key], key)
				seen[key] = true
				require.NotRegexp(t, regexp.MustCompile(`^-?[0-9.]+[eE][-+]?[0-9]+$`), value)
			}
			require.Equal(t, map[bool]string{true: "Success=1", false: "Success=0"}[r.Valid], lines[len(lines)-1])
		})
	}
}

// A file's texts can't make lines of their own.
func TestKeyValueHostile(t *testing.T) {
	r := fixture.Nodes().Result(t)
	r.Valid = false
	r.Host.Name, r.System = "a\nSuccess=1", &rating.System{Name: "x\r\nSuccess=1\x1b[2J"}
	var b strings.Builder
	require.NoError(t, ofbeff.KeyValue(&b, r, true))
	require.NotRegexp(t, `(?m)^Success=1`, b.String())
	require.NotContains(t, b.String(), "\x1b")
	require.True(t, strings.HasSuffix(b.String(), "\nSuccess=0\n"))
}

func TestDigest(t *testing.T) {
	r := fixture.Nodes().Result(t)
	bare, err := report.Digest(r)
	require.NoError(t, err)
	r.Digest = "any"
	again, err := report.Digest(r)
	require.NoError(t, err)
	require.Equal(t, bare, again)
	r.Host.Name = "other"
	other, err := report.Digest(r)
	require.NoError(t, err)
	require.NotEqual(t, bare, other)
}
