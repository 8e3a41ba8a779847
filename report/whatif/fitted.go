package whatif

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/stats"
)

// Fit finds the machine of the results. It returns the machine, and a document that compares it with these and others.
func (f *Measured) Fit(others *Measured) (*machine.Machine, *document.Document, error) {
	x, out, err := f.fit()
	if err != nil {
		return nil, nil, err
	}
	m, found, least, err := x.solve()
	if err != nil {
		return nil, nil, err
	}
	left, err := x.left(m)
	if err != nil {
		return nil, nil, err
	}
	if err := f.stretch(m); err != nil {
		return nil, nil, err
	}
	d := f.head()
	d.Sections = fitted(found, least, x.with(left), out)
	own, err := (&Measured{ratings: f.ratings}).against(nil, "beside", "Measured and simulated: ", m)
	if err != nil {
		return nil, nil, err
	}
	var first *beff.Result
	if len(f.ratings) > 0 {
		first = f.ratings[0].result
	}
	further, err := others.against(first, "against", "Against ", m)
	d.Sections = slices.Concat(d.Sections, own, further)
	return m, d, err
}

// stretch sets the factors of lengths with which the machine has the averages of the ratings. They account for the
// library's protocols and for caches, which LogGP doesn't have.
func (f *Measured) stretch(m *machine.Machine) error {
	sums, counts := map[int64]float64{}, map[int64]float64{}
	var lengths []int64
	for _, r := range f.ratings {
		computed, err := predict(r.result, m)
		if err != nil {
			return fmt.Errorf("%s: %w", r.file, err)
		}
		for _, length := range r.result.Lengths {
			if b := perProcess(r.result, length); b > 0 {
				sums[length] += math.Log(perProcess(computed, length) / b)
				counts[length]++
				lengths = append(lengths, length)
			}
		}
	}
	slices.Sort(lengths)
	for _, length := range slices.Compact(lengths) {
		factor := math.Exp(sums[length] / counts[length])
		m.Lengths = append(m.Lengths, machine.Length{Bytes: machine.Bytes(length),
			Factor: digits(factor)})
	}
	return nil
}

// predict returns the simulated result of a machine for the processes of a result.
func predict(r *beff.Result, m *machine.Machine) (*beff.Result, error) {
	hosts, err := hostsOf(r.Placement, r.Processes)
	if err != nil {
		return nil, err
	}
	return Simulate(on(m, hosts), r.Processes,
		beff.Config{Rules: beff.Rules2001, Memory: r.MemoryPerProcess, Seed: r.Seed}, false, nil)
}

// head returns the document with the name of the system, the date and the number of processes of the largest result, or
// of the first one of these.
func (f *Measured) head() *document.Document {
	d, most := &document.Document{}, 0
	take := func(i *rating.Identity, host rating.Host, started time.Time, processes int) {
		if processes > most {
			most, d.Title, d.Date = processes, "Fit of "+parts.NameOf(i.System, host), started
			d.Subtitle = rating.Processes(processes)
		}
	}
	for _, r := range f.ratings {
		take(&r.result.Identity, r.result.Host, r.result.Started, r.result.Processes)
	}
	for _, r := range f.probes {
		take(&r.result.Identity, r.result.Host, r.result.Started, r.result.Processes)
	}
	return d
}

// with returns the kernels with their residuals.
func (x *fit) with(left [][]residual) []kernelTimes {
	list := slices.Clone(x.kernels)
	for k := range list {
		list[k].left = left[k]
	}
	return list
}

// fitted returns the sections about the parameters and the residuals. out has lines about unused measurements.
func fitted(found []finding, least float64, kernels []kernelTimes, out []string) []document.Section {
	blocks := []document.Block{leftTable("fitted-residuals", kernels),
		document.Paragraph("These residuals are for the parameters only, without factors of lengths.")}
	if list := farOff(kernels); len(list) > 0 {
		blocks = append(blocks, document.Paragraph("Computed and measured times differ much in "+
			strings.Join(list, "; ")+". The runs met different states of the machine, other programs disturbed them, "+
			"or the model is too simple."))
	}
	if len(out) > 0 {
		blocks = append(blocks, document.Paragraph("Not fitted:"), document.List(out))
	}
	return []document.Section{
		{ID: "parameters", Title: "Parameters", Blocks: []document.Block{foundTable(found, least)}},
		{ID: "residuals", Title: "Residuals", Blocks: blocks},
	}
}

// farOff names the kernels whose typical difference is large.
func farOff(kernels []kernelTimes) (list []string) {
	const large = 0.25
	for _, k := range kernels {
		if stats.Middle(lists.Each(each(k.left), math.Abs)) > large {
			list = append(list, k.file+" "+k.name)
		}
	}
	return list
}

// foundTable returns the table of parameters. least is the mean distance of the times.
func foundTable(found []finding, least float64) *document.Table {
	off := func(distance float64) document.Cell { return parts.Number(100*(math.Exp(distance)-1), 2) }
	var t parts.Table[finding]
	t.Text("parameter", func(p finding) string { return p.key })
	t.Number("value", "", func(p finding) document.Cell {
		return document.Number(p.value, fmt.Sprintf("%.4g", p.value))
	})
	t.Number("off with half", "%", func(p finding) document.Cell { return off(p.half) })
	t.Number("off with twice", "%", func(p finding) document.Cell { return off(p.twice) })
	t.Text("determined", func(p finding) string { return words.Either(p.told, "yes", "no") })
	return t.Of(&document.Table{ID: "fitted-parameters", Caption: fmt.Sprintf("Fitted parameters in seconds or bytes "+
		"per second. Computed times are off by %s %% on average. The table shows by how much they are off with half "+
		"and with twice the value, if all other parameters are fitted again. If that is no more than the average, the "+
		"times don't determine this parameter.",
		off(least).Text)}, found)
}

// leftTable returns the table of residuals of kernels.
func leftTable(id string, kernels []kernelTimes) *document.Table {
	middle := func(list []float64) document.Cell { return percent(math.Exp(stats.Middle(list))) }
	var t parts.Table[kernelTimes]
	t.Text("file", func(k kernelTimes) string { return k.file })
	t.Text("kernel", func(k kernelTimes) string { return k.name })
	t.Number("times", "", func(k kernelTimes) document.Cell { return parts.Number(float64(len(k.left)), 0) })
	t.Number("middle", "%", func(k kernelTimes) document.Cell { return middle(each(k.left)) })
	for i, c := range classes {
		t.Number(c.name, "%", func(k kernelTimes) document.Cell {
			return middle(each(lists.Where(k.left, func(r residual) bool { return classOf(r.length) == i })))
		})
	}
	t.Number("typical", "%", func(k kernelTimes) document.Cell {
		return parts.Number(100*(math.Exp(stats.Middle(lists.Each(each(k.left), math.Abs)))-1), 2)
	})
	t.Number("largest", "%", func(k kernelTimes) document.Cell {
		return percent(math.Exp(slices.MaxFunc(k.left, func(a, b residual) int {
			return int(math.Copysign(1, math.Abs(a.left)-math.Abs(b.left)))
		}).left))
	})
	return t.Of(&document.Table{ID: id, Caption: "How much longer the measured times are than the computed ones: " +
		"the middle over all lengths and over classes of lengths, the typical difference (the median of its amount), " +
		"and the largest difference."}, kernels)
}
