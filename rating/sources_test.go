package rating

import (
	"os/exec"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSources(t *testing.T) {
	recorded := &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-11-22T07:45:44Z"}}}
	changed := &debug.BuildInfo{Settings: append(recorded.Settings, debug.BuildSetting{Key: "vcs.modified",
		Value: "true"})}
	downloaded := &debug.BuildInfo{Main: debug.Module{Version: "v0.1.0"}}
	const pattern = "$Format:%H %cI$\n"
	for name, c := range map[string]struct {
		archived string
		info     *debug.BuildInfo
		want     string
	}{
		"working copy":              {pattern, recorded, "abc of 2026-11-22T07:45:44Z"},
		"working copy with changes": {pattern, changed, "abc of 2026-11-22T07:45:44Z, and changes"},
		"module":                    {pattern, downloaded, "v0.1.0"},
		"nothing known":             {pattern, nil, "unknown"},
		"archive": {"def 2026-11-22T08:00:00+00:00\n", nil,
			"def of 2026-11-22T08:00:00+00:00"},
		"archive in another's working copy": {"def 2026-11-22T08:00:00+00:00\n", changed,
			"def of 2026-11-22T08:00:00+00:00"},
	} {
		require.Equal(t, c.want, sourcesOf(c.archived, c.info).String(), name)
	}
}

// Git replaces the pattern when it writes an archive.
func TestArchive(t *testing.T) {
	commit, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		t.Skip("these sources have no history: ", err)
	}
	text, err := exec.Command("sh", "-c", "cd .. && "+
		"git archive HEAD rating/archived | tar -xO").Output()
	require.NoError(t, err)
	require.Regexp(t, `^`+string(commit[:40])+` \d{4}-\d\d-\d\dT\S+\n$`, string(text))
}
