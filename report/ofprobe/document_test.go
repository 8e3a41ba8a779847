package ofprobe_test

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// probeResult returns a result with a kernel of each kind of table, one of them on two numbers of processes, with rows
// that lack figures or are wrong.
func probeResult() *probe.Result {
	p := fixture.ProbeCluster()
	p.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 2)
	p.Add(kernel.MPI1, "Exchange", settings.Plain, 2, 1)
	p.Add(kernel.MPI1, "Exchange", settings.Plain, 4, 1)
	p.Add(kernel.MPI1, "Barrier", settings.Plain, 2, 1)
	p.Add(kernel.MPI1, "Barrier", settings.Plain, 4, 1)
	p.Add(kernel.EXT, "Unidir_Put", settings.Aggregate, 2, 1)
	p.Add(kernel.EXT, "Unidir_Put", settings.NonAggregate, 2, 1)
	p.Add(kernel.NBC, "Ibcast", settings.Plain, 4, 1)
	p.Add(kernel.RMA, "Unidir_put", settings.Aggregate, 2, 1)
	b := p.Add(kernel.RMA, "Truly_passive_put", settings.Plain, 2, 1)
	b.Rows[3] = measured.Row{Bytes: 1024, Missing: "time-out", Detail: "give --time"}
	b.Rows[4].Defects = 5
	p.Result.Warnings = []rating.Warning{{Code: "crowded", Text: "more processes than processors",
		Remedy: "start fewer"}}
	return &p.Result
}

func TestProbeKeyValue(t *testing.T) {
	for name, r := range map[string]*probe.Result{"whole": fixture.Probed()["pingpong"], "wrong": probeResult()} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, ofprobe.Report{Result: r}.KeyValue(&b, true))
			fixture.Golden(t, "probe_"+name+".kv", b.String())
			fixture.KeyValue(t, b.String(), name == "whole")
		})
	}
}

// A probe that isn't valid is no success, though it was whole and its data were right.
func TestProbeSuccess(t *testing.T) {
	p := fixture.ProbeCluster()
	p.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
	for processors, want := range map[int]string{8: "criterion_processors=1\n", 1: "criterion_processors=0\nnoisy",
		0: "criterion_processors=0\ncriterion_processors_unknown=1\n"} {
		for i := range p.Result.Placement {
			p.Result.Placement[i].Processors = processors
		}
		p.Result.Conclude(nil)
		var b strings.Builder
		require.NoError(t, ofprobe.Report{Result: &p.Result}.KeyValue(&b, true))
		require.Contains(t, b.String(), want)
		require.Equal(t, processors == 8, strings.HasSuffix(b.String(), "\nSuccess=1\n"))
	}
}

func TestProbeCSV(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, tidy.CSV(&b, ofprobe.Report{Result: probeResult()}.Tables()[1]))
	fixture.Golden(t, "probe.csv", b.String())
	lines, err := csv.NewReader(&b).ReadAll() // which wants as many fields in each
	require.NoError(t, err)
	require.Len(t, lines, 1+16+2*8+2+2*8+8+8+8)
	require.ErrorIs(t, tidy.CSV(&fixture.Disk{}, ofprobe.Report{Result: probeResult()}.Tables()[1]), fixture.ErrFull)
}

// An overlap of 0 % is a figure, and not a dash or an empty cell.
func TestProbeWithoutOverlap(t *testing.T) {
	p := fixture.ProbeCluster()
	b := p.Add(kernel.NBC, "Ibarrier", settings.Plain, 2, 1)
	s := &b.Rows[0].Samples[0]
	s.Overlapped = s.Pure + s.Compute
	k, _, _ := suites.Find(kernel.NBC, "Ibarrier")
	b.Rows[0].Derived = measured.Derive(k, b, &b.Rows[0])
	require.Zero(t, b.Rows[0].Derived[0].Overlap)
	var text, table bytes.Buffer
	require.NoError(t, document.PlainText(&text, ofprobe.Document(&p.Result, nil)))
	require.Regexp(t, `\| +1\.000 \| +1\.000 \| +0\.000 \|`, text.String())
	require.NoError(t, tidy.CSV(&table, ofprobe.Report{Result: &p.Result}.Tables()[1]))
	lines, err := csv.NewReader(&table).ReadAll()
	require.NoError(t, err)
	require.Equal(t, "0", lines[1][slices.Index(lines[0], "overlap")])
}

func TestProbeDocument(t *testing.T) {
	stopped := fixture.ProbeCluster()
	stopped.Result.Complete = false
	for name, r := range map[string]*probe.Result{"whole": probeResult(), "stopped": &stopped.Result} {
		t.Run(name, func(t *testing.T) {
			figures := ofprobe.Figures(r)
			d := ofprobe.Document(r, figures)
			require.NoError(t, d.Validate())
			shown := 0
			for _, s := range d.Sections {
				for _, b := range s.Blocks {
					if _, is := b.(*document.Figure); is {
						shown++
					}
				}
			}
			require.Equal(t, len(figures), shown)
			var b bytes.Buffer
			require.NoError(t, document.PlainText(&b, d))
			fixture.Golden(t, "probe_report_"+name+".txt", b.String())
			for _, write := range []func() error{
				func() error { return document.HTML(new(bytes.Buffer), d) },
				func() error { return document.PDF(new(bytes.Buffer), d) },
				func() error { return document.Markdown(new(bytes.Buffer), d) },
			} {
				require.NoError(t, write())
			}
		})
	}
}

// Each kernel has a time, and a bandwidth if it moves anything; of kernels without lengths it takes two numbers of
// processes to draw a line.
func TestProbeFigures(t *testing.T) {
	var ids []string
	for _, f := range ofprobe.Figures(probeResult()) {
		ids = append(ids, strings.TrimPrefix(f.ID, "probe-"))
	}
	require.Equal(t, []string{
		"all-time", "all-bandwidth",
	}, ids, "many kernels stand side by side")
	few := probeResult()
	few.Blocks = few.Blocks[:5]
	ids = nil
	for _, f := range ofprobe.Figures(few) {
		ids = append(ids, strings.TrimPrefix(f.ID, "probe-"))
	}
	require.Subset(t, ids, []string{"mpi1-multi-pingpong-time", "mpi1-multi-pingpong-bandwidth", "mpi1-exchange-time",
		"mpi1-exchange-bandwidth"})
	require.Empty(t, ofprobe.Figures(fixture.Probed()["barrier"]))
}
