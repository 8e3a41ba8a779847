package mpiblib_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/mpiblib"
	"github.com/effective-bandwidth/beff/probe/settings"
)

func parse(t *testing.T, tool string, args ...string) *mpiblib.Line {
	l, err := mpiblib.Parse(tool, args)
	require.NoError(t, err)
	_, err = l.Config()
	require.NoError(t, err)
	return l
}

// The defaults are the manual's (7.5). Collective leaves out the longest length.
func TestDefaults(t *testing.T) {
	p := parse(t, mpiblib.P2P)
	require.Equal(t, []string{"Roundtrip"}, p.Names)
	require.Len(t, p.Settings.Rows.Lengths, 201)
	require.Equal(t, int64(204800), p.Settings.Rows.Lengths[200])
	require.Equal(t, settings.Precision{Relative: 0.025, Confidence: 0.95, Min: 5, Max: 100, Inner: 1,
		Statistic: settings.ByMean}, *p.Settings.Series.Precision)
	require.Empty(t, p.Settings.Series.Timing)

	c := parse(t, mpiblib.Collective, "-O", "MPIB_Scatter_binomial", "-l", "libmpib_coll.so", "-m", "1024", "-M2049")
	require.Equal(t, []string{"Scatter_binomial"}, c.Names)
	require.Equal(t, []int64{1024, 2048}, c.Settings.Rows.Lengths) // the manual's example
	require.Equal(t, settings.ByMax, c.Settings.Series.Timing)
	require.Empty(t, c.Settings.Blocks.Counts)
}

func TestOptions(t *testing.T) {
	p := parse(t, mpiblib.P2P, "-vS", "0", "-d0.2", "-s", "128", "-n", "20", "-r200", "-c", "0.9", "-e", "0.01")
	require.Equal(t, settings.Adaptive{Max: 204800, Difference: 0.2, Stride: 128, MaxLengths: 20},
		*p.Settings.Rows.Adaptive)
	require.Equal(t, [2]int64{200, 200}, [2]int64{p.Settings.Series.Precision.Min, p.Settings.Series.Precision.Max})
	p = parse(t, mpiblib.P2P, "-R", "3", "-P", "1", "-x", "3", "-p", "1")
	require.Equal(t, [2]int64{3, 3}, [2]int64{p.Settings.Series.Precision.Min, p.Settings.Series.Precision.Max})
	require.Equal(t, []string{"Relayed"}, p.Names)
	require.Equal(t, 3, p.Settings.Blocks.Relays)
	require.Len(t, p.Notices, 1)

	for suboptions, want := range map[string]string{"": settings.CountsDuplicate, "verbose": settings.CountsDuplicate,
		"sgv=1": settings.CountsBroadcast, "verbose,sgv=2": settings.CountsMessage, "sgv=3": ""} {
		c := parse(t, mpiblib.Collective, "-O", "MPIB_Gatherv_Traff", "-o", suboptions, "-t", "root")
		require.Equal(t, want, c.Settings.Blocks.Counts, suboptions)
		require.Equal(t, settings.ByRoot, c.Settings.Series.Timing)
	}
	require.Equal(t, []string{"Bcast"}, parse(t, mpiblib.Collective, "-O", "MPI_Bcast").Names)
	require.Equal(t, []string{"Comm_dup"}, parse(t, mpiblib.Collective, "-O", "MPI_Comm_dup_free").Names)

	c := parse(t, mpiblib.Collective, "-O", "my_Bcast", "-l", "./lib.so", "-o", "a,b=1")
	require.Equal(t, settings.Library{File: "./lib.so", Functions: []string{"my_Bcast"}, Options: "a,b=1"},
		*c.Settings.Library)
	require.Empty(t, c.Names)
}

// A wrong command line gives an error of one line.
func TestWrong(t *testing.T) {
	for _, x := range []struct {
		want string
		args []string
	}{
		{"unknown tool", []string{"bcast"}},
		{"p2p: invalid option -- 'O'", []string{"p2p", "-O", "x"}},
		{"p2p: option requires an argument -- 'm'", []string{"p2p", "-m"}},
		{"p2p: -c 2: want a number between 0 and 1", []string{"p2p", "-c", "2"}},
		{"collective: which operation", []string{"collective"}},
		{"operation MPIB_Bcast_x not found", []string{"collective", "-O", "MPIB_Bcast_x"}},
		{"undefined measurement method", []string{"collective", "-O", "MPI_Bcast", "-t", "loop"}},
		{"aren't adaptive", []string{"collective", "-O", "MPI_Bcast", "-S", "0"}},
		{"want lengths 0 <= MIN <= MAX", []string{"collective", "-O", "MPI_Bcast", "-m", "5", "-M", "5"}},
		{"want sgv=0 to sgv=3", []string{"collective", "-O", "MPIB_Scatterv_Traff", "-o", "sgv=4"}},
	} {
		_, err := mpiblib.Parse(x.args[0], x.args[1:])
		require.ErrorContains(t, err, x.want)
		require.NotContains(t, err.Error(), "\n")
	}
}
