package publish

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/report"
)

// Take returns the usable results and refuses the others. On request it accepts one that does not verify, if it is
// usable.
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
	paths, err := Expand(words)
	if err != nil {
		return nil, err
	}
	return ReadPaths(paths, words, done), nil
}

// ReadPaths reads the results at some of the paths to which words expand.
func ReadPaths(paths, words []string, done func(*report.File)) []*report.File {
	return slices.DeleteFunc(report.ReadAll(paths, done), func(f *report.File) bool {
		return f.Foreign && !slices.Contains(words, f.Path) // a file named by the user must be a result
	})
}

// Expand returns paths with directories replaced by the result files below them, without duplicates.
func Expand(paths []string) ([]string, error) {
	var list []string
	for _, path := range paths {
		if path == input.Stdin {
			list = append(list, path)
			continue
		}
		before := len(list)
		directory := false
		err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case name == path && (err != nil || !entry.IsDir()):
				list = append(list, path) // reading it reports the error
			case err != nil:
				return err
			case entry.IsDir():
				directory = true
			case input.IsResult(name) && !mayBlock(name) && !unpackedExists(name):
				list = append(list, name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if directory && len(list) == before {
			return nil, fmt.Errorf("%s: no results (*.json, *.json.gz) in this directory", path)
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(path string) bool {
		again := seen[filepath.Clean(path)]
		seen[filepath.Clean(path)] = true
		return again
	}), nil
}

// unpackedExists reports whether a compressed file is next to the same one uncompressed.
func unpackedExists(path string) bool {
	plain, packed := strings.CutSuffix(path, input.Gzip)
	if !packed {
		return false
	}
	_, err := os.Stat(plain)
	return err == nil
}

// mayBlock reports whether reading would wait for another program, because a pipe in a directory must not stop the
// command.
func mayBlock(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeCharDevice) != 0
}
