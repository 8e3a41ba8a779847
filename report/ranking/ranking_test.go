package ranking

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/words"
)

// full is the class of b_eff with MPI.
var full = rating.Class{Benchmark: bEff, Rules: "2001"}

func named(name string, rated float64, status Status) Entry {
	return Entry{Class: full, System: rating.System{Name: name, Site: "HLRS"}, Processes: 4, PerNode: 2,
		Longest: 8 << 20, MemoryPerProcess: 1 << 30,
		Date: time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC), Status: status,
		Figures: valued(map[string]float64{bEff: rated, "b_eff_per_process": rated / 4, "at_lmax": 3 * rated,
			"at_lmax_per_process": 3 * rated / 4, "ping_pong_at_lmax": rated / 2, "latency_rings_and_randoms": 1e-6,
			"memory_communicated": 4 * (1 << 30) / rated})}
}

// valued returns the figures that are above 0.
func valued(figures map[string]float64) rating.Values {
	values := rating.Values{}
	for key, x := range figures {
		if x > 0 {
			values[key] = rating.Value{Value: x}
		}
	}
	return values
}

// changed returns an entry after a change.
func changed(e Entry, change func(*Entry)) Entry {
	change(&e)
	return e
}

func entries() []Entry {
	io := Entry{Class: rating.Class{Benchmark: bEffIO, Rules: "paper"}, System: rating.System{Name: "second"},
		Processes: 8,
		Longest:   8 << 20, MemoryPerProcess: 1 << 30,
		Figures: valued(map[string]float64{bEffIO: 5e8, "memory_written": 8})}
	alone := io
	alone.System.Name = "disk"
	return []Entry{named("third", 1e9, Valid), named("second", 1.9e9, Valid), io, named("first", 1e9, Valid),
		named("first", 1.1e9, Valid), named("first", 9e9, NotValid), named("first", 1.05e9, Valid),
		named("broken", 5e9, Unverified), named("quick", 4e9, NotValid), alone, named("equal", 1e9, Valid),
		named("rings", 0, NotValid),
		changed(named("laptop", 12e9, Valid), func(e *Entry) { e.Engine = rating.Embedded }),
		changed(named("first", 5e9, Valid), func(e *Entry) { e.Limited, e.Longest = 2<<20, 2<<20 }),
		changed(named("second", 8e9, Valid), func(e *Entry) { e.Processes = 16 }),
		changed(named("old", 7e8, Valid), func(e *Entry) { e.Rules = "3.6" }),
	}
}

// namesOf returns the systems and the ranks of a section.
func namesOf(s Section) (names []string, ranks []int) {
	for _, r := range s.Rows {
		names, ranks = append(names, r.System.Name), append(ranks, r.Rank)
	}
	return names, ranks
}

// Each class has ranks of its own: the embedded engine is never ranked with MPI, nor a short Lmax with a full one
// (findings A1 and A8 of a review). Runs of one system are joined if their numbers of processes are the same, too (B1).
// A benchmark has one table, with its classes below each other, and what has no rank below all (issue 28, 3).
func TestRank(t *testing.T) {
	sections := Rank(entries(), false)
	require.Len(t, sections, 2)
	rows := sections[0].Rows
	names, ranks := namesOf(sections[0])
	require.Equal(t, []string{"second", "second", "first", "equal", "third", "old", "first", "laptop", "broken",
		"quick", "rings"}, names)
	require.Equal(t, []int{1, 2, 3, 4, 5, 1, 1, 1, 0, 0, 0}, ranks)
	var classes []string
	for _, r := range rows {
		classes = append(classes, label(r.Class))
	}
	require.Equal(t, []string{"full", "full", "full", "full", "full", "3.6", "2MiB", "embedded", "full", "full",
		"full"}, classes)
	require.Equal(t, []string{"full 11 (the usual rules, and the longest message)", "3.6 1 (rules: 3.6)",
		"2MiB 1 (messages of at most 2 MiB)", "embedded 1 (in one process, without an MPI)"}, sections[0].classes())
	require.Equal(t, 4, rows[2].Runs)
	require.Len(t, shownOf(rows[2].runs), 3, "the one that isn't valid is not shown")
	require.Equal(t, "valid, 3 runs", rows[2].status())
	mean := math.Cbrt(1 * 1.05 * 1.1)
	require.InEpsilon(t, mean*1e9, rows[2].Rating(), 1e-12, "the geometric mean of the valid ones")
	require.InEpsilon(t, mean*1e9/4, rows[2].Figures["b_eff_per_process"].Value, 1e-12)
	deviation := 0.0
	for _, x := range []float64{1, 1.05, 1.1} {
		deviation += math.Pow(math.Log(x/mean), 2) / 2
	}
	const student = 4.302653 // of 2 degrees
	require.InEpsilon(t, student*math.Sqrt(deviation/3), math.Log(rows[2].Between.High/mean/1e9), 1e-6)
	require.Nil(t, rows[1].Between)
	require.Equal(t, 5e8, rows[0].IO.Rating(), "a system's b_eff_io stands beside each of its b_eff")
	require.Equal(t, 5e8, rows[1].IO.Rating())
	require.Nil(t, rows[2].IO)
	names, ranks = namesOf(sections[1])
	require.Equal(t, []string{"disk", "second"}, names)
	require.Equal(t, []int{1, 2}, ranks)
}

// A system with several numbers of processes has a curve of the rating per process; an invalid row is in none.
func TestSizes(t *testing.T) {
	sized := func(name string, processes int, rated float64, status Status) Entry {
		return changed(named(name, rated, status), func(e *Entry) { e.Processes = processes })
	}
	list := []Entry{sized("a", 64, 32e9, Valid), sized("a", 4, 4e9, Valid), sized("a", 8, 9e9, NotValid),
		sized("b", 4, 1e9, Valid)}
	s := Rank(list, false)[0]
	f := s.Sizes("x")
	require.NotNil(t, f)
	require.Empty(t, f.Label)
	var b bytes.Buffer
	require.NoError(t, document.SVG(&b, f))
	require.Contains(t, b.String(), ">a<")
	require.NotContains(t, b.String(), ">b<")
	s = Rank(list[2:], false)[0]
	require.Nil(t, s.Sizes("x"))
}

// A figure that isn't valid is never shown without its status, whatever columns are chosen.
func TestStatusIsShown(t *testing.T) {
	io := Entry{Class: rating.Class{Benchmark: bEffIO, Rules: "paper"}, System: rating.System{Name: "a"},
		Status: NotValid, Figures: valued(map[string]float64{bEffIO: 5e8})}
	heads := func(list []Entry, columns ...string) (names []string) {
		for _, c := range Document(Rank(list, false), View{Columns: columns}).Lead.Table.Columns {
			names = append(names, c.Name)
		}
		return names
	}
	good, bad := []Entry{named("a", 1e9, Valid)}, []Entry{named("a", 1e9, Valid), named("b", 9e9, NotValid)}
	require.Equal(t, []string{"system", "b_eff"}, heads(good, "system", bEff))
	require.Equal(t, []string{"system", "b_eff", "status"}, heads(bad, "system", bEff))
	require.Equal(t, []string{"system"}, heads(bad, "system"))
	require.Equal(t, []string{"system", "b_eff_io", "b_eff_io status"}, heads(append(good, io), "system", bEffIO))
}

// A result on the whole system has a balance to its Rmax, others have none.
func TestBalance(t *testing.T) {
	r := Row{Entry: &Entry{Class: full, Processes: 8, Nodes: 4, Figures: valued(map[string]float64{bEff: 6e9}),
		System: rating.System{Nodes: 4, PerNode: 2, Rmax: 3}}}
	require.InEpsilon(t, 2.0, r.toRmax(), 1e-12)
	r.Nodes = 0
	require.InEpsilon(t, 2.0, r.toRmax(), 1e-12)
	r.Nodes = 2
	require.Zero(t, r.toRmax())
}

// A rank says how many are surely ahead, what can't be told apart shares one, and what has no interval is placed by its
// figure alone. A noisy system that is surely ahead of all others is the first one, and keeps its label.
func TestSharedRanks(t *testing.T) {
	list := []Entry{ratedAs("a", 10e9, 0.01), ratedAs("b", 9.9e9, 0.01), ratedAs("c", 9e9, 0.01),
		named("d", 8.9e9, Valid), ratedAs("e", 8.8e9, 0.2), ratedAs("f", 5e9, 0.01), ratedAs("wild", 20e9, 0.4)}
	model := named("m", 9e9, Computed)
	model.Engine = rating.Simulated
	second := changed(model, func(e *Entry) {
		e.System.Name, e.Figures = "n", valued(map[string]float64{bEff: 8.99e9})
	})
	var got []string
	for _, r := range Rank(append(list, model, second), false)[0].Rows {
		got = append(got, r.System.Name+" "+r.rankCell().Text)
	}
	require.Equal(t, []string{"wild 1", "a 2=", "b 2=", "c 4", "d 5?", "e 6", "f 7", "m 1", "n 2"}, got)
	d := Document(Rank(list, false), View{})
	require.Contains(t, d.Lead.Sentences,
		"Marks: ± is half of the 95 % interval; 1= shares rank 1: the results can't be distinguished; ? ± not "+
			"known; full: the usual rules and the longest message.")
	table := d.Lead.Table
	require.Equal(t, []string{"very noisy", "?"}, []string{table.Rows[0][8].Text, table.Rows[4][4].Text})
}

// Two runs have the interval that compare gives them: of the root of both squares, and half of their distance at least.
func TestTwoRuns(t *testing.T) {
	half := func(list ...Entry) float64 {
		r := Rank(list, false)[0].Rows[0]
		return math.Round(1e6*math.Log(r.interval().High/r.Rating())) / 1e6
	}
	require.Equal(t, 0.026926, half(ratedAs("a", 1e9, 0.05), ratedAs("a", 1e9, 0.02)))
	require.Equal(t, 0.195996, half(ratedAs("a", 1e9, 0.05), ratedAs("a", 1e9*math.Exp(0.2), 0.02)))
	require.Nil(t, Rank([]Entry{ratedAs("a", 1e9, 0.05), named("a", 1e9, Valid)}, false)[0].Rows[0].interval())
}

// A class's word says what differs from the full class over an MPI.
func TestLabel(t *testing.T) {
	for want, c := range map[string]rating.Class{
		"full": full, "adaptive": {Benchmark: bEff, Rules: "adaptive"}, "MPI": {Benchmark: probes},
		"embedded/adaptive/64MiB": {Benchmark: bEff, Rules: "adaptive", Engine: rating.Embedded, Limited: 64 << 20},
		"model/2.1":               {Benchmark: bEffIO, Rules: "2.1", Engine: rating.Simulated},
		"IOR 4":                   {Benchmark: others, Rules: "IOR 4"},
	} {
		require.Equal(t, want, label(c))
	}
}

// The validity of a b_eff_io result is a status of its own (finding A16 of a review).
func TestTwoStatuses(t *testing.T) {
	io := changed(entries()[2], func(e *Entry) { e.Status, e.Engine = NotValid, rating.Embedded })
	sections := Rank([]Entry{named("second", 2e9, Valid), io}, false)
	table := Document(sections, View{Columns: []string{"rank", "status", "b_eff_io-status"}}).Lead.Table
	require.Equal(t, []string{"1?", "valid", "NOT VALID, embedded engine"},
		[]string{table.Rows[0][0].Text, table.Rows[0][1].Text, table.Rows[0][2].Text})
}

// With every, each result has its row. The b_eff_io result of a system is in all of its rows.
func TestEvery(t *testing.T) {
	rows := Rank(append(entries(), named("second", 1e8, Valid)), true)[0].Rows
	require.Len(t, rows, 15)
	io := 0
	for _, r := range rows {
		require.Equal(t, 1, r.Runs)
		if r.IO != nil {
			io++
		}
	}
	require.Equal(t, 3, io)
}

func TestDocument(t *testing.T) {
	for name, sections := range map[string][]Section{"all": Rank(append(entries(), Reference()...), false),
		"paper": Rank(Reference(), false)} {
		d := Document(sections, View{})
		require.NoError(t, d.Validate())
		var text bytes.Buffer
		require.NoError(t, document.PlainText(&text, d))
		fixture.Golden(t, "ranking_"+name+".txt", text.String())
	}
	require.NoError(t, document.PlainText(new(bytes.Buffer), Document(nil, View{})))
}

// The list has one table for each benchmark, of nine columns, whatever the classes and sizes are (U29 of a trial), and
// the bandwidth of a process if a system has several sizes. The status is the last one, and none is left out.
func TestOneTable(t *testing.T) {
	var list []Entry
	for i, n := range []int{4, 16, 4, 8} {
		list = append(list, changed(named(fmt.Sprint("s", i), float64(i+1)*1e9, Valid),
			func(e *Entry) { e.Processes = n }))
	}
	d := Document(Rank(append(list, Reference()...), false), View{Own: "s1"})
	require.Len(t, d.Sections, 3, "b_eff, b_eff_io, notes")
	var heads []string
	for _, c := range d.Lead.Table.Columns {
		heads = append(heads, c.Name)
	}
	require.Equal(t, []string{"rank", "system", "procs", "b_eff", "±", "per proc", "latency", "library", "class",
		"status"}, heads)
	require.Len(t, d.Lead.Table.Rows, 20)
	require.Equal(t, bEffIO, d.Sections[1].Title)
	require.Len(t, d.Sections[1].Blocks[0].(*document.Table).Rows, 3)
	for _, row := range d.Lead.Table.Rows {
		require.Equal(t, row[1].Text == "► s1", row[1].Strong)
	}
	require.NotNil(t, d.Lead.Figure)
	var b bytes.Buffer
	require.NoError(t, document.Brief(document.Screen{Width: 80})(&b, d))
	fixture.Golden(t, "ranking_main.txt", b.String())
	for _, key := range Choices() {
		require.NoError(t, View{Columns: []string{key}}.Check())
		require.NotEmpty(t, Document(Rank(list, false), View{Columns: []string{key}}).Lead.Table.Columns)
	}
}

// References have about as many processes as a result of their benchmark; without results there are all.
func TestBeside(t *testing.T) {
	require.Len(t, ReferencesFor(nil), 19)
	var got []string
	for _, e := range ReferencesFor([]Entry{changed(named("s", 1, Valid), func(e *Entry) { e.Processes = 100 })}) {
		got = append(got, fmt.Sprint(e.Benchmark, " ", e.Processes))
	}
	require.Equal(t, []string{"b_eff 128", "b_eff 64", "b_eff 128"}, got)
	require.Equal(t, 57e6, ReferencesFor([]Entry{changed(named("s", 1, Valid), func(e *Entry) {
		e.Benchmark, e.Processes = bEffIO, 16
	})})[0].Rating())
}

// The paper's b_eff per process is b_eff divided by the number of processes, rounded, but for one misprint.
func TestReference(t *testing.T) {
	list := Reference()[:len(paper)]
	require.Len(t, list, 16)
	for _, e := range list {
		at := func(key string) float64 { return e.Figures[key].Value }
		if e.Rating() == 5766e6 { // the misprint, which has a note
			require.Equal(t, "as printed, but 5766 / 8 is 721", e.System.Note)
		} else {
			require.InDelta(t, e.Rating()/float64(e.Processes), at("b_eff_per_process"), 0.6e6, "%+v", e)
			require.Empty(t, e.System.Note)
		}
		require.InDelta(t, at("at_lmax")/float64(e.Processes), at("at_lmax_per_process"), 1.1e6, "%+v", e)
	}
}

// The table agrees with an independent transcript of the paper's, if that file is available.
func TestReferenceFile(t *testing.T) {
	f, err := os.Open("../../../shared/data/b_eff-table1.csv")
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	for i, e := range Reference()[:len(paper)] {
		row := rows[i+1]
		at := func(key string) float64 { return e.Figures[key].Value }
		for k, x := range []float64{float64(e.Processes) * 1e6, e.Rating(), at("b_eff_per_process"), -1,
			at("ping_pong_at_lmax"), at("at_lmax"), at("at_lmax_per_process"), at("rings_at_lmax_per_process")} {
			if want, _ := strconv.ParseFloat(row[k+1], 64); x >= 0 {
				require.Equal(t, want, x/1e6, "%v", row)
			}
		}
	}
}

// Results of b_eff_io alone are ranked by b_eff_io.
func TestOnlyIO(t *testing.T) {
	io := func(name string, x float64, status Status) Entry {
		return Entry{Class: rating.Class{Benchmark: bEffIO, Rules: "paper"}, System: rating.System{Name: name},
			Processes: 8, MemoryPerProcess: 1 << 30, Status: status,
			Figures: valued(map[string]float64{bEffIO: x, "memory_written": 32 / x * (1 << 30)})}
	}
	list := []Entry{io("slow", 1e8, Valid), io("fast", 4e8, Valid), io("quick", 9e8, NotValid), io("fast", 1e8, Valid),
		io("stopped", 0, NotValid)}
	for every, want := range map[bool][]string{false: {"fast", "slow", "quick", "stopped"},
		true: {"fast", "fast", "slow", "quick", "stopped"}} {
		sections := Rank(list, every)
		require.Len(t, sections, 1)
		names, ranks := namesOf(sections[0])
		require.Equal(t, want, names)
		require.Equal(t, map[bool][]int{false: {1, 2}, true: {1, 0, 2}}[every], ranks[:len(ranks)-2])
		require.Zero(t, ranks[len(ranks)-1])
		d := Document(sections, View{})
		require.NoError(t, d.Validate())
		if !every {
			var text bytes.Buffer
			require.NoError(t, document.PlainText(&text, d))
			require.Contains(t, text.String(), "Systems by b_eff_io.")
			require.NotContains(t, text.String(), "latency")
		}
	}
	require.Empty(t, Rank(nil, true))
}

// A run that has not ended is marked, and in no mean where others have ended; nothing is judged by it.
func TestNotEnded(t *testing.T) {
	half := changed(ratedAs("a", 5e9, 0.01), func(e *Entry) { e.UnderWay = true })
	rows := Rank([]Entry{ratedAs("a", 1e9, 0.01), half}, false)[0].Rows
	require.Equal(t, 1e9, rows[0].Rating())
	rows = Rank([]Entry{half}, false)[0].Rows
	require.Equal(t, "valid, not ended", rows[0].status())
	require.EqualError(t, half.Basis().Judged(half.Basis()), " is not ended")
}

// A b_eff_io that isn't valid is marked beside the b_eff that it stands with, whatever columns are chosen.
func TestInvalidBeside(t *testing.T) {
	io := named("a", 1.3e9, NotValid)
	io.Benchmark, io.Figures = bEffIO, rating.Values{bEffIO: {Value: 1.3e9}}
	d := Document(Rank([]Entry{named("a", 5e9, Valid), io}, false), View{Columns: []string{"top-clusters"}})
	t1 := d.Lead.Table
	at := slices.IndexFunc(t1.Columns, func(c document.Column) bool { return c.Name == bEffIO })
	require.Equal(t, document.Text("NOT VALID"), t1.Rows[0][at])
}

// A doubtful result is listed below the ranked ones, with its mark.
func TestDoubtful(t *testing.T) {
	sections := Rank([]Entry{named("a", 1e9, Imported), named("b", 9e9, Doubtful)}, false)
	names, ranks := namesOf(sections[0])
	require.Equal(t, []string{"a", "b"}, names)
	require.Equal(t, []int{1, 0}, ranks)
	d := Document(sections, View{})
	require.Contains(t, strings.Join(d.Lead.Sentences, " "), "DOUBTFUL: figures of its file contradict each other")
	table := d.Lead.Table
	require.Equal(t, "DOUBTFUL", table.Rows[1][len(table.Columns)-1].Text)
}

// A date without a zone is shown as local time.
func TestLocalDates(t *testing.T) {
	e := named("a", 1e9, Imported)
	e.Date = words.LocalTime(time.Date(2017, 7, 14, 11, 40, 0, 0, time.UTC))
	_, x, known := e.Row()("date")
	require.Equal(t, []any{"2017-07-14 11:40 local time", true}, []any{x, known})
}
