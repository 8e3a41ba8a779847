// Package plugins finds the plug-ins for MPI libraries on this machine (mpi/libmpi/plugin), builds them, and loads them
// in separate processes to try them.
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

// Variable is the environment variable with directories of plug-ins, which are searched first.
const Variable = "BEFF_PLUGINS"

const ending = ".so"

// Plugin is a plug-in on this machine. Find returns a portable plug-in once for each library found for it, or once
// without a library.
type Plugin struct {
	Name         string
	plugin.Files // Path is the file NAME.so
	plugin.Note
}

// Directories returns the directories of plug-ins in the order of search: the directories in Variable, lib/beff of the
// program's installation, the program's directory, and the user's. It leaves out directories that aren't known.
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

// Find returns the plug-ins in directories, ordered by name. Portable ones are combined with their libraries in
// libraryDirectories, in that order. If two files have the same name, the first one counts. For each file that another
// user could have put there Find returns an error instead, because its code would run as this user.
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
				rows, errs := withLibraries(Plugin{name, plugin.Files{Path: path}, note}, libraryDirectories)
				list, refused = append(list, rows...), append(refused, errs...)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Plugin) int { return strings.Compare(a.Name, b.Name) })
	return list, refused
}

// withLibraries returns a plug-in, once for each of its libraries if it is portable.
func withLibraries(p Plugin, libraryDirectories []string) (rows []Plugin, refused []error) {
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

// escape returns a pattern that matches only the path.
func escape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// Named returns the plug-in with a name, or nil.
func Named(list []Plugin, name string) *Plugin {
	i := slices.IndexFunc(list, func(p Plugin) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &list[i]
}

// Names returns the names as a text, such as "mpich, openmpi", or "none".
func Names(list []Plugin) string {
	if len(list) == 0 {
		return "none"
	}
	names := lists.Each(list, func(p Plugin) string { return p.Name })
	names = slices.Compact(names)
	return strings.Join(names, ", ")
}

// Add builds a plug-in with an MPI's compiler wrapper, and loads it once (see Describe). If name is empty, it is
// named after the library. The plug-in goes to the first directory to which only this user can write. Add makes the
// last directory, the user's, if it doesn't exist.
func Add(directories []string, wrapper, name string) (*Plugin, libmpi.Facts, error) {
	if err := checkName(name); err != nil {
		return nil, libmpi.Facts{}, err
	}
	file, err := create(directories)
	if err != nil {
		return nil, libmpi.Facts{}, err
	}
	defer os.Remove(file) // if it hasn't been renamed
	if err := plugin.Build(wrapper, file); err != nil {
		return nil, libmpi.Facts{}, err
	}
	facts, err := Describe(plugin.Files{Path: file})
	if err != nil {
		return nil, libmpi.Facts{}, fmt.Errorf("the plug-in was built but doesn't load: %w", err)
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
		name += "-" + facts.Library.Version // the portable plug-in keeps its name
	}
	p := &Plugin{name, plugin.Files{Path: filepath.Join(filepath.Dir(file), name+ending)}, note}
	return p, facts, os.Rename(file, p.Path)
}

// create makes an empty file in the first directory to which it can write.
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

// checkName returns an error for a name that is unsuitable as a file name or as a word of a command line.
func checkName(name string) error {
	if strings.ContainsFunc(name, func(r rune) bool { return !inName(r) }) || strings.HasPrefix(name, ".") {
		return fmt.Errorf("name %q: want letters, digits, '.', '-' and '_'", name)
	}
	return nil
}

func inName(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(".-_", r)
}

// nameOf returns the name of a library's plug-in, such as openmpi for Open MPI. All libraries with the standard ABI
// share one name.
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

// UserLibrary returns the path for loading a user's library of functions, or an error if others may change the file,
// because its code would run as this user. It looks for a name without a slash in directories, which are
// LD_LIBRARY_PATH's. It returns a name that isn't there unchanged; the loader then searches the system's directories.
func UserLibrary(name string, directories []string) (string, error) {
	if strings.Contains(name, "/") {
		return input.Trusted(name)
	}
	for _, dir := range directories {
		path := filepath.Join(dir, name) // empty means the working directory, as for the loader
		if _, err := os.Stat(path); err == nil {
			return input.Trusted(path)
		}
	}
	return name, nil
}
