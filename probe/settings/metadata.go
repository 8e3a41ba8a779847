package settings

import (
	"cmp"
	"fmt"
)

// Metadata holds the settings of kernels of metadata, which are mdtest's. What is left out is the default.
type Metadata struct {
	// Files or directories of each process; left out: 1000.
	Items int64 `json:"items,omitempty" jsonschema:"minimum=0"`
	// Each process has a tree of directories of its own; left out: all share one.
	Own bool `json:"own_directories,omitempty"`
	// Levels of directories below the first one.
	Depth int `json:"depth,omitempty" jsonschema:"minimum=0"`
	// Directories in each directory of a level; left out: 1.
	Branching int `json:"branching,omitempty" jsonschema:"minimum=0"`
	// The lowest level alone has items; left out: all directories have as many.
	Leaves bool `json:"leaves,omitempty"`
	// Seconds after which processes stop to create; each then goes on until it has as many items as the first one had
	// left out: they have all items.
	Stonewall float64 `json:"stonewall,omitempty" jsonschema:"minimum=0"`
	// By how many processes' places processes are shifted when they stat, twice as many when they read, three times as
	// many when they remove; of several nodes with consecutive processes so many nodes.
	Shift int `json:"shift,omitempty" jsonschema:"minimum=0"`
	// The same in processes.
	Ranks int `json:"shift_ranks,omitempty" jsonschema:"minimum=0"`
	// Bytes that are read of each file; left out: all that were written.
	Read *int64 `json:"read_bytes,omitempty" jsonschema:"minimum=0"`
	// Each file is brought to storage before it is closed.
	Synced bool `json:"fsync,omitempty"`
	// All data of the machine are brought to storage at the end of each phase.
	AllSynced bool `json:"sync_phases,omitempty"`
}

// Limits of the settings of metadata.
const (
	mostItems       = 1 << 40
	MostDirectories = 1 << 20 // of a tree
	mostDepth       = 256     // whose paths the system takes
	mostNames       = 1 << 21 // in the paths of the directories of a tree, of which a process keeps all: about 50 MB
	metadataItems   = 1000
)

// Check returns an error if no run can have the settings.
func (m *Metadata) Check() error {
	switch {
	case m.Items < 0 || m.Items > mostItems:
		return fmt.Errorf("want 1 to 2^40 items of a process, not %d", m.Items)
	case m.Depth < 0 || m.Depth > mostDepth || m.Branching < 0 || m.Directories() > MostDirectories:
		return fmt.Errorf("want a tree of up to %d directories and a depth of %d, not a depth of %d with %d branches",
			MostDirectories, mostDepth, m.Depth, m.Branching)
	case m.names() > mostNames:
		return fmt.Errorf("%d directories, %d below each other, have paths of too many names: want a flatter tree",
			m.Directories(), m.Depth)
	case !(m.Stonewall >= 0 && m.Stonewall <= longestTime):
		return fmt.Errorf("want a stonewall of up to %g seconds, not %g", longestTime, m.Stonewall)
	case m.Shift < 0 || m.Shift > MostCount || m.Ranks < 0:
		return fmt.Errorf("want a shift from 0 on, not %d", m.Shift)
	case m.Read != nil && *m.Read < 0:
		return fmt.Errorf("want to read 0 bytes or more, not %d", *m.Read)
	}
	return nil
}

// CheckItems returns an error if the directories of a tree that have items are more than the items of a process. Only
// all settings together tell.
func (m *Metadata) CheckItems() error {
	if n := cmp.Or(m.Items, metadataItems); n < m.Holders() {
		return fmt.Errorf("want %d items of a process or more, one for each directory of the tree, not %d",
			m.Holders(), n)
	}
	return nil
}

// Branches returns the directories in each directory of a level.
func (m *Metadata) Branches() int { return max(m.Branching, 1) }

// level returns the directories of a level, counted from 0; more than there may be if they are too many.
func (m *Metadata) level(depth int) int64 {
	n := int64(1)
	for i := 0; i < depth && m.Branches() > 1 && n <= MostDirectories; i++ {
		n *= int64(m.Branches())
	}
	return n
}

// Directories returns the directories of a tree.
func (m *Metadata) Directories() (n int64) {
	for depth := 0; depth <= m.Depth && n <= MostDirectories; depth++ {
		n += m.level(depth)
	}
	return n
}

// names returns the names in the paths of all directories of a tree.
func (m *Metadata) names() (n int64) {
	for depth := range m.Depth + 1 {
		n += m.level(depth) * int64(depth+1)
	}
	return n
}

// Holders returns the directories of a tree that have items.
func (m *Metadata) Holders() int64 {
	if m.Leaves {
		return m.level(m.Depth)
	}
	return m.Directories()
}

// PerDirectory returns the items of a process in each directory that has some: as many as fit evenly.
func (m *Metadata) PerDirectory() int64 { return cmp.Or(m.Items, metadataItems) / m.Holders() }

// All returns the items of a process.
func (m *Metadata) All() int64 { return m.PerDirectory() * m.Holders() }

// ReadBytes returns the bytes that are read of files of a length.
func (m *Metadata) ReadBytes(bytes int64) int64 {
	if m.Read != nil {
		return min(*m.Read, bytes)
	}
	return bytes
}
