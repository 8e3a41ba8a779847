package report

import (
	"fmt"
	"os"
	"strings"

	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// A run keeps its samples in a journal beside the document, and brings the document up to date when it ends. Until
// then, and if it is killed, the journal has what was measured.

// underWay reads the journal of a run that has not ended. Without one there is no report and no error.
func (f *File) underWay(buffer *[]byte) (problem error) {
	path, named := strings.TrimSuffix(f.Path, ".json")+journal.Suffix, false
	if strings.HasSuffix(f.Path, journal.Suffix) {
		path, named = f.Path, true
	}
	if _, err := os.Lstat(path); err != nil && !named {
		return nil
	}
	err := content(path, buffer, journal.Begins)
	var left *journal.Journal
	if err == nil {
		left, err = journal.Parse(*buffer)
	}
	switch _, missing := os.Stat(f.Path); {
	case err != nil && (named || missing != nil):
		return err
	case err != nil, left.Ended && !named && missing == nil:
		return nil // the document has all
	}
	if f.kind, err = find(left.Head.Document); err != nil {
		return err
	}
	made, unread, err := f.kind.complete(left.Head.Document, left.Records)
	if err != nil {
		return err
	}
	f.report, f.Journal = made, path
	if unread += left.Damaged; unread > 0 {
		return fmt.Errorf("%s of %s damaged: the samples in them are left out", words.Count(unread, "record"), path)
	}
	return nil
}

// Complete reports whether the run was finished.
func (f *File) Complete() bool { return f.report.Head().Complete }

// unended returns a notice if the run has not ended.
func (f *File) unended() []document.Notice {
	if f.Journal == "" {
		return nil
	}
	return []document.Notice{{Level: document.Warning,
		Text: "made from " + f.Journal + ": the run is still under way, " +
			"or was killed", Remedy: "--resume " + strings.TrimSuffix(f.Journal, journal.Suffix) +
			" goes on with a run that was killed"}}
}
