package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report/input"
	"github.com/effective-bandwidth/beff/report/oftune"
	"github.com/effective-bandwidth/beff/tune"
)

// conclude leaves the files of the rules that gain, and writes the result and its report.
func (t *tuning) conclude(formats []publish.Format) error {
	r := t.result
	kept := oftune.Kept(r)
	prefix := filepath.Join(t.Into, "rules")
	if len(kept) > 0 {
		absolute, err := filepath.Abs(prefix)
		if err != nil {
			return err
		}
		files, err := t.library.Files(kept, false)
		if err != nil {
			return fmt.Errorf("tune: %w", err)
		}
		if err := t.write(absolute, kept, false); err != nil {
			return err
		}
		r.Files, r.Use = map[string]string{}, t.library.Use(absolute, kept)
		for ending, text := range files {
			r.Files[ending] = string(text)
		}
		if len(kept) < len(r.Derived.Rules) {
			r.Evidence = nil
			for _, l := range t.all() { // the file is another one than that which was proven
				if err := t.show(l, absolute, kept); err != nil {
					return err
				}
			}
		}
	}
	path := filepath.Join(t.Into, "tune.json")
	err := publish.Replace(path, func(w io.Writer) error { return oftune.Form.Seal(w, r) })
	if err != nil {
		return publish.Failed(err)
	}
	return t.report(t.process, r, path, formats)
}

// report writes the report of a result that is in a file.
func (c *tuneCommand) report(p *process, r *tune.Result, path string, formats []publish.Format) error {
	var installed []string
	for _, ending := range slices.Sorted(maps.Keys(r.Files)) {
		installed = append(installed, filepath.Join(filepath.Dir(path), "rules"+ending))
	}
	d := oftune.Document(r, installed)
	d.Next = "beff tune --from " + path + " -o tune.html"
	if c.Output == "" && len(c.Format) == 0 && !c.Verbose {
		formats = publish.MainLines
	}
	return c.Publish(p.stdout, p.stderr, []*publish.Paper{{Name: "tune", Document: d}}, formats)
}

// again reads a result, proves it, and writes its report.
func (c *tuneCommand) again(p *process, formats []publish.Format) error {
	if len(c.Collectives) > 0 || len(c.Processes) > 0 {
		return exit.Misuse("tune --from reports what was measured: leave out %s", strings.Join(append(c.Collectives,
			"-n"), ", "))
	}
	data, err := input.ReadAll(c.From, 256<<20)
	if err != nil {
		return err
	}
	r, err := oftune.Verify(data)
	if err != nil {
		return fmt.Errorf("%s: %w", c.From, err)
	}
	if len(r.Samples) == 0 {
		return fmt.Errorf("%s: %w", c.From, errors.New("it has no samples"))
	}
	return c.report(p, r, c.From, formats)
}
