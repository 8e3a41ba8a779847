// Package roomtest has the tests that the rooms of all benchmarks in package report pass.
package roomtest

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/format/resultfile"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// Room is the part of a room that writes and reads documents. R is the type of results, S that of the elements of their
// list.
type Room[R, S any] struct {
	Form   resultfile.Form[R, S]
	Verify func(data []byte) (*R, error)
}

// Sealed returns the document of a result, with its digest.
func (m Room[R, S]) Sealed(t testing.TB, r *R) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, m.Form.Seal(&b, r))
	return b.Bytes()
}

// Proven requires that the document of a result is proven, and read as the same result, as it was written and without
// its layout.
func (m Room[R, S]) Proven(t *testing.T, want *R) {
	t.Helper()
	data := m.Sealed(t, want)
	m.proven(t, "as written", data, want)
	m.proven(t, "compact", Layouts(t, data)["compact"], want)
}

// AnyLayout requires that the document of a result is proven in any layout, because its digest is that of the layout
// which Form writes.
func (m Room[R, S]) AnyLayout(t *testing.T, want *R) {
	t.Helper()
	for layout, text := range Layouts(t, m.Sealed(t, want)) {
		m.proven(t, layout, text, want)
	}
}

func (m Room[R, S]) proven(t *testing.T, layout string, text []byte, want *R) {
	t.Helper()
	got, err := m.Verify(text)
	require.NoError(t, err, layout)
	require.Equal(t, want, m.Form.Unsealed(got), layout)
}

// Layouts returns a document in other layouts, which any program that writes JSON may give it.
func Layouts(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	var compact, tabs, blanks bytes.Buffer
	require.NoError(t, json.Compact(&compact, data))
	require.NoError(t, json.Indent(&tabs, data, "", "\t"))
	require.NoError(t, json.Indent(&blanks, data, "", "  "))
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var members map[string]any
	require.NoError(t, d.Decode(&members))
	sorted, err := json.MarshalIndent(members, "", "  ")
	require.NoError(t, err)
	return map[string][]byte{"compact": compact.Bytes(), "tabs": tabs.Bytes(), "blanks": blanks.Bytes(),
		"sorted": sorted, "CRLF": bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))}
}

// Refused requires that a document is refused after a change of a text in it, with one line that names the first thing
// that does not hold. usable says whether an unverified report can be made, from the result that Refused returns. The
// same document in another layout has the same error.
func (m Room[R, S]) Refused(t *testing.T, good, old, replacement, want string, usable bool) *R {
	t.Helper()
	require.Contains(t, good, old)
	changed := []byte(strings.Replace(good, old, replacement, 1))
	r, err := m.Verify(changed)
	require.ErrorContains(t, err, want)
	require.NotContains(t, err.Error(), "\n")
	require.Equal(t, usable, r != nil)
	if json.Valid(changed) {
		var compact bytes.Buffer
		require.NoError(t, json.Compact(&compact, changed))
		_, again := m.Verify(compact.Bytes())
		require.EqualError(t, again, err.Error())
	}
	return r
}

// ReadAgain requires that any text gives an error, or a result whose document is read as the same result. It returns
// what Verify makes of the text.
func (m Room[R, S]) ReadAgain(t *testing.T, data []byte) *R {
	t.Helper()
	r, err := m.Verify(data)
	if err != nil {
		require.NotContains(t, err.Error(), "\n")
		return r
	}
	again, err := m.Verify(m.Sealed(t, r))
	require.NoError(t, err)
	require.Equal(t, m.Form.Unsealed(r), m.Form.Unsealed(again))
	return r
}

// Seeds adds documents, halves of them and the least document to the corpus of a fuzz test of ReadAgain.
func (m Room[R, S]) Seeds(f *testing.F, results ...*R) {
	for _, r := range results {
		good := m.Sealed(f, r)
		f.Add(good)
		f.Add(good[:len(good)/2])
	}
	f.Add([]byte("{}"))
}

// Digest requires that the digest of a result is the one in its document, and changes with the result alone.
func (m Room[R, S]) Digest(t *testing.T, r *R, change func(*R)) {
	t.Helper()
	bare, err := m.Form.Digest(r)
	require.NoError(t, err)
	require.Contains(t, string(m.Sealed(t, r)), `"digest": "`+bare+`"`)
	sealed, err := m.Verify(m.Sealed(t, r))
	require.NoError(t, err)
	again, err := m.Form.Digest(sealed)
	require.NoError(t, err)
	require.Equal(t, bare, again)
	change(sealed)
	other, err := m.Form.Digest(sealed)
	require.NoError(t, err)
	require.NotEqual(t, bare, other)
}

// Benchmark measures Verify.
func (m Room[R, S]) Benchmark(b *testing.B, r *R) {
	data := m.Sealed(b, r)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := m.Verify(data); err != nil {
			b.Fatal(err)
		}
	}
}

// KeyValue requires that a text has the form of key=value lines: each key once, no exponents, Success as the last.
func KeyValue(t *testing.T, text string, success bool) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	seen := map[string]bool{}
	for _, line := range lines {
		require.Regexp(t, `^[A-Za-z0-9_]+=.+$`, line)
		key, value, _ := strings.Cut(line, "=")
		require.False(t, seen[key], key)
		seen[key] = true
		require.NotRegexp(t, `^-?[0-9.]+[eE][-+]?[0-9]+$`, value)
	}
	require.Equal(t, map[bool]string{true: "Success=1", false: "Success=0"}[success], lines[len(lines)-1])
}

// WriteErrors requires that a function returns an error wherever a device gets full.
func WriteErrors(t *testing.T, write func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, write(&b))
	for room := 0; room < b.Len(); room += 1 + b.Len()/7 {
		require.ErrorIs(t, write(&fixture.Disk{Room: room}), fixture.ErrFull, "room for %d of %d bytes", room, b.Len())
	}
	require.ErrorIs(t, write(&fixture.Disk{Room: b.Len() - 1}), fixture.ErrFull)
	require.NoError(t, write(&fixture.Disk{Room: b.Len()}))
}

// Shown returns the text of a document: all of it, or its beginning and the sections of these IDs alone.
func Shown(t testing.TB, d *document.Document, sections ...string) string {
	t.Helper()
	if len(sections) > 0 {
		part := *d
		part.Sections = slices.DeleteFunc(slices.Clone(d.Sections), func(s document.Section) bool {
			return !slices.Contains(sections, s.ID)
		})
		require.Len(t, part.Sections, len(sections), "%q", sections)
		d = &part
	}
	var text bytes.Buffer
	require.NoError(t, document.PlainText(&text, d))
	return text.String()
}
