package report

import (
	"fmt"
	"path/filepath"

	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/report/words"
)

// names returns a distinct name for each file: its system, followed by the file's name if several files have the
// system. A file whose system has no name gets its own name.
func names(files []*File) []string {
	list, of := make([]string, len(files)), map[string]int{}
	for i, f := range files {
		if s := f.report.Header().System; s != nil {
			list[i] = words.OneLine(s.Name)
		}
		of[list[i]]++
	}
	for i, path := range fileNames(files) {
		switch {
		case list[i] == "":
			list[i] = path
		case of[list[i]] > 1:
			list[i] += " " + path
		}
	}
	return distinct(list)
}

// fileNames returns the names of the files without extension if they all differ, otherwise their paths.
func fileNames(files []*File) []string {
	short, paths, seen := make([]string, len(files)), make([]string, len(files)), map[string]bool{}
	for i, f := range files {
		paths[i] = input.Stem(f.Path)
		short[i] = filepath.Base(paths[i])
		seen[short[i]] = true
	}
	if len(seen) < len(files) {
		return paths
	}
	return short
}

// distinct adds numbers to repeated names.
func distinct(list []string) []string {
	seen := map[string]bool{}
	for i, name := range list {
		for n := 2; seen[list[i]]; n++ {
			list[i] = fmt.Sprintf("%s #%d", name, n)
		}
		seen[list[i]] = true
	}
	return list
}
