package ofior

import (
	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
)

// IDs of the pictures.
const (
	bandwidthsID = "ior-bandwidths"
	ratesID      = "ior-metadata"
)

// Figures returns the pictures of a result: the bandwidths of the tests of data, and the rates of those of metadata.
func Figures(r *ior.Result) []*document.Figure {
	bandwidths := chart.Dots{ID: bandwidthsID, Title: "Bandwidth of each test", X: chart.Bandwidth, Of: "tests",
		Each: "accesses", Caption: "Bandwidth of all processes of each test: the geometric mean of its repetitions. " +
			"Whiskers are intervals over three repetitions or more."}
	rates := chart.Dots{ID: ratesID, Title: "Rate of each phase of metadata", X: chart.Operations, Of: "phases",
		Caption: "Files of all processes in a second, of each phase."}
	before := -1 // the test of the last group
	for _, p := range r.Derived.Phases {
		s := &r.Tests[p.Test]
		if s.Metadata != nil {
			rates.Groups = append(rates.Groups, chart.Group{Name: title(s), Dots: []chart.Dot{{Spread: at(p.Rate)}}})
			continue
		}
		dot := chart.Dot{Spread: at(p.Mean)}
		if in := p.Interval; in != nil && in.Low > 0 && chart.Usable(in.High) {
			dot.Spread = chart.Spread{Low: in.Low, Mean: p.Mean, High: in.High}
		}
		if s.Name == "" { // else the name says it
			dot.Name = string(p.Access)
		}
		if n := len(bandwidths.Groups); p.Test == before {
			bandwidths.Groups[n-1].Dots = append(bandwidths.Groups[n-1].Dots, dot)
			continue
		}
		bandwidths.Groups = append(bandwidths.Groups, chart.Group{Name: title(s), Dots: []chart.Dot{dot}})
		before = p.Test
	}
	return chart.Figures(bandwidths, rates)
}

// at returns a value without a range.
func at(x float64) chart.Spread { return chart.Spread{Low: x, Mean: x, High: x} }
