package whatif

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/sim/machine"
)

// classes are ranges of lengths over which predictions are judged.
var classes = []struct {
	name string
	most int64 // bytes
}{{"up to 1 KiB", 1 << 10}, {"1 to 128 KiB", 128 << 10}, {"longer", math.MaxInt64}}

// classOf returns the index of the class of a length.
func classOf(length int64) (class int) {
	for length > classes[class].most {
		class++
	}
	return class
}

// within is the relative difference up to which two results may come from one machine.
const within = 0.10

// beside is a bandwidth of a result, and the ratios to it of three others: the fitted result, the machine without
// factors of lengths, and the machine with them. A ratio is 0 if not known.
type beside struct {
	name     string
	measured float64
	ratios   [3]float64
}

// meanOf returns the geometric means of a list. A ratio that isn't known everywhere has no mean.
func meanOf(name string, list []beside) beside {
	mean := func(of func(x beside) float64) float64 {
		return stat.GeometricMean(lists.Each(list, of), nil)
	}
	m := beside{name: name, measured: mean(func(x beside) float64 { return x.measured })}
	for k := range m.ratios {
		m.ratios[k] = mean(func(x beside) float64 { return x.ratios[k] })
	}
	return m
}

// against compares a result with the prediction of a fitted machine, without and with its factors of lengths. fitted is
// a result of the fit, or nil if other belongs to the fit: the difference of the two shows how good a prediction can
// be.
func against(id, title string, fitted, other, bare, predicted *beff.Result) document.Section {
	all := [...]*beff.Result{fitted, bare, predicted}
	var rows, judged []beside
	byClass := make([][]beside, len(classes))
	for _, length := range other.Lengths {
		x := beside{name: rating.Bytes(length), measured: perProcess(other, length)}
		if !(x.measured > 0) {
			continue
		}
		for k, r := range all {
			x.ratios[k] = perProcess(r, length) / x.measured
		}
		rows, byClass[classOf(length)] = append(rows, x), append(byClass[classOf(length)], x)
	}
	for i, list := range byClass {
		if len(list) > 0 {
			judged = append(judged, meanOf(classes[i].name, list))
		}
	}
	rated := beside{name: "b_eff", measured: other.Derived.BEffPerProcess}
	for k, r := range all {
		if r != nil {
			rated.ratios[k] = r.Derived.BEffPerProcess / rated.measured
		}
	}
	judged = append(judged, rated)
	var off [3]float64
	for _, x := range judged {
		for k, ratio := range x.ratios {
			off[k] = max(off[k], math.Abs(ratio-1))
		}
	}
	var t parts.Table[beside]
	t.Text("length", func(x beside) string { return x.name })
	t.Number("measured", "MB/s", func(x beside) document.Cell { return parts.Bandwidth(x.measured) })
	for k, head := range []string{"result of the fit", "parameters", "with factors"} {
		t.If(all[k] != nil).Number(head, "%", func(x beside) document.Cell { return percent(x.ratios[k]) })
	}
	text := fmt.Sprintf("For b_eff and each class of lengths the prediction differs by at most %.1f %%, and by the "+
		"parameters without factors by at most %.1f %%.", 100*off[2], 100*off[1])
	if fitted != nil && off[0] > within {
		text += fmt.Sprintf(" The two results differ by up to %.0f %% themselves: no machine predicts both.",
			100*off[0])
	}
	d := &document.Table{ID: id + "-lengths", Caption: "A result compared with its " +
		"prediction: for each length the average over rings and randoms, per process, and the logarithmic average of " +
		"each class of lengths. Differences are relative to the result. The difference of the result of the fit " +
		"shows how much runs differ."}
	return document.Section{ID: id, Title: title,
		Blocks: []document.Block{t.Of(d, append(rows, judged...)), document.Paragraph(text)}}
}

// against returns sections that compare a fitted machine with results, either those of the fit or further ones together
// with first, the first result of the fit. id and title begin the IDs and titles of the sections.
func (f *Measured) against(first *beff.Result, id, title string, m *machine.Machine) (list []document.Section,
	err error) {
	plain := *m
	plain.Lengths = nil
	for i, r := range f.ratings {
		predicted, err := predict(r.result, m)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.file, err)
		}
		bare, err := predict(r.result, &plain)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.file, err)
		}
		heading := fmt.Sprintf("%s%s, %s (%s)", title, parts.NameOf(r.result.System, r.result.Host),
			r.result.Started.Format("2006-01-02 15:04"), r.file)
		list = append(list, against(fmt.Sprint(id, "-", i+1), heading, first, r.result, bare, predicted))
	}
	if len(f.probes) == 0 {
		return list, nil
	}
	x, _, err := (&Measured{probes: f.probes}).fit()
	if err != nil {
		return nil, err
	}
	residuals, err := x.residuals(&plain)
	if err != nil {
		return nil, err
	}
	return append(list, document.Section{ID: id + "-probes", Title: title + "probes",
		Blocks: []document.Block{residualsTable(id+"-kernels", x.withResiduals(residuals))}}), nil
}

// percent returns a cell with a ratio as a difference, or an empty one if the ratio isn't known.
func percent(ratio float64) document.Cell {
	if ratio == 0 || math.IsNaN(ratio) {
		return document.Text("")
	}
	return document.Number(100*(ratio-1), fmt.Sprintf("%+.1f", 100*(ratio-1)))
}

// perProcess returns the average of a length in bytes per second, or 0 if r is nil or lacks the length.
func perProcess(r *beff.Result, length int64) float64 {
	if r == nil {
		return 0
	}
	for l, x := range r.Lengths {
		if x == length && l < len(r.Derived.PerLength) {
			return r.Derived.PerLength[l] / float64(r.Processes)
		}
	}
	return 0
}
