package publish

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report"
)

// Take returns the results that verify, and refuses the other files. With --unverified it also returns results that
// don't verify, if they can be read.
func (f *Flags) Take(files []*report.File) (taken []*report.File, refused Refused) {
	refused.Of = len(files)
	for _, file := range files {
		f.read = append(f.read, file.Path)
		refused.addRemarks(file.Remarks...)
		if file.Named != "" {
			refused.addRemarks(file.Named + " names the system of the results next to it")
		}
		switch {
		case file.Problem == nil, f.Unverified && file.Usable:
			taken = append(taken, file)
			if file.WrongData() {
				refused.Wrong = append(refused.Wrong, file.Name())
			}
		case file.Usable:
			refused.Errs = append(refused.Errs, fmt.Errorf("%s: %w (--unverified takes it nevertheless)", file.Name(),
				file.Problem))
		default:
			refused.Errs = append(refused.Errs, fmt.Errorf("%s: %w", file.Name(), file.Problem))
		}
	}
	return taken, refused
}

// WithoutCopies returns files without copies of a measurement, and prints which ones it left out.
func WithoutCopies(stderr io.Writer, files []*report.File) []*report.File {
	var copies report.Copies
	files = copies.Drop(files)
	PrintCopies(stderr, &copies)
	return files
}

// PrintCopies prints which copies were left out, in a line for each measurement.
func PrintCopies(stderr io.Writer, copies *report.Copies) {
	for _, line := range copies.Left() {
		fmt.Fprintf(stderr, "beff: %s\n", line)
	}
}

// Read reads the results that words name: files, directories with results, and - for standard input. It skips other
// JSON files in a directory. It calls done with each file, as report.ReadAll does; done may be nil.
func Read(words []string, done func(*report.File)) ([]*report.File, error) {
	paths, err := report.Find(words)
	if err != nil {
		return nil, err
	}
	return ReadPaths(paths, words, done), nil
}

// ReadPaths reads the results at some of the paths that report.Find returned for words. done is as for Read.
func ReadPaths(paths, words []string, done func(*report.File)) []*report.File {
	return slices.DeleteFunc(report.ReadAll(paths, done), func(f *report.File) bool {
		return f.NoResult && !slices.Contains(words, f.Path) // a file named by the user must be a result
	})
}

// Left is the state in which an earlier run left its files.
type Left int

// The states.
const (
	Nothing Left = iota // a new run may take the name
	Cut                 // a run was cut off, or still runs: --resume resumes it
	Whole               // a complete result: it isn't measured again
)

// LeftAt returns the state of the files with a prefix. All commands that make several runs and may be started again use
// it. A journal decides first, because a run that was cut off has a document, too, and a complete one removes its
// journal. An empty file doesn't count: a new run takes its name.
func LeftAt(prefix string) Left {
	there := func(ending string) bool {
		info, err := os.Stat(prefix + ending)
		return err == nil && info.Size() > 0
	}
	switch {
	case there(journal.Suffix):
		return Cut
	case there(".json"), there(".json" + input.Gzip):
		return Whole
	}
	return Nothing
}
