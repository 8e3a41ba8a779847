package main

import (
	"path/filepath"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/selection"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/report"
)

// reportCommand is `beff report`.
type reportCommand struct {
	Results []string `arg:"" name:"result" help:"${report_results}"`
	Apart   bool     `help:"${report_apart}"`
	selection.Conditions
	publish.Flags `set:"formats=${formats_of_results}"`
}

// Run is called by the command line.
func (c *reportCommand) Run(p *process.Process) error {
	formats, err := c.Chosen(publish.OfResults(probing.MPIBlib))
	if err != nil {
		return err
	}
	files, err := publish.Read(c.Results, nil)
	if err == nil {
		files, err = c.Choose(p.Stderr, files)
	}
	if err != nil {
		return err
	}
	taken, refused := c.Take(files)
	taken = publish.WithoutCopies(p.Stderr, taken)
	var papers []*publish.Publication
	if !c.Apart && !publish.Own(formats) {
		taken = report.Together(taken)
	}
	if len(c.Results) == 1 && !c.Apart && publish.ForPeople(formats) {
		if d := report.SystemDocument(taken); d != nil {
			d.Next = launch.Line("report", c.Results[0], "-o", "system.html")
			papers = []*publish.Publication{{Name: "system-report", Document: d}}
			taken = nil
		}
	}
	documents := report.Documents(taken)
	for i, f := range taken {
		// The name differs from the result's, because DIR may be the result's directory.
		name := input.Stem(filepath.Base(f.Path)) + "-report"
		if f.Path == input.Stdin {
			name = "report"
		}
		if f.Path != input.Stdin {
			documents[i].Next = launch.Line("report", f.Path, "-o", input.Stem(f.Path)+".html")
		}
		papers = append(papers, &publish.Publication{
			Name: name, Document: documents[i], KeyValue: f.KeyValue, CSV: f.CSV, Texts: probing.TextsOf(f),
		})
	}
	if len(papers) > 0 {
		if err := c.Publish(p.Stdout, p.Stderr, papers, formats); err != nil {
			return err
		}
	}
	return refused.End(p.Stderr)
}
