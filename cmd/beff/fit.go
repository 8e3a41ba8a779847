package main

import (
	"fmt"
	"io"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/whatif"
)

// modelFit is `beff model fit`.
type modelFit struct {
	Results []string `arg:"" name:"result" help:"${model_fit_result}"`
	Output  string   `short:"o" required:"" placeholder:"PATH" help:"${model_fit_output}"`
	Against []string `placeholder:"RESULT" sep:"none" help:"${model_fit_against}"`
	Force   bool     `help:"Overwrite an existing output file."`
}

// Run is called by the command line.
func (c *modelFit) Run(p *process.Process) error {
	given, err := c.measured(c.Results)
	if err != nil {
		return err
	}
	others, err := c.measured(c.Against)
	if err != nil {
		return err
	}
	if c.Output, err = publish.FileOf(c.Output, "machine", c.Force, ".yaml", ".yml"); err != nil {
		return err
	}
	m, d, err := given.Fit(others)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	text, err := m.Text()
	if err != nil {
		return err
	}
	err = publish.Replace(c.Output, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err != nil {
		return fmt.Errorf("output %s: %w", c.Output, err)
	}
	return document.PlainText(p.Stdout, d)
}

// measured reads results of beff run and beff probe.
func (c *modelFit) measured(files []string) (*whatif.Measured, error) {
	all := &whatif.Measured{}
	for _, file := range files {
		data, err := report.Text(file)
		if err == nil {
			err = all.Add(file, data)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
