package imb_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/format/imb"
)

// IMB-MT's text is read, and written again to the last digit: bytes are those of all threads, and windows have a
// bandwidth by the slowest thread beside a rate by the mean.
func TestThreadsRoundTrip(t *testing.T) {
	text, err := os.ReadFile("testdata/read_2021-mt.txt")
	require.NoError(t, err)
	r, err := imb.Read(strings.NewReader(string(text)), "mt")
	require.NoError(t, err)
	require.True(t, r.Complete)
	require.Len(t, r.Blocks, 10)
	for _, b := range r.Blocks {
		require.Equal(t, 2, b.Threads, b.Kernel)
	}
	var again strings.Builder
	require.NoError(t, imb.Write(&again, r))
	require.Equal(t, figures.FindAllString(string(text), -1), figures.FindAllString(again.String(), -1))
	_, err = imb.Read(strings.NewReader(again.String()), "again")
	require.NoError(t, err)
}

// The mean and the slowest thread of windows have times of their own. Figures that contradict each other are refused.
func TestBandsOfThreads(t *testing.T) {
	const text = "# Benchmarking UniBandMT\n# #processes = 2 (threads: 2)\n# window_size = 16\n" +
		" #bytes #repetitions t_avg[usec] Mbytes/sec Msg/sec\n %s\n"
	read := func(row string) (x struct{ mean, max, bandwidth, rate float64 }, err error) {
		r, err := imb.Read(strings.NewReader(fmt.Sprintf(text, row)), "x")
		if err != nil {
			return x, err
		}
		b := &r.Blocks[0]
		require.Equal(t, 16, b.WindowSize)
		require.Equal(t, int64(4), b.Rows[0].Bytes)
		d := b.Rows[0].Derived[0]
		require.Zero(t, d.Fairness)
		x.mean, x.max, x.bandwidth, x.rate = d.Mean, d.Max, d.Bandwidth, d.Rate
		return x, nil
	}
	x, err := read("8 1000 0.30 22.86 6640106")
	require.NoError(t, err)
	require.InEpsilon(t, 2/6640106., x.mean, 1e-6)
	require.InEpsilon(t, 2*4/22.86e6, x.max, 1e-6)
	require.InEpsilon(t, 22.86e6, x.bandwidth, 1e-6)
	require.InEpsilon(t, 6640106, x.rate, 1e-6)
	for row, want := range map[string]string{
		"8 1000 0.40 22.86 6640106": "line 5: t_avg 0.40 usec, but 6640106 Msg/sec give 0.30 usec",
		"8 1000 0.30 30.00 6640106": "line 5: 30.00 Mbytes/sec by the slowest thread are more than 0.30 usec on " +
			"average give, and a Mbyte of 10^6 or 2^20 bytes",
		"9 1000 0.30 22.86 6640106": "line 5: 9 bytes of 2 threads",
	} {
		_, err := read(row)
		require.EqualError(t, err, want)
	}
}
