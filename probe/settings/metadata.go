package settings

import (
	"cmp"
	"fmt"
)

// Metadata holds the settings of metadata kernels, which are mdtest's. A zero value means the default.
type Metadata struct {
	// Files or directories of each process (default: 1000).
	Items int64 `json:"items,omitempty" jsonschema:"minimum=0"`
	// Give each process its own tree of directories (default: all share one).
	OwnTree bool `json:"own_directories,omitempty"`
	// Levels of directories below the first one.
	Depth int `json:"depth,omitempty" jsonschema:"minimum=0"`
	// Directories in each directory of a level (default: 1).
	Branching int `json:"branching,omitempty" jsonschema:"minimum=0"`
	// Put items only on the lowest level (default: the same number in every directory).
	Leaves bool `json:"leaves,omitempty"`
	// Seconds after which processes stop creating items. Each process then continues until it has created as many items
	// as the fastest one (default: no limit).
	Stonewall float64 `json:"stonewall,omitempty" jsonschema:"minimum=0"`
	// Shift of processes when they stat items. A process uses the items of the process that is Shift nodes away if
	// there are several nodes with consecutive processes, and otherwise Shift processes away. Reading shifts twice as
	// far, removing three times.
	Shift int `json:"shift,omitempty" jsonschema:"minimum=0"`
	// The same shift, always in processes.
	RankShift int `json:"shift_ranks,omitempty" jsonschema:"minimum=0"`
	// Bytes that are read of each file (default: all bytes).
	Read *int64 `json:"read_bytes,omitempty" jsonschema:"minimum=0"`
	// Bring each file to storage before it is closed.
	Synced bool `json:"fsync,omitempty"`
	// Bring all data of the machine to storage at the end of each phase.
	AllSynced bool `json:"sync_phases,omitempty"`
}

// Limits of the settings of metadata.
const (
	maxItems       = 1 << 40
	MaxDirectories = 1 << 20 // of a tree
	maxDepth       = 256     // the system must accept the tree's paths
	maxPathNames   = 1 << 21 // names in the paths of all directories of a tree, which each process holds: about 50 MB
	defaultItems   = 1000
)

// Check returns an error if no run can have the settings.
func (m *Metadata) Check() error {
	switch {
	case m.Items < 0 || m.Items > maxItems:
		return fmt.Errorf("want 1 to 2^40 items of a process, not %d", m.Items)
	case m.Depth < 0 || m.Depth > maxDepth || m.Branching < 0 || m.Directories() > MaxDirectories:
		return fmt.Errorf("want a tree of up to %d directories and a depth of %d, not a depth of %d with %d branches",
			MaxDirectories, maxDepth, m.Depth, m.Branching)
	case m.names() > maxPathNames:
		return fmt.Errorf("%d directories in %d levels below the first have paths of too many names: want a flatter "+
			"tree", m.Directories(), m.Depth)
	case !(m.Stonewall >= 0 && m.Stonewall <= longestTime):
		return fmt.Errorf("want a stonewall of up to %g seconds, not %g", longestTime, m.Stonewall)
	case m.Shift < 0 || m.Shift > MaxCount || m.RankShift < 0:
		return fmt.Errorf("want shifts of at least 0, not %d and %d", m.Shift, m.RankShift)
	case m.Read != nil && *m.Read < 0:
		return fmt.Errorf("want to read 0 bytes or more, not %d", *m.Read)
	}
	return nil
}

// CheckItems returns an error if a process has fewer items than the tree has directories that hold items. It needs all
// settings together.
func (m *Metadata) CheckItems() error {
	if n := cmp.Or(m.Items, defaultItems); n < m.Holders() {
		return fmt.Errorf("want %d items of a process or more, one for each directory of the tree, not %d",
			m.Holders(), n)
	}
	return nil
}

// Branches returns the number of directories in each directory of a level.
func (m *Metadata) Branches() int { return max(m.Branching, 1) }

// level returns the number of directories of a level, counted from 0. If they are too many, it returns some number
// above MaxDirectories.
func (m *Metadata) level(depth int) int64 {
	n := int64(1)
	for i := 0; i < depth && m.Branches() > 1 && n <= MaxDirectories; i++ {
		n *= int64(m.Branches())
	}
	return n
}

// Directories returns the number of directories of a tree.
func (m *Metadata) Directories() (n int64) {
	for depth := 0; depth <= m.Depth && n <= MaxDirectories; depth++ {
		n += m.level(depth)
	}
	return n
}

// names returns the number of names in the paths of all directories of a tree.
func (m *Metadata) names() (n int64) {
	for depth := range m.Depth + 1 {
		n += m.level(depth) * int64(depth+1)
	}
	return n
}

// Holders returns the number of directories of a tree that hold items.
func (m *Metadata) Holders() int64 {
	if m.Leaves {
		return m.level(m.Depth)
	}
	return m.Directories()
}

// PerDirectory returns the number of items of a process in each directory that holds some: as many as fit evenly.
func (m *Metadata) PerDirectory() int64 { return cmp.Or(m.Items, defaultItems) / m.Holders() }

// All returns the number of items of a process.
func (m *Metadata) All() int64 { return m.PerDirectory() * m.Holders() }

// ReadBytes returns how many bytes of a file of the given length are read.
func (m *Metadata) ReadBytes(bytes int64) int64 {
	if m.Read != nil {
		return min(*m.Read, bytes)
	}
	return bytes
}
