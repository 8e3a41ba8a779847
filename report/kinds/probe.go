package kinds

import (
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

// probes are the detail behind ratings. They have no single number, and so no entry in a ranking.
var probes = kind[probe.Result]{
	benchmark: probe.Benchmark, version: probe.SchemaVersion,
	verify:   ofprobe.Verify,
	digest:   func(r *probe.Result) string { return r.Digest },
	system:   func(r *probe.Result) **rating.System { return &r.System },
	host:     func(r *probe.Result) string { return r.Host.Name },
	document: func(r *probe.Result) *document.Document { return ofprobe.Document(r, ofprobe.Figures(r)) },
	keyValue: ofprobe.KeyValue,
	compare: func(names []string, results []*probe.Result) (*Comparison, error) {
		c, err := ofprobe.Compare(names, results)
		if err != nil {
			return nil, err
		}
		made := &Comparison{Document: c.Document(ofprobe.Overlay(names, results))}
		for _, o := range c.Others {
			made.Ratios = append(made.Ratios, o.Ratio)
		}
		return made, nil
	},
}
