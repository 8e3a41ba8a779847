package beffio

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/pagecache"
)

// What was just written is in the memory of the node that wrote it, and reading it says nothing of the file system.
// Each run looks at the pages of its files before it reads them, and says how many were in memory. A cold run does what
// a user may do against it: processes read what those of another node wrote, the files are brought to the device and
// dropped from memory before each pass over them, and memory may be filled. None of it is timed.

// Cold is how a cold run keeps what it reads out of the memory of the nodes that read.
type Cold struct {
	// Bytes of memory that each process has filled, and keeps.
	Filled int64 `json:"filled,omitempty" jsonschema:"minimum=0"`
	// Of each partition: process r reads what process r + shift has written, modulo the processes.
	Shifts []int `json:"shifts" jsonschema:"minimum=0"`
	// Of each partition: processes that read what one on another node has written.
	Elsewhere []int `json:"elsewhere" jsonschema:"minimum=0"`
}

// Pages is what the memory of the nodes held of a pattern type's files, by samples of pages that each process has
// looked at.
type Pages struct {
	// Pages that were looked at, by all processes together.
	Looked int64 `json:"looked" jsonschema:"minimum=1"`
	// Of these, in memory before the files were read.
	Before int64 `json:"before" jsonschema:"minimum=0"`
	// Of these, in memory after that.
	After int64 `json:"after" jsonschema:"minimum=0"`
	// Bytes that came from storage meanwhile, as far as the file system counts them; left out if none did, or if the
	// system doesn't tell.
	Fetched int64 `json:"fetched,omitempty" jsonschema:"minimum=0"`
}

func (p *Pages) check() error {
	if p != nil && (p.Looked < 1 || p.Before < 0 || p.After < 0 || p.Before > p.Looked || p.After > p.Looked ||
		p.Fetched < 0) {
		return fmt.Errorf("%d of %d pages in memory before it was read, %d after that, %d bytes fetched", p.Before,
			p.Looked, p.After, p.Fetched)
	}
	return nil
}

// ReadCold makes a configuration read cold, on a number of processes with this placement, each of which fills some
// bytes of memory.
func (c *Config) ReadCold(processes int, placement []job.Placement, filled int64) error {
	if len(c.Partitions) == 0 {
		c.Partitions = defaultPartitions(processes)
	}
	nodes := make([]int, processes)
	for node, p := range placement {
		ranks, err := p.List()
		if err != nil {
			return err
		}
		for _, rank := range ranks {
			if rank < processes {
				nodes[rank] = node
			}
		}
	}
	c.Cold = &Cold{Filled: filled}
	for _, n := range c.Partitions {
		shift, elsewhere := shiftOf(nodes[:min(max(n, 0), processes)])
		c.Cold.Shifts, c.Cold.Elsewhere = append(c.Cold.Shifts, shift), append(c.Cold.Elsewhere, elsewhere)
	}
	return nil
}

// shiftOf returns the shift with which the most processes read what one on another node has written: by one process,
// by as many as the first node has, or by half of all. Processes are placed in turn or by blocks.
func shiftOf(nodes []int) (shift, elsewhere int) {
	n, first := len(nodes), 0
	if n < 2 {
		return 0, 0
	}
	for _, node := range nodes {
		if node == nodes[0] {
			first++
		}
	}
	shift = 1
	for _, by := range []int{1, first, n / 2} {
		others := 0
		for r, node := range nodes {
			if node != nodes[(r+by)%n] {
				others++
			}
		}
		if others > elsewhere {
			shift, elsewhere = by, others
		}
	}
	return shift, elsewhere
}

// check returns an error unless the partitions have a shift each, which is one of processes.
func (c *Cold) check(partitions []int) error {
	switch {
	case c == nil:
		return nil
	case c.Filled < 0 || c.Filled > mostMemory:
		return fmt.Errorf("each process fills %d bytes of memory", c.Filled)
	case len(c.Shifts) != len(partitions) || len(c.Elsewhere) != len(partitions):
		return fmt.Errorf("%d shifts of readers, %d of other nodes, %d partitions", len(c.Shifts), len(c.Elsewhere),
			len(partitions))
	}
	for i, n := range partitions {
		if s, e := c.Shifts[i], c.Elsewhere[i]; s < 0 || s >= max(n, 1) || e < 0 || e > n || n > 1 && s == 0 {
			return fmt.Errorf("%d processes read %d ahead, %d of them from another node", n, s, e)
		}
	}
	return nil
}

// fill allocates the memory that a cold run fills, and writes to each of its pages.
func (m *measurer) fill() (err error) {
	if m.plan.Cold == nil || m.plan.Cold.Filled == 0 {
		return nil
	}
	if m.filled, err = m.Engine.NewBuffer(m.plan.Cold.Filled); err != nil {
		return fmt.Errorf("filling memory: %w", err)
	}
	data, page := m.filled.Bytes(), os.Getpagesize()
	for at := 0; at+markWidth <= len(data); at += page { // different ones, which no system merges or compresses
		binary.LittleEndian.PutUint64(data[at:], scrambled(uint64(m.World.Rank()), int64(at)))
	}
	return nil
}

// readers makes the communicators by which a cold run opens files to read them: their processes are shifted, so that a
// process reads what another one has written wherever the ranks in a file say who reads what.
func (m *measurer) readers() error {
	if m.plan.Cold == nil {
		return nil
	}
	rank := m.World.Rank()
	for i, n := range m.plan.Partitions {
		color, key := 0, rank
		if rank >= n {
			color = -1
		} else {
			key = (rank + m.plan.Cold.Shifts[i]) % n
		}
		c, err := m.World.Split(color, key)
		if err != nil {
			return err
		}
		m.shifted = append(m.shifted, c)
	}
	return nil
}

// comm returns the communicator by which an access method opens the files of a partition. Its rank says whose data
// the process moves.
func (m *measurer) comm(a Access, n int) mpi.Comm {
	if a == Read && m.plan.Cold != nil {
		return m.shifted[n]
	}
	return m.comms[n]
}

// expect fills the first buffer with the data of the process whose data this one moves.
func (m *measurer) expect(a Access, n int) {
	if seed := uint64(m.comm(a, n).Rank()); seed != m.seed {
		m.seed = seed
		scramble(m.buffers[0].Bytes(), seed)
	}
}

// path returns the path of the file of a type that this process opens.
func (m *measurer) path(a Access, n int, t patterns.IOType) string {
	name := fmt.Sprintf("data_%d_%s", m.plan.Partitions[n], t)
	if t == patterns.Separated {
		name = fmt.Sprintf("%s.%d", name, m.comm(a, n).Rank())
	}
	return filepath.Join(m.plan.Directory, name)
}

// drop drops the file of a type from the memory of all nodes before a cold run reads it.
func (m *measurer) drop(a Access, n int, t patterns.IOType) error {
	if a != Read || m.plan.Cold == nil {
		return nil
	}
	path := m.path(a, n, t)
	if t == patterns.Separated { // this node has written its own
		path = m.path(Write, n, t)
	}
	err := pagecache.Drop(path)
	if err == nil && t == patterns.Separated {
		err = pagecache.Drop(m.path(a, n, t))
	}
	return m.agree(m.comms[n], m.where(a, n, t.String()), err)
}

// glance is what one process sees of the pages of a file.
type glance struct {
	pagecache.Seen
	fetched int64
	counts  bool // fetched is known
}

// glance looks at the file of a type that is read. What can't be seen isn't known, which is no error.
func (m *measurer) glance(a Access, n int, t patterns.IOType) (g glance) {
	if a == Read {
		g.Seen, _ = pagecache.Look(m.path(a, n, t))
		g.fetched, g.counts = pagecache.Fetched()
	}
	return g
}

// pages returns what all processes of a partition have seen of the pages of a type's files, before and after they
// were read; nil: one of them has seen nothing.
func (m *measurer) pages(a Access, n int, before, after glance) (*Pages, error) {
	if a != Read {
		return nil, nil
	}
	c, blind := m.comms[n], 0.
	if before.Pages == 0 || after.Pages != before.Pages {
		blind = 1
	}
	fetched := 0.
	if before.counts && after.counts {
		fetched = float64(after.fetched - before.fetched)
	}
	sums := []float64{blind, float64(before.Pages), float64(before.Held), float64(after.Held), fetched}
	if err := c.Allreduce(sums, mpi.Sum); err != nil || sums[0] > 0 {
		return nil, err
	}
	return &Pages{int64(sums[1]), int64(sums[2]), int64(sums[3]), int64(sums[4])}, nil
}

const (
	// mostCached is the part of what is read that may come from memory: reading is too fast by about as much.
	mostCached = 0.05
	// leastFetched is the part of what is read that must have been counted as fetched where no page was seen in memory
	// before and after, which may mean that the file system doesn't use the page cache.
	leastFetched = 0.9
)

// FromMemory returns the part of what the first pass over the rated partition's files read that was in the memory of
// the nodes before; NaN where it isn't known.
func (r *Result) FromMemory() float64 {
	n := r.Main()
	if n < 0 {
		return math.NaN()
	}
	type file struct {
		name  string
		round int
	}
	bytes := map[file]float64{}
	for _, s := range r.Samples {
		if s.Partition == n && s.Access == Read && s.Pass == 0 {
			bytes[file{r.typeOf(s.Pattern).String(), s.Round}] += float64(s.Bytes)
		}
	}
	held, all, fetched, seen := 0., 0., 0., int64(0)
	for _, f := range r.Files {
		if f.Partition != n || f.Access != Read || f.Pass > 0 {
			continue
		}
		if f.Pages == nil {
			return math.NaN()
		}
		of := bytes[file{f.Type, f.Round}]
		held += of * float64(f.Pages.Before) / float64(f.Pages.Looked)
		all += of
		fetched += float64(f.Pages.Fetched)
		seen += f.Pages.Before + f.Pages.After
	}
	if all == 0 || seen == 0 && fetched < leastFetched*all {
		return math.NaN()
	}
	return held / all
}

// The classes of reading: without a name it is the one that the rules leave open.
const (
	readCold   = "cold"
	readMemory = "read from memory"
)

// Reading returns the class of what was read: cold, read from memory, or empty.
func (r *Result) Reading() string {
	switch {
	case r.FromMemory() > mostCached:
		return readMemory
	case r.coldEnough():
		return readCold
	}
	return ""
}

// coldEnough reports whether a cold run has read cold: hardly a page was in memory, or where that isn't known, all
// processes have read what another node had written.
func (r *Result) coldEnough() bool {
	n, part := r.Main(), r.FromMemory()
	return r.Cold != nil && n >= 0 && (part <= mostCached ||
		math.IsNaN(part) && r.Cold.Elsewhere[n] == r.Partitions[n])
}

// filesInMemory lists the file systems that are memory themselves.
var filesInMemory = map[string]bool{"tmpfs": true, "ramfs": true}

// memorySigns returns the sign of data that were read from memory; none where that isn't known.
func (r *Result) memorySigns() []rating.Sign {
	part := r.FromMemory()
	if math.IsNaN(part) {
		return nil
	}
	remedy, text := "read cold by --cold, or write several times the memory by a longer -T",
		"read from memory: %s of what was read was in the memory of the nodes that read it"
	switch {
	case filesInMemory[r.FileSystem.Type]:
		remedy = "rate another file system: " + r.FileSystem.Type + " is memory, and has no storage behind it"
		text += ", as " + r.FileSystem.Type + " is memory itself"
	case r.Cold != nil:
		remedy = "this file system keeps in memory what it is asked to drop: fill memory by --fill, or write more"
	}
	return []rating.Sign{rating.PartSign("memory", remedy, part, mostCached, text)}
}

// coldCriterion returns the criterion of a cold run; none of another one.
func (r *Result) coldCriterion() []rating.Criterion {
	if r.Cold == nil {
		return nil
	}
	part, text := r.FromMemory(), "it isn't known how much did"
	if !math.IsNaN(part) {
		text = fmt.Sprintf("%.1f %% did", 100*part)
	}
	if n := r.Main(); n >= 0 {
		text += fmt.Sprintf("; %d of %d processes read what another node had written", r.Cold.Elsewhere[n],
			r.Partitions[n])
	}
	return []rating.Criterion{{Name: "cold", Reached: r.coldEnough(),
		Text: fmt.Sprintf("at most %.0f %% of what was read came from the memory of the nodes (%s)", 100*mostCached,
			text),
		Remedy: "fill memory by --fill, or write more by a longer -T"}}
}
