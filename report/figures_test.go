package report

import (
	"bytes"
	"fmt"
	"html"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/site"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/trend"
	"github.com/effective-bandwidth/beff/report/words"
)

// known is a figure with the value that it must have. All values differ, so that mix-ups show.
type known struct {
	key, name    string
	value        float64 // in the unit that is shown
	unit, suffix string  // the shown unit, in tables and after keys
	base         float64 // base units in one shown unit
	baseUnit     string  // base unit in tables of the database
	metric       string  // the end of the metric's name
}

func bandwidth(key, name string, x float64) known {
	return known{key, name, x, "MB/s", "_MBps", 1e6, "B/s", "_bytes_per_second"}
}

func latency(key, name string, x float64) known {
	return known{key, name, x, "µs", "_us", 1e-6, "s", "_seconds"}
}

func length(key, name string, x float64) known {
	return known{key, name, x, "B", "_bytes", 1, "B", "_bytes"}
}

func duration(key, name string, x float64) known {
	return known{key, name, x, "s", "_seconds", 1, "s", "_seconds"}
}

func rate(key, name string, x float64) known {
	return known{key, name, x, "1/s", "_per_s", 1, "1/s", "_per_second"}
}

// ofPrimes returns a result of b_eff of 8 processes whose figures are different primes.
func ofPrimes() (Report, []known) {
	r := fixture.Cluster("a").Result()
	r.Processes, r.MemoryPerProcess, r.MemoryAvailable = 8, 1<<20, 1<<20
	r.Derived = beff.Derived{BEff: 211e6, Rings: 223e6, Randoms: 227e6, AtLmax: 229e6, RingsAtLmax: 233e6,
		PingPongAtLmax: 239e6, LatencyRingsAndRandoms: 3e-6, LatencyRings: 5e-6, LatencyPingPong: 7e-6,
		BEffInterval: &rating.Interval{Low: 199e6, High: 263e6, Confidence: 0.95}}
	r.Placement = []job.Placement{{Host: "a", Ranks: "0-3", Processes: 4, Processors: 4},
		{Host: "b", Ranks: "4-7", Processes: 4, Processors: 4}}
	r.Environment = &rating.Environment{Conditions: &rating.Conditions{}, Nodes: []rating.NodeKind{{Ranks: "0-7",
		NodeFacts: rating.NodeFacts{Links: []rating.Link{{Name: "eth0", Rate: 233e6 / 4}}}}}}
	r.Methods, r.Lengths = []string{"nonblocking"}, []int64{1, 2}
	r.Derived.PerLengthMethod = [][]float64{{61e6}, {67e6}}
	r.Separate = &beff.SeparateMethods{Methods: []string{"staged"}, PerLengthMethod: [][]float64{{71e6}, {73e6}}}
	return ofbeff.Report{Result: r}, []known{bandwidth("b_eff", "b_eff", 211),
		{"direct_over_staged", "direct over staged", 100. * (61 + 67) / (71 + 73), "%", "_percent", 1, "%", "_percent"},
		{"link_share", "share of links", 50, "%", "_percent", 1, "%", "_percent"}, // a quarter leaves one of two nodes
		bandwidth("b_eff_per_process", "b_eff per process", 211./8),
		bandwidth("rings", "rings", 223), bandwidth("rings_per_process", "rings per process", 223./8),
		bandwidth("randoms", "randoms", 227), bandwidth("randoms_per_process", "randoms per process", 227./8),
		bandwidth("at_lmax", "at Lmax", 229), bandwidth("at_lmax_per_process", "at Lmax per process", 229./8),
		bandwidth("rings_at_lmax", "rings at Lmax", 233),
		bandwidth("rings_at_lmax_per_process", "rings at Lmax per process", 233./8),
		bandwidth("ping_pong_at_lmax", "ping-pong at Lmax", 239),
		latency("latency_rings_and_randoms", "latency, rings & randoms", 3),
		latency("latency_rings", "latency, rings", 5),
		latency("latency_ping_pong", "latency, ping-pong", 7),
		length("latency_times_bandwidth", "latency × bandwidth", 3e-6*229e6/8),
		duration("memory_communicated", "memory communicated", 8*(1<<20)/211e6)}
}

// ioOfPrimes returns such a result of b_eff_io.
func ioOfPrimes() (Report, []known) {
	r := fixture.IOCluster().Result()
	r.TotalMemory = 3 << 30
	of := func(a beffio.Access, x float64) beffio.AccessMethod {
		return beffio.AccessMethod{Access: a, Bandwidth: x * 1e6,
			Types: []float64{(x + 1) * 1e6, (x + 2) * 1e6, (x + 3) * 1e6, (x + 4) * 1e6, (x + 5) * 1e6}}
	}
	r.Derived = beffio.Derived{BEffIO: 307e6, Processes: 2, Paper: 311e6, Release21: 313e6,
		Partitions: []beffio.Partition{{Processes: 1, Accesses: []beffio.AccessMethod{of(beffio.Write, 401)}},
			{Processes: 2, Accesses: []beffio.AccessMethod{of(beffio.Write, 503), of(beffio.Rewrite, 601),
				of(beffio.Read, 701)}}}}
	r.Partitions = []int{1, 2}
	list := []known{bandwidth("b_eff_io", "b_eff_io", 307), bandwidth("b_eff_io_paper", "b_eff_io by the paper", 311),
		bandwidth("b_eff_io_2_1", "b_eff_io by release 2.1", 313), bandwidth("write", "write", 503),
		bandwidth("rewrite", "rewrite", 601), bandwidth("read", "read", 701),
		duration("memory_written", "memory written", (3<<30)/503e6)}
	for a, first := range map[string]float64{"write": 503, "rewrite": 601, "read": 701} {
		for i, t := range []string{"scatter", "shared", "separated", "segmented", "seg_coll"} {
			list = append(list, bandwidth(a+"_"+t, a+", "+t, first+1+float64(i)))
		}
	}
	return ofbeffio.Report{Result: r}, list
}

// probeOfPrimes returns such a result of a probe. Its latency is the time of 1 byte.
func probeOfPrimes() (Report, []known) {
	p := fixture.ProbeCluster()
	b := measured.Block{Kernel: "PingPong", Component: kernel.MPI1, Processes: 2}
	for i, x := range [][2]float64{{11, 0}, {13, 17}, {19, 29}} {
		b.Rows = append(b.Rows, measured.Row{Bytes: int64(i),
			Derived: []kernel.Times{{Max: x[0] * 1e-6, Mean: x[0] * 1e-6, Bandwidth: x[1] * 1e6}}})
	}
	p.Result.Blocks = []measured.Block{b}
	return ofprobe.Report{Result: &p.Result}, []known{latency("latency", "latency", 13),
		bandwidth("bandwidth", "bandwidth", 29)}
}

// foreignOfPrimes returns such a result of another program.
func foreignOfPrimes() (Report, []known) {
	r := &foreign.Result{Identity: rating.Identity{Benchmark: foreign.Benchmark}, Program: "P", Processes: 2,
		Complete: true, Machine: rating.Machine{Placement: []job.Placement{}},
		Period: rating.Period{Started: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)},
		Rating: &foreign.Rating{Name: "score", Quantity: foreign.Score, Value: 53}}
	for _, t := range []struct {
		of foreign.Operation
		q  foreign.Quantity
		x  float64
	}{{foreign.Message, foreign.Seconds, 31e-6}, {foreign.Message, foreign.BytesPerSecond, 37e6},
		{foreign.Write, foreign.BytesPerSecond, 41e6}, {foreign.Read, foreign.BytesPerSecond, 43e6},
		{foreign.CreateFiles, foreign.PerSecond, 47}, {"", foreign.Factor, 59}} {
		r.Tables = append(r.Tables, foreign.Table{Test: "t", Operation: t.of, Columns: []foreign.Column{{Name: "c",
			Quantity: t.q, Main: true}}, Rows: []foreign.Row{{Values: []float64{t.x}}}})
	}
	return offoreign.Report{Result: r}, []known{latency("latency", "latency", 31),
		bandwidth("bandwidth", "bandwidth", 37), bandwidth("file_write", "file write", 41),
		bandwidth("file_read", "file read", 43), rate("creates", "creates", 47),
		{"score", "score", 53, "", "", 1, "", ""}, {"congestion_impact", "congestion impact", 59, "", "", 1, "", ""}}
}

// Everything that shows, filters or exports figures has each figure under its key, with the right value.
func TestProjections(t *testing.T) {
	for name, made := range map[string]func() (Report, []known){"b_eff": ofPrimes, "b_eff_io": ioOfPrimes,
		"probe": probeOfPrimes, "foreign": foreignOfPrimes} {
		t.Run(name, func(t *testing.T) {
			r, list := made()
			var want, have []string
			for _, k := range list {
				want = append(want, k.key)
			}
			for _, f := range ranking.Figures(name) {
				have = append(have, f.Key)
			}
			require.ElementsMatch(t, want, have, "each figure has a known value here: give a new one a value and a "+
				"row in ofPrimes, or in the same function of another benchmark")
			checkOutputs(t, r, list)
		})
	}
}

// A figure that is added to its benchmark's list appears in all outputs.
func TestFurtherFigure(t *testing.T) {
	before := beff.Figures
	defer func() { beff.Figures = before }()
	beff.Figures = append(slices.Clone(before), rating.FigureOf[beff.Result]{
		Figure: rating.Figure{Key: "wonder", Name: "a wonder", About: "what nobody measures", Unit: rating.Bandwidth,
			Listed: true},
		Of: func(*beff.Result) rating.Value { return rating.Value{Value: 907e6} }})
	r, list := ofPrimes()
	checkOutputs(t, r, append(list, bandwidth("wonder", "a wonder", 907)))
}

// checkOutputs requires that all outputs of a result have the figures.
func checkOutputs(t *testing.T, r Report, list []known) {
	e := r.Entry()
	e.System.Name = "S"
	checkKeyValue(t, r, list)
	checkRanking(t, e, list)
	checkConditions(t, e, list)
	checkMetrics(t, e, list)
	checkDatabase(t, e, list)
	checkTrends(t, e, list)
	checkSite(t, e, list)
	checkComparison(t, r, list)
}

func checkKeyValue(t *testing.T, r Report, list []known) {
	var b bytes.Buffer
	require.NoError(t, r.KeyValue(&b, true))
	for _, k := range list {
		line := regexp.MustCompile("(?m)^" + k.key + k.suffix + "=(.*)$").FindStringSubmatch(b.String())
		require.NotNil(t, line, k.key)
		x, err := strconv.ParseFloat(line[1], 64)
		require.NoError(t, err)
		require.InEpsilon(t, k.value, x, 1e-9, k.key)
	}
}

func checkRanking(t *testing.T, e ranking.Entry, list []known) {
	var keys []string
	for _, k := range list {
		keys = append(keys, k.key)
	}
	d := ranking.Document(ranking.Rank([]ranking.Entry{e}, false), ranking.View{Columns: keys})
	table := d.Sections[0].Blocks[0].(*document.Table)
	for i, k := range list {
		require.Equal(t, document.Column{Name: k.name, Unit: k.unit, Numbers: true}, table.Columns[i])
		require.InEpsilon(t, k.value, *table.Rows[0][i].Value, 1e-9, k.key)
	}
}

func checkConditions(t *testing.T, e ranking.Entry, list []known) {
	for _, k := range list {
		for factor, want := range map[float64]bool{1: true, 1.001: false} {
			unit := words.Either(k.unit == "1/s", "", k.unit)
			c, err := tidy.NewCondition([]string{fmt.Sprintf("%s=%v%s", k.key, k.value*factor, unit)}, ranking.Fields)
			require.NoError(t, err)
			require.Equal(t, want, c.Holds(e.Row()), k.key)
		}
	}
}

func checkMetrics(t *testing.T, e ranking.Entry, list []known) {
	var b bytes.Buffer
	require.NoError(t, OpenMetrics(&b, []Metric{{Entry: e}}))
	for _, k := range list {
		line := regexp.MustCompile("(?m)^beff_" + k.key + k.metric + "{.*} (.*)$").FindStringSubmatch(b.String())
		require.NotNil(t, line, k.key)
		x, err := strconv.ParseFloat(line[1], 64)
		require.NoError(t, err)
		require.InEpsilon(t, k.value*k.base, x, 1e-9, k.key)
	}
}

func checkDatabase(t *testing.T, e ranking.Entry, list []known) {
	have := map[any][]any{}
	for row := range figures(&e).Rows {
		have[row[0]] = slices.Clone(row)
	}
	for _, k := range list {
		require.Contains(t, have, k.key)
		unit, _ := have[k.key][1].(string)
		require.Equal(t, k.baseUnit, unit)
		require.InEpsilon(t, k.value*k.base, have[k.key][2], 1e-9, k.key)
	}
	require.Len(t, have, len(list))
}

func checkTrends(t *testing.T, e ranking.Entry, list []known) {
	again := e
	again.Date = e.Date.Add(time.Hour)
	var keys []string
	for _, k := range list {
		keys = append(keys, k.key)
	}
	series, _ := trend.Of([]trend.Point{{Entry: e}, {Entry: again}}, keys)
	have := map[string]float64{}
	for _, s := range series {
		have[s.Of.Key] = s.Levels[0].Value
	}
	for _, k := range list {
		require.InEpsilon(t, k.value, have[k.key], 1e-9, k.key)
	}
}

// checkSite looks for each figure in the cell of its column, if the table of the systems has such a column.
func checkSite(t *testing.T, e ranking.Entry, list []known) {
	var b bytes.Buffer
	results := []site.Result{{Point: trend.Point{Entry: e}, ID: "r"}}
	require.NoError(t, site.Files("T", "", results, nil, nil)[0].Write(&b))
	_, page, _ := strings.Cut(b.String(), "<table")
	head, row, _ := strings.Cut(page, "<tbody>")
	row, _, _ = strings.Cut(row, "</tr>")
	heads := regexp.MustCompile("<th[ >]").Split(head, -1)[1:]
	cells := strings.Split(row, "<td")[1:]
	require.Len(t, cells, len(heads))
	shown := 0
	for _, k := range list {
		column := slices.IndexFunc(heads, func(h string) bool {
			return strings.Contains(h, ">"+html.EscapeString(k.name)+"</bdi>") ||
				strings.Contains(h, `data-key="`+k.key+`"`)
		})
		if column < 0 {
			continue
		}
		value := regexp.MustCompile(`data-value="([^"]*)"`).FindStringSubmatch(cells[column])
		require.NotNil(t, value, k.key)
		x, err := strconv.ParseFloat(value[1], 64)
		require.NoError(t, err)
		require.True(t, k.unit == "" || strings.Contains(heads[column], "["+k.unit+"]"))
		require.InEpsilon(t, k.value, x, 1e-9, k.key)
		shown++
	}
	require.NotZero(t, shown)
}

// checkComparison compares a rating with itself, and with a result of twice as many processes, which shows the figures
// per process.
func checkComparison(t *testing.T, r Report, list []known) {
	of, have := all[slices.IndexFunc(all, func(b *benchmark) bool { return b.name == r.Entry().Benchmark })],
		map[string]float64{}
	look := func(other Report) {
		c, err := of.compared([]string{"a", "b"}, [][]Report{{r}, {other}})
		require.NoError(t, err)
		for _, s := range c.Document.Sections {
			for _, b := range s.Blocks {
				if table, is := b.(*document.Table); is && s.ID == "side-by-side" {
					for _, row := range table.Rows {
						name, isGiga := strings.CutSuffix(row[0].Text, ", GB/s")
						if isGiga {
							have[name+", MB/s"] = 1000 * *row[1].Value
						} else {
							have[name] = *row[1].Value
						}
					}
				}
			}
		}
	}
	switch x := r.(type) {
	case ofbeff.Report:
		more := *x.Result
		more.Processes *= 2
		look(r)
		look(ofbeff.Report{Result: &more})
	case ofbeffio.Report:
		look(r)
	default:
		return // these compare tests, and have no table of figures
	}
	for _, k := range list {
		require.InEpsilon(t, k.value, have[k.name+", "+k.unit], 1e-9, k.key)
	}
}

// A result of b_eff, converted to the form that all programs share, keeps the figures that the original program prints.
func TestCommonFigures(t *testing.T) {
	r, list := ofPrimes()
	e := offoreign.Report{Result: r.(ofbeff.Report).Common()}.Entry()
	printed := []string{"b_eff", "rings", "randoms", "at_lmax", "rings_at_lmax", "ping_pong_at_lmax",
		"latency_rings_and_randoms", "latency_rings", "latency_ping_pong", "latency_times_bandwidth",
		"memory_communicated"}
	for _, k := range list {
		if !slices.Contains(printed, strings.TrimSuffix(k.key, "_per_process")) {
			continue
		}
		require.InEpsilon(t, k.value*k.base, e.Figures[k.key].Value, 1e-9, k.key)
	}
}

// Keys are unique within a benchmark. Benchmarks that share a key give it the same name, unit and meaning.
func TestKeys(t *testing.T) {
	for _, benchmark := range []string{"b_eff", "b_eff_io", "probe", "foreign"} {
		seen := map[string]bool{}
		for _, f := range ranking.Figures(benchmark) {
			require.Regexp(t, "^[a-z][a-z0-9_]*$", f.Key)
			require.False(t, seen[f.Key], f.Key)
			seen[f.Key] = true
			require.Contains(t, ranking.AllFigures(), f)
			require.NotEmpty(t, f.About)
		}
	}
}

// The key of a figure is the name of its field among the derived figures of a result document.
func TestKeysOfDocuments(t *testing.T) {
	r := fixture.Cluster("a").Result()
	r.Processes, r.Derived = 8, beff.Derived{}
	d := reflect.ValueOf(&r.Derived).Elem()
	fields := map[string]float64{}
	for i := range d.NumField() {
		if d.Field(i).Kind() == reflect.Float64 {
			name, _, _ := strings.Cut(d.Type().Field(i).Tag.Get("json"), ",")
			fields[name] = float64(101 + i)
			d.Field(i).SetFloat(fields[name])
		}
	}
	for _, f := range beff.Figures {
		if x, there := fields[f.Key]; there && !f.PerProcess {
			require.Equal(t, x, f.Of(r).Value, f.Key)
		}
		delete(fields, f.Key)
	}
	require.Equal(t, []string{"best_method_after_averaging"}, slices.Collect(maps.Keys(fields)), "for information")
}

// docs/figures.md has a table of all figures, made from the lists.
func TestFiguresInDocs(t *testing.T) {
	const page = "../docs/figures.md"
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, begun := strings.Cut(string(text), "-update -->\n")
	_, after, ended := strings.Cut(rest, "<!-- end of figures -->")
	require.True(t, begun && ended)
	var b strings.Builder
	for _, benchmark := range []string{"b_eff", "b_eff_io", "probe", "foreign"} {
		fmt.Fprintf(&b, "\n| %s: key | figure | unit | better | meaning |\n|---|---|---|---|---|\n", benchmark)
		for _, f := range ranking.Figures(benchmark) {
			if f.PerProcess {
				continue
			}
			key, name := "`"+f.Key+"`", f.Name
			if f.Listed {
				key = "**" + key + "**"
			}
			switch {
			case f.OfAll:
				name += " †"
			case f.Rated:
				name += " *"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", key, name, f.Unit.Shown,
				words.Either(f.Less, "less", "more"), f.About)
		}
	}
	fixture.GoldenFile(t, page, before+"-update -->\n"+b.String()+"\n<!-- end of figures -->"+after)
}
