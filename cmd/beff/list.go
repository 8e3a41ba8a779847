package main

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/ranking"
)

// listCommand is `beff list`.
type listCommand struct {
	Results   []string `arg:"" optional:"" name:"result" help:"${list_results}"`
	All       bool     `help:"${list_all}"`
	Reference bool     `help:"Also list the systems of the 2001 paper."`
	Columns   []string `placeholder:"NAME" help:"${list_columns}"`
	Sort      string   `placeholder:"NAME" help:"${list_sort}"`
	Limit     int      `placeholder:"N" help:"Show the first N rows of each class."`
	chosen
	signed
	publish.Flags
}

// Run is called by the command line.
func (c *listCommand) Run(p *process) error {
	formats, err := c.Chosen(publish.Without("kv"))
	if err != nil {
		return err
	}
	view, err := c.view()
	switch {
	case err != nil:
		return err
	case len(c.Results) == 0 && !c.Reference:
		return exit.Misuse("list: want results, or --reference")
	}
	entries, refused, err := c.entries()
	if err != nil {
		return err
	}
	if c.Reference {
		entries = append(entries, ranking.Reference()...)
	}
	if entries, err = c.choose(entries, time.Now()); err != nil {
		return err
	}
	if len(entries) > 0 {
		d := ranking.Document(ranking.Rank(entries, c.All), view)
		if err := c.Publish(p.stdout, p.stderr, []*publish.Paper{{Name: "ranking", Document: d}}, formats); err != nil {
			return err
		}
	} else if len(refused) == 0 {
		fmt.Fprintln(p.stderr, "beff: none of the results is as --where and --since want it")
	}
	return publish.Refuse(p.stderr, refused, len(c.Results))
}

// view returns the choice of rows and columns.
func (c *listCommand) view() (ranking.View, error) {
	v := ranking.View{Every: c.All, Columns: c.Columns, Limit: c.Limit}
	order := ""
	if v.Sort, order, _ = strings.Cut(c.Sort, ":"); order != "" && order != "desc" && order != "asc" {
		return v, exit.Misuse("--sort %s: want a column, or one with :desc behind it", c.Sort)
	}
	v.Falling = order == "desc"
	if err := v.Check(); err != nil {
		return v, exit.Misuse("list: %w", err)
	}
	if v.Limit < 0 {
		return v, exit.Misuse("--limit %d: want a number of rows", v.Limit)
	}
	return v, nil
}

// entries reads the results, and returns an error for each that is refused.
func (c *listCommand) entries() (entries []ranking.Entry, refused []error, err error) {
	paths, err := publish.Expand(c.Results)
	if err != nil {
		return nil, nil, err
	}
	// Hardly anything of a file is kept. With fewer collections a thousand files take a tenth less time.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	all := make(map[*report.File]ranking.Entry, len(paths))
	var lock sync.Mutex
	files := report.ReadAll(paths, func(f *report.File) {
		if f.Usable {
			lock.Lock()
			defer lock.Unlock()
			if e, ranked := f.Entry(); ranked {
				all[f] = e
			}
			f.Forget()
		}
	})
	// A directory may hold reports as well. A file that is named is meant as a result.
	files = slices.DeleteFunc(files, func(f *report.File) bool {
		return f.Foreign && !slices.Contains(c.Results, f.Path)
	})
	if _, err := c.check(files); err != nil {
		return nil, nil, err
	}
	taken, refused := c.Take(files)
	for _, f := range taken {
		if e, ranked := all[f]; ranked {
			entries = append(entries, e)
		}
	}
	return entries, refused, nil
}
