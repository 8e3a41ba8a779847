package report

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/input"
)

// Find returns paths for ReadAll: each directory is replaced by the files below it that have the name of a result
// (*.json, *.json.gz), without duplicates. Some may be other JSON files, whose NoResult is true after ReadAll. It
// returns an error if a directory can't be read or has no such file. It doesn't check the other paths.
func Find(paths []string) ([]string, error) {
	var list []string
	for _, path := range paths {
		if info, err := os.Stat(path); path == input.Stdin || err != nil || !info.IsDir() {
			list = append(list, path)
			continue
		}
		results, err := resultsIn(path)
		if err != nil {
			return nil, err
		}
		list = append(list, results...)
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(path string) bool {
		again := seen[filepath.Clean(path)]
		seen[filepath.Clean(path)] = true
		return again
	}), nil
}

// resultsIn returns the result files below a directory, or an error if there are none.
func resultsIn(directory string) (list []string, err error) {
	root := directory + string(filepath.Separator) // follows a symbolic link to a directory
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && input.IsResult(name) && !mayBlock(name) && !unpackedExists(name) {
			list = append(list, name)
		}
		return err
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: no results (*.json, *.json.gz) in this directory", directory)
	}
	return list, err
}

// unpackedExists reports whether a file is compressed, and the same file is next to it uncompressed.
func unpackedExists(path string) bool {
	plain, packed := strings.CutSuffix(path, input.Gzip)
	if !packed {
		return false
	}
	_, err := os.Stat(plain)
	return err == nil
}

// mayBlock reports whether reading a file may wait for another program, as with a pipe. Such a file in a directory must
// not stop the command.
func mayBlock(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeCharDevice) != 0
}
