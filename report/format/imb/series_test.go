package imb_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// seriesResult returns a result with two rows of series: one with times of 10, 12, 11, 10 and 12 µs, one with a single
// time.
func seriesResult(columns settings.Columns) *probe.Result {
	r := fixture.ProbeCluster().Result
	precision := settings.Default.Precision
	r.Settings.Series.Timing, r.Settings.Series.Precision, r.Settings.Columns = settings.ByMax, &precision, columns
	r.Clock = &measured.Clock{Resolution: 1e-9, Reading: 3e-8}
	rows := []measured.Row{
		{Bytes: 8, Repetitions: 5, Checked: 1, Series: []measured.Series{{Ended: settings.AtMost,
			Max: []int64{10e6, 12e6, 11e6, 10e6, 12e6}}}},
		{Bytes: 1024, Repetitions: 1, Checked: 1, Series: []measured.Series{{Ended: settings.OutOfTime,
			Max: []int64{20e6}}}},
	}
	r.Blocks = []measured.Block{{Kernel: "Bcast", Component: kernel.MPI1, Processes: 4, Pass: 1, Rows: rows}}
	r.Settings.Passes = 2
	probe.Rederive(&r)
	return &r
}

// tableOf returns the first table of a result's text.
func tableOf(t *testing.T, r *probe.Result) string {
	var s strings.Builder
	require.NoError(t, imb.Write(&s, r))
	_, table, _ := strings.Cut(s.String(), "# Benchmarking ")
	table, _, _ = strings.Cut(table, "\n\n")
	return table
}

// Tables of series have these columns. Unknown figures are dashes, and remarks come last.
func TestSeriesColumns(t *testing.T) {
	const remark = " # not precise: these are the most repetitions"
	require.Equal(t, `Bcast 
# #processes = 4 
# pass 1 of 2 
#-------------------------------------------------------------------------------------------------------
       #bytes #repetitions      t[usec]      ±[usec]         ±[%]  t_med[usec]  t_min[usec]  t_max[usec]
            8            5        11.00         1.24        11.29        11.00        10.00        12.00`+remark+`
         1024            1        20.00            -            -        20.00        20.00        20.00`,
		tableOf(t, seriesResult("")))
	require.Equal(t, `Bcast 
# #processes = 4 
# pass 1 of 2 
#-------------------------------------------------------------------------------------------------------
       #bytes #repetitions      t[usec]      ±[usec]         ±[%]    P50[usec]    P90[usec]    P99[usec]
            8            5        11.00         1.24        11.29        11.00        12.00        12.00`+remark+`
         1024            1        20.00            -            -        20.00        20.00        20.00`,
		tableOf(t, seriesResult(settings.PercentileColumns)))
}
