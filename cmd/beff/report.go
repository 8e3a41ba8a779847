package main

import (
	"path/filepath"
	"strings"

	"github.com/effective-bandwidth/beff/report"
)

// reportCommand is `beff report`.
type reportCommand struct {
	Results []string `arg:"" name:"result" help:"Result files that beff run -o, io -o or import -o wrote."`
	publication
}

// Run is called by the command line.
func (c *reportCommand) Run(p *process) error {
	formats, err := c.chosen(ownFormats())
	if err != nil {
		return err
	}
	taken, refused := c.take(report.ReadAll(c.Results, nil))
	var papers []*paper
	for _, f := range taken {
		// Not the result's own name: DIR may be where it lies.
		name := strings.TrimSuffix(filepath.Base(f.Path), ".json") + "-report"
		papers = append(papers, &paper{name: name, document: f.Document(), keyValue: f.KeyValue, texts: f.Texts()})
	}
	if len(papers) > 0 {
		if err := c.publish(p.stdout, p.stderr, papers, formats); err != nil {
			return err
		}
	}
	return printed(p.stderr, refused, len(c.Results))
}
