package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// A run keeps its samples in a journal next to the document, and updates the document when it ends. Until then, or if
// the run is killed, the samples are in the journal.

// underWay sets the report from the journal of a run that has not ended. If there is no such journal, it sets no report
// and returns nil. It uses the journal next to a document only if the journal belongs to the document's run, and to this
// user. f.Path may also be the journal itself.
func (f *File) underWay(buffer *[]byte) (problem error) {
	path, named := input.Stem(f.Path)+journal.Suffix, false
	if strings.HasSuffix(f.Path, journal.Suffix) {
		path, named = f.Path, true
	}
	if _, err := os.Lstat(path); err != nil && !named {
		return nil
	}
	_, alone := os.Stat(f.Path) // nil if there is a document
	if err := input.CheckCompanion(path, f.Path); err != nil && !named {
		if alone != nil {
			return fmt.Errorf("%w: give the journal itself", err)
		}
		f.say("%v: ignored", err)
		return nil
	}
	err := content(path, buffer, func(text []byte) bool {
		f.lock(text)
		return journal.Begins(text)
	})
	var left *journal.Journal
	if err == nil {
		left, err = journal.Parse(*buffer)
	}
	head := (*journal.HeadError)(nil)
	switch {
	case err != nil && named:
		return err
	case err != nil && alone != nil:
		return fmt.Errorf("%s: %w", path, err)
	case errors.As(err, &head) && head.Own:
		f.say("%s: %v", path, err)
		return nil
	case named, alone != nil:
	case err != nil, left.Ended, f.outlives(path, left):
		return nil // the document is newer
	}
	return f.completed(path, left)
}

// completed sets the report from the journal of a run that has not ended.
func (f *File) completed(path string, left *journal.Journal) (problem error) {
	if f.kind, problem = find(left.Head.Document); problem != nil {
		return problem
	}
	made, unread, err := f.kind.complete(left)
	if err != nil {
		return err
	}
	f.report, f.Journal = made, shown(path)
	if left.Halved > 0 {
		f.say("%s: one copy of its header is damaged, but nothing is lost", path)
	}
	if unread += left.Damaged; unread > 0 {
		return fmt.Errorf("%s of %s damaged: their samples are left out", words.Count(unread, "record"), path)
	}
	return nil
}

// outlives reports whether the document supersedes the journal. Either it is complete, because the run was killed after
// it had written the document and before it removed the journal, or it belongs to another run.
func (f *File) outlives(path string, left *journal.Journal) bool {
	type head struct {
		Benchmark string    `json:"benchmark"`
		Started   time.Time `json:"started"`
		Complete  bool      `json:"complete"`
	}
	var document []byte
	if content(f.Path, &document, mayBeJSON) != nil {
		return false
	}
	var there, begun head
	if json.Unmarshal(document, &there) != nil || json.Unmarshal(left.Head.Document, &begun) != nil {
		return false
	}
	if there.Benchmark != begun.Benchmark || !there.Started.Equal(begun.Started) {
		f.say("%s belongs to another run, a %s begun at %s: ignored", path, begun.Benchmark,
			begun.Started.Format(time.RFC3339))
		return true
	}
	return there.Complete
}

// say adds a remark about a file next to the result.
func (f *File) say(format string, args ...any) {
	f.Remarks = append(f.Remarks, words.Line(fmt.Sprintf(format, args...), '?'))
}

// Complete reports whether the run was finished.
func (f *File) Complete() bool { return f.report.Header().Complete }

// unended returns the remarks on files next to the result as notices, and a notice if the run has not ended.
func (f *File) unended() (list []document.Notice) {
	for _, text := range f.Remarks {
		list = append(list, document.Notice{Level: document.Warning, Text: text})
	}
	if f.Journal == "" {
		return list
	}
	prefix := words.ShellQuoted([]string{strings.TrimSuffix(f.Journal, journal.Suffix)})
	return append(list, document.Notice{Level: document.Warning,
		Text:   "made from " + f.Journal + ": the run is still under way, or was killed",
		Remedy: "--resume " + prefix + " resumes a run that was killed"})
}
