package probing

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/fabric"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

// Question is a question that a probe answers.
type Question struct {
	Name    string
	Kernels string // as beff probe names them
	Does    string // what the probe does
	least   int    // processes
	// fit reduces the request so that it ends in minutes.
	fit func(*Request, *job.Layout)
}

// Questions are the questions of beff doctor.
var Questions = []Question{
	{"links", "Roundtrip_pairs", "sends messages back and forth between each two processes", 1,
		func(r *Request, l *job.Layout) {
			oncePerNode(r, l)
			if n := processes(l); len(job.Crowded(l.Placement)) > 0 && n > 8 {
				r.Settings.Pairs.Which = fmt.Sprint(n) // two pairs of each process
			}
		}},
	{"noise", "noise", "works without messages in all processes, and looks for time that is lost", 1, nil},
	{"load", "load", "times some processes with and without the messages of the others", 4,
		func(r *Request, l *job.Layout) {
			r.Settings.Repetitions.SampleTime = 2
			if len(l.Placement) < 4 {
				r.Settings.Load.By = "process"
			}
		}},
	{"cuts", "cut", "sends messages from one half of the processes to the other", 2,
		func(r *Request, l *job.Layout) {
			oncePerNode(r, l)
			r.Settings.Pairs.Steps = 16
			if len(l.Placement) == 1 {
				r.Settings.Pairs.Steps = 4
			}
			if flow.UnitsOf(l) != nil {
				r.Settings.Pairs.Cuts = []string{fabric.Grow}
			}
		}},
	{"calls", "guidelines", "times each collective call against others that do the same", 2,
		func(r *Request, _ *job.Layout) { r.Settings.Repetitions.SampleTime = 0.5 }},
}

// oncePerNode lets one process of each node take part if there are several nodes.
func oncePerNode(r *Request, l *job.Layout) {
	if nodes := len(l.Placement); nodes > 1 && processes(l) > nodes {
		r.Settings.Who.Per = string(job.PerNode)
	}
}

func processes(l *job.Layout) int {
	return lists.SumOf(l.Placement, func(p job.Placement) int { return p.Processes })
}

// longestDiagnosis is the time after which a diagnosis ends with what it has measured.
const longestDiagnosis = 5*time.Minute - 10*time.Second

// Diagnose measures the probe of a question and prints what its result means.
func Diagnose(p *process.Process, q Question, flags flow.Flags) error {
	r := NewRequest("")
	if err := r.Name(q.Kernels); err != nil {
		return err
	}
	wall := size.Time(longestDiagnosis)
	flags.Wall = &wall
	var last *probe.Result // on rank 0
	err := measure(p, r, &flow.Spec{Flags: flags, Command: []string{"probe", q.Kernels}, MinRanks: q.least}, q.fit,
		func(b *plannedProbe) flow.Benchmark[measured.Outcome] { return diagnosis{b, b, b, b, q, &last} })
	if errors.Is(err, rating.ErrWall) && last != nil {
		err = nil // the verdict is about the rows until then
	}
	if err != nil {
		return fmt.Errorf("probe %s: %w", q.Kernels, err)
	}
	PrintMap(p.Text, last)
	return nil
}

// PrintMap prints the groups of nodes in the times of pairs. Without groups, or without a result, it prints nothing.
func PrintMap(w io.Writer, r *probe.Result) {
	if r == nil {
		return
	}
	if text := ofprobe.Map(r); text != "" {
		fmt.Fprintf(w, "# groups of nodes by these times, a map for --topology\n%s", text)
	}
}

// diagnosis is a probe without Live, so that the answer is printed at the end.
type diagnosis struct {
	flow.Benchmark[measured.Outcome]
	flow.Trimmer[measured.Outcome]
	flow.Checker[measured.Outcome]
	probe    *plannedProbe
	question Question
	last     **probe.Result
}

// Preview says what the probe does.
func (d diagnosis) Preview(rating.Run) []string {
	return []string{fmt.Sprintf("doctor %s %s, for at most five minutes", d.question.Name, d.question.Does)}
}

// Report keeps the result, and returns its report.
func (d diagnosis) Report(m *measured.Outcome, run rating.Run) report.Report {
	*d.last = d.probe.result(m, run)
	return answer{Report{ofprobe.Report{Result: *d.last}}}
}

// answer is the report of a diagnosis. Its first screen is the answer to the question.
type answer struct{ Report }

// answerLines is the number of lines of an answer.
const answerLines = 8

// Document returns the document of the probe, whose first screen has the verdict, the sentences about what was found,
// and the first warning with its remedy.
func (a answer) Document() *document.Document {
	d := a.Report.Document()
	d.Screen, d.ScreenLines = nil, answerLines
	for _, n := range d.Notices {
		if n.Bare {
			d.Screen = append(d.Screen, document.Fact{Value: n.Text})
			break
		}
	}
	for _, sentence := range d.Lead.Sentences {
		for _, text := range strings.SplitAfter(sentence, ". ") {
			if !strings.Contains(text, " would be named if ") {
				d.Screen = append(d.Screen, document.Fact{Name: "Found", Value: strings.TrimSpace(text)})
			}
		}
	}
	for _, n := range d.Notices {
		if !n.Bare { // the first of them; a screen without room leaves it out
			d.Screen = append(d.Screen, document.Fact{Name: "Also", Value: n.Text + ": " + n.Remedy})
			break
		}
	}
	return d
}
