package ior

import "github.com/effective-bandwidth/beff/rating"

// Figures lists the figures of a run: the best bandwidth of writing and of reading of any test. A further one is a line
// here.
var Figures = rating.Figures[Result]{
	{Figure: rating.Figure{Key: "file_write", Name: "file write", About: "bandwidth of writing files",
		Unit: rating.Bandwidth, Listed: true}, Of: func(r *Result) rating.Value { return r.best(Write) }},
	{Figure: rating.Figure{Key: "file_read", Name: "file read", About: "bandwidth of reading files",
		Unit: rating.Bandwidth, Listed: true}, Of: func(r *Result) rating.Value { return r.best(Read) }},
}

// best returns the highest mean bandwidth of an access; zero if none was measured.
func (r *Result) best(a Access) (best rating.Value) {
	for _, p := range r.Derived.Phases {
		if p.Access == a && p.Mean > best.Value {
			best = rating.Value{Value: p.Mean, Within: p.Interval}
		}
	}
	return best
}
