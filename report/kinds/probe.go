package kinds

import (
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/plots"
	"github.com/effective-bandwidth/beff/report/verify"
)

// probes are the detail behind ratings. They have no single number, and so no entry in a ranking.
var probes = kind[probe.Result]{
	benchmark: probe.Benchmark, version: probe.SchemaVersion,
	verify:   verify.Probe,
	digest:   func(r *probe.Result) string { return r.Digest },
	system:   func(r *probe.Result) **rating.System { return &r.System },
	host:     func(r *probe.Result) string { return r.Host.Name },
	document: func(r *probe.Result) *document.Document { return report.ProbeDocument(r, plots.Probe(r)) },
	keyValue: report.ProbeKeyValue,
	compare: func(names []string, results []*probe.Result) (*Comparison, error) {
		c, err := compare.Probe(names, results)
		if err != nil {
			return nil, err
		}
		made := &Comparison{Document: c.Document(plots.ProbeOverlay(names, results))}
		for _, o := range c.Others {
			made.Ratios = append(made.Ratios, o.Ratio)
		}
		return made, nil
	},
}
