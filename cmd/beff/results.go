package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/effective-bandwidth/beff/report"
)

// take parts files into those to use, and why the others are refused. What does not verify is used only on request, and
// if it can be.
func (f *publication) take(files []*report.File) (taken []*report.File, refused []error) {
	for _, file := range files {
		switch {
		case file.Problem == nil, f.Unverified && file.Usable:
			taken = append(taken, file)
		case file.Usable:
			refused = append(refused, fmt.Errorf("%s: %w (--unverified takes it nevertheless)", file.Name(),
				file.Problem))
		default:
			refused = append(refused, fmt.Errorf("%s: %w", file.Name(), file.Problem))
		}
	}
	return taken, refused
}

// expand replaces directories by the result files below them.
func expand(paths []string) ([]string, error) {
	var list []string
	for _, path := range paths {
		before := len(list)
		directory := false
		err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case name == path && (err != nil || !entry.IsDir()):
				list = append(list, path) // what is wrong with it, reading says
			case err != nil:
				return err
			case entry.IsDir():
				directory = true
			case filepath.Ext(name) == ".json" && !mayBlock(name):
				list = append(list, name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if directory && len(list) == before {
			return nil, fmt.Errorf("%s: no results (*.json) in this directory", path)
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(path string) bool {
		again := seen[filepath.Clean(path)]
		seen[filepath.Clean(path)] = true
		return again
	}), nil
}

// mayBlock says whether reading would wait for another program: a pipe in somebody's directory must not stop all.
func mayBlock(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeCharDevice) != 0
}
