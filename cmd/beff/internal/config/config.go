// Package config reads beff.toml: values for flags that a user or a site wants in every command. A key of a file is the
// name of a flag. Keys at the top apply to every command that has the flag. Keys in a table apply to the command that
// the table is named after, and take precedence.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/pelletier/go-toml/v2"

	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/internal/lists"
)

// Name is the name of the files.
const Name = "beff.toml"

// File is a configuration file with its values.
type File struct {
	Path    string
	Found   bool
	Refused error   // why it isn't read (nil: it is)
	Values  []Value // sorted by their keys; those at the top first
}

// names are the flags that describe the measured machine.
var names = []string{"system", "site", "note"}

// maxBytes limits the size of a configuration file.
const maxBytes = 64 << 10

// Value is a value of a file.
type Value struct {
	Command string // empty: every command that has the flag
	Flag    string
	Parts   []string // the elements of a list; otherwise one
	File    string
}

// Key returns the value's key, with its table.
func (v Value) Key() string {
	if v.Command == "" {
		return v.Flag
	}
	return v.Command + "." + v.Flag
}

// Paths returns the paths of the files, in the order of precedence: the user's file, then the file in the tree in which
// the program is installed, and the system's file.
func Paths(getenv func(string) string) (list []string) {
	home := getenv("XDG_CONFIG_HOME")
	if home == "" && getenv("HOME") != "" {
		home = filepath.Join(getenv("HOME"), ".config")
	}
	if filepath.IsAbs(home) {
		list = append(list, filepath.Join(home, "beff", Name))
	}
	if prefix := input.Prefix(); prefix != "" {
		list = append(list, filepath.Join(prefix, "etc", Name))
	}
	return append(list, filepath.Join("/etc", Name))
}

// Read reads the files that exist, if they are trusted. It returns a File for each path.
func Read(paths []string) ([]File, error) {
	files := make([]File, len(paths))
	for i, path := range paths {
		f := &files[i]
		f.Path = path
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		f.Found = true
		if path, f.Refused = input.Trusted(path); f.Refused != nil {
			continue
		}
		data, err := input.ReadAll(path, maxBytes)
		if err != nil {
			return files, err
		}
		if f.Values, err = Parse(f.Path, data); err != nil {
			return files, err
		}
	}
	return files, nil
}

// Parse returns the values of a file, first those at the top and then those in tables, each sorted by their keys.
func Parse(path string, data []byte) (list []Value, err error) {
	var content map[string]any
	if err := toml.Unmarshal(data, &content); err != nil {
		if at := (*toml.DecodeError)(nil); errors.As(err, &at) {
			row, column := at.Position()
			return nil, fmt.Errorf("%s:%d:%d: %w", path, row, column, err)
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var within []Value
	for key, value := range content {
		table, ok := value.(map[string]any)
		if !ok {
			table = map[string]any{key: value}
			key = ""
		}
		for flag, value := range table {
			v := Value{Command: key, Flag: flag, File: path}
			if v.Parts, err = parts(value); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", path, v.Key(), err)
			}
			if key == "" {
				list = append(list, v)
			} else {
				within = append(within, v)
			}
		}
	}
	order := func(a, b Value) int { return strings.Compare(a.Key(), b.Key()) }
	slices.SortFunc(list, order)
	slices.SortFunc(within, order)
	return append(list, within...), nil
}

// parts returns the elements of a value, each as it is written on the command line.
func parts(value any) ([]string, error) {
	switch v := value.(type) {
	case string:
		return []string{v}, nil
	case bool:
		return []string{strconv.FormatBool(v)}, nil
	case int64:
		return []string{strconv.FormatInt(v, 10)}, nil
	case float64:
		return []string{strconv.FormatFloat(v, 'g', -1, 64)}, nil
	case []any:
		var list []string
		for _, part := range v {
			of, err := parts(part)
			if err != nil {
				return nil, err
			}
			list = append(list, of...)
		}
		return list, nil
	}
	return nil, fmt.Errorf("want a text, a number, true or false, or a list of them")
}

// Text returns the value for people: the elements of a list are separated by commas.
func (v Value) Text() string { return strings.Join(v.Parts, ", ") }

// token returns the value as kong expects it for a flag.
func (v Value) token(f *kong.Flag) any {
	if !f.IsSlice() {
		return strings.Join(v.Parts, ",")
	}
	if f.Tag.Sep == -1 { // the flag is given once for each element
		return lists.Each(v.Parts, func(part string) any { return part })
	}
	return kong.JoinEscaped(v.Parts, f.Tag.Sep)
}

// Values returns the effective values: the first one of each key, in the order of the files.
func Values(files []File) (list []Value) {
	for _, f := range files {
		for _, v := range f.Values {
			if !slices.ContainsFunc(list, func(w Value) bool { return w.Key() == v.Key() }) {
				list = append(list, v)
			}
		}
	}
	return list
}

// never are the flags that no file may set, because users must give them on purpose.
var never = []string{"help", "help-all", "version", "force", "unverified"}

// Check returns an error that names the first value for which no command has a flag, or which its flag doesn't accept.
func Check(values []Value, app *kong.Application) error {
	for _, v := range values {
		flags := v.flags(app)
		switch {
		case slices.Contains(never, v.Flag):
			return fmt.Errorf("%s: %s can't be set in a file", v.File, v.Key())
		case len(flags) == 0:
			return fmt.Errorf("%s: there is no flag for %s", v.File, v.Key())
		}
		for _, f := range flags {
			if err := v.fits(f); err != nil {
				return fmt.Errorf("%s: %s: %w", v.File, v.Key(), err)
			}
		}
	}
	return nil
}

// flags returns the flags to which a value applies.
func (v Value) flags(app *kong.Application) (list []*kong.Flag) {
	for _, node := range app.Leaves(true) {
		if at := slices.IndexFunc(node.Flags, v.named); at >= 0 && v.reaches(first(node)) {
			list = append(list, node.Flags[at])
		}
	}
	return list
}

// reaches reports whether the value applies to a command. A value at the top applies to all commands. But names are for
// a real machine, so they don't apply to models, nor to doctor, whose --system drafts a file.
func (v Value) reaches(command string) bool {
	if v.Command == "" {
		return command != "model" && command != "doctor" || !slices.Contains(names, v.Flag)
	}
	return v.Command == command
}

// named reports whether a flag has the value's name.
func (v Value) named(f *kong.Flag) bool { return f.Name == v.Flag }

// fits returns an error if a flag doesn't accept the value.
func (v Value) fits(f *kong.Flag) error {
	defer func(set bool) { f.Set = set }(f.Set) // trying the value must not count as giving the flag
	return v.Put(f, reflect.New(f.Target.Type()).Elem())
}

// Put puts the value into the target of a flag, or into another target of the same type.
func (v Value) Put(f *kong.Flag, target reflect.Value) error {
	if choices := f.EnumSlice(); f.Enum != "" && !slices.Contains(choices, v.Text()) {
		return fmt.Errorf("want one of %s", strings.Join(choices, ", "))
	}
	if target.Kind() == reflect.Pointer {
		target.Set(reflect.New(target.Type().Elem()))
	}
	return f.Parse(kong.Scan().PushTyped(v.token(f), kong.FlagValueToken), target)
}

// first returns the first word of a command.
func first(node *kong.Node) string {
	for node.Parent != nil && node.Parent.Type == kong.CommandNode {
		node = node.Parent
	}
	return node.Name
}

// Resolver gives kong the values of flags that aren't on the command line.
type Resolver []Value

// Validate implements kong.Resolver. The values were checked by Check.
func (r Resolver) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver. It returns no value for a flag if the command line has a flag that excludes it.
func (r Resolver) Resolve(line *kong.Context, parent *kong.Path, flag *kong.Flag) (any, error) {
	node := parent.Node()
	if node == nil {
		return nil, nil
	}
	for _, step := range line.Path {
		if step.Flag != nil && slices.ContainsFunc(step.Flag.Xor, func(x string) bool {
			return slices.Contains(flag.Xor, x)
		}) {
			return nil, nil
		}
	}
	for _, command := range []string{first(node), ""} {
		for _, v := range r {
			if v.Command == command && v.Flag == flag.Name && v.reaches(first(node)) {
				return v.token(flag), nil
			}
		}
	}
	return nil, nil
}
