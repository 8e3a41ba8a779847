package tools

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/foreign"
)

// shown returns a table as a text: test, processes, settings, and rows with the names of their columns.
func shown(x *foreign.Table) string {
	text := fmt.Sprintf("%s %d %v", x.Test, x.Processes, x.Settings)
	for _, row := range x.Rows {
		text += fmt.Sprintf(" | %d:", row.Bytes)
		for i, c := range x.Columns {
			text += fmt.Sprintf(" %s %.6g", c.Name, row.Values[i])
		}
	}
	return text
}

// trickyLogs has the tables and warnings of each run in logs with invented figures. Each log has something that a
// reader easily gets wrong.
var trickyLogs = map[string][]struct{ tables, warnings []string }{
	"padded-time": {{[]string{
		"ior_easy_write 0 [] | 0: score 4.29497e+10 time 310", "mdtest_easy_write 0 [] | 0: score 100000 time 305",
		"find 0 [] | 0: score 900000 time 41.5", "ior_hard_read 0 [] | 0: score 2.68435e+09 time 99",
		"mdtest_hard_stat 0 [] | 0: score 250000 time 7.25"}, nil}},
	"gb-is-gib": {{[]string{
		"ior_easy_write 0 [] | 0: score 4.29497e+10 time 310", "ior_hard_write 0 [] | 0: score 2.14748e+09 time 305",
		"ior_easy_read 0 [] | 0: score 5.36871e+10 time 300", "ior_hard_read 0 [] | 0: score 4.29497e+09 time 300"},
		nil}},
	"congested": {{[]string{
		"RR Two-sided Lat (8 B) 64 [network isolated nodes 8 of 40] | 8: Avg 2e-06 99% 3e-06",
		"RR Two-sided Lat (8 B) 64 [network congested nodes 8 of 40] | 8: Avg 1e-05 99% 3e-05",
		"RR Two-sided Lat (8 B), congestion impact factor 64 [network congested nodes 8 of 40] | 8: Avg 5 99% 10"},
		nil}},
	"quiet": {{[]string{
		"RR Two-sided Lat (8 B) 64 [network isolated nodes 8 of 40] | 8: Avg 2e-06 99% 3e-06",
		"RR Two-sided Lat (8 B) 64 [network congested nodes 8 of 40] | 8: Avg 2e-06 99% 3e-06",
		"RR Two-sided Lat (8 B), congestion impact factor 64 [network congested nodes 8 of 40] | 8: Avg 1 99% 1"},
		nil}},
	"avg-worst": {{[]string{
		"RR Two-sided Lat (8 B) 64 [network isolated] | 8: Min 1e-06 Max 3e-05 Avg 2e-06 Avg(Worst) 6e-06 99% 4e-06 " +
			"99.9% 9e-06",
		"RR Two-sided BW+Sync (131072 B) 64 [network isolated] | 131072: Min 1.04858e+08 Max 2.09715e+09 " +
			"Avg 1.04858e+09 Avg(Worst) 3.14573e+08 99% 2.09715e+08 99.9% 1.57286e+08"}, nil}},
	"late-title": {{[]string{"osu_latency 2 [] | 1: Avg Latency(us) 1.5e-06 | 2: Avg Latency(us) 1.51e-06"}, nil}},
	"mdtest-columns": {{[]string{"File creation 4 [items 40 files/directories] | 0: Mean 20000 Max 30000 " +
		"Min 10000 per Rank: Mean 40000 per Rank: Max 90000 per Rank: Min 10000 per Rank: Std Dev 20000"}, nil}},
	"hpcc-minus-one": {{[]string{
		"PingPongLatency 2 [] | 8: MaxPingPongLatency_usec 1.5e-06 AvgPingPongLatency_usec 1.2e-06 " +
			"MinPingPongLatency_usec 1.1e-06",
		"PingPongBandwidth 2 [] | 2000000: MinPingPongBandwidth_GBytes 6.5e+09 AvgPingPongBandwidth_GBytes 7e+09 " +
			"MaxPingPongBandwidth_GBytes 7.5e+09"}, nil}},
	"two-ior-runs": {
		{[]string{"write 4 [access single-shared-file] | 0: bw(MiB/s) 1.04858e+09 IOPS 1000 Latency(s) 0.001 " +
			"open(s) 0.001 wr/rd(s) 0.06 close(s) 0.0001 total(s) 0.064"}, nil},
		{[]string{"write 4 [access file-per-process] | 0: bw(MiB/s) 2.09715e+09 IOPS 2000 Latency(s) 0.001 " +
			"open(s) 0.001 wr/rd(s) 0.06 close(s) 0.0001 total(s) 0.064"}, nil}},
	"ibarrier": {{[]string{"osu_ibarrier 0 [] | 0: Overall(us) 8e-05 Compute(us) 6e-05 Coll. Init(us) 5e-06 " +
		"MPI_Test(us) 0 MPI_Wait(us) 1.5e-05 Pure Comm.(us) 5.5e-05 Min Comm.(us) 5.49e-05 Max Comm.(us) 5.51e-05 " +
		"Overlap(%) 0.6364"}, nil}},
	"bom":        {{[]string{"osu_latency 2 [] | 1: Avg Latency(us) 1.5e-06"}, nil}},
	"srun-label": {{[]string{"osu_latency 2 [] | 1: Avg Latency(us) 1.5e-06 | 2: Avg Latency(us) 1.51e-06"}, nil}},
	"hpcc-epoch": {{[]string{
		"PingPongLatency 2 [] | 8: MaxPingPongLatency_usec 1.5e-06",
		"PingPongBandwidth 2 [] | 2000000: MinPingPongBandwidth_GBytes 6.5e+09"}, nil}},
	"lengths-twice": {{[]string{
		"osu_latency 2 [] | 1: Avg Latency(us) 1.5e-06 | 2: Avg Latency(us) 1.51e-06",
		"osu_latency 2 [run 2] | 1: Avg Latency(us) 9.5e-06 | 2: Avg Latency(us) 9.51e-06"},
		[]string{"line: line 7: another run of osu_latency begins without a title"}}},
	"max-below-rows": {{[]string{
		"write 16 [access file-per-process] | 0: bw(MiB/s) 5.23589e+09 open(s) 0.003 wr/rd(s) 9.79 close(s) 0.010443 " +
			"total(s) 9.79",
		"read 16 [access file-per-process] | 0: bw(MiB/s) 5.13243e+09 open(s) 0.003 wr/rd(s) 9.79 close(s) 0.010443 " +
			"total(s) 9.79"},
		[]string{
			"contradiction: line 37: the maximum of write is given as 4500.00 MiB/s, but its best repetition has 5000",
			"contradiction: line 42: the maximum of write is given as 4500.00 MiB/s, but its best repetition has 5000",
		}}},
	"imb-tail": {{[]string{"PingPong 2 [] | 1024: t_min 2.6e-07 t_max 2.6e-07 t_avg 2.6e-07 Mbytes/sec 3.9e+09 " +
		"tail 1 of 12 2e-07 tail 2 of 12 2.5e-07 tail 3 of 12 2.6e-07 tail 4 of 12 2.7e-07 tail 5 of 12 2.8e-07 " +
		"tail 6 of 12 2.9e-07 tail 7 of 12 3e-07 tail 8 of 12 4e-07 tail 9 of 12 5e-07 tail 10 of 12 1e-06 " +
		"tail 11 of 12 5e-05 tail 12 of 12 9.9e-05"}, nil}},
}

func TestTrickyLogs(t *testing.T) {
	for name, want := range trickyLogs {
		list := logged(t, sample(t, "logs/"+name+".txt"))
		require.Len(t, list, len(want), name)
		for i, f := range list {
			require.NoError(t, f.Err, name)
			var tables, warnings []string
			for _, x := range f.Result.Tables {
				if f.Program == "IOR" { // IOR has many settings
					x.Settings = lists.Where(x.Settings, func(s foreign.Setting) bool { return s.Name == "access" })
				}
				tables = append(tables, shown(&x))
			}
			for _, w := range f.Result.Warnings {
				warnings = append(warnings, w.Code+": "+w.Text)
			}
			require.Equal(t, want[i].tables, tables, name)
			require.Equal(t, want[i].warnings, warnings, name)
			require.Equal(t, f.Result.Doubtful(), strings.Contains(strings.Join(warnings, ""), "contradiction"), name)
		}
	}
	require.Equal(t, time.Unix(1_500_000_000, 0).UTC(), readSample(t, "logs/hpcc-epoch.txt").Started)
	require.Equal(t, 53.133, readSample(t, "logs/padded-time.txt").Rating.Value)
	require.Equal(t, 320, readSample(t, "logs/quiet.txt").Processes)
	require.Equal(t, foreign.Factor, readSample(t, "logs/quiet.txt").Tables[2].Columns[0].Quantity)
	require.True(t, readSample(t, "logs/avg-worst.txt").Tables[1].PerProcess())
}

// alteredLogs has changes to the logs in trickyLogs, and the warning or error that each change causes.
var alteredLogs = []struct{ file, from, to, says string }{
	{"padded-time", "phase 3   ", "phase III ", "line: line 3: "},
	{"padded-time", "time  41.50 seconds", "time", "line: line 3: "},
	{"padded-time", "282.311", "282.313", "contradiction: line 6: the score of operations is 282.313, but the " +
		"geometric mean of its 3 parts is 282.3"},
	{"padded-time", "dwidth 10.000", "dwidth 10.004", "contradiction: line 6: the score of bandwidths is 10.004, "},
	{"padded-time", "53.133", "53.139", "contradiction: line 6: the total score is 53.139, "},
	{"gb-is-gib", "11.247", "12.247", "contradiction: line 5: the score of bandwidths is 12.247, "},
	{"mdtest-columns", "          30000.000      10000.000", "          10000.000      30000.000",
		"contradiction: line 10: File creation: Min 30000, Mean 20000 and Max 10000 are not in this order"},
	{"mdtest-columns", "      90000.000", "      20000.000",
		"contradiction: line 10: File creation: per Rank: Min"},
	{"mdtest-columns", "      90000.000", "", "line: line 10: 6 figures after File creation, below 7 headings"},
	{"hpcc-minus-one", "MaxPingPongLatency_usec=1.5", "MaxPingPongLatency_usec=-3",
		`line: line 7: MaxPingPongLatency_usec: "-3" is not a number`},
	{"hpcc-minus-one", "AvgPingPongLatency_usec=1.2", "AvgPingPongLatency_usec=1.6",
		"contradiction: line 17: PingPongLatency: Min 1.1"},
	{"max-below-rows", "Max Read:  4910.00", "Max Read:  4911.00",
		"contradiction: line 38: the maximum of read "},
	{"imb-tail", "0.30, ", "0.30, x", "line: line 26: "},
	{"imb-tail", "3900.00", "5900.00", "contradiction: line 25: 5900.00 Mbytes/sec: "},
	{"ibarrier", "63.64", "many", "line: line 5: "},
	{"quiet", "3.0 |         usec |\n", "3.0 |         usec | 9 |\n", "line: line 11: 5 cells below 4 headings"},
}

func TestAlteredLogs(t *testing.T) {
	for _, x := range alteredLogs {
		text := sample(t, "logs/"+x.file+".txt")
		require.Contains(t, text, x.from)
		f := logged(t, strings.Replace(text, x.from, x.to, 1))[0]
		says := fmt.Sprint("line: ", f.Err)
		if f.Err == nil {
			says = fmt.Sprint(lists.Each(f.Result.Warnings,
				func(w rating.Warning) string { return w.Code + ": " + w.Text }))
		}
		require.Contains(t, says, x.says, x.file)
	}
}

// IO500's shell version prints its phases twice, and a log may have several runs of it. Only some rows have tails.
// Tests without lengths, which have one row, may be repeated, too.
func TestRepeatedLines(t *testing.T) {
	score := sample(t, "logs/padded-time.txt")
	phases := score[:strings.Index(score, "[SCORE]")]
	twice := logged(t, phases+"[Summary] Results files in /r\n"+score)
	require.Len(t, twice, 1)
	require.Equal(t, bare(readSample(t, "logs/padded-time.txt")), bare(twice[0].Result))
	twice = logged(t, score+strings.Replace(score, "40.000", "40.001", 1))
	require.Len(t, twice, 2)
	require.Equal(t, 7, twice[1].Line)
	twice = logged(t, phases+strings.Replace(score, "40.000", "40.010", 1))
	require.Len(t, twice, 2)
	require.False(t, twice[0].Result.Complete)
	require.Len(t, twice[1].Result.Tables, 5)

	text := sample(t, "logs/imb-tail.txt")
	const tail = "[ 0.20, 0.25, 0.26, 0.27, 0.28, 0.29, 0.30, 0.40, 0.50, 1.00, 50.00, 99.00 ]\n"
	r, err := readAs(t, strings.Replace(text, tail, "2048 1000 0.52 0.52 0.52 3938.00\n"+tail+
		"4096 1000 1.04 1.04 1.04 3938.00\n", 1))
	require.NoError(t, err)
	require.Empty(t, r.Warnings)
	require.Len(t, r.Tables[0].Columns, 16)
	require.Equal(t, []float64{0, 99e-6, 0}, []float64{row(t, r, 0, 1024).Values[15], row(t, r, 0, 2048).Values[15],
		row(t, r, 0, 4096).Values[15]})

	text = sample(t, "logs/ibarrier.txt")
	figures := text[strings.LastIndex(strings.TrimSpace(text), "\n")+1:]
	twice = logged(t, text+figures)
	require.Len(t, twice[0].Result.Warnings, 1)
	require.Equal(t, []foreign.Setting{{Name: "run", Value: "2"}}, twice[0].Result.Tables[1].Settings)
}
