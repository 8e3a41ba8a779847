package main

import (
	"slices"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/choose"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/accept"
)

// baseline writes a sheet of what results have.
func (c *acceptCommand) baseline(p *process.Process) error {
	results := slices.Clone(c.Baseline)
	for _, more := range append([]string{c.Sheet}, c.Results...) {
		if more != "" {
			results = append(results, more)
		}
	}
	w, err := c.Wanted()
	if err != nil {
		return err
	}
	b := &accept.Baseline{}
	refused, err := choose.Each(p.Stderr, results, &c.Flags, w, func(f *report.File) error { return b.Add(f) })
	if err == nil {
		err = refused.End(p.Stderr)
	}
	if err != nil {
		return err
	}
	if c.Output == "" || c.Output == publish.Stdout {
		return exit.With(exit.NotJudged, b.Write(p.Stdout))
	}
	path, err := publish.FileOf(c.Output, "baseline", c.Force, ".toml")
	if err != nil {
		return err
	}
	return publish.Failed(publish.Replace(path, b.Write))
}
