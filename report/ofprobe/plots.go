package ofprobe

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/report/chart"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Figures returns all pictures of a probe's result: for each kernel the time and the bandwidth over the message length,
// with a curve for each number of processes and mode. Kernels without lengths have the time over the number of
// processes. Length 0 has no place on the axis. Several groups are one curve, which shows the slowest. IDs are
// probe-KEY-time, probe-KEY-bandwidth, probe-KEY-tree of algorithms, probe-KEY-tail of counted times, and
// probe-KEY-noise. Victims of congestors have probe-load-mean, probe-load-p99 and probe-load-p999. Pictures of several
// PGAS kernels, and of metadata, come first.
func Figures(r *probe.Result) []*document.Figure {
	list := append(append(loadMaps(r), oneSided(r)...), ratesPlot(r))
	for _, k := range kernelsOf(r) {
		switch k.Class {
		case kernel.Metadata, kernel.CallAndMockUp: // ratesPlot and ratioPlots have them
		case kernel.Pairs:
			list = append(list, heatMaps(r, k)...)
		case kernel.Partition:
			list = append(list, partitionPlots(k)...)
		case kernel.AcrossCut:
			list = append(list, cutPlots(r, k)...)
		default:
			list = append(list, times(r, k), bandwidths(k), overProcesses(k), originDots(k), tailPlot(r, k),
				noisePlot(k))
		}
	}
	if len(kernelsOf(r)) >= manyKernels {
		list = together(list)
	}
	return chart.Figures(append(append(list, contestPlots(r)...), ratioPlots(r)...)...)
}

// curve is a block as a series of a picture, with a point for each row.
type curve struct {
	name      string
	block     *measured.Block
	point     func(*measured.Row) chart.Point // without its X
	simulated bool
}

// plot returns a picture of curves over the message length, or over the stride. It is empty if all points are at one
// place, which a table shows better.
func plot(id, title string, y chart.Quantity, curves []curve) chart.Plot {
	places := map[float64]bool{}
	p := chart.Plot{ID: id, X: chart.Length, Y: y, Caption: title + " over message length."}
	for _, c := range curves {
		s := chart.Series{Name: c.name, Simulated: c.simulated}
		for row := range lists.Elements(c.block.Rows) {
			pt := c.point(row)
			if pt.X = float64(cmp.Or(row.Stride, row.Bytes)); pt.Usable() {
				places[pt.X] = true
			}
			s.Points = append(s.Points, pt)
			if row.Stride > 0 {
				p.X, p.Caption = chart.Stride, title+" over the stride."
			}
		}
		p.Series = append(p.Series, s)
	}
	if len(places) < 2 {
		p.Series = nil
	}
	return p
}

// bandwidth returns the point of a row's bandwidth.
func bandwidth(row *measured.Row) chart.Point { return chart.PointOf(row.Bandwidth()) }

// times returns the picture of a kernel's times, with their intervals, the lengths that were added because of them, and
// the lengths at which they jump.
func times(r *probe.Result, k *Kernel) chart.Plot {
	var curves []curve
	times := k.Times()
	for _, b := range k.Blocks {
		for _, t := range times {
			name := MeasuredOn(b)
			if len(times) > 1 {
				name = t.Name + ", " + name
			}
			curves = append(curves, curve{name: name, block: b, point: func(row *measured.Row) chart.Point {
				pt := timeOf(r, k, t, row)
				if measured.Split(&r.Settings, k.Kernel, row.Bytes) {
					pt.Mark = 1
				}
				return pt
			}})
		}
	}
	p := plot("probe-"+k.Key()+"-time", k.Title()+": time", chart.Time, curves)
	p.Bars = fmt.Sprintf("the intervals with a confidence of %g %%", 100*r.Settings.Rule().Confidence)
	p.Marks = []string{"lengths added between others"}
	for _, b := range k.Blocks {
		if b.Pass > 1 {
			continue // the jumps of the first pass are enough
		}
		for _, s := range measured.Steps(&r.Settings, k.Kernel, b) {
			p.Steps = append(p.Steps, chart.Step{X: math.Sqrt(float64(max(s.Above, 1)) * float64(s.To)),
				Text: fmt.Sprintf("above %d B: %s%s", s.Above, words.Either(s.By < 0, "-", "+"),
					words.Times.Short(math.Abs(s.By)))})
		}
	}
	return p
}

// timeOf returns a time of a row in the slowest group. It has an interval if it is the kernel's main time and the row
// has one.
func timeOf(r *probe.Result, k *Kernel, t kernel.Time, row *measured.Row) chart.Point {
	pt := chart.PointOf(row.Slowest(t))
	if k.hasSeries() && t.Name == k.Times()[0].Name {
		if in := slowestInterval(r, t, row); in != nil {
			pt.Low, pt.High = in[0], in[1]
		}
	}
	return pt
}

// slowestInterval returns the ends of the interval of a row's main time in the slowest group in seconds, or nil if it
// is unknown.
func slowestInterval(r *probe.Result, t kernel.Time, row *measured.Row) (interval []float64) {
	slowest := 0.0
	for g := range row.Derived {
		if x := row.Main(g); x != nil && t.Of(&row.Derived[g]) >= slowest {
			slowest = t.Of(&row.Derived[g])
			_, interval = x.Of(r.Settings.Figure())
		}
	}
	return interval
}

func bandwidths(k *Kernel) chart.Plot {
	curves := lists.Each(k.Blocks, func(b *measured.Block) curve {
		return curve{name: MeasuredOn(b), block: b, point: bandwidth}
	})
	return plot("probe-"+k.Key()+"-bandwidth", k.Title()+": bandwidth", chart.Bandwidth, curves)
}

// overProcesses returns the picture of the time over the number of processes, for kernels whose rows have no length.
func overProcesses(k *Kernel) chart.Plot {
	p := chart.Plot{ID: "probe-" + k.Key() + "-time", X: chart.Processes, Y: chart.Time,
		Caption: k.Title() + ": time over the number of processes."}
	for _, t := range k.Times() {
		p.Series = append(p.Series, chart.Series{Name: t.Name, Points: processPoints(k, t)})
	}
	return p
}

// processPoints returns a kernel's times over the number of processes, for blocks that have one row without a length.
// It returns none if there is only one number of processes.
func processPoints(k *Kernel, t kernel.Time) (list []chart.Point) {
	for _, b := range k.Blocks {
		if len(b.Rows) == 1 && b.Rows[0].Bytes == 0 {
			if pt := (chart.Point{X: float64(b.Processes), Y: b.Rows[0].Slowest(t)}); pt.Usable() {
				list = append(list, pt)
			}
		}
	}
	if !slices.ContainsFunc(list, func(pt chart.Point) bool { return pt.X != list[0].X }) {
		return nil
	}
	return list
}

// With manyKernels or more, the kernels' pictures are next to each other in the overview, at most maxSmall in one
// picture.
const (
	manyKernels = 5
	maxSmall    = 12
)

// overviewID begins the IDs of the pictures of all kernels.
const overviewID = "probe-all-"

// grids returns pictures of small plots next to each other, each with about as many plots. caption makes the caption of
// a picture from the names of its axes.
func grids(id, title string, small []chart.Plot, caption func(axes string) string) (list []chart.Picture) {
	n := (len(small) + maxSmall - 1) / maxSmall
	for i := range n {
		part := small[i*len(small)/n : (i+1)*len(small)/n]
		axes := lists.Unique(lists.Each(part, func(p chart.Plot) string { return cmp.Or(p.X.Label, p.X.Name) }))
		g := chart.PlotGrid{ID: id, Title: title, Plots: part, Caption: caption(strings.Join(axes, ", or over the ")) +
			" Each chart has its own axes.", Alt: fmt.Sprintf("%s: %s.", title, words.Count(len(part), "chart"))}
		if n > 1 {
			g.ID, g.Title = fmt.Sprintf("%s-%d", id, i+1), fmt.Sprintf("%s (%d of %d)", title, i+1, n)
		}
		list = append(list, g)
	}
	return list
}

// together returns the pictures, after putting all times into one of them and all bandwidths into another.
func together(pictures []chart.Picture) (list []chart.Picture) {
	rest := slices.Clone(pictures)
	for _, what := range []string{"time", "bandwidth"} {
		var small []chart.Plot
		rest = slices.DeleteFunc(rest, func(x chart.Picture) bool {
			p, is := x.(chart.Plot)
			is = is && strings.HasSuffix(p.ID, "-"+what) && !p.Empty()
			if is {
				p.Title, _, _ = strings.Cut(p.Caption, ":")
				small = append(small, p)
			}
			return is
		})
		list = append(list, grids(overviewID+what, strings.ToUpper(what[:1])+what[1:]+" of each kernel", small,
			func(axes string) string { return fmt.Sprintf("The %s of each kernel over the %s.", what, axes) })...)
	}
	return append(list, rest...)
}

// partitionPlots returns the pictures of a kernel of partitioned messages, over the number of parts: the bandwidth that
// the receiver perceives after the last part is ready, compared with plain messages, and the times of both.
func partitionPlots(k *Kernel) []chart.Picture {
	perceived := chart.Plot{ID: "probe-" + k.Key() + "-bandwidth", X: chart.Partitions, Y: chart.Bandwidth,
		Title: k.Title() + ": perceived bandwidth over the number of partitions",
		Caption: k.Title() + ": perceived bandwidth over the number of partitions: the length of the message " +
			"divided by the time from its last ready partition to its end. In curves that say so, the last partition " +
			"is ready later than the others. Plain messages have no partitions."}
	times := chart.Plot{ID: "probe-" + k.Key() + "-time", X: chart.Partitions, Y: chart.Time,
		Title: k.Title() + ": time over the number of partitions",
		Caption: k.Title() + ": time over the number of partitions: of the whole message, and from its last ready " +
			"partition to its end."}
	for _, b := range k.Blocks {
		for _, bytes := range lists.Unique(lists.Each(b.Rows, func(x measured.Row) int64 { return x.Bytes })) {
			name := words.Lengths.Short(float64(bytes)) + ", " + words.Either(b.Delay > 0,
				words.Times.Short(b.Delay)+" late", "none late")
			add := func(p *chart.Plot, name string, of func(*kernel.Times) float64) {
				s := chart.Series{Name: name}
				for i := range b.Rows {
					if row := &b.Rows[i]; row.Bytes == bytes && len(row.Derived) > 0 {
						pt := chart.PointOf(of(&row.Derived[0]))
						pt.X = float64(row.Partitions)
						s.Points = append(s.Points, pt)
					}
				}
				p.Series = append(p.Series, s)
			}
			add(&perceived, name, func(t *kernel.Times) float64 { return t.Perceived })
			add(&times, name+", whole", func(t *kernel.Times) float64 { return t.Max })
			add(&times, name+", last part", func(t *kernel.Times) float64 { return t.Last })
			if b == k.Blocks[0] {
				plain := words.Lengths.Short(float64(bytes)) + ", plain message"
				add(&perceived, plain, func(t *kernel.Times) float64 {
					if t.Usual > 0 {
						return float64(bytes) / t.Usual
					}
					return 0
				})
				add(&times, plain, func(t *kernel.Times) float64 { return t.Usual })
			}
		}
	}
	return []chart.Picture{perceived, times}
}
