package ranking

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/golden"
)

// full is the class of b_eff with MPI.
var full = rating.Class{Benchmark: bEff, Rules: "2001"}

func named(name string, rated float64, status Status) Entry {
	return Entry{Class: full, System: rating.System{Name: name, Site: "HLRS"}, Processes: 4, PerNode: 2,
		Longest: 8 << 20, MemoryPerProcess: 1 << 30,
		Date: time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC), Status: status,
		Figures: valued(map[string]float64{bEff: rated, "b_eff_per_process": rated / 4, "at_lmax": 3 * rated,
			"at_lmax_per_process": 3 * rated / 4, "ping_pong_at_lmax": rated / 2, "latency_rings_and_randoms": 1e-6,
			"balance": rated / 4 / (1 << 30)})}
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
		named("first", 4e9, Valid), named("first", 9e9, NotValid), named("first", 2e9, Valid),
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
func TestRank(t *testing.T) {
	sections := Rank(entries(), false)
	var classes []string
	for _, s := range sections {
		classes = append(classes, s.Class.String())
	}
	require.Equal(t, []string{"b_eff, MPI, rules 2001, full Lmax", "b_eff, MPI, rules 3.6, full Lmax",
		"b_eff, MPI, rules 2001, class Lmax = 2 MiB", "b_eff, embedded engine, rules 2001, full Lmax",
		"b_eff_io, MPI, rules paper, full M_PART"}, classes)
	rows := sections[0].Rows
	names, ranks := namesOf(sections[0])
	require.Equal(t, []string{"second", "first", "second", "equal", "third", "broken", "quick", "rings"}, names)
	require.Equal(t, []int{1, 1, 2, 3, 3, 0, 0, 0}, ranks, "of 16 processes, then of 4")
	require.Equal(t, []int{1, 2, 3, 4, 4, 0, 0, 0}, func() (list []int) {
		for _, r := range rows {
			list = append(list, r.OfAll)
		}
		return list
	}(), "among rows of all sizes")
	require.Equal(t, []int{4, 3}, []int{rows[1].Runs, rows[1].Shown}, "the one that isn't valid is not shown")
	require.InEpsilon(t, 2e9, rows[1].Rating(), 1e-12, "the geometric mean of the valid ones")
	require.InEpsilon(t, 5e8, rows[1].Figures["b_eff_per_process"].Value, 1e-12)
	// the logarithms of 1, 2 and 4 have the deviation log 2; t of 2 degrees is 4.302653
	require.InEpsilon(t, math.Log(2)*4.302653/math.Sqrt(3), math.Log(rows[1].Between.High/2e9), 1e-6)
	require.Nil(t, rows[2].Between)
	require.Equal(t, 5e8, rows[0].IO.Rating(), "a system's b_eff_io stands beside each of its b_eff")
	require.Equal(t, 5e8, rows[2].IO.Rating())
	require.Nil(t, rows[1].IO)
	for i, want := range map[int][]string{1: {"old"}, 2: {"first"}, 3: {"laptop"}, 4: {"disk", "second"}} {
		names, ranks := namesOf(sections[i])
		require.Equal(t, want, names)
		require.Equal(t, 1, ranks[0])
	}
}

// The validity of a b_eff_io result is a status of its own (finding A16 of a review).
func TestTwoStatuses(t *testing.T) {
	io := changed(entries()[2], func(e *Entry) { e.Status, e.Engine = NotValid, rating.Embedded })
	sections := Rank([]Entry{named("second", 2e9, Valid), io}, false)
	table := Document(sections, View{}).Sections[0].Blocks[0].(*document.Table)
	cells := map[string]string{}
	for i, c := range table.Columns {
		cells[c.Name] = table.Rows[0][i].Text
	}
	require.Equal(t, "valid", cells["b_eff status"])
	require.Equal(t, "NOT VALID, embedded engine", cells["b_eff_io status"])
	require.Equal(t, "1", cells["rank"])
}

// With every, each result has its row. The b_eff_io result of a system is in all of its rows.
func TestEvery(t *testing.T) {
	rows := Rank(append(entries(), named("second", 1e8, Valid)), true)[0].Rows
	require.Len(t, rows, 12)
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
		golden.Equal(t, "ranking_"+name+".txt", text.String())
	}
	require.NoError(t, document.PlainText(new(bytes.Buffer), Document(nil, View{})))
}

// Ranks are within a class, to which the numbers of processes belong: each size has a section, whose title names the
// class, and where there are several the rank over all sizes and a picture of them (issue 14, 3).
func TestSizes(t *testing.T) {
	made := func(view View, processes ...int) []document.Section {
		var list []Entry
		for i, n := range processes {
			list = append(list, changed(named(fmt.Sprint("s", i), float64(i+1), Valid),
				func(e *Entry) { e.Processes = n }))
		}
		sections := Document(Rank(list, false), view).Sections
		return sections[:len(sections)-1]
	}
	cells := func(section document.Section, name string) (list []string) {
		table := section.Blocks[0].(*document.Table)
		for i, c := range table.Columns {
			for _, row := range table.Rows {
				if c.Name == name {
					list = append(list, row[i].Text)
				}
			}
		}
		return list
	}
	one := made(View{}, 4, 4, 4)
	require.Len(t, one, 1)
	require.Equal(t, "b_eff, MPI, rules 2001, full Lmax, 4 processes, 2 per node", one[0].Title)
	require.Equal(t, []string{"1", "2", "3"}, cells(one[0], "rank"))
	require.Empty(t, cells(one[0], overSizes))
	require.Len(t, one[0].Blocks, 2) // the picture

	three := made(View{}, 4, 16, 4, 8)
	require.Len(t, three, 4)
	for i, want := range []struct {
		size                    string
		processes, ranks, OfAll []string
	}{
		{"16 processes, 2 per node", []string{"16"}, []string{"1"}, []string{"3"}},
		{"8 processes, 2 per node", []string{"8"}, []string{"1"}, []string{"1"}},
		{"4 processes, 2 per node", []string{"4", "4"}, []string{"1", "2"}, []string{"2", "4"}},
	} {
		require.Equal(t, "b_eff, MPI, rules 2001, full Lmax, "+want.size, three[i].Title)
		require.Equal(t, want.processes, cells(three[i], "processes"))
		require.Equal(t, want.ranks, cells(three[i], "rank"))
		require.Equal(t, want.OfAll, cells(three[i], overSizes))
		require.Len(t, three[i].Blocks, 1)
	}
	require.Equal(t, "b_eff, MPI, rules 2001, full Lmax, all 3 sizes", three[3].Title)
	require.IsType(t, &document.Figure{}, three[3].Blocks[1])

	sorted := made(View{Sort: overSizes}, 4, 16, 4, 8)
	require.Len(t, sorted, 1)
	require.Equal(t, "b_eff, MPI, rules 2001, full Lmax: 3 sizes, each ranked by itself", sorted[0].Title)
}

// The paper's b_eff per process is b_eff divided by the number of processes, rounded, but for one misprint.
func TestReference(t *testing.T) {
	list := Reference()
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
	for i, e := range Reference() {
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
			require.Contains(t, text.String(), "172 ") // 16 GiB at the geometric mean of 200 and 50 MB/s
		}
	}
	require.Empty(t, Rank(nil, true))
}
