package ior

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/ior"
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
