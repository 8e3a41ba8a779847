package kinds

import (
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/ranking"
)

// bEffIO is the benchmark of file systems.
var bEffIO = kind[beffio.Result]{
	benchmark: beffio.Benchmark, version: beffio.SchemaVersion,
	verify:   ofbeffio.Verify,
	digest:   func(r *beffio.Result) string { return r.Digest },
	system:   func(r *beffio.Result) **rating.System { return &r.System },
	host:     func(r *beffio.Result) string { return r.Host.Name },
	document: func(r *beffio.Result) *document.Document { return ofbeffio.Document(r, ofbeffio.Figures(r)) },
	keyValue: ofbeffio.KeyValue,
	entry:    bEffIOEntry,
	compare: func(names []string, results []*beffio.Result) (*Comparison, error) {
		c, err := ofbeffio.Compare(names, results)
		if err != nil {
			return nil, err
		}
		made := &Comparison{Document: c.Document(ofbeffio.Overlay(names, results, c.Partitions()))}
		for _, o := range c.Others {
			made.Ratios = append(made.Ratios, o.Ratio)
		}
		return made, nil
	},
}

func bEffIOEntry(r *beffio.Result) ranking.Entry {
	e := ranking.Entry{
		IO: true, Processes: r.Processes, MemoryPerProcess: r.MemoryPerProcess, TotalMemory: r.TotalMemory,
		Date: r.Started, Status: ranking.NotValid,
		BEffIO: r.Derived.BEffIO,
	}
	if n := r.Rated(); n >= 0 {
		for _, m := range r.Derived.Partitions[n].Accesses {
			if m.Access == beffio.Write {
				e.Write = m.Bandwidth
			}
		}
	}
	if r.Valid {
		e.Status = ranking.Valid
	}
	switch {
	case r.Imported != "":
		e.Remark = "imported"
	case r.Engine.Kind().Embedded:
		e.Remark = "embedded engine"
	}
	return e
}
