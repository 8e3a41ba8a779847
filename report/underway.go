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
// and returns nil. It uses the journal next to a document only if the journal belongs to the document's run, and to
// this user. f.Path may also be the journal itself.
func (f *File) underWay(buffer *[]byte) (problem error) {
	path, named := input.Stem(f.Path)+journal.Suffix, false
	if strings.HasSuffix(f.Path, journal.Suffix) {
		path, named = f.Path, true
	}
	if _, err := os.Lstat(path); err != nil && !named {
		return nil
	}
	_, err := os.Stat(f.Path)
	hasDocument := err == nil
	if err := input.CheckCompanion(path, f.Path); err != nil && !named {
		if !hasDocument {
			return fmt.Errorf("%w: give the journal itself", err)
		}
		f.remark("%v: ignored", err)
		return nil
	}
	err = content(path, buffer, func(text []byte) bool {
		f.lock(text)
		return journal.Begins(text)
	})
	var j *journal.Journal
	if err == nil {
		j, err = journal.Parse(*buffer)
	}
	head := (*journal.HeadError)(nil)
	switch {
	case err != nil && named:
		return err
	case err != nil && !hasDocument:
		return fmt.Errorf("%s: %w", path, err)
	case errors.As(err, &head) && head.Own:
		f.remark("%s: %v", path, err)
		return nil
	case named, !hasDocument:
	case err != nil, j.Ended, f.superseded(path, j):
		return nil // the document is newer
	}
	return f.completeFromJournal(path, j)
}

// completeFromJournal sets the report from the journal of a run that has not ended.
func (f *File) completeFromJournal(path string, j *journal.Journal) (problem error) {
	if f.kind, problem = find(j.Head.Document); problem != nil {
		return problem
	}
	result, unread, err := f.kind.complete(j)
	if err != nil {
		return err
	}
	f.report, f.Journal = result, shown(path)
	if j.Halved > 0 {
		f.remark("%s: one copy of its header is damaged, but nothing is lost", path)
	}
	if unread += j.Damaged; unread > 0 {
		return fmt.Errorf("%s of %s damaged: their samples are left out", words.Count(unread, "record"), path)
	}
	return nil
}

// superseded reports whether the document supersedes the journal. Either it is complete, because the run was killed
// after it had written the document and before it removed the journal, or it belongs to another run.
func (f *File) superseded(path string, j *journal.Journal) bool {
	type head struct {
		Benchmark string    `json:"benchmark"`
		Started   time.Time `json:"started"`
		Complete  bool      `json:"complete"`
	}
	var document []byte
	if content(f.Path, &document, mayBeJSON) != nil {
		return false
	}
	var inDocument, inJournal head
	if json.Unmarshal(document, &inDocument) != nil || json.Unmarshal(j.Head.Document, &inJournal) != nil {
		return false
	}
	if inDocument.Benchmark != inJournal.Benchmark || !inDocument.Started.Equal(inJournal.Started) {
		f.remark("%s belongs to another run, a %s begun at %s: ignored", path, inJournal.Benchmark,
			inJournal.Started.Format(time.RFC3339))
		return true
	}
	return inDocument.Complete
}

// remark adds a remark about a file next to the result.
func (f *File) remark(format string, args ...any) {
	f.Remarks = append(f.Remarks, words.Line(fmt.Sprintf(format, args...), '?'))
}

// Complete reports whether the run was finished.
func (f *File) Complete() bool { return f.report.Header().Complete }

// underWayNotices returns the remarks on files next to the result as notices, and a notice if the run has not ended.
func (f *File) underWayNotices() (list []document.Notice) {
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
