package whatif

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
)

// classes are ranges of lengths whose averages a prediction is judged by.
var classes = []struct {
	name string
	most int64 // bytes
}{{"up to 1 KiB", 1 << 10}, {"1 to 128 KiB", 128 << 10}, {"longer", math.MaxInt64}}

// within is the relative difference up to which two results may be those of one machine.
const within = 0.10

// Against returns a result beside what a fitted machine predicts for it: by its parameters alone, and with its factors
// of lengths. Fitted is a result of the fit, if the other one is none of them: how far the two differ says how good a
// prediction can be.
func Against(id, title string, fitted, other, bare, predicted *beff.Result) document.Section {
	t := &document.Table{ID: id + "-lengths", Caption: "A result beside its prediction: " +
		"the average over rings and randoms of each length per process, and its logarithmic average over classes of " +
		"lengths. The differences are to the result: those of the result of the fit are what runs differ by.",
		Columns: parts.Columns("length", [2]string{"measured", "MB/s"}, [2]string{"result of the fit", "%"},
			[2]string{"parameters", "%"}, [2]string{"with factors", "%"})}
	percent := func(x float64) document.Cell {
		if x == 0 || math.IsNaN(x) {
			return document.Text("")
		}
		return document.Number(100*(x-1), fmt.Sprintf("%+.1f", 100*(x-1)))
	}
	var runs, worst, worstBare float64
	row := func(name string, measured float64, ratios [3]float64, judged bool) {
		t.Rows = append(t.Rows, []document.Cell{document.Text(name), parts.Bandwidth(measured), percent(ratios[0]),
			percent(ratios[1]), percent(ratios[2])})
		if judged {
			worstBare, worst = max(worstBare, math.Abs(ratios[1]-1)), max(worst, math.Abs(ratios[2]-1))
			if ratios[0] > 0 {
				runs = max(runs, math.Abs(ratios[0]-1))
			}
		}
	}
	alone := fitted == nil
	if alone {
		fitted = &beff.Result{}
	}
	all := []*beff.Result{fitted, bare, predicted}
	logs := make([][4][]float64, len(classes))
	for l, length := range other.Lengths {
		measured := perProcess(other, length)
		if !(measured > 0) {
			continue
		}
		var ratios [3]float64
		class := 0
		for length > classes[class].most {
			class++
		}
		logs[class][3] = append(logs[class][3], math.Log(measured))
		for k, r := range all {
			if x := perProcess(r, length); x > 0 {
				ratios[k] = x / measured
				logs[class][k] = append(logs[class][k], math.Log(ratios[k]))
			}
		}
		row(rating.Bytes(other.Lengths[l]), measured, ratios, false)
	}
	for i, c := range classes {
		if len(logs[i][3]) == 0 {
			continue
		}
		var ratios [3]float64
		for k := range ratios {
			if len(logs[i][k]) == len(logs[i][3]) {
				ratios[k] = math.Exp(stat.Mean(logs[i][k], nil))
			}
		}
		row(c.name, math.Exp(stat.Mean(logs[i][3], nil)), ratios, true)
	}
	one := func(r *beff.Result) float64 { return r.Derived.BEffPerProcess }
	row("b_eff", one(other), [3]float64{one(fitted) / one(other), one(bare) / one(other), one(predicted) / one(other)},
		true)
	if alone { // there is no result of the fit beside it
		t.Columns = slices.Delete(t.Columns, 2, 3)
		for i, cells := range t.Rows {
			t.Rows[i] = slices.Delete(cells, 2, 3)
		}
	}
	said := fmt.Sprintf("For b_eff and each class of lengths the prediction holds within %.1f %%, by the parameters "+
		"alone within %.1f %%.", 100*worst, 100*worstBare)
	if runs > within {
		said += fmt.Sprintf(" The two results differ by up to %.0f %% themselves: no machine predicts both.", 100*runs)
	}
	return document.Section{ID: id, Title: title,
		Blocks: []document.Block{t, document.Paragraph(said)}}
}

// perProcess returns the average of a length in bytes per second, 0 if a result doesn't have it.
func perProcess(r *beff.Result, length int64) float64 {
	for l, x := range r.Lengths {
		if x == length && l < len(r.Derived.PerLength) {
			return r.Derived.PerLength[l] / float64(r.Processes)
		}
	}
	return 0
}
