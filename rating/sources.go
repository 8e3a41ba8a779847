package rating

import (
	"cmp"
	_ "embed"
	"runtime/debug"
	"strings"
)

// archived holds commit and time if git archive wrote the sources, which then have no history. In a working copy it
// holds the pattern that git replaces.
//
//go:embed archived
var archived string

// commit replaces archived if the linker sets it (-X), as packaging does.
var commit string

// Sources is the state of the sources that a program was built from.
type Sources struct {
	Revision string // the commit, or empty if not known
	Time     string // of the commit, RFC 3339
	Modified bool   // the sources had uncommitted changes
	Module   string // version of a downloaded module, or empty
}

// BuiltFrom returns the state of the sources of the running program. The commit of an archive takes precedence over the
// one that Go's build recorded, because an archive unpacked in a working copy of another project would get that
// project's.
func BuiltFrom() Sources {
	info, _ := debug.ReadBuildInfo()
	return sourcesOf(cmp.Or(commit, archived), info)
}

func sourcesOf(archived string, info *debug.BuildInfo) (s Sources) {
	if revision, time, ok := strings.Cut(strings.TrimSpace(archived), " "); ok && !strings.HasPrefix(revision, "$") {
		return Sources{Revision: revision, Time: time}
	}
	if info == nil {
		return s
	}
	if v := info.Main.Version; v != "(devel)" {
		s.Module = v
	}
	for _, x := range info.Settings {
		switch x.Key {
		case "vcs.revision":
			s.Revision = x.Value
		case "vcs.time":
			s.Time = x.Value
		case "vcs.modified":
			s.Modified = x.Value == "true"
		}
	}
	return s
}

// unknownCommit replaces the commit if the build recorded none.
const unknownCommit = "unknown"

// Commit returns the commit, or else the module's version, or else unknownCommit.
func (s Sources) Commit() string { return cmp.Or(s.Revision, s.Module, unknownCommit) }

// String returns the state in one line: commit and time, or else the module's version.
func (s Sources) String() string {
	switch {
	case s.Revision != "" && s.Modified:
		return s.Revision + " of " + s.Time + ", and changes"
	case s.Revision != "":
		return s.Revision + " of " + s.Time
	case s.Module != "":
		return s.Module
	}
	return unknownCommit
}
