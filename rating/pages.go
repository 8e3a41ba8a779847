package rating

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating/pagecache"
)

// Pages tells how much of the files that were read was in the nodes' memory, from samples of each process's pages.
type Pages struct {
	// Pages examined by all processes together.
	Looked int64 `json:"looked" jsonschema:"minimum=1"`
	// Examined pages that were in memory before the files were read.
	Before int64 `json:"before" jsonschema:"minimum=0"`
	// Examined pages that were in memory afterwards.
	After int64 `json:"after" jsonschema:"minimum=0"`
	// Bytes that came from storage meanwhile, as far as the file system counts them; left out if 0 or not known.
	Fetched int64 `json:"fetched,omitempty" jsonschema:"minimum=0"`
}

// Check returns an error if the numbers are impossible. p may be nil.
func (p *Pages) Check() error {
	if p != nil && (p.Looked < 1 || p.Before < 0 || p.After < 0 || p.Before > p.Looked || p.After > p.Looked ||
		p.Fetched < 0) {
		return fmt.Errorf("%d of %d pages in memory before it was read, %d after that, %d bytes fetched", p.Before,
			p.Looked, p.After, p.Fetched)
	}
	return nil
}

// HeldBefore returns the part of the pages that was in memory before the files were read, or NaN if p is nil.
func (p *Pages) HeldBefore() float64 {
	if p == nil {
		return math.NaN()
	}
	return float64(p.Before) / float64(p.Looked)
}

// PageSample holds how many of the pages of a file that a process reads were in memory.
type PageSample struct {
	pagecache.Residency
	reads   bool
	fetched int64
	counts  bool // fetched is known
}

// SamplePages examines the parts of a file that this process reads, if any. Pages that can't be examined count as not
// known, without an error.
func SamplePages(path string, parts ...pagecache.Part) (g PageSample) {
	if g.reads = len(parts) > 0; g.reads {
		g.Residency, _ = pagecache.Examine(path, parts...)
	}
	g.fetched, g.counts = pagecache.Fetched()
	return g
}

// SumPages returns the sums over all processes of c, before and after they read. It returns nil if no process reads, or
// if one can't examine its parts. The call is collective.
func SumPages(c mpi.Comm, before, after PageSample) (*Pages, error) {
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

// minFetched is the part of the data that must be counted as fetched if no page was seen in memory before and after.
// Otherwise the file system may not use the page cache.
const minFetched = 0.9

// FromMemory computes the part of the data read from files that was in the nodes' memory before.
type FromMemory struct {
	held, all, fetched float64 // bytes
	seen               int64   // pages
	blind              bool
}

// Add adds a file of which some bytes were read. p is nil if its pages aren't known.
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

// Fraction returns the fraction of the data read that was in memory, from 0 to 1, or NaN if it isn't known.
func (f *FromMemory) Fraction() float64 {
	if f.blind || f.all == 0 || f.seen == 0 && f.fetched < minFetched*f.all {
		return math.NaN()
	}
	return f.held / f.all
}

// MaxCached is the part of the data read that may come from memory. It makes reading look faster by about as much.
const MaxCached = 0.05

// filesInMemory lists the file systems that are memory themselves.
var filesInMemory = map[string]bool{"tmpfs": true, "ramfs": true}

// Names of the sign that data were read from memory, and of the criterion that they weren't.
const (
	InMemory = "memory"
	Cold     = "cold"
)

// fromMemory is the sentence about how much was read from memory.
const fromMemory = "read from memory: %s of the data read were in the memory of the nodes that read them"

// MemorySign returns the sign that a part of the data was read from memory. fsType is the type of the file system.
func MemorySign(part float64, fsType, remedy string) Sign {
	text := fromMemory
	if filesInMemory[fsType] {
		text += ", as " + fsType + " is memory itself"
	}
	return PartSign(InMemory, coldRemedy(fsType, remedy), part, MaxCached, text)
}

// coldRemedy returns the remedy for data read from memory, on a file system of this type.
func coldRemedy(fsType, remedy string) string {
	if filesInMemory[fsType] {
		return "rate another file system: " + fsType + " is memory without storage"
	}
	return remedy
}

// RemoteReaders holds how many of all processes have read data that another node had written.
type RemoteReaders struct{ Readers, Of int }

// ReadCold reports whether hardly any data came from memory or, if that isn't known, whether all processes have read
// data that another node had written.
func ReadCold(part float64, e RemoteReaders) bool {
	return part <= MaxCached || math.IsNaN(part) && e.Of > 0 && e.Readers == e.Of
}

// ColdCriterion returns the criterion that a run read cold, on a file system of this type.
func ColdCriterion(part float64, e RemoteReaders, fsType, remedy string) Criterion {
	did, not := "it isn't known how much did", ""
	if !math.IsNaN(part) {
		did, not = fmt.Sprintf("%.1f %% did", 100*part), fmt.Sprintf(fromMemory, Percent(part)+" %")
	}
	if e.Of > 0 {
		did += fmt.Sprintf("; %d of %d processes read data that another node had written", e.Readers, e.Of)
	}
	return Criterion{Name: Cold, Reached: ReadCold(part, e), Not: not, Remedy: coldRemedy(fsType, remedy),
		Text: fmt.Sprintf("at most %.0f %% of the data read came from the memory of the nodes (%s)", 100*MaxCached,
			did)}
}
