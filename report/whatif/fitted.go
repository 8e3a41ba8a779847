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
	residuals, err := x.residuals(m)
	if err != nil {
		return nil, nil, err
	}
	if err := f.stretch(m); err != nil {
		return nil, nil, err
	}
	d := f.head()
	d.Sections = fitted(found, least, x.withResiduals(residuals), out)
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
			Factor: rounded(factor)})
	}
	return nil
}

// predict returns the simulated result of a machine for the processes of a result.
func predict(r *beff.Result, m *machine.Machine) (*beff.Result, error) {
	hosts, err := hostsOf(r.Placement, r.Processes)
	if err != nil {
		return nil, err
	}
	return Simulate(withHosts(m, hosts), r.Processes,
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

// withResiduals returns the kernels with the residuals of each.
func (x *fit) withResiduals(all [][]residual) []fittedKernel {
	list := slices.Clone(x.kernels)
	for k := range list {
		list[k].residuals = all[k]
	}
	return list
}

// fitted returns the sections about the parameters and the residuals. out has lines about unused measurements.
func fitted(found []estimate, least float64, kernels []fittedKernel, out []string) []document.Section {
	blocks := []document.Block{residualsTable("fitted-residuals", kernels),
		document.Paragraph("The machine's times follow only from its parameters here, without the factors of lengths.")}
	if list := farKernels(kernels); len(list) > 0 {
		blocks = append(blocks, document.Paragraph("The machine is far from the times of "+strings.Join(list, "; ")+
			": the runs met different states of the machine, other programs disturbed them, or the model is too "+
			"simple."))
	}
	if len(out) > 0 {
		blocks = append(blocks, document.Paragraph("Not fitted:"), document.List(out))
	}
	return []document.Section{
		{ID: "parameters", Title: "Parameters", Blocks: []document.Block{estimatesTable(found, least)}},
		{ID: "residuals", Title: "Residuals", Blocks: blocks},
	}
}

// farKernels names the kernels whose median residual is large.
func farKernels(kernels []fittedKernel) (list []string) {
	const large = 0.25
	for _, k := range kernels {
		if stats.Middle(lists.Each(logsOf(k.residuals), math.Abs)) > large {
			list = append(list, k.file+" "+k.name)
		}
	}
	return list
}

// estimatesTable returns the table of parameters. least is the mean distance between measured and computed times.
func estimatesTable(found []estimate, least float64) *document.Table {
	off := func(distance float64) document.Cell { return parts.Number(100*(math.Exp(distance)-1), 2) }
	var t parts.Table[estimate]
	t.Text("parameter", func(p estimate) string { return p.key })
	t.Number("value", "", func(p estimate) document.Cell {
		return document.Number(p.value, fmt.Sprintf("%.4g", p.value))
	})
	t.Number("error with half", "%", func(p estimate) document.Cell { return off(p.half) })
	t.Number("error with twice", "%", func(p estimate) document.Cell { return off(p.twice) })
	t.Text("determined", func(p estimate) string { return words.Either(p.determined, "yes", "no") })
	return t.Of(&document.Table{ID: "fitted-parameters", Caption: fmt.Sprintf("Fitted parameters in seconds or bytes "+
		"per second. Computed times differ from measured ones by %s %% on average. The table shows this error with "+
		"half and with twice the value, after all other parameters are fitted again. If the error is no larger then, "+
		"the times don't determine the parameter.", off(least).Text)}, found)
}

// residualsTable returns the table of residuals of kernels.
func residualsTable(id string, kernels []fittedKernel) *document.Table {
	middle := func(list []float64) document.Cell { return percent(math.Exp(stats.Middle(list))) }
	var t parts.Table[fittedKernel]
	t.Text("file", func(k fittedKernel) string { return k.file })
	t.Text("kernel", func(k fittedKernel) string { return k.name })
	t.Number("times", "", func(k fittedKernel) document.Cell { return parts.Number(float64(len(k.residuals)), 0) })
	t.Number("middle", "%", func(k fittedKernel) document.Cell { return middle(logsOf(k.residuals)) })
	for i, c := range classes {
		t.Number(c.name, "%", func(k fittedKernel) document.Cell {
			return middle(logsOf(lists.Where(k.residuals, func(r residual) bool { return classOf(r.length) == i })))
		})
	}
	t.Number("typical", "%", func(k fittedKernel) document.Cell {
		return parts.Number(100*(math.Exp(stats.Middle(lists.Each(logsOf(k.residuals), math.Abs)))-1), 2)
	})
	t.Number("largest", "%", func(k fittedKernel) document.Cell {
		return percent(math.Exp(slices.MaxFunc(k.residuals, func(a, b residual) int {
			return int(math.Copysign(1, math.Abs(a.log)-math.Abs(b.log)))
		}).log))
	})
	return t.Of(&document.Table{ID: id, Caption: "How much longer the measured times are than the machine's: the " +
		"median of all lengths, the median of each class of lengths, the typical difference (the median of absolute " +
		"differences), and the largest difference."}, kernels)
}
