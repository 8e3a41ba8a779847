package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/oftune"
)

// conclude leaves the files of the rules that gain, and writes the result and its report.
func (t *tuning) conclude(formats []publish.Format) error {
	r := t.result
	kept := oftune.Kept(r)
	prefix, err := filepath.Abs(filepath.Join(t.Into, "rules"))
	if err != nil {
		return err
	}
	earlier, _ := filepath.Glob(prefix + "*.*") // of the command with fewer jobs
	for _, name := range earlier {
		os.Remove(name)
	}
	if len(kept) > 0 {
		if err := t.write(prefix, kept, false); err != nil {
			return err
		}
		r.Use = t.library.Use(prefix, kept)
		if len(kept) < len(r.Derived.Rules) {
			r.Evidence = nil
			for _, l := range t.all() { // the file is another one than that which was proven
				if err := t.show(l, prefix, kept); err != nil {
					return err
				}
			}
		}
	}
	path := filepath.Join(t.Into, "tune.json")
	made := oftune.Report{Result: r}
	if err := publish.Replace(path, made.Sealed); err != nil {
		return publish.Failed(err)
	}
	paper := &publish.Paper{Name: "tune", Document: made.Document()}
	paper.Document.Next = fmt.Sprintf("beff report %s -o tune.html", report.Quoted([]string{path}))
	if t.Output == "" && len(t.Format) == 0 && !t.Verbose {
		formats = publish.MainLines
	}
	return t.Publish(t.stdout, t.stderr, []*publish.Paper{paper}, formats)
}
