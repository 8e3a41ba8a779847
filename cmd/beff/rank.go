package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/selection"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/trend"
	"github.com/effective-bandwidth/beff/report/words"
)

// rankCommand is `beff rank`.
type rankCommand struct {
	Results   []string `arg:"" optional:"" name:"result" help:"${results}"`
	All       bool     `help:"${rank_all}"`
	Reference bool     `help:"${rank_reference}"`
	Columns   []string `placeholder:"NAME" help:"${rank_columns}"`
	Sort      string   `placeholder:"NAME" help:"${rank_sort}"`
	Limit     int      `placeholder:"N" help:"Show the first N rows of each table."`
	Own       string   `placeholder:"SYSTEM" help:"Mark this system as your own."`
	verbose
	selection.Conditions
	publish.Flags
}

// Run is called by the command line.
func (c *rankCommand) Run(p *process.Process) error {
	formats, err := c.Chosen(publish.Without("kv"))
	if err != nil {
		return err
	}
	if c.Output == "" && len(c.Format)+len(c.Columns) == 0 && !c.Verbose {
		formats = publish.MainLines
	}
	view, err := c.view()
	switch {
	case err != nil:
		return err
	case len(c.Results) == 0 && !c.Reference:
		return exit.Misuse("rank: want results, or --reference")
	}
	w, err := c.Filter()
	if err != nil {
		return err
	}
	points, _, refused, err := selection.Read(p.Stderr, c.Results, &c.Flags, w, false)
	if err != nil {
		return err
	}
	entries := lists.Each(points, func(p trend.Point) ranking.Entry { return p.Entry })
	if c.Reference {
		entries = append(entries, slices.DeleteFunc(ranking.ReferencesFor(entries), func(e ranking.Entry) bool {
			return !w.Accepts(&e)
		})...)
	}
	w.PrintUnknown(p.Stderr)
	if len(entries) > 0 {
		d := ranking.Document(ranking.Rank(entries, c.All), view)
		d.Notices = append(d.Notices, refused.Notices()...)
		d.Next = launch.Program() + " compare " + compareArgs(entries) + " # -o ranking.html writes this ranking"
		publications := []*publish.Publication{{Name: "ranking", Document: d}}
		if err := c.Publish(p.Stdout, p.Stderr, publications, formats); err != nil {
			return err
		}
	} else if len(refused.Errs) == 0 {
		fmt.Fprintln(p.Stderr, "beff: no result meets --where and --since")
	}
	return refused.End(p.Stderr)
}

// compareArgs returns the files of two results for a command line, or placeholders unless there are exactly two.
func compareArgs(entries []ranking.Entry) string {
	if len(entries) != 2 || entries[0].File == "" || entries[1].File == "" {
		return "FILE FILE"
	}
	return words.ShellQuoted([]string{entries[0].File, entries[1].File})
}

// view returns the choice of rows and columns.
func (c *rankCommand) view() (ranking.View, error) {
	v := ranking.View{Every: c.All, Columns: c.Columns, Limit: c.Limit, Own: c.Own}
	order := ""
	if v.Sort, order, _ = strings.Cut(c.Sort, ":"); order != "" && order != "desc" && order != "asc" {
		return v, exit.Misuse("--sort %s: want a column, or one followed by :desc", c.Sort)
	}
	v.Falling = order == "desc"
	if err := v.Check(); err != nil {
		return v, exit.Misuse("rank: %w", err)
	}
	if v.Limit < 0 {
		return v, exit.Misuse("--limit %d: want a number of rows", v.Limit)
	}
	return v, nil
}
