// Package kinds is the table of benchmarks whose results this program reads: how each is proven, reported, compared and
// ranked. A further benchmark is a further row. Files are strangers': whatever is in one, reading it gives a result or
// one line that says why not.
package kinds

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ranking"
)

// kind is what can be done with results of the type T. Functions that a benchmark has no use for are nil.
type kind[T any] struct {
	benchmark string // the field of that name
	version   int    // the newest schema_version that is read

	// verify gives a result that Check passes, or nil, and the first thing that does not hold.
	verify   func(data []byte) (*T, error)
	digest   func(*T) string
	system   func(*T) **rating.System
	host     func(*T) string
	document func(*T) *document.Document
	keyValue func(w io.Writer, r *T, verified bool) error
	entry    func(*T) ranking.Entry
	compare  func(names []string, results []*T) (*Comparison, error)
}

// bEff is the benchmark of communication.
var bEff = kind[beff.Result]{
	benchmark: beff.Benchmark, version: beff.SchemaVersion,
	verify:   ofbeff.Verify,
	digest:   func(r *beff.Result) string { return r.Digest },
	system:   func(r *beff.Result) **rating.System { return &r.System },
	host:     func(r *beff.Result) string { return r.Host.Name },
	document: func(r *beff.Result) *document.Document { return ofbeff.Document(r, ofbeff.Figures(r)) },
	keyValue: ofbeff.KeyValue,
	entry:    bEffEntry,
	compare: func(names []string, results []*beff.Result) (*Comparison, error) {
		c, err := ofbeff.Compare(names, results)
		if err != nil {
			return nil, err
		}
		made := &Comparison{Document: c.Document(ofbeff.Overlay(names, results))}
		for _, o := range c.Others {
			made.Ratios = append(made.Ratios, o.Ratio)
		}
		return made, nil
	},
}

// Comparison is a document, and how many times the first result's figure each of the others has; 0 where one of both
// has none.
type Comparison struct {
	Document *document.Document
	Ratios   []float64
}

func bEffEntry(r *beff.Result) ranking.Entry {
	d := &r.Derived
	e := ranking.Entry{
		Processes: r.Processes, MemoryPerProcess: r.MemoryPerProcess, Date: r.Started, Status: ranking.NotValid,
		BEff: d.BEff, BEffPerProcess: d.BEffPerProcess, AtLmax: d.AtLmax, AtLmaxPerProcess: d.AtLmaxPerProcess,
		RingsAtLmaxOfEach: d.RingsAtLmaxPerProcess,
		PingPong:          d.PingPongAtLmax, Latency: d.LatencyRingsAndRandoms,
	}
	if r.Valid {
		e.Status = ranking.Valid
	}
	if r.Engine.Kind().Embedded {
		e.Remark = "embedded engine"
	}
	return e
}

// columns is a kind without its type: what Read and File's methods call.
type columns struct {
	benchmark string
	version   int
	verify    func(data []byte) (any, error) // the result is nil, not a nil pointer, if there is none
	digest    func(any) string
	system    func(any) **rating.System
	host      func(any) string
	document  func(any) *document.Document
	keyValue  func(w io.Writer, r any, verified bool) error
	ranked    bool // there is an entry
	entry     func(any) ranking.Entry
	compare   func(names []string, results []any) (*Comparison, error)
}

func (k kind[T]) columns() *columns {
	return &columns{
		benchmark: k.benchmark, version: k.version,
		verify: func(data []byte) (any, error) {
			r, err := k.verify(data)
			if r == nil {
				return nil, err
			}
			return r, err
		},
		digest:   func(r any) string { return k.digest(r.(*T)) },
		system:   func(r any) **rating.System { return k.system(r.(*T)) },
		host:     func(r any) string { return k.host(r.(*T)) },
		document: func(r any) *document.Document { return k.document(r.(*T)) },
		keyValue: func(w io.Writer, r any, verified bool) error { return k.keyValue(w, r.(*T), verified) },
		ranked:   k.entry != nil,
		entry:    func(r any) ranking.Entry { return k.entry(r.(*T)) },
		compare: func(names []string, results []any) (*Comparison, error) {
			if k.compare == nil {
				return nil, fmt.Errorf("results of %s can't be compared", k.benchmark)
			}
			list := make([]*T, len(results))
			for i, r := range results {
				list[i] = r.(*T)
			}
			return k.compare(names, list)
		},
	}
}

// all benchmarks.
var all = []*columns{bEff.columns(), bEffIO.columns(), probes.columns()}

// find returns the row for a document, by its fields benchmark and schema_version.
func find(data []byte) (*columns, error) {
	benchmark, version, err := identity(data)
	if err != nil {
		return nil, err
	}
	for _, k := range all {
		switch {
		case k.benchmark != benchmark:
		case version > k.version:
			return nil, fmt.Errorf("%s result of schema version %d, this program reads up to %d: a later beff wrote it",
				benchmark, version, k.version)
		default:
			return k, nil
		}
	}
	return nil, fmt.Errorf("results of benchmark %.40q are not known to this program", benchmark)
}

var errForeign = errors.New("no result document: it has no benchmark and schema_version")

// identity reads no more of a document than up to these two fields, which come first.
func identity(data []byte) (benchmark string, version int, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	if token, err := d.Token(); err != nil {
		return "", 0, noDocument(data, err)
	} else if token != json.Delim('{') {
		return "", 0, errForeign
	}
	found := 0
	for found < 2 && d.More() {
		key, err := d.Token()
		if err != nil {
			return "", 0, noDocument(data, err)
		}
		var into any = new(json.RawMessage)
		switch key {
		case "benchmark":
			into, found = &benchmark, found+1
		case "schema_version":
			into, found = &version, found+1
		}
		if err := d.Decode(into); err != nil {
			return "", 0, noDocument(data, err)
		}
	}
	if found < 2 {
		if _, err := d.Token(); err != nil {
			return "", 0, noDocument(data, err)
		}
		return "", 0, errForeign
	}
	return benchmark, version, nil
}

func noDocument(data []byte, err error) error {
	if len(data) == 0 {
		return fmt.Errorf("the file is empty")
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("the file is truncated: its JSON ends early")
	}
	return fmt.Errorf("no result document: %w", err)
}
