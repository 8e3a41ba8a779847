package imb_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/format/imb"
)

// figures matches the rows of figures.
var figures = regexp.MustCompile(`(?m)^ +\d.*$`)

// Texts with rates are written as they were read, to the last digit.
func TestRatesRoundTrip(t *testing.T) {
	for _, name := range []string{"2021-p2p", "2021-uniband"} {
		text, err := os.ReadFile("testdata/read_" + name + ".txt")
		require.NoError(t, err)
		r, err := imb.Read(strings.NewReader(string(text)), name)
		require.NoError(t, err)
		var again strings.Builder
		require.NoError(t, imb.Write(&again, r))
		require.Equal(t, figures.FindAllString(string(text), -1), figures.FindAllString(again.String(), -1))
		_, err = imb.Read(strings.NewReader(again.String()), name)
		require.NoError(t, err)
	}
}

// Rates that contradict the throughput or the time are refused.
func TestWrongRates(t *testing.T) {
	const text = "#    Intel(R) MPI Benchmarks 2021.11, IMB-P2P part\n# Benchmarking PingPong\n# #processes = 2\n" +
		" #bytes #repetitions t[usec] Mbytes/sec Msg/sec\n %s\n"
	for row, want := range map[string]string{
		"1024 20000 24.93 41.07 40112": "",
		"1024 20000 24.93 39.17 40112": "", // megabytes of 2^20
		"1024 20000 24.93 41.07 40412": "line 5: 41.07 Mbytes/sec: 40412 messages of 1024 bytes in a second are " +
			"39.46 to 41.38, and a Mbyte of 10^6 or 2^20 bytes",
		"1024 20000 25.95 41.07 40112": "line 5: t 25.95 usec is the mean of all processes, but 40112 Msg/sec are " +
			"24.93 usec of the slowest",
		"0 20000 24.93 0.00 0": "line 5: 0 Msg/sec",
	} {
		_, err := imb.Read(strings.NewReader(fmt.Sprintf(text, row)), "x")
		if want == "" {
			require.NoError(t, err, row)
			continue
		}
		require.EqualError(t, err, want)
	}
}
