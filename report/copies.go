package report

import (
	"fmt"
	"math"
	"reflect"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Copies finds files with the same measurement as another file: compressed, renamed, or copied by beff site. Its zero
// value is ready to use.
type Copies struct {
	first map[rating.Measurement]int // index in names and count
	names []string
	count []int
}

// Drop returns files without those whose measurement an earlier file has, in this or in an earlier call. If one call
// has several files of a measurement, it keeps the first one that is proven, in the place of the first file.
func (c *Copies) Drop(files []*File) (kept []*File) {
	if c.first == nil {
		c.first = map[rating.Measurement]int{}
	}
	at := map[rating.Measurement]int{} // index in kept
	for _, f := range files {
		n, again := c.first[f.measurement]
		if !again {
			c.first[f.measurement], at[f.measurement] = len(c.names), len(kept)
			c.names, c.count = append(c.names, f.Name()), append(c.count, 0)
			kept = append(kept, f)
			continue
		}
		c.count[n]++
		if i, here := at[f.measurement]; here && f.Problem == nil && kept[i].Problem != nil {
			kept[i], c.names[n] = f, f.Name()
		}
	}
	return kept
}

// Left returns a line for each measurement whose copies were left out, with their number.
func (c *Copies) Left() (lines []string) {
	for i, n := range c.count {
		if n > 0 {
			lines = append(lines, fmt.Sprintf("%s of %s left out: the same measurement", words.Count(n, "copy"),
				c.names[i]))
		}
	}
	return lines
}

// Measurement returns a text that identifies the file's measurement: its start and a hash of its samples, so it changes
// if the run is resumed. It may differ between versions of beff.
func (f *File) Measurement() string {
	return fmt.Sprintf("%x-%016x", f.measurement.Started, f.measurement.Samples)
}

// measurementOf identifies the measurement of a report by its start and its samples. The model is included, because two
// models of one name may give the same samples.
func measurementOf(r Report) rating.Measurement {
	h, head := fingerprint(offset), r.Header()
	h.add(reflect.ValueOf(r.Measured()))
	h.add(reflect.ValueOf(head.Model))
	m := rating.Measurement{Benchmark: head.Benchmark}
	if head.Started.IsZero() { // from another program, whose few figures may be equal by chance
		h.add(reflect.ValueOf(head.Digest))
	} else {
		m.Started = head.Started.UnixNano()
	}
	m.Samples = uint64(h)
	return m
}

// fingerprint is a hash of figures by FNV-1a (Fowler, Noll, Vo), a word at a time.
type fingerprint uint64

const (
	offset = 14695981039346656037
	prime  = 1099511628211
	// maxElements is the number of elements of a list that are hashed, besides its length. More would take a tenth of
	// the time for reading a result.
	maxElements = 64
)

func (h *fingerprint) word(x uint64) {
	for shift := 0; shift < 64; shift += 16 {
		*h = (*h ^ fingerprint(x>>shift&0xffff)) * prime
	}
}

// add hashes a value: all fields of a structure, and elements that are spread evenly over a list.
func (h *fingerprint) add(v reflect.Value) {
	switch v.Kind() {
	case reflect.Float64:
		h.word(math.Float64bits(v.Float()))
	case reflect.Int, reflect.Int64, reflect.Int32:
		h.word(uint64(v.Int()))
	case reflect.String:
		for _, c := range []byte(v.String()) {
			h.word(uint64(c))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			h.add(v.Field(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			h.add(v.Elem())
		}
	case reflect.Slice:
		n := v.Len()
		h.word(uint64(n))
		for i := range min(n, maxElements) {
			h.add(v.Index(i * n / min(n, maxElements)))
		}
	}
}
