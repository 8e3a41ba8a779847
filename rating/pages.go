package rating

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating/pagecache"
)

// Pages is what the memory of the nodes held of files that were read, by samples of the pages that each process reads.
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

// Check returns an error unless there can be such pages; of none there is nothing to check.
func (p *Pages) Check() error {
	if p != nil && (p.Looked < 1 || p.Before < 0 || p.After < 0 || p.Before > p.Looked || p.After > p.Looked ||
		p.Fetched < 0) {
		return fmt.Errorf("%d of %d pages in memory before it was read, %d after that, %d bytes fetched", p.Before,
			p.Looked, p.After, p.Fetched)
	}
	return nil
}

// HeldBefore returns the part of the pages that was in memory before the files were read; NaN if there are no pages.
func (p *Pages) HeldBefore() float64 {
	if p == nil {
		return math.NaN()
	}
	return float64(p.Before) / float64(p.Looked)
}

// Glance is what one process sees of the pages of a file that it reads.
type Glance struct {
	pagecache.Seen
	reads   bool
	fetched int64
	counts  bool // fetched is known
}

// GlanceAt looks at the parts of a file that this process reads; it reads nothing if there are none. What can't be seen
// isn't known, which is no error.
func GlanceAt(path string, parts ...pagecache.Part) (g Glance) {
	if g.reads = len(parts) > 0; g.reads {
		g.Seen, _ = pagecache.Look(path, parts...)
	}
	g.fetched, g.counts = pagecache.Fetched()
	return g
}

// SumPages returns what all processes of c have seen before and after they read; nil: one of them has seen nothing of
// what it reads, or none reads. All of them call it.
func SumPages(c mpi.Comm, before, after Glance) (*Pages, error) {
	blind, fetched := 0., 0.
	if before.reads && (before.Pages == 0 || after.Pages != before.Pages) {
		blind = 1
	}
	if before.counts && after.counts {
		fetched = float64(after.fetched - before.fetched)
	}
	sums := []float64{blind, float64(before.Pages), float64(before.Held), float64(after.Held), fetched}
	if err := c.Allreduce(sums, mpi.Sum); err != nil || sums[0] > 0 || sums[1] == 0 {
		return nil, err
	}
	return &Pages{Looked: int64(sums[1]), Before: int64(sums[2]), After: int64(sums[3]), Fetched: int64(sums[4])}, nil
}

// leastFetched is the part of what is read that must have been counted as fetched where no page was seen in memory
// before and after, which may mean that the file system doesn't use the page cache.
const leastFetched = 0.9

// FromMemory sums up which part of what was read from files was in the memory of the nodes before.
type FromMemory struct {
	held, all, fetched float64 // bytes
	seen               int64   // pages
	blind              bool
}

// Add adds a file of which some bytes were read, and what was seen of its pages; nil: nothing.
func (f *FromMemory) Add(p *Pages, bytes float64) {
	if p == nil {
		f.blind = true
		return
	}
	f.held += bytes * p.HeldBefore()
	f.all += bytes
	f.fetched += float64(p.Fetched)
	f.seen += p.Before + p.After
}

// Part returns the part that was in memory; NaN where it isn't known.
func (f *FromMemory) Part() float64 {
	if f.blind || f.all == 0 || f.seen == 0 && f.fetched < leastFetched*f.all {
		return math.NaN()
	}
	return f.held / f.all
}

// MostCached is the part of what is read that may come from memory: reading is too fast by about as much.
const MostCached = 0.05

// filesInMemory lists the file systems that are memory themselves.
var filesInMemory = map[string]bool{"tmpfs": true, "ramfs": true}

// Name of the sign of data that were read from memory, and of the criterion that they weren't.
const (
	InMemory = "memory"
	Cold     = "cold"
)

// fromMemory says how much was read from memory.
const fromMemory = "read from memory: %s of what was read was in the memory of the nodes that read it"

// MemorySign returns the sign of data of which a part was read from memory, on a file system of a type.
func MemorySign(part float64, of, remedy string) Sign {
	text := fromMemory
	if filesInMemory[of] {
		text += ", as " + of + " is memory itself"
	}
	return PartSign(InMemory, colder(of, remedy), part, MostCached, text)
}

// colder returns the remedy for what was read from memory, on a file system of a type.
func colder(of, remedy string) string {
	if filesInMemory[of] {
		return "rate another file system: " + of + " is memory, and has no storage behind it"
	}
	return remedy
}

// Elsewhere is how many of the processes have read what another node had written.
type Elsewhere struct{ Readers, Of int }

// ReadCold reports whether hardly a page of what was read was in memory, or where that isn't known, whether all
// processes have read what another node had written.
func ReadCold(part float64, e Elsewhere) bool {
	return part <= MostCached || math.IsNaN(part) && e.Of > 0 && e.Readers == e.Of
}

// ColdCriterion returns the criterion of a run that is to read cold, on a file system of a type.
func ColdCriterion(part float64, e Elsewhere, of, remedy string) Criterion {
	did, not := "it isn't known how much did", ""
	if !math.IsNaN(part) {
		did, not = fmt.Sprintf("%.1f %% did", 100*part), fmt.Sprintf(fromMemory, Percent(part)+" %")
	}
	if e.Of > 0 {
		did += fmt.Sprintf("; %d of %d processes read what another node had written", e.Readers, e.Of)
	}
	return Criterion{Name: Cold, Reached: ReadCold(part, e), Not: not, Remedy: colder(of, remedy),
		Text: fmt.Sprintf("at most %.0f %% of what was read came from the memory of the nodes (%s)", 100*MostCached,
			did)}
}
