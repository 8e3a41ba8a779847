package report

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

// tagged writes the file with another name of its system.
func tagged(t *testing.T, path, name string) {
	text, err := Read(path).Tagged(func(s *rating.System) { s.Name = name }, time.Unix(1e9, 0).UTC())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, text, 0o600))
}

// Tagged results of all benchmarks are proven, and keep their words and digests of before.
func TestTagged(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a": sealed(t), "b": sealedIO(t)} {
		path := file(t, dir, name+".json", text)
		first := Read(path)
		tagged(t, path, "Hawk")
		tagged(t, path, "Vulcan")
		f := Read(path)
		require.NoError(t, f.Problem)
		head := f.report.Head()
		require.Equal(t, "Vulcan", head.System.Name)
		require.Len(t, head.Tags, 2)
		require.Equal(t, first.report.Head().System, head.Tags[0].Was)
		require.Equal(t, "Hawk", head.Tags[1].Was.Name)
		require.Equal(t, first.Digest(), head.Tags[0].Digest)
		_, err := f.Tagged(func(s *rating.System) { s.Name = "Vulcan" }, time.Now())
		require.ErrorContains(t, err, "it has these words already")
		_, err = f.Tagged(func(s *rating.System) { s.Name = strings.Repeat("x", 300) }, time.Now())
		require.ErrorContains(t, err, "at most 256 are read")
		for _, more := range []bool{true, true, false} {
			require.Equal(t, more, head.Untag())
		}
		require.Equal(t, first.report.Head().Identity, head.Identity)
	}
}

// Who changes a figure's circumstances and computes the digest anew still can't make the tags' digests of it.
func TestTagsProve(t *testing.T) {
	dir := t.TempDir()
	path := file(t, dir, "a.json", sealed(t))
	tagged(t, path, "Hawk")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	changed := file(t, dir, "b.json", strings.Replace(string(text), `"release": "5.14.0"`, `"release": "6.14.0"`, 1))
	digest := Read(changed).Problem.Error()
	right := digest[strings.Index(digest, `document's is "`)+len(`document's is "`):][:64]
	text = []byte(strings.Replace(string(text), Read(path).Digest(), right, 1))
	file(t, dir, "b.json", strings.Replace(string(text), `"release": "5.14.0"`, `"release": "6.14.0"`, 1))
	require.ErrorContains(t, Read(changed).Problem, "more was changed than the words about the system")
	require.True(t, Read(changed).Usable)
}

// A document that another program laid out has no bytes to keep.
func TestTaggedLayout(t *testing.T) {
	path := file(t, t.TempDir(), "a.json", strings.Replace(sealed(t), "{\n  \"benchmark\"", "{\"benchmark\"", 1))
	f := Read(path)
	require.NoError(t, f.Problem)
	_, err := f.Tagged(func(s *rating.System) { s.Name = "x" }, time.Now())
	require.ErrorContains(t, err, "it was laid out anew since it was written")
}

// Systems have their names; those of files tell apart results of one system, and those without one.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	var files []*File
	for _, x := range [][2]string{{"1", "Hawk"}, {"2", "Vulcan"}, {"3", "Hawk"}, {"4", ""}, {"5", "4"}} {
		path := file(t, dir, x[0]+".json", sealed(t))
		if x[1] != "" {
			tagged(t, path, x[1])
		}
		files = append(files, Read(path))
	}
	require.Equal(t, []string{"Hawk", "Vulcan"}, names(files[:2]))
	require.Equal(t, []string{"Hawk 1", "Vulcan", "Hawk 3", "4", "4 #2"}, names(files))
}
