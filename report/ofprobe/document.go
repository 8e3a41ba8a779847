package ofprobe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/findings"
	"github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// origins names the works that the kernels of a result come from, or IMB if the result has no kernels.
func origins(r *probe.Result) string {
	list := lists.Unique(lists.Each(r.Blocks, func(b measured.Block) string { return suites.Of(b.Component).Origin }))
	if len(list) == 0 {
		return suites.Of(kernel.MPI1).Origin
	}
	return words.Joined(list, "and")
}

// meaning explains probes to readers who have never run MPI.
const meaning = "A probe measures a call of the MPI library, or a pattern of calls, at each message length. Its " +
	"times and bandwidths serve to compare libraries, settings and machines. They aren't combined into one number."

// metadataMeaning explains a result that has only metadata kernels.
const metadataMeaning = "Each phase makes one kind of call on many files or directories, as mdtest does. Its rate " +
	"counts the calls of all processes in the time of the slowest process."

// Document returns the whole report of a result that has passed its Check: an overview, and a section for each kernel
// with its table and its figures. Results with a kernel of the caller's pass only in the program that has this kernel.
func Document(r *probe.Result, figures []*document.Figure) *document.Document {
	d := &document.Document{Title: "Probes of " + parts.NameOf(r.System, r.Host),
		Subtitle: "kernels of " + origins(r),
		Facts:    facts(r), Notices: notices(r), Date: Report{r}.Header().Date(),
		Lead: parts.Lead(meaning, findings.Probe(r))}
	kernels := kernelsOf(r)
	others := slices.DeleteFunc(slices.Clone(kernels), func(k *Kernel) bool { return k.Component == kernel.Meta })
	if len(kernels) > 0 && len(others) == 0 {
		d.Lead = parts.Lead(metadataMeaning, findings.Probe(r))
	}
	loaded := loadSections(r, figures)
	if len(kernels)+len(loaded) == 0 {
		d.Sections = []document.Section{{ID: "summary", Title: "Overview",
			Blocks: []document.Block{document.Paragraph("Nothing was measured.")}}}
		return d
	}
	d.Sections = append(loaded, guidelineSections(r, figures)...)
	if len(others) > 0 {
		all := overview(others)
		all.Blocks = append(all.Blocks, parts.FiguresWithPrefix(figures, overviewID)...)
		d.Sections = append(d.Sections, all)
	}
	d.Sections = append(d.Sections, algorithmSections(r, figures)...)
	d.Sections = append(d.Sections, parts.Sections(parts.Section("one-sided", "One-sided transfers",
		parts.FiguresWithPrefix(figures, oneSidedID)...))...)
	d.Sections = append(d.Sections, parts.Sections(metadataSection(r, figures))...)
	for _, k := range kernels {
		d.Sections = append(d.Sections, kernelSection(r, k, figures))
	}
	d.Sections = append(d.Sections, environmentSection(r))
	return d
}

// kernelSection returns the section of a kernel: what it does, its table, and its figures.
func kernelSection(r *probe.Result, k *Kernel, figures []*document.Figure) document.Section {
	section := document.Section{ID: k.Key(), Title: k.Title() + " (" + suites.Title(k.Component) + ")",
		Blocks: append([]document.Block{document.Paragraph(aboutKernel(k)), table(k)}, seriesBlocks(r, k)...)}
	ids := lists.Each(kernelFigures, func(end string) string { return "probe-" + k.Key() + "-" + end })
	section.Blocks = append(section.Blocks, named(figures, ids...)...)
	section.Blocks = append(section.Blocks, pairBlocks(r, k, figures)...)
	section.Blocks = append(section.Blocks, cutBlocks(r, k, figures)...)
	section.Blocks = append(section.Blocks, noiseBlocks(r, k)...)
	return section
}

// environmentSection returns the section about the circumstances of the run, with the meaning of its figures.
func environmentSection(r *probe.Result) document.Section {
	units := document.List{"1 MB/s = 10^6 bytes per second", "a time is the time of one repetition, or of half a " +
		"repetition for ping-pongs", "a bandwidth follows from the time of the slowest process",
		words.Either(r.Settings.Passes > 1, "all passes were in one run: other runs may differ by more",
			"a single run doesn't show how much repeated runs would differ")}
	units = append(units, clockUnits(r)...)
	return document.Section{ID: "environment", Title: "Environment",
		Blocks: append(parts.Surroundings(r.Placement, r.Circumstances), units)}
}

// kernelFigures lists how the IDs of the figures in a kernel's section end. Every figure must be in the list of some
// section, or the report leaves it out.
var kernelFigures = []string{"time", "bandwidth", "origins", "tree", "tail", "noise", "ratio"}

// aboutKernel returns a paragraph about a kernel: its calls, and the meaning of its figures.
func aboutKernel(k *Kernel) string {
	text := fmt.Sprintf("A repetition is: %s. Class: %s.", k.Calls, k.Class)
	if k.Moved > 0 {
		times := cmp.Or(map[float64]string{1: "once", 2: "twice"}[k.Moved], fmt.Sprintf("%g times", k.Moved))
		text += " The bandwidth counts the length " + times +
			words.Either(k.Class == kernel.Multiple, " for each partner", "") +
			words.Either(k.Class == kernel.Traffic, " for each process", "") + "."
	}
	if k.Class == kernel.Traffic {
		text += " The time is the mean of all processes' times per message. The bandwidth and the messages per " +
			"second are of all processes together, by the time of the slowest one."
	}
	if k.Class == kernel.Partners && k.Moved > 0 {
		text += " It is the mean of the bandwidths of all origins. The table also has the bandwidths of the slowest " +
			"and of the fastest origin, and the bandwidth of all origins together by the time of the slowest one."
	}
	return text
}

// facts returns the known facts of a run, for the head of its report.
func facts(r *probe.Result) []document.Fact {
	list := parts.MachineFacts(r.System, &r.Host, r.Engine, ": one machine, no MPI")
	list.Add(true, "threads", "%s", r.ThreadLevel)
	list.Add(true, "processes", "%d", r.Processes)
	list.Add(true, "placement", "%s", parts.Placement(r.Placement))
	list.Add(true, "command", "%s", r.Command)
	list.Add(true, "method", "%s", r.Methods())
	list.Add(true, "messages in memory of", "%s", r.Settings.Memory.Place())
	list.Add(layoutOf(r) != "", "files", "%s%s", layoutOf(r), madeOf(r))
	if d := r.FileSystem; d != nil {
		list.Add(true, "file system", "%s %s", d.Type, d.Directory)
	}
	list.Add(r.CPU.Flops > 0, "computing speed", "%.2f MFlop/s", r.CPU.Flops/words.Mega)
	list.Add(r.CPU.Progress != "", "progress while computing", "%s", r.CPU.Progress)
	list.Add(true, "duration", "%.1f s", r.WallSeconds)
	list.Add(r.Beff != "", "program", "beff %s", r.Beff)
	return list
}

// notices returns the notices of the verdict, or those of a result that wasn't judged, the worst first.
func notices(r *probe.Result) []document.Notice {
	all := parts.Notices(r.Verdict(), rating.Estimate{})
	if len(r.Criteria) == 0 { // not judged
		return append(faultNotices(r), all[1:]...)
	}
	return all
}

// faultNotices returns the notices about wrong data and about a run that ended early, which a verdict contains as well.
func faultNotices(r *probe.Result) (list []document.Notice) {
	if n := Defects(r); n > 0 {
		list = append(list, document.Notice{Level: document.Bad, Text: fmt.Sprintf("WRONG DATA: %d %s from the data "+
			"that were sent", n, words.Either(n == 1, "element differs", "elements differ")),
			Remedy: "the MPI library or the network loses data: look there first"})
	}
	if !r.Complete {
		list = append(list, document.Notice{Level: document.Bad, Text: "the run ended early: the report has " +
			"only the measurements until then"})
	}
	return list
}

// problemNotices returns notices about the faults of a result and about the findings that its own report has on page 1.
func problemNotices(r *probe.Result) []document.Notice {
	return append(faultNotices(r), lists.Each(findings.Faults(r), func(text string) document.Notice {
		return document.Notice{Level: document.Warning, Text: text}
	})...)
}

// overview returns a table with a row for each block: the time at the shortest length above 0, the largest bandwidth,
// and remarks on missing figures and wrong data.
func overview(kernels []*Kernel) document.Section {
	t := &document.Table{ID: "overview", Sortable: true,
		Caption: "Each kernel: the time at its shortest length above " +
			"0, and its largest bandwidth with the length at which it was measured.",
		Columns: document.Heads("kernel", "component", "measured on", "time [µs]", "of [B]", "bandwidth [MB/s]",
			"at [B]", "remarks")}
	for _, k := range kernels {
		for _, b := range k.Blocks {
			best, at, missing, defects := 0.0, int64(0), 0, int64(0)
			for row := range lists.Elements(b.Rows) {
				if defects += row.Defects; row.Missing != "" {
					missing++
				}
				if x := row.Bandwidth(); x > best {
					best, at = x, row.Bytes
				}
			}
			time, of := b.Shortest(k.Times()[0])
			t.Add(k.Title(), suites.Title(k.Component), MeasuredOn(b), parts.Microseconds(time),
				parts.Number(float64(of), 0), parts.Bandwidth(best), parts.Number(float64(at), 0),
				remark(missing, defects))
		}
	}
	return document.Section{ID: "summary", Title: "Overview", Blocks: []document.Block{parts.WithoutEmpty(t)}}
}

// remark returns the remark on numbers of rows without figures and of wrong elements.
func remark(missing int, defects int64) document.Cell {
	switch {
	case defects > 0:
		return parts.Strong(document.Text("WRONG DATA: " + words.Count(int(defects), "defect")))
	case missing > 0:
		return document.Text(words.Count(missing, "length") + " without figures")
	}
	return document.Text("")
}

// groupRow is a row of a kernel's table: a group's times at one length.
type groupRow struct {
	rowPlace
	*measured.Row
	times   *kernel.Times // nil without any
	outlier float64       // the row's time divided by the time that its neighbours suggest, or 0 if it is near it
}

// table returns the table of all rows of a kernel.
func table(k *Kernel) *document.Table {
	var rows []groupRow
	for _, b := range k.Blocks {
		outliers := measured.Outliers(k.Kernel, b)
		for _, i := range k.rows(b) {
			row := &b.Rows[i]
			for group := range max(1, len(row.Derived)) {
				r := groupRow{rowPlace: rowPlace{MeasuredOn(b), group, row.Bytes, row.AxisValue()}, Row: row,
					outlier: outliers[i]}
				if group < len(row.Derived) {
					r.times = &row.Derived[group]
				}
				rows = append(rows, r)
			}
		}
	}
	var t parts.Table[groupRow]
	addPlace(&t, k, k.Multi, func(r groupRow) rowPlace { return r.rowPlace })
	t.Number("repetitions", "", func(r groupRow) document.Cell { return parts.Number(float64(r.Repetitions), 0) })
	for _, f := range imb.Columns(k.Kernel, -1) {
		t.Add(column(f), func(r groupRow) document.Cell {
			switch {
			case r.times == nil:
				return document.Text("-")
			case f.Unit == 0:
				return parts.Bandwidth(*f.Of(r.times))
			case *f.Of(r.times) == 0 && f.Zero:
				return document.Number(0, "0.000") // a column in which 0 isn't missing, such as the overlap
			}
			return parts.Number(*f.Of(r.times)/f.Unit, 3)
		})
	}
	t.Number("checked", "", func(r groupRow) document.Cell { return parts.Number(float64(r.Checked), 0) })
	t.Add(document.Column{Name: "remarks"}, func(r groupRow) document.Cell {
		switch {
		case r.Missing != "":
			return document.Text(strings.TrimSpace(r.Missing + " " + words.OneLine(r.Detail)))
		case r.Defects == 0:
			return document.Text(outlierRemark(r.outlier))
		}
		return remark(0, r.Defects)
	})
	d := parts.WithoutEmpty(t.Of(&document.Table{ID: k.Key() + "-table", Sortable: true,
		Caption: "All lengths."}, rows))
	for _, x := range []struct{ column, meaning string }{
		{"t_min", " t_min and t_max are the times of the fastest and the slowest process or pair, t_avg their mean."},
		{"checked", " Checked: repetitions whose data were compared with the expected data, outside the timed part."},
	} {
		if slices.ContainsFunc(d.Columns, func(c document.Column) bool { return c.Name == x.column }) {
			d.Caption += x.meaning
		}
	}
	return d
}

// column returns a column of IMB's text as a column of a table.
func column(f imb.Column) document.Column {
	name, unit, _ := strings.Cut(strings.TrimSuffix(f.Head, "]"), "[")
	switch {
	case f.Unit == 0:
		name, unit = strings.Replace(name, "Mbytes/sec", "bandwidth", 1), "MB/s"
	case unit == "usec":
		unit = "µs"
	}
	return document.Column{Name: name, Unit: unit, Numbers: true}
}
