package whatif

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/sim/fit"
)

// Kernel is the times of a kernel in a file.
type Kernel struct {
	File, Name string
	Left       []Left
}

// Left is what a machine leaves of a time: the logarithm of the measured by the computed one, without and with its
// factors of lengths.
type Left struct {
	Length      int64
	Bare, Whole float64
}

// Head says what was fitted.
type Head struct {
	Name      string
	Date      time.Time
	Processes int
}

// Fitted returns what a fit found: the parameters with the kernels that tell them, and what is left of each kernel's
// times. Out are lines about what tells nothing.
func Fitted(h Head, found []fit.Parameter, kernels []Kernel, out []string) *document.Document {
	blocks := []document.Block{leftTable("fitted-residuals", kernels), document.Paragraph("By the parameters and " +
		"protocols alone, without factors of lengths. A kernel that the model describes well weighs more in the fit.")}
	if list := apart(kernels); len(list) > 0 {
		blocks = append(blocks, document.Paragraph("The machine is far from the times of "+strings.Join(list, "; ")+
			": the runs met different states of it, other programs disturbed them, or the model lacks what they need."))
	}
	if len(out) > 0 {
		blocks = append(blocks, document.Paragraph("Not fitted:"), document.List(out))
	}
	d := &document.Document{Title: "Fit of " + h.Name, Date: h.Date, Subtitle: rating.Processes(h.Processes)}
	d.Sections = []document.Section{
		{ID: "parameters", Title: "Parameters", Blocks: []document.Block{foundTable(found, kernels)}},
		{ID: "residuals", Title: "Residuals", Blocks: blocks},
	}
	return d
}

// apart names the kernels whose typical difference is large.
func apart(kernels []Kernel) (list []string) {
	const large = 0.25
	for _, k := range kernels {
		var sizes []float64
		for _, x := range k.Left {
			sizes = append(sizes, math.Abs(x.Bare))
		}
		if middle(sizes) > large {
			list = append(list, k.File+" "+k.Name)
		}
	}
	return list
}

// foundTable returns the table of parameters.
func foundTable(found []fit.Parameter, kernels []Kernel) *document.Table {
	t := &document.Table{ID: "fitted-parameters", Caption: "Fitted parameters in seconds, bytes or bytes per second, " +
		"with 95 % intervals, and which kernels they are known by: the parts of what each adds to it.",
		Columns: append(parts.Columns("parameter", [2]string{"value"}, [2]string{"±", "%"}),
			document.Column{Name: "known by"})}
	for _, p := range found {
		within, by := document.Text("not told"), "nothing"
		switch {
		case p.Below > 0:
			within, by = document.Text("below "+rating.Bytes(int64(p.Below))), "the lengths"
		case p.Within < 1:
			within, by = parts.Number(100*p.Within, 1), sharesOf(p.By, kernels)
		}
		t.Rows = append(t.Rows, []document.Cell{document.Text(p.Key), document.Number(p.Value,
			fmt.Sprintf("%.4g", p.Value)), within, document.Text(by)})
	}
	return t
}

// sharesOf names the kernels with the largest shares.
func sharesOf(by []float64, kernels []Kernel) string {
	const least, most = 0.1, 3
	if by == nil {
		return "the lengths"
	}
	order := make([]int, len(by))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return -cmp.Compare(by[a], by[b]) })
	var list []string
	for i, k := range order {
		if i > 0 && (by[k] < least || i == most) {
			break
		}
		list = append(list, fmt.Sprintf("%s %s %.0f %%", kernels[k].File, kernels[k].Name, 100*by[k]))
	}
	return strings.Join(list, "; ")
}

// leftTable returns what is left of the times of kernels.
func leftTable(id string, kernels []Kernel) *document.Table {
	t := &document.Table{ID: id, Caption: "How much longer the measured times are than the machine's: the middle of " +
		"all lengths, of classes of lengths, the typical difference (the median of its amount), and the largest one.",
		Columns: append([]document.Column{{Name: "file"}}, parts.Columns("kernel", [2]string{"times"},
			[2]string{"middle", "%"}, [2]string{classes[0].name, "%"}, [2]string{classes[1].name, "%"},
			[2]string{classes[2].name, "%"}, [2]string{"typical", "%"}, [2]string{"largest", "%"})...)}
	percent := func(list []float64) document.Cell {
		if len(list) == 0 {
			return document.Text("")
		}
		x := 100 * (math.Exp(middle(list)) - 1)
		return document.Number(x, fmt.Sprintf("%+.1f", x))
	}
	for _, k := range kernels {
		var all, sizes []float64
		byClass := make([][]float64, len(classes))
		largest := 0.0
		for _, x := range k.Left {
			class := 0
			for x.Length > classes[class].most {
				class++
			}
			all, byClass[class] = append(all, x.Bare), append(byClass[class], x.Bare)
			sizes = append(sizes, math.Abs(x.Bare))
			if math.Abs(x.Bare) > math.Abs(largest) {
				largest = x.Bare
			}
		}
		row := []document.Cell{document.Text(k.File), document.Text(k.Name), parts.Number(float64(len(all)), 0),
			percent(all)}
		for _, list := range byClass {
			row = append(row, percent(list))
		}
		typical := 100 * (math.Exp(middle(sizes)) - 1)
		t.Rows = append(t.Rows, append(row, parts.Number(typical, 2), percent([]float64{largest})))
	}
	return t
}

// middle returns the median of a list.
func middle(list []float64) float64 {
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	return stat.Quantile(0.5, stat.LinInterp, sorted, nil)
}

// AgainstProbe returns how well a fitted machine predicts the i-th further probe.
func AgainstProbe(i int, file string, kernels []Kernel) document.Section {
	return document.Section{ID: fmt.Sprintf("against-probe-%d", i+1), Title: "Against " + file,
		Blocks: []document.Block{leftTable(fmt.Sprintf("against-probe-%d-kernels", i+1), kernels)}}
}
