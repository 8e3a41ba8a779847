package ofprobe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Kernels from which on their figures stand side by side in the overview, and the number of them in one picture.
const (
	manyKernels = 5
	mostSmall   = 18
)

// together returns the figures with those of single kernels drawn side by side, a picture of all times and one of all
// bandwidths, where there are many kernels.
func together(kernels []*Kernel, figures []*document.Figure) []*document.Figure {
	if len(kernels) < manyKernels {
		return figures
	}
	rest := slices.Clone(figures)
	var list []*document.Figure
	for _, what := range []string{"time", "bandwidth"} {
		var small chart.Multiples
		for _, k := range kernels {
			i := slices.IndexFunc(rest, func(f *document.Figure) bool { return f.ID == "probe-"+k.Key()+"-"+what })
			if i < 0 {
				continue
			}
			if c, is := rest[i].Drawing.(*chart.Chart); is {
				small = append(small, chart.Small{Title: k.Title(), Chart: c})
				rest = slices.Delete(rest, i, i+1)
			}
		}
		for n := 0; len(small) > 0; n++ {
			part := small[:min(len(small), mostSmall)]
			small = small[len(part):]
			list = append(list, smallFigure(what, n, part))
		}
	}
	return append(list, rest...)
}

// overviewID begins the IDs of the pictures of all kernels.
const overviewID = "probe-all-"

func smallFigure(what string, n int, part chart.Multiples) *document.Figure {
	id := overviewID + what
	if n > 0 {
		id += fmt.Sprintf("-%d", n+1)
	}
	return &document.Figure{ID: id, Drawing: part,
		Caption: fmt.Sprintf("The %s of each kernel over the message length in bytes (1k = 1024), or over the "+
			"number of "+
			"processes; a curve for each number of processes and each mode. Each chart has axes of its own.", what),
		Alt: fmt.Sprintf("%s of %s.", strings.ToUpper(what[:1])+what[1:], words.Count(len(part), "kernel"))}
}
