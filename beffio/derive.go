package beffio

import (
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// Derived holds all figures derived from the samples. A figure with a missing sample is 0 and left out.
type Derived struct {
	// Rating of the best partition by the result's rules; bytes per second.
	BEffIO float64 `json:"b_eff_io,omitempty"`
	// Number of processes of that partition.
	Processes int `json:"processes,omitempty"`
	// Interval of the rating within the run in bytes per second, from the times of the calls; left out if not known.
	BEffIOInterval *rating.Interval `json:"b_eff_io_interval,omitempty"`
	// Interval of that partition's read bandwidth within the run in bytes per second, from the differences between
	// whole passes; left out for fewer than three.
	ReadInterval *rating.Interval `json:"read_interval,omitempty"`
	// Rating of the best partition by the paper's formula; bytes per second.
	Paper float64 `json:"b_eff_io_paper,omitempty"`
	// Rating of the best partition by release 2.1's formula; bytes per second.
	Release21 float64 `json:"b_eff_io_2_1,omitempty"`
	// Figures of each partition.
	Partitions []Partition `json:"partitions"`
	// Rating of each whole round of an adaptive run, of the rated partition; bytes per second.
	Rounds []float64 `json:"rounds,omitempty"`
}

// Partition holds the figures of one partition.
type Partition struct {
	Processes int `json:"processes" jsonschema:"minimum=1"`
	// 0.25 write + 0.25 rewrite + 0.5 read; bytes per second.
	Paper float64 `json:"b_eff_io_paper,omitempty"`
	// Square root of a product: the mean of the bandwidths of the five types of write and of type 0 of rewrite, times
	// the bandwidth of read; bytes per second.
	Release21 float64 `json:"b_eff_io_2_1,omitempty"`
	// Bytes in the files after the initial write.
	Bytes int64 `json:"bytes,omitempty"`
	// Seconds of all patterns, including opening and closing.
	Seconds float64 `json:"seconds,omitempty"`
	// Interval of the rating by the result's rules within the run, in bytes per second; left out if not known.
	Interval *rating.Interval `json:"interval,omitempty"`
	Accesses []AccessMethod   `json:"accesses"`
	// Durations of each pattern's calls; left out without quantiles.
	Tails []Tail `json:"tails,omitempty"`
}

// AccessMethod holds the figures of an access method of a partition.
type AccessMethod struct {
	Access Access `json:"access" jsonschema:"enum=write,enum=rewrite,enum=read"`
	// Mean over the types in bytes per second, with type 0 counted twice.
	Bandwidth float64 `json:"bandwidth,omitempty"`
	// Mean over the patterns weighted by their units of time; bytes per second.
	Weighted float64 `json:"weighted,omitempty"`
	// Bytes per second of each pattern type, by the time from open to close; 0 if not measured.
	Types []float64 `json:"types"`
	// Bytes moved.
	Bytes int64 `json:"bytes,omitempty"`
	// Seconds, including opening and closing.
	Seconds float64 `json:"seconds,omitempty"`
	// Interval of the bandwidth within the run in bytes per second; left out if not known.
	Interval *rating.Interval `json:"interval,omitempty"`
}

// Bandwidth returns a pattern's bandwidth in bytes per second: the bytes of its calls over the time from the barrier
// before to the barrier after it, in the first pass, or the geometric mean over rounds. It is 0 if the pattern was not
// measured, or had errors in any pass.
func (r *Result) Bandwidth(partition int, a Access, pattern int) float64 {
	var each []float64
	for _, s := range r.Samples {
		switch {
		case s.Partition != partition || s.Access != a || s.Pattern != pattern:
		case s.Errors > 0:
			return 0
		case s.Pass == 0 && s.Seconds > 0:
			each = append(each, float64(s.Bytes)/s.Seconds)
		}
	}
	switch len(each) {
	case 0:
		return 0
	case 1:
		return each[0]
	}
	if slices.Contains(each, 0) {
		return 0 // the pattern moved nothing in a round
	}
	mean, _ := rating.GeometricMean(each)
	return mean
}

// Derive computes every figure from the samples.
func Derive(r *Result) Derived {
	if r.Within > 0 {
		return deriveRounds(r)
	}
	d := Derived{Partitions: []Partition{}}
	for n, processes := range r.Partitions {
		p := derivePartition(r, n)
		p.Processes, p.Tails = processes, deriveTails(r, n)
		d.Partitions = append(d.Partitions, p)
	}
	setIntervals(r, d.Partitions)
	for _, p := range d.Partitions {
		d.Paper, d.Release21 = max(d.Paper, p.Paper), max(d.Release21, p.Release21)
	}
	if p := d.rate(r.Rules); p != nil {
		d.ReadInterval = readInterval(p.Access(Read).Bandwidth, r.wholePasses(p.Processes))
	}
	return d
}

// rate sets the rating by rules. It returns the partition that has the rating, or nil if there is none.
func (d *Derived) rate(rules Rules) (best *Partition) {
	d.BEffIO, d.Processes = 0, 0
	for i := range d.Partitions {
		if p := &d.Partitions[i]; p.Rating(rules) > d.BEffIO {
			best, d.BEffIO, d.Processes = p, p.Rating(rules), p.Processes
			d.BEffIOInterval = p.Interval
		}
	}
	return best
}

// Rated returns the index of the partition that has the rating, or -1 if there is no rating.
func (r *Result) Rated() int { return r.Derived.rated() }

func (d *Derived) rated() int {
	return slices.IndexFunc(d.Partitions, func(p Partition) bool {
		return d.BEffIO > 0 && p.Processes == d.Processes
	})
}

// derivePartition returns the figures of the partition with index n.
func derivePartition(r *Result, n int) Partition {
	p := Partition{}
	for _, a := range Accesses() {
		m := deriveAccess(r, n, a)
		if m.Seconds == 0 && slices.Max(m.Types) == 0 {
			continue
		}
		p.Accesses = append(p.Accesses, m)
		p.Seconds += m.Seconds
	}
	fillNil(&p.Accesses)
	p.Bytes = p.Access(Write).Bytes
	p.Paper, p.Release21 = RulesPaper.Formula().Of(&p), Rules21.Formula().Of(&p)
	return p
}

// deriveAccess returns the figures of an access method of a partition. The bandwidth needs all types of the method.
func deriveAccess(r *Result, n int, a Access) AccessMethod {
	m := AccessMethod{Access: a, Types: make([]float64, len(Types()))}
	var types []patterns.IOType
	whole := true
	for _, t := range Types() {
		if !r.measures(a, t) {
			continue
		}
		bandwidth, bytes, seconds := deriveType(r, n, a, t)
		types = append(types, t)
		m.Types[t] = bandwidth
		m.Bytes, m.Seconds = m.Bytes+bytes, m.Seconds+seconds
		whole = whole && bandwidth > 0
	}
	if whole {
		m.Bandwidth = MeanOfTypes(types, func(t patterns.IOType) float64 { return m.Types[t] })
	}
	m.Weighted = weightedByUnits(r, n, a)
	return m
}

// deriveType returns a type's bandwidth, bytes, and seconds from open to close, in the first pass. It uses the close of
// the last pass, which removes the file. If a sample of the file or of a pattern is missing, the bandwidth is 0.
func deriveType(r *Result, n int, a Access, t patterns.IOType) (bandwidth float64, bytes int64, seconds float64) {
	seen := map[int]bool{}
	for _, s := range r.Samples {
		if s.Partition == n && s.Access == a && s.Pass == 0 && r.typeOf(s.Pattern) == t {
			seen[s.Pattern] = true
			bytes, seconds = bytes+s.Bytes, seconds+s.Seconds
		}
	}
	closed, last := false, 0.0
	for _, f := range r.Files { // in the order of the passes
		if f.Partition != n || f.Access != a || f.Type != t.String() {
			continue
		}
		if closed, last = true, f.Close; f.Pass == 0 {
			seconds += f.Open
		}
	}
	seconds += last
	if closed && len(seen) == r.count(t) && seconds > 0 {
		bandwidth = float64(bytes) / seconds
	}
	return bandwidth, bytes, seconds
}

// typeOf returns a pattern's type, or -1 if there is no such pattern.
func (r *Result) typeOf(number int) patterns.IOType {
	if p := r.Pattern(number); p != nil {
		return p.Type
	}
	return -1
}

// Pattern returns the pattern with a number, or nil if there is none.
func (r *Result) Pattern(number int) *Pattern {
	if number >= 0 && number < len(r.Patterns) && r.Patterns[number].Number == number {
		return &r.Patterns[number]
	}
	return lists.Find(r.Patterns, func(x *Pattern) bool { return x.Number == number })
}

// count returns the number of patterns of a type.
func (r *Result) count(t patterns.IOType) int {
	n := 0
	for _, p := range r.Patterns {
		if p.Type == t {
			n++
		}
	}
	return n
}

// weightedByUnits returns the mean of the patterns' bandwidths, weighted by their units of time.
func weightedByUnits(r *Result, n int, a Access) float64 {
	seen := map[int]bool{}
	for _, s := range r.Samples {
		if s.Partition == n && s.Access == a {
			seen[s.Pattern] = true
		}
	}
	sum, units := 0.0, 0
	for _, p := range r.Patterns {
		if seen[p.Number] {
			sum += r.Bandwidth(n, a, p.Number) * float64(p.Units)
			units += p.Units
		}
	}
	if units == 0 {
		return 0
	}
	return sum / float64(units)
}
