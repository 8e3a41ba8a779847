package ior

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// Each option is there once, by its letter and by its name, and is taken, refused with a reason, or a notice.
func TestOptions(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range Options {
		for _, name := range []string{o.Short, o.Long} {
			require.False(t, name != "" && seen[name], name)
			seen[name] = true
		}
		words := []string{"--" + o.Long}
		switch {
		case o.Short == "a":
			words = append(words, "posix")
		case o.Short == "O":
			words = append(words, "stoneWallingWearOut=1,segmentCount=3")
		case o.Value != "":
			words = append(words, "1")
		}
		l, err := Parse(words)
		if err != nil {
			require.ErrorContains(t, err, "not measured here: ", o.Long)
			continue
		}
		require.Equal(t, o.Help == "", len(l.Notices) > 0, o.Long)
	}
}

// The notebook's table has each option.
func TestTable(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/studies/ior.md")
	require.NoError(t, err)
	for _, o := range Options {
		require.True(t, o.Short != "" && strings.Contains(string(text), "`-"+o.Short+"`") ||
			strings.Contains(string(text), "`"+o.Long+"`"), "%s %s", o.Short, o.Long)
	}
}

// The command lines of procurements, and of IO500's phases.
func TestLines(t *testing.T) {
	l, err := Parse(strings.Fields("-a MPIIO -c -t 1m -b 16m -s 4 -C -Q 2 -e -g -i 3 -o /scratch/f"))
	require.NoError(t, err)
	require.Equal(t, ior.Settings{API: ior.MPIIO, Collective: true, Transfer: 1 << 20, Block: 16 << 20, Segments: 4,
		Sync: true, Barriers: true, Repetitions: 3, Write: true, Read: true, File: "/scratch/f"}, l.Settings)
	require.Equal(t, int64(2), l.nodes)
	l, err = Parse(strings.Fields("-r -z -z -t=4096 -b=4096 -s=10000000 -D 300 -O stoneWallingWearOut=1 -k -F"))
	require.NoError(t, err)
	require.Equal(t, ior.Settings{API: ior.POSIX, Transfer: 4096, Block: 4096, Segments: 10_000_000, Stonewall: 300,
		WearOut: true, Scattered: true, Seed: 1, Repetitions: 1, Read: true, Keep: true, FilePerProcess: true,
		File: "testFile"}, l.Settings)
}

// Switches may be off, names have letters of either case, and numbers letters, as IOR reads them. What is only compared
// is read, and nothing else is done.
func TestValues(t *testing.T) {
	for line, want := range map[string]ior.Settings{
		"-t 1MB -b 4MiB -s 1k": {Transfer: 1 << 20, Block: 4 << 20, Segments: 1024, Write: true,
			Read: true},
		"-c=0 -W=0 -O useO_DIRECT=0,FSYNC=1":    {Sync: true, Write: true, Read: true},
		"-O interTestDelay=0,randomOffset=2 -w": {Scattered: true, Seed: 1, Write: true},
		"-z=1 --random-offset-seed=7 -r":        {Random: true, Seed: 7, Read: true},
		"-R":                                    {Compare: true, Read: true},
		"-wR":                                   {Compare: true, Read: true, Write: true},
		"-M 50% -N 2":                           {Filled: 500, Write: true, Read: true},
		"-M 3k":                                 {Filled: 1536, Write: true, Read: true},
		"-M 50% -O memoryPerTask=7 -N 0":        {Filled: 7, Write: true, Read: true},
	} {
		l, err := Parse(strings.Fields(line))
		require.NoError(t, err, line)
		list, err := l.Tests(2, &job.Layout{Memory: 1000, Ranks: [][]int{{0, 1}}})
		require.NoError(t, err, line)
		want.API, want.Repetitions, want.File = ior.POSIX, 1, "testFile"
		want.Transfer, want.Block, want.Segments = max(want.Transfer, 256<<10), max(want.Block, 1<<20),
			max(want.Segments, 1)
		require.Equal(t, []ior.Settings{want}, list, line)
		require.Empty(t, l.Notices, line)
	}
	for line, by := range map[string]string{"-C -Q 3": "3 shifts readers by 6 processes of 2", "-C -Q 0": "0 shifts"} {
		l, err := Parse(strings.Fields(line))
		require.NoError(t, err)
		_, err = l.Tests(2, &job.Layout{Ranks: [][]int{{0, 1}}})
		require.NoError(t, err)
		require.Contains(t, strings.Join(l.Notices, ""), by)
	}
	for line, want := range map[string]string{
		"-o a@b": "want one file",
		"-t 0":   "a byte or more", "-t 1x": "is no size", "-M 101%": "want a part such as 50%",
		"-O fsync": "want fsync=VALUE", "-O nonsense=1": `unknown name "nonsense"`, "--nonsense": "unknown option",
		"-O checkWrite=1": "checkWrite 1: not measured here", "--posix.lustre.stripecount=4": "the directory",
	} {
		_, err := Parse(strings.Fields(line))
		require.ErrorContains(t, err, want, line)
	}
	l, err := Parse([]string{"-N", "3"})
	require.NoError(t, err)
	_, err = l.Tests(2, &job.Layout{})
	require.ErrorContains(t, err, "-N 3 of 2 processes")
	l, err = Parse([]string{"-M", "5%"})
	require.NoError(t, err)
	_, err = l.Tests(2, &job.Layout{})
	require.ErrorContains(t, err, "is not known")
}

// The tests of a script begin with the values of the one before; what the line says holds for the first, too.
func TestScript(t *testing.T) {
	l, err := Parse(strings.Fields("-f tests -e -i 2"))
	require.NoError(t, err)
	require.NoError(t, l.ReadScript(`
writeFile=1 # before the begin
 IOR START
    api = MPIIO
    # a comment
    blockSize=4m, transferSize=2m
    writeFile=1
	keepFile=1
	refNum=3
RUN
    writeFile=0
    readFile=1
    reorderTasksConstant=4
run
run
	collective=1
IOR STOP
	segmentCount=5
`))
	list, err := l.Tests(2, &job.Layout{Ranks: [][]int{{0}, {1}}})
	require.NoError(t, err)
	first := ior.Settings{API: ior.MPIIO, Block: 4 << 20, Transfer: 2 << 20, Segments: 1, Repetitions: 2, Write: true,
		Keep: true, Sync: true, File: "testFile"}
	second := first
	second.Write, second.Read, second.Shift, second.ShiftNodes = false, true, 1, 1
	last := second
	last.Collective = true
	require.Equal(t, []ior.Settings{first, second, second, last}, list)
	require.False(t, l.Own())
	require.Equal(t, []string{"refNum 3 is ignored: results have names"}, l.Notices)
	l, err = Parse([]string{"-f", "tests"})
	require.NoError(t, err)
	require.ErrorContains(t, l.ReadScript("IOR START\nkeepFile=1\nnonsense=1\n"),
		`tests, line 3: unknown name "nonsense"`)
	require.NoError(t, l.ReadScript("")) // one test, of the values that there are
	list, err = l.Tests(1, &job.Layout{})
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.True(t, l.Own())
}
