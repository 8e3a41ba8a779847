package offoreign_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// made returns a result of a program whose messages take factor µs, with times and bandwidths.
func made(program string, way foreign.Way, factor float64) *foreign.Result {
	r := &foreign.Result{Identity: rating.Identity{Benchmark: foreign.Benchmark,
		SchemaVersion: foreign.SchemaVersion}, Program: program, Imported: "x", Processes: 2, Complete: true,
		Machine: rating.Machine{Placement: []job.Placement{}}, Warnings: []rating.Warning{}}
	t := foreign.Table{Test: "send", Operation: foreign.Message, Way: way, Processes: 2, Lengths: true,
		Columns: []foreign.Column{{Name: "time", Quantity: foreign.Seconds, Main: true},
			{Name: "rate", Quantity: foreign.BytesPerSecond, Main: true}}}
	for _, n := range []int64{0, 8, 1024, 1 << 20} {
		t.Rows = append(t.Rows, foreign.Row{Bytes: n, Values: []float64{1e-6 * factor, float64(n) * 1e6 / factor}})
	}
	r.Tables = []foreign.Table{t}
	return r
}

func text(t *testing.T, d *document.Document) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, document.PlainText(&b, d))
	return strings.Join(strings.Fields(b.String()), " ")
}

func compared(t *testing.T, list ...*foreign.Result) *compare.Comparison {
	t.Helper()
	var sides [][]*foreign.Result
	for _, r := range list {
		sides = append(sides, []*foreign.Result{r})
	}
	c, err := offoreign.Compared([]string{"a", "b", "c"}[:len(list)], sides)
	require.NoError(t, err)
	return c
}

// A result twice as slow has half the speed in each row, and programs that measure in different ways are named.
func TestCompare(t *testing.T) {
	c := compared(t, made("P", foreign.HalfRoundTrip, 1),
		made("Q", foreign.RoundTrip, 2))
	require.Len(t, c.Pairs[0].Groups, 2)
	require.InEpsilon(t, 0.5, c.Pairs[0].Main.Ratio(), 1e-12)
	require.Len(t, c.Pairs[0].Groups[0].Rows, 4)
	require.Len(t, c.Pairs[0].Groups[1].Rows, 3, "no bandwidth of 0 bytes")
	whole := text(t, c.Document)
	require.Contains(t, whole, "the methods differ: P send is half of the round trip of one message at a time, but Q "+
		"send is the whole round trip")
	require.Contains(t, whole, "speed = 0.500 times")

	same := compared(t, made("P", foreign.HalfRoundTrip, 1),
		made("Q", foreign.HalfRoundTrip, 1))
	require.NotContains(t, text(t, same.Document), "differ:")
}

// Tables are paired with the most similar ones. A table on another number of processes has no partner.
func TestNearest(t *testing.T) {
	a, b := made("P", foreign.HalfRoundTrip, 1), made("P", foreign.Window, 3)
	b.Tables = append(b.Tables, made("P", foreign.HalfRoundTrip, 2).Tables...)
	c := compared(t, a, b)
	require.Len(t, c.Pairs[0].Groups, 2)
	require.InEpsilon(t, 0.5, c.Pairs[0].Main.Ratio(), 1e-12)
	require.Equal(t, []string{"send, 2 processes"}, c.Pairs[0].OnlySecond)
	for i := range b.Tables {
		b.Tables[i].Processes = 4
	}
	c = compared(t, a, b)
	require.Empty(t, c.Pairs[0].Groups)
	require.Contains(t, text(t, c.Document), "nothing was measured in both on the same number of processes")
}

// Repetitions give a ratio an interval, and settings that differ are reported.
func TestRepetitions(t *testing.T) {
	sides := []*foreign.Result{made("P", foreign.HalfRoundTrip, 1), made("P", foreign.HalfRoundTrip, 2)}
	for i, r := range sides {
		x := &r.Tables[0]
		x.Settings = []foreign.Setting{{Name: "size", Value: []string{"small", "large"}[i]}}
		x.Lengths, x.Columns = false, x.Columns[1:]
		mean := float64(i + 1)
		x.Rows = []foreign.Row{{Values: []float64{mean}, Each: []float64{mean * 0.99, mean, mean * 1.01},
			Repetitions: 3}}
	}
	c := compared(t, sides...)
	in := c.Pairs[0].Main.Interval()
	require.True(t, in.Known && in.Low > 1.9 && in.High < 2.1, in)
	whole := text(t, c.Document)
	require.Contains(t, whole, "the settings of P send differ: size small against large")
	require.Contains(t, whole, "significant")
}

// The document is proven when it is read: its shape, its digest, and figures that follow from repetitions.
func TestSealed(t *testing.T) {
	r := made("P", foreign.HalfRoundTrip, 1)
	r.Tables[0].Rows[1].Each = []float64{0.5e-6, 1.5e-6}
	var b bytes.Buffer
	require.NoError(t, offoreign.Form.Seal(&b, r))
	back, err := offoreign.Verify(b.Bytes())
	require.NoError(t, err)
	require.Equal(t, r.Tables, back.Tables)
	for _, c := range []struct{ old, made, want string }{
		{`"program": "P"`, `"program": "Q"`, "digest"}, {"0.0000015", "0.0000016", "its repetitions give"},
		{`"way":"half_round_trip"`, `"way":"any"`, "isn't known"},
	} {
		require.Contains(t, b.String(), c.old)
		_, err = offoreign.Verify([]byte(strings.Replace(b.String(), c.old, c.made, 1)))
		require.ErrorContains(t, err, c.want)
	}
}

// Lines for scripts, and the CSV, have all main figures in their units.
func TestTexts(t *testing.T) {
	r := made("P", foreign.HalfRoundTrip, 1)
	r.Tables[0].Rows[1].Each = []float64{0.5e-6, 1.5e-6}
	r.Rating = &foreign.Rating{Name: "P's score", Quantity: foreign.Score, Value: 7}
	var b bytes.Buffer
	require.NoError(t, offoreign.Report{Result: r}.KeyValue(&b, true))
	for _, line := range []string{"program=P", "P_s_score=7", "send_2_0_us=1", "send_2_1048576_us=1",
		"send_2_1048576_MBps=1048576", "Success=1"} {
		require.Contains(t, b.String(), line+"\n")
	}
	b.Reset()
	require.NoError(t, tidy.CSV(&b, offoreign.Report{Result: r}.Tables()[0]))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	require.Len(t, lines, 1+2*4+2)
	require.Contains(t, b.String(), "P,,send,message,half_round_trip,2,8,,,1,time,seconds,0.0000015,,\n")
	d := offoreign.Document(r)
	require.NoError(t, document.PlainText(&b, d))
	require.Contains(t, b.String(), "P's score = 7")
	require.Len(t, d.Figures(), 2)
}

// An entry in rankings has the figures of messages and files. The original b_eff's is in a class of b_eff.
func TestEntry(t *testing.T) {
	r := made("P", foreign.HalfRoundTrip, 1)
	e := offoreign.Report{Result: r}.Entry()
	require.Equal(t, []any{"foreign", "P", 1e-6, float64(1<<20) * 1e6, "send"},
		[]any{e.Benchmark, e.Rules, e.Figures["latency"].Value, e.Figures["bandwidth"].Value, e.Kernels})

	r.Rating = &foreign.Rating{Name: "b_eff", Quantity: foreign.BytesPerSecond, Value: 5e9}
	r.Tables = []foreign.Table{{Test: "b_eff", Operation: foreign.EffectiveRate, Way: foreign.BestOfMethods,
		Settings: []foreign.Setting{{Name: "memory per process", Value: "1024 MiB"}, {Name: "Lmax",
			Value: "8388608 bytes"}},
		Columns: []foreign.Column{{Name: "b", Quantity: foreign.BytesPerSecond, Main: true}},
		Rows:    []foreign.Row{{Label: foreign.AtLmax, Values: []float64{2e9}}}}}
	e = offoreign.Report{Result: r}.Entry()
	require.Equal(t, []any{"b_eff", "3.6", 5e9, 2.5e9, 2e9, int64(8 << 20), int64(1 << 30)},
		[]any{e.Benchmark, e.Rules, e.Rating(), e.Figures["b_eff_per_process"].Value,
			e.Figures["at_lmax"].Value, e.Longest, e.MemoryPerProcess})
}

// gpcnet returns a result with a latency without and with congestion, and the factor between them.
func gpcnet(congested float64) *foreign.Result {
	r := made("GPCNeT", "", 1)
	table := func(test string, x float64, q foreign.Quantity, settings ...foreign.Setting) {
		r.Tables = append(r.Tables, foreign.Table{Test: test, Settings: settings,
			Columns: []foreign.Column{{Name: "Avg", Quantity: q, Main: true}},
			Rows:    []foreign.Row{{Values: []float64{x}}}})
	}
	r.Tables = nil
	table("Lat", 2e-6, foreign.Seconds, foreign.Setting{Name: "nodes", Value: "8"},
		foreign.Setting{Name: "network", Value: "isolated"})
	table("Lat", 2e-6*congested, foreign.Seconds, foreign.Setting{Name: "nodes", Value: "8"},
		foreign.Setting{Name: "network", Value: "congested"})
	table("Lat, impact", congested, foreign.Factor)
	return r
}

// A larger congestion factor is worse, and isn't averaged with the times from which it is computed.
func TestFactors(t *testing.T) {
	quiet, busy := gpcnet(1), gpcnet(5)
	c := compared(t, quiet, busy)
	require.InEpsilon(t, 1/math.Sqrt(5), c.Pairs[0].Main.Ratio(), 1e-12, "of both latencies")
	require.Len(t, c.Pairs[0].Groups, 3)
	require.InEpsilon(t, 1/5., c.Pairs[0].Groups[2].Rows[0].Ratio(), 1e-12)
	require.Equal(t, []string{"Lat, network isolated", "Lat, network congested", "Lat, impact"},
		lists.Each(c.Pairs[0].Groups, func(g compare.Group) string { return g.Name }))
	quiet.Tables, busy.Tables = quiet.Tables[2:], busy.Tables[2:]
	require.InEpsilon(t, 1/5., compared(t, quiet, busy).Pairs[0].Main.Ratio(), 1e-12, "nothing else was measured")
	require.Equal(t, 5.0, foreign.Figures.Values(busy)["congestion_impact"].Value)
}

// Settings that distinguish tests of one name are in every list of tests. The table for programs has all settings.
func TestSettings(t *testing.T) {
	r := gpcnet(5)
	whole := text(t, offoreign.Document(r))
	for _, part := range []string{"Lat, network isolated", "Lat, network congested",
		"Settings: nodes 8, network isolated", "Congestion makes a test up to 5.0 times as slow."} {
		require.Contains(t, whole, part)
	}
	var b bytes.Buffer
	require.NoError(t, tidy.CSV(&b, offoreign.Report{Result: r}.Tables()[0]))
	require.Contains(t, b.String(), `,"nodes 8, network congested"`)
	b.Reset()
	require.NoError(t, offoreign.Report{Result: r}.KeyValue(&b, true))
	require.Contains(t, b.String(), "Lat__network_congested_us=10\n")
	r.Tables = []foreign.Table{{Test: "BW", Columns: []foreign.Column{
		{Name: "Avg", Quantity: foreign.BytesPerSecond, Printed: "MiB/s/rank", Main: true},
		{Name: "Avg(Worst)", Quantity: foreign.BytesPerSecond, Printed: "MiB/s/rank"},
		{Name: "Lat(us)", Quantity: foreign.Seconds, Printed: "us"}},
		Rows: []foreign.Row{{Values: []float64{2e6, 1e6, 3e-6}}}}}
	whole = text(t, offoreign.Document(r))
	for _, part := range []string{"Avg per rank", "Avg(Worst) per rank", "per process", "| Lat |"} {
		require.Contains(t, strings.ReplaceAll(whole, "[", "|"), part)
	}
}

// Device buffers of one side are named, since the other program uses the memory of the hosts.
func TestBuffers(t *testing.T) {
	a, b := made("P", foreign.HalfRoundTrip, 1), made("P", foreign.HalfRoundTrip, 2)
	b.Tables[0].Settings = []foreign.Setting{{Name: foreign.Buffers, Value: "D D"}}
	require.Contains(t, text(t, compared(t, a, b).Document), "buffers H H against D D")

	// The host's buffers are the same whether a program names them or not, in tables of one side and of two.
	b.Tables[0].Settings[0].Value = "H H"
	whole := text(t, compared(t, a, b).Document)
	require.NotContains(t, whole, "buffers")
	c, err := offoreign.Compared([]string{"a", "b"}, [][]*foreign.Result{{a, b}, {b, a}})
	require.NoError(t, err)
	require.Contains(t, text(t, c.Document), "over 6 rows")
	require.True(t, a.Tables[0].SameTest(b.Tables[0]))
}

// The number of nodes that a program printed is in the report and in rankings.
func TestNodes(t *testing.T) {
	r := made("P", foreign.HalfRoundTrip, 1)
	require.NotContains(t, text(t, offoreign.Document(r)), "nodes")
	r.Nodes = 3
	require.Contains(t, text(t, offoreign.Document(r)), "nodes 3 ")
	require.Equal(t, 3, offoreign.Report{Result: r}.Entry().Nodes)
}

// Figures that contradict each other, and a cut file, are marked wherever the result is shown or judged.
func TestDoubtful(t *testing.T) {
	r := made("P", foreign.HalfRoundTrip, 1)
	for i := range 9 {
		r.Warnings = append(r.Warnings, rating.Warning{Code: foreign.Line, Text: fmt.Sprintf("line %d: odd", i)})
	}
	require.Equal(t, ranking.Imported, offoreign.Report{Result: r}.Entry().Status)
	r.Warnings = append(r.Warnings, rating.Warning{Code: foreign.Contradiction, Text: "line 40: Max is below a row"})
	e := offoreign.Report{Result: r}.Entry()
	require.Equal(t, ranking.Doubtful, e.Status)
	require.False(t, e.Status.Counts())
	require.Error(t, e.Basis().Judged(rating.Basis{Class: e.Class}))
	d := offoreign.Document(r)
	require.Len(t, d.Notices, 1+5+1)
	require.Equal(t, "DOUBTFUL: line 40: Max is below a row", d.Notices[0].Text)
	require.Equal(t, "4 more such lines", d.Notices[6].Text)
	for _, n := range d.Notices {
		require.NotEmpty(t, n.Remedy)
	}
	var b bytes.Buffer
	require.NoError(t, offoreign.Report{Result: r}.KeyValue(&b, true))
	require.Contains(t, b.String(), "Success=0\n")
	require.Contains(t, text(t, compared(t, r, r).Document), "a and b: DOUBTFUL: line 40")
	b.Reset()
	require.NoError(t, offoreign.Form.Seal(&b, r))
	back, err := offoreign.Verify(b.Bytes())
	require.NoError(t, err)
	require.True(t, back.Doubtful())
	_, err = offoreign.Verify(bytes.ReplaceAll(b.Bytes(), []byte(`"line"`), []byte(`"lime"`)))
	require.ErrorContains(t, err, `warnings[0] is "lime"`)

	r.Complete, r.Ended = false, "its text ends at line 34"
	require.Equal(t, ranking.NotValid, offoreign.Report{Result: r}.Entry().Status)
	require.Contains(t, text(t, offoreign.Document(r)),
		"the file ends early and lacks figures: its text ends at line 34")
}

// A time without a zone is shown as local time, never as UTC.
func TestLocalTime(t *testing.T) {
	r := made("P", foreign.HalfRoundTrip, 1)
	r.Started = time.Date(2017, 7, 14, 11, 40, 0, 0, time.UTC)
	shown := func() string {
		d, b := offoreign.Document(r), new(bytes.Buffer)
		for _, write := range []func(io.Writer, *document.Document) error{document.PlainText, document.Markdown,
			document.HTML, document.JSON} {
			require.NoError(t, write(b, d))
		}
		require.NoError(t, offoreign.Report{Result: r}.KeyValue(b, true))
		return b.String()
	}
	require.Contains(t, shown(), "2017-07-14 11:40 UTC")
	r.LocalTime = true
	for _, text := range []string{"2017-07-14 11:40 local time", `datetime="2017-07-14T11:40:00"`,
		`"date": "2017-07-14T11:40:00"`, "\nstarted=2017-07-14T11:40:00\n", "Fri, 14 Jul 2017 11:40:00 local time"} {
		require.Contains(t, shown(), text)
	}
	require.NotContains(t, shown(), "UTC")
	require.NotContains(t, shown(), "11:40:00Z")
	require.Equal(t, r.Started.UnixNano(), offoreign.Report{Result: r}.Entry().Date.UnixNano())
}

// Several results of a side are runs: their mean is compared, with the spread between them.
func TestRuns(t *testing.T) {
	var sides [][]*foreign.Result
	for _, factor := range []float64{1, 2} {
		var runs []*foreign.Result
		for _, noise := range []float64{0.99, 1, 1.01} {
			r := made("P", foreign.HalfRoundTrip, factor*noise)
			r.Rating = &foreign.Rating{Name: "score", Quantity: foreign.Score, Value: 3 / (factor * noise)}
			runs = append(runs, r)
		}
		sides = append(sides, runs)
	}
	extra := sides[1][0].Tables[0]
	extra.Test = "once"
	sides[1][0].Tables = append([]foreign.Table{extra}, sides[1][0].Tables...)
	for _, name := range []string{"score", compare.Speed} {
		c, err := offoreign.Compared([]string{"a", "b"}, sides)
		require.NoError(t, err)
		require.NoError(t, c.Document.Validate())
		require.Equal(t, name, c.Pairs[0].Main.Name)
		in := c.Pairs[0].Main.Interval()
		require.InEpsilon(t, 0.5, c.Pairs[0].Main.Ratio(), 1e-3)
		require.True(t, in.Known && in.Low > 0.48 && in.High < 0.52, in)
		require.Len(t, c.Pairs[0].Groups, 2)
		require.Empty(t, c.Pairs[0].OnlySecond)
		sides[0][1].Rating = nil
	}
}

// The overview names the figure whose number it shows: the largest bandwidth of b_eff is its bandwidth at Lmax.
func TestOverviewNamesFigures(t *testing.T) {
	r := made("b_eff", "", 1)
	r.Tables = []foreign.Table{{Test: "b_eff", Operation: foreign.EffectiveRate, Processes: 2,
		Columns: []foreign.Column{{Name: "bandwidth", Quantity: foreign.BytesPerSecond, Main: true}},
		Rows:    []foreign.Row{{Label: "b_eff", Values: []float64{4e9}}, {Label: "at Lmax", Values: []float64{9e9}}}}}
	overview := offoreign.Document(r).Sections[0].Blocks[0].(*document.Table)
	require.Equal(t, "effective bandwidth, at Lmax", overview.Rows[0][1].Text)
}
