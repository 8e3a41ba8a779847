// Package plugins finds the plug-ins for MPI libraries on this machine (mpi/libmpi/plugin), makes them and removes
// them.
package plugins

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/libmpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// Variable is the environment's variable with directories of plug-ins, which are looked into first.
const Variable = "BEFF_PLUGINS"

const ending = ".so"

// Plugin is a plug-in on this machine. A portable one is there once for each library that is found for it, or once
// without one.
type Plugin struct {
	Name         string
	plugin.Files // Path is the file NAME.so
	plugin.Note
}

// Directories returns the directories of plug-ins, in the order in which they are looked into: those that Variable
// names, that of the tree that the program is installed in, the one of the program, and the user's. Those that can't be
// known are left out.
func Directories(getenv func(string) string) []string {
	list := filepath.SplitList(getenv(Variable))
	if prefix := input.Prefix(); prefix != "" {
		list = append(list, filepath.Join(prefix, "lib", "beff"))
	}
	if self, err := os.Executable(); err == nil {
		list = append(list, filepath.Dir(self))
	}
	data := getenv("XDG_DATA_HOME")
	if home := getenv("HOME"); data == "" && home != "" {
		data = filepath.Join(home, ".local", "share")
	}
	if filepath.IsAbs(data) {
		list = append(list, filepath.Join(data, "beff"))
	}
	return slices.DeleteFunc(list, func(dir string) bool { return dir == "" })
}

// Find returns the plug-ins in directories, ordered by name, with the libraries of portable ones in directories of
// libraries, in the order of these. Of two files with one name the first counts. What somebody else could have put
// there is refused with an error: its code would run as this user.
func Find(directories, libraryDirectories []string) (list []Plugin, refused []error) {
	for _, dir := range directories {
		paths, _ := filepath.Glob(filepath.Join(escape(dir), "*"+ending))
		if len(paths) == 0 {
			continue
		}
		real, err := input.TrustedDirectory(dir)
		if err != nil {
			refused = append(refused, fmt.Errorf("plug-ins are not loaded: %w", err))
			continue
		}
		for _, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), ending)
			if checkName(name) != nil || Named(list, name) != nil {
				continue
			}
			path = filepath.Join(real, name+ending)
			if _, err := input.Trusted(path); err != nil {
				refused = append(refused, fmt.Errorf("plug-in is not loaded: %w", err))
			} else if note, err := plugin.ReadNote(path); err == nil {
				rows, errs := with(Plugin{name, plugin.Files{Path: path}, note}, libraryDirectories)
				list, refused = append(list, rows...), append(refused, errs...)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Plugin) int { return strings.Compare(a.Name, b.Name) })
	return list, refused
}

// with returns a plug-in with each of the libraries that it is for.
func with(p Plugin, libraryDirectories []string) (rows []Plugin, refused []error) {
	if !p.Portable() {
		return []Plugin{p}, nil
	}
	found, refused := libraries(p.Family, libraryDirectories)
	for _, p.Library = range found {
		rows = append(rows, p)
	}
	if len(found) == 0 {
		rows = append(rows, p)
	}
	return rows, refused
}

// escape returns a path as a pattern that matches it alone.
func escape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// Named returns the plug-in of a name, nil if there is none.
func Named(list []Plugin, name string) *Plugin {
	i := slices.IndexFunc(list, func(p Plugin) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &list[i]
}

// Names returns the names in words: "mpich, openmpi", or "none".
func Names(list []Plugin) string {
	if len(list) == 0 {
		return "none"
	}
	names := lists.Each(list, func(p Plugin) string { return p.Name })
	names = slices.Compact(names)
	return strings.Join(names, ", ")
}

// Add makes the plug-in of the MPI whose compiler wrapper is named, and loads it once. An empty name becomes that of
// the library. The plug-in goes to the first directory that can be written to, and by nobody else; the last one, which
// is the user's, is made.
func Add(directories []string, wrapper, name string) (*Plugin, libmpi.Facts, error) {
	if err := checkName(name); err != nil {
		return nil, libmpi.Facts{}, err
	}
	file, err := create(directories)
	if err != nil {
		return nil, libmpi.Facts{}, err
	}
	defer os.Remove(file) // it has another name if all went well
	if err := plugin.Build(wrapper, file); err != nil {
		return nil, libmpi.Facts{}, err
	}
	facts, err := Describe(plugin.Files{Path: file})
	if err != nil {
		return nil, libmpi.Facts{}, fmt.Errorf("it was built but doesn't load: %w", err)
	}
	note, err := plugin.ReadNote(file)
	if err != nil {
		return nil, libmpi.Facts{}, err
	}
	if name == "" {
		if name = nameOf(facts, note); name == "" {
			return nil, libmpi.Facts{}, fmt.Errorf("%q gives no name: choose one by --name", facts.Library.Library)
		}
	}
	list, _ := Find(directories, nil)
	if old := Named(list, name); old != nil && old.Portable() {
		name += "-" + facts.Library.Version // the portable one stays
	}
	p := &Plugin{name, plugin.Files{Path: filepath.Join(filepath.Dir(file), name+ending)}, note}
	return p, facts, os.Rename(file, p.Path)
}

// create makes an empty file in the first directory that can be written to.
func create(directories []string) (string, error) {
	if len(directories) == 0 {
		return "", fmt.Errorf("no directory for plug-ins is known: set %s to one", Variable)
	}
	var failed []string
	for i, dir := range directories {
		if i == len(directories)-1 {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				failed = append(failed, err.Error())
				break
			}
		}
		var f *os.File
		real, err := input.TrustedDirectory(dir)
		if err == nil {
			f, err = os.CreateTemp(real, ".new-*"+ending)
		}
		if err == nil {
			if err = errors.Join(f.Chmod(0o755), f.Close()); err == nil {
				return f.Name(), nil
			}
			os.Remove(f.Name())
		}
		if !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, err.Error())
		}
	}
	return "", fmt.Errorf("no directory for plug-ins can be written to: set %s to one: %s", Variable,
		strings.Join(failed, "; "))
}

// checkName returns an error for a name that makes no file name or no word of a command line.
func checkName(name string) error {
	if strings.ContainsFunc(name, func(r rune) bool { return !inName(r) }) || strings.HasPrefix(name, ".") {
		return fmt.Errorf("name %q: want letters, digits, '.', '-' and '_'", name)
	}
	return nil
}

func inName(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(".-_", r)
}

// nameOf returns the name of a library's plug-in: openmpi of Open MPI. All libraries with the standard's ABI share one.
func nameOf(facts libmpi.Facts, note plugin.Note) string {
	switch note.Family {
	case plugin.Standard:
		return "abi"
	case plugin.OpenSHMEM:
		return "openshmem"
	}
	return strings.ToLower(strings.Map(func(r rune) rune {
		if !inName(r) {
			return -1
		}
		return r
	}, facts.Library.Library))
}
