package whatif

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/sim/fit"
	"github.com/effective-bandwidth/beff/stats"
)

// Kernel is the times of a kernel in a file.
type Kernel struct {
	File, Name string
	Left       []fit.Residual // what a machine leaves of them
}

// fitted returns what a fit found: the parameters with the kernels that tell them, and what is left of each kernel's
// times. Out are lines about what tells nothing.
func fitted(found []fit.Parameter, kernels []Kernel, out []string) []document.Section {
	blocks := []document.Block{leftTable("fitted-residuals", kernels), document.Paragraph("By the parameters and " +
		"protocols alone, without factors of lengths. A kernel that the model describes well weighs more in the fit.")}
	if list := apart(kernels); len(list) > 0 {
		blocks = append(blocks, document.Paragraph("The machine is far from the times of "+strings.Join(list, "; ")+
			": the runs met different states of it, other programs disturbed them, or the model lacks what they need."))
	}
	if len(out) > 0 {
		blocks = append(blocks, document.Paragraph("Not fitted:"), document.List(out))
	}
	return []document.Section{
		{ID: "parameters", Title: "Parameters", Blocks: []document.Block{foundTable(found, kernels)}},
		{ID: "residuals", Title: "Residuals", Blocks: blocks},
	}
}

// apart names the kernels whose typical difference is large.
func apart(kernels []Kernel) (list []string) {
	const large = 0.25
	for _, k := range kernels {
		if stats.Middle(k.bare(anyLength, math.Abs)) > large {
			list = append(list, k.File+" "+k.Name)
		}
	}
	return list
}

// bare returns what the machine without factors leaves of the times of some lengths, each as of says.
func (k *Kernel) bare(taken func(length int64) bool, of func(float64) float64) (list []float64) {
	for _, x := range k.Left {
		if taken(x.Length) {
			list = append(list, of(x.Bare))
		}
	}
	return list
}

func anyLength(int64) bool       { return true }
func identity(x float64) float64 { return x }

// foundTable returns the table of parameters.
func foundTable(found []fit.Parameter, kernels []Kernel) *document.Table {
	var t parts.Table[fit.Parameter]
	t.Text("parameter", func(p fit.Parameter) string { return p.Key })
	t.Number("value", "", func(p fit.Parameter) document.Cell {
		return document.Number(p.Value, fmt.Sprintf("%.4g", p.Value))
	})
	t.Number("±", "%", func(p fit.Parameter) document.Cell {
		switch {
		case p.Below > 0:
			return document.Text("below " + rating.Bytes(int64(p.Below)))
		case p.Within < 1:
			return parts.Number(100*p.Within, 1)
		}
		return document.Text("not told")
	})
	t.Text("known by", func(p fit.Parameter) string {
		switch {
		case p.Below > 0 || p.Within < 1 && p.By == nil:
			return "the lengths"
		case p.Within < 1:
			return sharesOf(p.By, kernels)
		}
		return "nothing"
	})
	return t.Of(&document.Table{ID: "fitted-parameters", Caption: "Fitted parameters in seconds, bytes or bytes per " +
		"second, with 95 % intervals, and which kernels they are known by: the parts of what each adds to it."}, found)
}

// sharesOf names the kernels with the largest shares.
func sharesOf(by []float64, kernels []Kernel) string {
	const least, most = 0.1, 3
	order := lists.Numbers(len(by))
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
	over := func(list []float64) document.Cell { return percent(math.Exp(stats.Middle(list))) }
	var t parts.Table[Kernel]
	t.Text("file", func(k Kernel) string { return k.File })
	t.Text("kernel", func(k Kernel) string { return k.Name })
	t.Number("times", "", func(k Kernel) document.Cell { return parts.Number(float64(len(k.Left)), 0) })
	t.Number("middle", "%", func(k Kernel) document.Cell { return over(k.bare(anyLength, identity)) })
	for i, c := range classes {
		t.Number(c.name, "%", func(k Kernel) document.Cell {
			return over(k.bare(func(length int64) bool { return classOf(length) == i }, identity))
		})
	}
	t.Number("typical", "%", func(k Kernel) document.Cell {
		return parts.Number(100*(math.Exp(stats.Middle(k.bare(anyLength, math.Abs)))-1), 2)
	})
	t.Number("largest", "%", func(k Kernel) document.Cell {
		largest := 0.0
		for _, x := range k.Left {
			if math.Abs(x.Bare) > math.Abs(largest) {
				largest = x.Bare
			}
		}
		return percent(math.Exp(largest))
	})
	return t.Of(&document.Table{ID: id, Caption: "How much longer the measured times are than the machine's: the " +
		"middle of all lengths, of classes of lengths, the typical difference (the median of its amount), and the " +
		"largest one."}, kernels)
}

// againstProbe returns how well a fitted machine predicts the i-th further probe.
func againstProbe(i int, file string, kernels []Kernel) document.Section {
	return document.Section{ID: fmt.Sprintf("against-probe-%d", i+1), Title: "Against " + file,
		Blocks: []document.Block{leftTable(fmt.Sprintf("against-probe-%d-kernels", i+1), kernels)}}
}
