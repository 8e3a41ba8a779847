package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/oftune"
	"github.com/effective-bandwidth/beff/report/words"
)

// conclude leaves the files of the rules that gain, and writes the result and its report.
func (t *tuning) conclude(formats []publish.Format) error {
	r := t.result
	kept := oftune.Kept(r)
	for proven := r.Derived.Rules; len(kept) > 0 && len(kept) < len(proven); kept = oftune.Kept(r) {
		var err error
		if proven, err = t.taken(kept); err != nil { // it is another file than that which was proven
			return err
		}
	}
	prefix, err := filepath.Abs(filepath.Join(t.Into, "rules"))
	if err != nil {
		return err
	}
	t.remove("rules*.*") // of the command with fewer jobs
	if len(kept) > 0 {
		if err := t.write(prefix, kept, false); err != nil {
			return err
		}
		r.Use = t.library.Use(prefix, kept)
	}
	r.Disturbed = t.disturbed()
	for _, w := range r.Disturbed {
		fmt.Fprintf(t.stderr, "beff: warning: %s\n", w.Text)
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

// remove removes files of the campaign's directory.
func (t *tuning) remove(patterns ...string) {
	for _, pattern := range patterns {
		list, _ := filepath.Glob(filepath.Join(t.Into, pattern))
		for _, name := range list {
			os.Remove(name)
		}
	}
}

// disturbed returns each warning that timed jobs had, with how many of them had it.
func (t *tuning) disturbed() (list []rating.Warning) {
	for _, w := range t.warnings {
		w.Text = fmt.Sprintf("%d of %s: %s", t.warned[w.Code], words.Count(t.timedJobs, "job"), w.Said())
		list = append(list, w)
	}
	return list
}
