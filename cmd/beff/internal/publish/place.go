package publish

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/internal/lists"
)

// The option -o means the same in all commands:
//
//	-o -        standard output
//	-o DIR/     a directory, which is created if missing, or the name of an existing one. beff names the files in it
//	-o x.pdf    this file, if the command writes files with this ending
//	-o PREFIX   files whose names begin with PREFIX

// Stdout is the value of -o for standard output.
const Stdout = "-"

// IsDirectory reports whether the value of -o names a directory.
func IsDirectory(path string) bool {
	if strings.HasSuffix(path, "/") {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// FileOf returns the only file that a command writes for the value of -o. name is its name in a directory, which FileOf
// creates, and endings are its allowed endings, the usual one first. A file that exists is an error unless force allows
// to overwrite it.
func FileOf(path, name string, force bool, endings ...string) (string, error) {
	switch {
	case path == "":
		return "", exit.Misuse("-o: want a name")
	case IsDirectory(path):
		if err := os.MkdirAll(path, 0o755); err != nil {
			return "", Failed(err)
		}
		path = filepath.Join(path, name)
	}
	if !slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(path, ending) }) {
		path += endings[0]
	}
	_, err := Free(path, force)
	return path, err
}

// named returns the formats that the flags name: by --format, or by the ending of a file.
func (f *Writing) named(of []Format) ([]string, error) {
	ending := filepath.Ext(f.Output)
	if !spelled.MatchString(ending) || IsDirectory(f.Output) {
		return f.Format, nil
	}
	i := slices.IndexFunc(of, func(x Format) bool { return x.ending == ending })
	switch {
	case i < 0:
		return nil, exit.Misuse("-o %s: no format ends so: want one of the endings %s, or a directory such as %s/",
			f.Output, strings.Join(endings(of), " "), strings.TrimSuffix(f.Output, ending))
	case len(f.Format) == 0:
		return []string{of[i].name}, nil
	case len(f.Format) > 1 || f.Format[0] == Plots:
		return nil, exit.Misuse("-o %s is one file: for several give a directory or the beginning of their names, "+
			"such as -o %s", f.Output, strings.TrimSuffix(f.Output, ending))
	}
	if j := slices.IndexFunc(of, func(x Format) bool { return x.name == f.Format[0] }); j >= 0 && j != i {
		return nil, exit.Misuse("--format %s: -o %s would be taken for %s: give -o %s%s", f.Format[0], f.Output,
			of[i].name, strings.TrimSuffix(f.Output, ending), of[j].ending)
	}
	return f.Format, nil
}

// spelled matches an ending that names the format of a file: .doc, but not the .5 of results-4.1.5.
var spelled = regexp.MustCompile(`^\.[A-Za-z]+$`)

// endings returns the endings of formats, without duplicates.
func endings(list []Format) (all []string) {
	all = lists.Unique(lists.Each(list, func(f Format) string { return f.ending }))
	return lists.Where(all, func(ending string) bool { return ending != "" })
}

// place returns the directory of the publications' files, and the publications with the prefixes of their files' names.
func (f *Writing) place(publications []*Publication, list []Format) (dir string, named []*Publication, err error) {
	if IsDirectory(f.Output) {
		return f.Output, publications, nil
	}
	if len(publications) > 1 {
		return "", nil, exit.Misuse("-o %s: %d results need separate files: give a directory, -o %s/", f.Output,
			len(publications), f.Output)
	}
	dir, name := filepath.Split(f.Output)
	p := *publications[0]
	p.Name = name
	if len(list) == 1 && !list[0].draws() {
		p.Name = strings.TrimSuffix(name, list[0].ending)
		if p.Name != name {
			p.fileName = name
		}
	}
	return filepath.Clean(dir + "."), []*Publication{&p}, nil
}

// checkInput returns an error if a file to be written is one of those that were read.
func (f *Writing) checkInput(path string) error {
	to, err := os.Stat(path)
	if err != nil {
		return nil
	}
	for _, name := range f.read {
		if from, err := os.Stat(name); err == nil && os.SameFile(from, to) {
			return fmt.Errorf("output %s is one of the results: choose another --output", path)
		}
	}
	return nil
}
