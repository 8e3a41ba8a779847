package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
)

// grammar is a command line with each kind of flag that a file may set.
type grammar struct {
	Run struct {
		System string   `help:"A word."`
		Site   string   `help:"A word."`
		Rules  string   `enum:"2001,3.6" default:"2001" help:"A choice."`
		Passes *int     `help:"A number that need not be there."`
		Loud   bool     `xor:"voice" help:"Excludes --quiet."`
		Quiet  bool     `xor:"voice" help:"Excludes --loud."`
		Force  bool     `help:"Must be meant."`
		Words  []string `help:"A list with commas."`
		Option []string `sep:"none" help:"A list of flags."`
	} `cmd:""`
	Model struct {
		Run struct {
			Machine string `help:"A word."`
		} `cmd:""`
		Old struct {
			Seed int `help:"A number."`
		} `cmd:"" hidden:""`
		Fit struct {
			Machine string `help:"A word."`
		} `cmd:""`
	} `cmd:""`
}

// parsed parses a command line with values of a file.
func parsed(t *testing.T, values []Value, line ...string) *grammar {
	var g grammar
	parser, err := kong.New(&g, kong.Exit(func(int) { t.Fatal("it ends") }))
	require.NoError(t, err)
	require.NoError(t, Check(values, parser.Model))
	parser, err = kong.New(&g, kong.Resolvers(Resolver(values)))
	require.NoError(t, err)
	_, err = parser.Parse(line)
	require.NoError(t, err)
	return &g
}

// values returns the values of a text.
func values(t *testing.T, text string) []Value {
	list, err := Parse("f", []byte(text))
	require.NoError(t, err)
	return list
}

// The system's file comes last.
func TestPaths(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want []string
	}{
		{nil, []string{"/etc/beff.toml"}},
		{map[string]string{"HOME": "/home/me"}, []string{"/home/me/.config/beff/beff.toml",
			"/etc/beff.toml"}},
		{map[string]string{"HOME": "/home/me", "XDG_CONFIG_HOME": "/x"}, []string{"/x/beff/beff.toml",
			"/etc/beff.toml"}},
		{map[string]string{"XDG_CONFIG_HOME": "no/whole/path"}, []string{"/etc/beff.toml"}},
	} {
		require.Equal(t, c.want, Paths(func(key string) string { return c.env[key] }))
	}
}

// Values are sorted by their keys, with those at the top first. An invalid value is refused with its place.
func TestParse(t *testing.T) {
	list := values(t, "words = ['a', 12, true]\nb = 2.5\n[run]\nz = -3\ny = false\n[model]\nx = ['d']\n")
	var got []string
	for _, v := range list {
		require.Equal(t, "f", v.File)
		got = append(got, v.Key()+"="+v.Text())
	}
	require.Equal(t, []string{"b=2.5", "words=a, 12, true", "model.x=d", "run.y=false", "run.z=-3"}, got)
	require.Equal(t, []string{"a", "12", "true"}, list[1].Parts)
	for text, want := range map[string]string{
		"a = \n":                      "f:1:5: ",
		"\na = 1\na = 2\n":            "f:3:1: ",
		"a = 2026-11-23\n":            "f: a: want a text, a number, true or false, or a list of them",
		"[run.deep]\nx = 1\n":         "f: run.deep: want a text, ",
		"[run]\nx = [[1], {y = 2}]\n": "f: run.x: want a text, ",
	} {
		_, err := Parse("f", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

// The first value of a key counts, in the order of the files.
func TestValues(t *testing.T) {
	files := []File{{Values: values(t, "a = 1\n[run]\na = 2")}, {}, {Values: values(t, "a = 3\nb = 4\n[run]\nb = 5")}}
	var got []string
	for _, v := range Values(files) {
		got = append(got, v.Key()+"="+v.Text())
	}
	require.Equal(t, []string{"a=1", "run.a=2", "b=4", "run.b=5"}, got)
}

// A file may only set some flags, and their values must fit.
func TestCheck(t *testing.T) {
	var g grammar
	parser, err := kong.New(&g)
	require.NoError(t, err)
	for text, want := range map[string]string{
		"rules = '3.6'\n[run]\npasses = 3\nsystem = 'x'": "",
		"machine = 'x'\n[model]\nmachine = 'y'":          "",
		"seed = 3":                                       "f: there is no flag for seed",
		"force = true":                                   "f: force can't be set in a file",
		"[run]\nforce = true":                            "f: run.force can't be set in a file",
		"rulez = 1":                                      "f: there is no flag for rulez",
		"[run]\nmachine = 'x'":                           "f: there is no flag for run.machine",
		"[fit]\nmachine = 'x'":                           "f: there is no flag for fit.machine",
		"rules = '1999'":                                 "f: rules: want one of 2001, 3.6",
		"passes = 'many'":                                "f: passes: ",
		"loud = 'yes please'":                            "f: loud: ",
	} {
		if err := Check(values(t, text), parser.Model); want == "" {
			require.NoError(t, err, text)
		} else {
			require.ErrorContains(t, err, want, text)
		}
	}
	for _, f := range parser.Model.Leaves(true)[0].Flags {
		require.False(t, f.Set, "%s: trying a value doesn't set the flag", f.Name)
	}
}

// A value for one command takes precedence over a value for all commands, and the command line over both.
func TestResolver(t *testing.T) {
	list := values(t, "system = 'all'\nsite = 'here'\nmachine = 'any'\n[run]\nsystem = 'own'\npasses = 3\n"+
		"loud = true\nwords = ['a,b', 'c']\noption = ['d,e', 'f']\n[model]\nmachine = 'mine'")
	run := parsed(t, list, "run").Run
	require.Equal(t, []string{"own", "here", "2001"}, []string{run.System, run.Site, run.Rules})
	require.Equal(t, 3, *run.Passes)
	require.True(t, run.Loud)
	require.Equal(t, [][]string{{"a,b", "c"}, {"d,e", "f"}}, [][]string{run.Words, run.Option})
	run = parsed(t, list, "run", "--system", "given", "--quiet").Run
	require.Equal(t, "given", run.System)
	require.Equal(t, [2]bool{false, true}, [2]bool{run.Loud, run.Quiet}, "not both")
	require.Equal(t, "mine", parsed(t, list, "model", "fit").Model.Fit.Machine)
	require.Equal(t, "any", parsed(t, values(t, "machine = 'any'"), "model", "run").Model.Run.Machine)
}

// Files are read if they are trusted, and mistakes in them are errors.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	mine, sites := filepath.Join(dir, "mine.toml"), filepath.Join(dir, "site.toml")
	paths := []string{mine, sites}
	write := func(path, text string, mode os.FileMode) {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		require.NoError(t, os.Chmod(path, mode))
	}
	files, err := Read(paths)
	require.NoError(t, err)
	for i, f := range files {
		require.Equal(t, File{Path: paths[i]}, f)
	}

	write(mine, "system = 'M'\nmemory = 1\n", 0o600)
	write(sites, "site = 'W'\n", 0o620)
	files, err = Read(paths)
	require.NoError(t, err)
	require.True(t, files[0].Found && files[1].Found)
	require.Len(t, files[0].Values, 2)
	require.ErrorContains(t, files[1].Refused, "is not trusted")
	require.Empty(t, files[1].Values)

	write(mine, "memory = \n", 0o600)
	_, err = Read(paths)
	require.ErrorContains(t, err, mine+":1:10: ")
	for more, too := range []bool{false, true} {
		write(mine, "#"+strings.Repeat("x", 64<<10-1+more), 0o600)
		_, err = Read(paths)
		require.Equal(t, too, err != nil, "%v", err)
	}
}
