package beffio

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/pagecache"
)

// Data that were just written are in the memory of the node that wrote them, and reading them tests no file system.
// Each run examines the pages of its files before it reads them, and reports how many were in memory. A cold run does
// what a user can do about it: processes read data that another node wrote, files are written to the device and dropped
// from memory before each pass over them, and memory may be filled. None of that is timed.

// Cold describes how a cold run keeps the data it reads out of the memory of the reading nodes.
type Cold struct {
	// Bytes of memory that each process has filled and keeps.
	Filled int64 `json:"filled,omitempty" jsonschema:"minimum=0"`
	// How many times the unfilled memory of all nodes the rated partition's files must hold; left out if any size will
	// do.
	Times float64 `json:"times,omitempty" jsonschema:"minimum=0"`
	// For each partition: process r reads the data of process r + shift, modulo the number of processes.
	Shifts []int `json:"shifts" jsonschema:"minimum=0"`
	// For each partition: the number of processes that read data written on another node.
	Elsewhere []int `json:"elsewhere" jsonschema:"minimum=0"`
}

// ReadCold makes a configuration read cold with this placement of processes, each of which fills some bytes of memory.
func (c *Config) ReadCold(processes int, placement []job.Placement, filled int64) error {
	if len(c.Partitions) == 0 {
		c.Partitions = defaultPartitions(processes)
	}
	nodes, err := job.Nodes(placement, processes)
	if err != nil {
		return err
	}
	c.Cold = &Cold{Filled: filled}
	for _, n := range c.Partitions {
		shift, elsewhere := shiftOf(nodes[:min(max(n, 0), processes)])
		c.Cold.Shifts, c.Cold.Elsewhere = append(c.Cold.Shifts, shift), append(c.Cold.Elsewhere, elsewhere)
	}
	return nil
}

// shiftOf returns the shift with which the most processes read data written on another node. It tries shifts by one
// process, by as many as the first node has, and by half of all, because processes may be placed in turn or in blocks.
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
		if others := job.OffNode(nodes, by); others > elsewhere {
			shift, elsewhere = by, others
		}
	}
	return shift, elsewhere
}

// maxTimes bounds Cold.Times.
const maxTimes = 1000

// minData returns the least bytes of a partition's files on nodes with total bytes of memory, or 0 for any number.
func (c *Cold) minData(total int64, processes int) int64 {
	if c == nil || c.Times == 0 {
		return 0
	}
	return int64(c.Times * float64(max(total-int64(processes)*c.Filled, 0)))
}

// MinData returns the least bytes of each partition's files in a cold run, or 0 if any number will do.
func (p *Plan) MinData() int64 { return p.Cold.minData(p.TotalMemory, p.Processes) }

// checkCold returns an error if no run can be cold in this way, or if MaxBytes is too small for the files.
func (p *Plan) checkCold() error {
	if err := p.Cold.check(p.Partitions); err != nil {
		return err
	}
	least, partitions := p.MinData(), len(p.Partitions)
	switch {
	case p.Cold == nil || p.Cold.Times == 0:
		return nil
	case p.TotalMemory == 0:
		return errors.New("the files must hold a multiple of the memory, but the memory of all nodes isn't known")
	case least > p.MaxBytes/int64(partitions):
		files, fewer := "the files", ""
		if partitions > 1 {
			files, fewer = fmt.Sprintf("the files of each of %d partitions", partitions), "use fewer partitions, "
		}
		return fmt.Errorf("%s must hold %s, %.3g times the memory that isn't filled, but may hold only %s: fill more "+
			"of the memory, %sraise --max-bytes, or use a larger file system", files, rating.Bytes(least),
			p.Cold.Times, rating.Bytes(p.MaxBytes/int64(partitions)), fewer)
	}
	return nil
}

// check returns an error unless each partition has a valid shift.
func (c *Cold) check(partitions []int) error {
	switch {
	case c == nil:
		return nil
	case c.Filled < 0 || c.Filled > maxMemory:
		return fmt.Errorf("each process fills %d bytes of memory", c.Filled)
	case !(c.Times >= 0 && c.Times <= maxTimes):
		return fmt.Errorf("files of %v times the memory: want up to %d", c.Times, maxTimes)
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

// fill fills the memory that a cold run keeps.
func (m *measurer) fill() (err error) {
	if m.plan.Cold != nil {
		m.filled, err = rating.Fill(m.Engine, m.plan.Cold.Filled)
	}
	return err
}

// readers makes the communicators for opening files to read in a cold run. Their processes are shifted, so that a
// process reads another one's data wherever ranks determine the position in a file.
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

// comm returns the communicator for opening the files of a partition with an access method. Its rank is the rank of the
// process whose data this one moves.
func (m *measurer) comm(a Access, n int) mpi.Comm {
	if a == Read && m.plan.Cold != nil {
		return m.shifted[n]
	}
	return m.comms[n]
}

// expect fills the first buffer with the data of the process whose data this one reads.
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
	if t == patterns.Separated { // this node has written its own files
		path = m.path(Write, n, t)
	}
	err := pagecache.Drop(path)
	if err == nil && t == patterns.Separated {
		err = pagecache.Drop(m.path(a, n, t))
	}
	return m.agree(m.comms[n], m.where(a, n, t.String()), err)
}

// parts returns the parts of a type's file that the process with a rank in a partition reads.
func (m *measurer) parts(rank, n int, t patterns.IOType) (list []pagecache.Part) {
	for _, r := range m.plan.rows(t) {
		place := m.pass.layout[n][r.Number]
		if r.Fill {
			r.Disk, r.Memory = m.pass.fill[n], m.pass.fill[n]
		}
		if r.Disk == 0 || place.mine == 0 {
			continue
		}
		where := m.plan.region(r, rank, m.plan.Partitions[n], place.start, m.pass.segment[n])
		list = append(list, pagecache.Part{Offset: where.offset, Length: r.Disk,
			Distance: cmp.Or(where.chunk, where.loop), Count: place.mine * (r.Memory / r.Disk)})
	}
	return list
}

// samplePages examines the pages of the file of a type, if it is read.
func (m *measurer) samplePages(a Access, n int, t patterns.IOType) rating.PageSample {
	if a != Read {
		return rating.PageSample{}
	}
	return rating.SamplePages(m.path(a, n, t), m.parts(m.comm(a, n).Rank(), n, t)...)
}

// FromMemory returns the part of the data read in the first pass over the rated partition's files that was in the
// nodes' memory before, or NaN if not known.
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
	var all rating.FromMemory
	for _, f := range r.Files {
		if f.Partition == n && f.Access == Read && f.Pass == 0 {
			all.Add(f.Pages, bytes[file{f.Type, f.Round}])
		}
	}
	return all.Fraction()
}

// The classes of reading. The class without a name has read in no particular way, as the rules allow.
const (
	readCold   = rating.Cold
	readMemory = "read from memory"
)

// Reading returns the class of reading: cold, read from memory, or empty.
func (r *Result) Reading() string {
	switch {
	case r.FromMemory() > rating.MaxCached:
		return readMemory
	case r.coldEnough():
		return readCold
	}
	return ""
}

// coldEnough reports whether a cold run has read cold.
func (r *Result) coldEnough() bool {
	return r.Cold != nil && rating.ReadCold(r.FromMemory(), r.remoteReaders())
}

// remoteReaders returns how many processes of the rated partition of a cold run read data that another node wrote.
func (r *Result) remoteReaders() rating.RemoteReaders {
	if n := r.Main(); n >= 0 {
		return rating.RemoteReaders{Readers: r.Cold.Elsewhere[n], Of: r.Partitions[n]}
	}
	return rating.RemoteReaders{}
}

// memorySigns returns the sign of data read from memory, or none if that isn't known.
func (r *Result) memorySigns() []rating.Sign {
	part := r.FromMemory()
	if math.IsNaN(part) {
		return nil
	}
	remedy := "read cold with --cold, or write several times the memory with a longer -T"
	if r.Cold != nil {
		remedy = "this file system keeps data in memory although it was asked to drop them: fill memory with --fill, " +
			"or write more"
	}
	return []rating.Sign{rating.MemorySign(part, r.FileSystem.Type, remedy)}
}

// coldCriterion returns the criterion of a cold run, or none for another run.
func (r *Result) coldCriterion() []rating.Criterion {
	if r.Cold == nil {
		return nil
	}
	list := []rating.Criterion{rating.ColdCriterion(r.FromMemory(), r.remoteReaders(), r.FileSystem.Type,
		"fill memory with --fill, or write more with a longer -T")}
	if r.Cold.Times > 0 {
		list = append(list, r.dataCriterion())
	}
	return list
}

// dataCriterion returns the criterion of a cold run whose files must hold a multiple of the memory. Its remedy is a
// longer T, which follows from the pace of the run.
func (r *Result) dataCriterion() rating.Criterion {
	const spare = 1.1
	least, held := r.Cold.minData(r.TotalMemory, r.Processes), int64(0)
	if n := r.Main(); n >= 0 {
		held = r.Derived.Partitions[n].Bytes
	}
	c := rating.Criterion{Name: "data", Reached: held >= least,
		Text: fmt.Sprintf("the files hold at least %.3g times the memory that isn't filled, %s (they hold %s)",
			r.Cold.Times, rating.Bytes(least), rating.Bytes(held)),
		Remedy: "give a longer -T, or fill memory with --fill"}
	if held > 0 {
		c.Remedy = fmt.Sprintf("give -T %.0f, which is enough at the pace of this run, or fill memory with --fill",
			math.Ceil(r.Duration*float64(least)/float64(held)*spare))
	}
	return c
}
