package mdtest

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/settings"
)

// Command lines of IO500 and of the documentation of mdtest.
func TestParse(t *testing.T) {
	nothing := int64(0)
	for line, want := range map[string]settings.Metadata{
		"-n 20":                      {Items: 20, Text: settings.TextRates},
		"-n=20 -P -Z":                {Items: 20, Text: settings.TextBoth},
		"-n20 -Fu -Z":                {Items: 20, Own: true, Text: settings.TextTimes},
		"-I 10 -z 2 -b 3":            {Items: 130, Depth: 2, Branching: 3, Text: settings.TextRates},
		"-I 10 -z 2 -b 3 -L":         {Items: 90, Depth: 2, Branching: 3, Leaves: true, Text: settings.TextRates},
		"-I 10 -n 40":                {Items: 40, Depth: 1, Branching: 4, Leaves: true, Text: settings.TextRates},
		"-n 1k -w 4k":                {Items: 1024, Read: &nothing, Text: settings.TextRates},
		"-n 5 -R --random-seed=7 -y": {Items: 5, Seed: 7, Synced: true, Text: settings.TextRates},
		"-n 1000000 -u -L -F -P -N 1 -Y -W 300": {Items: 1_000_000, Own: true, Leaves: true, Shift: 1, AllSynced: true,
			Stonewall: 300, Text: settings.TextBoth},
	} {
		l, err := Parse(strings.Fields(line))
		require.NoError(t, err, line)
		require.Equal(t, &want, l.Settings.Metadata, line)
	}
	l, err := Parse(strings.Fields("-n 1000000 -t -w 3901 -e 3901 -P -N 1 -F -X -C -d /"))
	require.NoError(t, err)
	require.Equal(t, []int64{3901}, l.Settings.Lengths)
	require.Equal(t, []string{"meta:Tree_create", "meta:File_create", "meta:Tree_remove"}, l.Names)
	require.Equal(t, "/", l.Directory)
	require.Len(t, l.Notices, 3) // -t, phases of separate runs, and the unit of times
	l, err = Parse(strings.Fields("-n 3 -D -i 2"))
	require.NoError(t, err)
	require.Equal(t, []string{"meta:Tree_create", "meta:Dir_create", "meta:Dir_stat", "meta:Dir_rename",
		"meta:Dir_remove", "meta:Tree_remove"}, l.Names)
	require.Equal(t, 2, l.Settings.Passes)
}

// What mdtest refuses, and what isn't its own.
func TestRefused(t *testing.T) {
	for line, want := range map[string]string{
		"":                       "-n 1000",
		"-n":                     "-n: want a value",
		"-n x":                   "want a number",
		"-n 10 -b 0":             "-b 0: want a whole number from 1 on",
		"-n 10 -e 1":             "read bytes must be smaller than write bytes",
		"-n 10 -k -w 1":          "-k not compatible with -w",
		"-n 10 -I 3":             "multiple of items per directory",
		"-n 10 -I 5 -u":          "only specify",
		"-n 10 -I 5 -z 2 -b 3":   "makes more items than its rates count",
		"-n 12 -z 2 -b 3":        "want 13 items of a process or more, one for each directory of the tree, not 12",
		"-n 8 -z 2 -b 3 -L":      "want 9 items",
		"-n 10 -d a@b":           "-d a@b: want one directory",
		"-n 10 -x status -T":     "-x: not measured here",
		"-n 10 -W 1 -b 2":        "branching factor of 1",
		"-n 10 -a MPIIO":         "want POSIX",
		"-n 10 -Q":               "unknown option -Q",
		"-n 10 --nonsense":       "unknown option --nonsense",
		"-n 10 file":             `"file" is no option`,
		"-n 1 -z 40 -b 2 -F":     "want a tree of up to",
		"-n 1 -z 19 -b 2 -F":     "want a flatter tree",
		"-n 1000000000 -R -F":    "in a random order",
		"-n 1 -d /none/of/these": "-d /none/of/these: ",
		"-n 1 -E -w 5 -e 6":      "read bytes must be smaller",
	} {
		_, err := Parse(strings.Fields(line))
		require.ErrorContains(t, err, want, line)
	}
}

// A directory that isn't there is told, and its parent taken. Files that are read alone have what is read.
func TestBeforeTheRun(t *testing.T) {
	l, err := Parse(strings.Fields("-n 1 -E -F -e 77 -d /tmp/missing-9f2"))
	require.NoError(t, err)
	require.Equal(t, "/tmp", l.Directory)
	require.Contains(t, strings.Join(l.Notices, " "),
		"/tmp/missing-9f2 is not there: the run's directory is made in /tmp")
	require.Equal(t, []int64{77}, l.Settings.Lengths)
	require.Nil(t, l.Settings.Metadata.Read)
}

// Each option is there once, and is taken, or refused with a reason.
func TestOptions(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range Options {
		for _, name := range []string{o.Letter, o.Long} {
			require.False(t, name != "" && seen[name], name)
			seen[name] = true
		}
		if o.Letter == "h" {
			continue
		}
		words := []string{"-" + o.Letter}
		if o.Letter == "" {
			words = []string{"--" + o.Long}
		}
		switch {
		case o.Letter == "a":
			words = append(words, "POSIX")
		case o.Value != "":
			words = append(words, "1")
		}
		_, err := Parse(append([]string{"-n", "4", "-w", "1"}, words...))
		switch {
		case o.Letter == "k":
			require.Error(t, err)
			continue
		case o.Refused != "":
			require.ErrorContains(t, err, "not measured here: "+o.Refused)
			if o.Value != "" {
				words[len(words)-1] = "0" // is off
				_, err = Parse(append([]string{"-n", "4"}, words...))
				require.NoError(t, err, words)
			}
			continue
		}
		require.NoError(t, err, words)
	}
}

// The notebook's table has each option that is refused, or has no effect.
func TestTable(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/studies/metadata.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "\n## Options\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n## ")
	for _, o := range Options {
		if o.Help == "" {
			name := o.Long
			if o.Letter != "" {
				name = "-" + o.Letter
			}
			require.Contains(t, table, "`"+name+"`")
		}
	}
}
