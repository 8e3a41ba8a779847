package main

import (
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
)

// listCommand is `beff list`.
type listCommand struct {
	Results   []string `arg:"" optional:"" name:"result" help:"${list_results}"`
	All       bool     `help:"A row for each result, not the best of each system."`
	Reference bool     `help:"Also list the systems of the 2001 paper."`
	signed
	publish.Flags
}

// Run is called by the command line.
func (c *listCommand) Run(p *process) error {
	formats, err := c.Chosen(publish.Without("kv", publish.Plots))
	switch {
	case err != nil:
		return err
	case len(c.Results) == 0 && !c.Reference:
		return exit.Misuse("list: want results, or --reference")
	}
	paths, err := publish.Expand(c.Results)
	if err != nil {
		return err
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
		return f.Foreign &&
			!slices.Contains(c.Results, f.Path)
	})
	if _, err := c.check(files); err != nil {
		return err
	}
	taken, refused := c.Take(files)
	var entries []ranking.Entry
	unranked, of := 0, map[string]bool{}
	for _, f := range taken {
		if e, ranked := all[f]; ranked {
			entries = append(entries, e)
		} else {
			unranked++
			of[f.Benchmark()] = true
		}
	}
	if unranked > 0 {
		fmt.Fprintf(p.stderr, "beff: %d %s left out: there is no ranking of %s\n", unranked,
			words.Plural("result", unranked), strings.Join(slices.Sorted(maps.Keys(of)), ", "))
	}
	if c.Reference {
		entries = append(entries, ranking.Reference()...)
	}
	if len(entries) > 0 {
		d := ranking.Document(ranking.Rank(entries, c.All))
		if err := c.Publish(p.stdout, p.stderr, []*publish.Paper{{Name: "ranking", Document: d}}, formats); err != nil {
			return err
		}
	}
	return publish.Refuse(p.stderr, refused, len(files))
}
