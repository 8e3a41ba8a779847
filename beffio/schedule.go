package beffio

import (
	"cmp"
	"math"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
)

// item is one pattern of one access method of one partition.
type item struct {
	partition int // index into Plan.Partitions
	access    Access
	row       int // index into Plan.Rows
}

// share is process 0's decision before a pattern runs.
type share struct {
	Seconds float64 // of the whole pattern
	Loops   int64   // limit by the byte budget
	Later   float64 // seconds of MPI_File_sync that each loop will add
	Before  float64 // seconds that MPI_File_sync takes whatever is written
}

// schedule divides time and bytes among the patterns. Only process 0 has a schedule.
//
// A time-driven pattern of U units gets the fixed time T · U / sum of U over the accesses made / number of partitions
// (paper, Sec. 4; release 2.1). A pattern that repeats another pattern's calls takes the time that it needs, but is
// ended early if the run would otherwise take longer than twice T.
//
// The bytes left are divided among the time-driven patterns left, by U.
type schedule struct {
	plan  *Plan
	items []item
	reads int // number of the last items, which are a pass over the read access
	next  int // index of the next item

	resumed  bool            // earlier parts of the run have measured other items
	part     bool            // the pass over the read access will be cut short
	seconds  float64         // for all items and passes
	unit     float64         // seconds of a unit of time
	ratio    map[key]float64 // time of a pattern relative to its base pattern
	constant map[key]float64 // seconds of patterns without units
	took     map[item]float64

	bytes       int64   // left to be written
	syncAlways  float64 // seconds of the shortest sync so far, independent of the bytes
	outOfBytes  bool    // a pattern was ended by the limit of bytes
	syncPerByte float64 // seconds
}

// key is a pattern in any partition.
type key struct {
	access Access
	row    int
}

func newSchedule(p *Plan, items []item) *schedule {
	return &schedule{plan: p, items: items, reads: reads(items), seconds: p.Duration.Seconds(),
		unit: p.PartitionSeconds() / float64(p.units()), bytes: p.MaxBytes, ratio: map[key]float64{},
		constant: map[key]float64{}, took: map[item]float64{}}
}

// reads returns the number of items that read.
func reads(items []item) (n int) {
	for _, it := range items {
		if it.access == Read {
			n++
		}
	}
	return n
}

// items returns the items of a run, with access methods outermost, so that data are read long after they were written
// (paper, Sec. 5).
func (p *Plan) items(partitions ...int) []item {
	var list []item
	for _, a := range Accesses() {
		for _, n := range partitions {
			for row, r := range p.Rows {
				if p.measures(a, r.Type) {
					list = append(list, item{n, a, row})
				}
			}
		}
	}
	return list
}

// Measurements returns the number of patterns of all access methods and partitions.
func (p *Plan) Measurements() int { return len(p.items(p.every()...)) }

// every returns the indices of all partitions.
func (p *Plan) every() []int { return lists.Numbers(len(p.Partitions)) }

// base returns the time-driven pattern that sets an item's work: itself, or the pattern of type 2 with the same chunk.
func (s *schedule) base(it item) item {
	r := s.plan.Rows[it.row]
	if r.Type > patterns.Separated {
		r = s.plan.matching(r, patterns.Separated)
	}
	return item{it.partition, Write, r.Number}
}

// expected returns the seconds that an item should take, if a unit still to be written takes unit seconds. A pattern
// that repeats another pattern's calls takes the same time, or longer if it did so in another partition or pass.
func (s *schedule) expected(it item, unit float64) float64 {
	r, k := s.plan.Rows[it.row], key{it.access, it.row}
	if r.Units == 0 {
		return s.constant[k]
	}
	base := s.base(it)
	took, ok := s.took[base]
	if !ok {
		took = unit * float64(s.plan.Rows[base.row].Units)
	}
	return took * max(s.ratio[k], 1)
}

// rest returns the expected seconds of all items that are left.
func (s *schedule) rest(unit float64) float64 {
	return lists.SumOf(s.items[s.next:], func(it item) float64 { return s.expected(it, unit) })
}

// share returns the share of the next item, elapsed seconds after the schedule's beginning.
func (s *schedule) share(elapsed float64) share {
	it := s.items[s.next]
	r := s.plan.Rows[it.row]
	out := share{Loops: math.MaxInt64}
	if timeDriven(it.access, r) {
		if out.Loops = 1; r.Units > 0 {
			out.Loops = s.loops(it)
		}
		out.Later = s.syncPerByte * float64(r.Memory) * float64(s.plan.Partitions[it.partition])
	}
	const minShare = 1e-6 // 0 would be no limit
	out.Seconds = max(s.shareSeconds(it, elapsed), minShare)
	if timeDriven(it.access, r) {
		out.Before = min(s.syncAlways, out.Seconds/2)
	}
	return out
}

func (s *schedule) shareSeconds(it item, elapsed float64) float64 {
	const slack = 0.02 // for one-time costs
	if r := s.plan.Rows[it.row]; timeDriven(it.access, r) {
		return s.unit * float64(r.Units)
	}
	left := (s.plan.Duration+s.plan.longestRound()).Seconds()/2 - elapsed
	if s.part {
		left = s.seconds - elapsed
	}
	all := s.rest(s.unit)
	switch mine := s.expected(it, s.unit); {
	case all == 0:
		return left
	case s.part:
		return mine / all * left
	default:
		return mine/all*left + left*slack
	}
}

// left returns the seconds that the remaining items take. If the bytes are limited before the time, the patterns still
// to be written are expected at the pace so far.
func (s *schedule) left() float64 {
	took, units := 0.0, 0.0
	for it, seconds := range s.took {
		if r := s.plan.Rows[it.row]; timeDriven(it.access, r) {
			took, units = took+seconds, units+float64(r.Units)
		}
	}
	if unit := took / units; s.outOfBytes && units > 0 {
		return s.rest(unit)
	}
	return s.rest(s.unit)
}

// maxPasses bounds the passes over files that are read in almost no time.
const maxPasses = 1000

// readPass is process 0's decision before a pass over the read access.
type readPass struct {
	Last bool // no other pass follows
	Bare bool // only opens and closes the files, which removes them
}

// readPass returns the decision on the next pass. This is the last pass unless there may be time for at least a part of
// another one, which reads the beginning of each pattern's chunks. The time of the first pass isn't known in advance,
// so the second one may have no time left. If the limit of bytes ended the run's patterns early, the run doesn't use
// all of its time: it ends after one short pass, which shows how much the file system drifts.
func (s *schedule) readPass(number int, elapsed float64) readPass {
	const minPart = 0.03 // of the total time
	const short = 0.05   // of the time used until then
	if number > 0 {
		s.items = append(s.items, s.items[len(s.items)-s.reads:]...)
	}
	if s.resumed || s.plan.Adaptive() || number == maxPasses-1 {
		return readPass{Last: true}
	}
	if s.outOfBytes && number > 0 {
		s.seconds = min(s.seconds, elapsed*(1+short))
	}
	expected, least := 0.0, minPart*s.seconds
	for _, it := range s.items[s.next:] {
		expected += s.constant[key{it.access, it.row}]
		if s.plan.Rows[it.row].Units > 0 {
			expected += s.took[s.base(it)] * s.ratio[key{it.access, it.row}]
		}
	}
	left := s.seconds - elapsed
	s.part = number > 0 && left < expected
	return readPass{Last: left < expected+least, Bare: number > 0 && left < least}
}

// loops returns the number of calls of each process that the byte budget allows a time-driven pattern.
func (s *schedule) loops(it item) int64 {
	least, mine, all := int64(0), 0.0, 0.0
	for i, other := range s.items[s.next:] {
		r := s.plan.Rows[other.row]
		if !timeDriven(other.access, r) {
			continue
		}
		n := int64(s.plan.Partitions[other.partition])
		least += n * r.Memory * weight(r.Type)
		if other.row == 0 {
			least += n * roundedUp
		}
		u := float64(r.Units) * float64(weight(r.Type))
		if all += u; i == 0 {
			mine = u
		}
	}
	r, n := s.plan.Rows[it.row], int64(s.plan.Partitions[it.partition])
	free := float64(s.bytes-least) * mine / all
	return 1 + int64(max(free, 0)/float64(n*r.Memory*weight(r.Type)))
}

// done records the seconds and bytes of the next item, and moves to the one after it.
func (s *schedule) done(seconds float64, bytes int64, sync float64) {
	it := s.items[s.next]
	r, k := s.plan.Rows[it.row], key{it.access, it.row}
	s.next++
	s.took[it] = seconds
	if base := s.took[s.base(it)]; r.Units == 0 {
		s.constant[k] = seconds
	} else if base > 0 {
		s.ratio[k] = seconds / base
	}
	if timeDriven(it.access, r) && bytes > 0 {
		s.bytes -= bytes * weight(r.Type)
		if it.row == 0 { // reserved for the segments that follow
			s.bytes -= int64(s.plan.Partitions[it.partition]) * roundedUp
		}
		s.learnSync(bytes, sync)
	}
}

// learnSync splits the time of syncs into a constant part and a part per byte, which only long syncs reveal.
func (s *schedule) learnSync(bytes int64, sync float64) {
	const long, newest = 16 << 20, 0.5
	if s.syncAlways == 0 || sync < s.syncAlways {
		s.syncAlways = sync
	}
	if bytes < long {
		return
	}
	perByte := (sync - s.syncAlways) / float64(bytes)
	s.syncPerByte = cmp.Or(s.syncPerByte, perByte)
	s.syncPerByte += newest * (perByte - s.syncPerByte)
}

// units returns the sum of the units of time of a run with one partition.
func (p *Plan) units() int {
	return lists.SumOf(p.items(0), func(it item) int { return p.Rows[it.row].Units })
}
