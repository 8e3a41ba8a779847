package ior

import "github.com/effective-bandwidth/beff/rating"

// Figures lists the figures of a run: the best bandwidth of writing and of reading of any test, and the score of an
// IO500-like set. A further one is a line here.
var Figures = rating.Figures[Result]{
	{Figure: rating.Figure{Key: "file_write", Name: "file write", About: "bandwidth of writing files",
		Unit: rating.Bandwidth, Listed: true}, Of: func(r *Result) rating.Value { return r.best(Write) }},
	{Figure: rating.Figure{Key: "file_read", Name: "file read", About: "bandwidth of reading files",
		Unit: rating.Bandwidth, Listed: true}, Of: func(r *Result) rating.Value { return r.best(Read) }},
	{Figure: rating.Figure{Key: "io500_like_score", Name: "IO500-like score", About: "root of the bandwidth in GiB/s " +
		"times the rate in thousands", Unit: rating.Score, Listed: true},
		Of: func(r *Result) rating.Value { return rating.Value{Value: r.scored().Total} }},
	{Figure: rating.Figure{Key: "io500_like_bandwidth", Name: "IO500-like bandwidth",
		About: "geometric mean of the phases of data of an IO500-like set", Unit: rating.Bandwidth},
		Of: func(r *Result) rating.Value { return rating.Value{Value: r.scored().Bandwidth} }},
	{Figure: rating.Figure{Key: "io500_like_rate", Name: "IO500-like rate",
		About: "geometric mean of the phases of metadata of an IO500-like set", Unit: rating.Rate},
		Of: func(r *Result) rating.Value { return rating.Value{Value: r.scored().Rate} }},
}

// scored returns the score of an IO500-like set, or an empty one.
func (r *Result) scored() Score {
	if r.Derived.Score == nil {
		return Score{}
	}
	return *r.Derived.Score
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
