package publish

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
)

// The option -o means the same of all commands:
//
//	-o -        standard output
//	-o DIR/     a directory, which is made if missing; so is one that is there. Its files have names of their own
//	-o x.pdf    this file, where the command writes files with this ending
//	-o PREFIX   files whose names begin with PREFIX

// Stdout is the -o that stands for standard output.
const Stdout = "-"

// IsDirectory reports whether the argument of -o names a directory.
func IsDirectory(path string) bool {
	if strings.HasSuffix(path, "/") {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// FileOf returns the only file that a command writes for the argument of -o: name is its own name in a directory, which
// is made, and endings are those that it may have, the usual one first. One that is there is an error unless force says
// that it may be overwritten.
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

// spelled is the form of an ending that says the format of a file: .doc, and not the .5 of results-4.1.5.
var spelled = regexp.MustCompile(`^\.[A-Za-z]+$`)

// endings returns those of formats, each once.
func endings(list []Format) (all []string) {
	for _, f := range list {
		if f.ending != "" && !slices.Contains(all, f.ending) {
			all = append(all, f.ending)
		}
	}
	return all
}

// place returns the directory of the papers' files, and gives the papers the names that the files begin with.
func (f *Writing) place(papers []*Paper, list []Format) (dir string, named []*Paper, err error) {
	if IsDirectory(f.Output) {
		return f.Output, papers, nil
	}
	if len(papers) > 1 {
		return "", nil, exit.Misuse("-o %s: %d results need separate files: give a directory, -o %s/", f.Output,
			len(papers), f.Output)
	}
	dir, name := filepath.Split(f.Output)
	p := *papers[0]
	p.Name = name
	if len(list) == 1 && !list[0].draws() {
		p.Name = strings.TrimSuffix(name, list[0].ending)
		if p.Name != name {
			p.alone = name
		}
	}
	return filepath.Clean(dir + "."), []*Paper{&p}, nil
}

// spares returns an error if a file to be written is one of those that were read.
func (f *Writing) spares(path string) error {
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
