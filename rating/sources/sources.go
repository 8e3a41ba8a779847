// Package sources returns the state of the sources that the program was built from.
package sources

import (
	"cmp"
	_ "embed"
	"runtime/debug"
	"strings"
)

// archived holds commit and time where git archive wrote the sources, which have no history then. In a working copy it
// is the pattern that git replaces.
//
//go:embed archived
var archived string

// State is the state of the sources.
type State struct {
	Revision string // the commit; empty: not known
	Time     string // of the commit, RFC 3339
	Modified bool   // the sources had further changes
	Module   string // version of a module that was downloaded; empty: it wasn't
}

// Of returns the state of the sources of the running program. The commit of an archive comes before that which Go's
// build recorded: an archive that was unpacked in a working copy of another project would have that one's.
func Of() State {
	info, _ := debug.ReadBuildInfo()
	return state(archived, info)
}

func state(archived string, info *debug.BuildInfo) (s State) {
	if revision, time, ok := strings.Cut(strings.TrimSpace(archived), " "); ok && !strings.HasPrefix(revision, "$") {
		return State{Revision: revision, Time: time}
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

// Unknown is the commit that a build is said to be of which recorded none.
const Unknown = "unknown"

// Commit returns the commit, or else the module's version, or else Unknown.
func (s State) Commit() string { return cmp.Or(s.Revision, s.Module, Unknown) }

// String returns the state in one line: commit and time, or else the module's version.
func (s State) String() string {
	switch {
	case s.Revision != "" && s.Modified:
		return s.Revision + " of " + s.Time + ", and changes"
	case s.Revision != "":
		return s.Revision + " of " + s.Time
	case s.Module != "":
		return s.Module
	}
	return Unknown
}
