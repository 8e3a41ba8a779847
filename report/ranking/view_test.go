package ranking

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/effective-bandwidth/beff/internal/mutants"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// shown returns the column heads and the first table's cells of a list.
func shownIn(t *testing.T, entries []Entry, v View) (heads []string, cells [][]string) {
	require.NoError(t, v.Check())
	d := Document(Rank(entries, v.Every), v)
	require.NoError(t, d.Validate())
	table := d.Sections[0].Blocks[0].(*document.Table)
	for _, c := range table.Columns {
		heads = append(heads, c.Name)
	}
	for _, row := range table.Rows {
		var texts []string
		for _, c := range row {
			texts = append(texts, c.Text)
		}
		cells = append(cells, texts)
	}
	return heads, cells
}

func some() []Entry {
	at := func(e Entry, month time.Month, library, file string) Entry {
		e.Date = time.Date(2026, month, 1, 0, 0, 0, 0, time.UTC)
		e.Library, e.File = library, file
		return e
	}
	return []Entry{at(named("Hawk", 3e9, Valid), 3, "MPICH 4", "h3"), at(named("Hawk", 1e9, Valid), 1, "MPICH 4", "h1"),
		at(named("Vulcan", 2e9, NotValid), 2, "Open MPI 4", "v2"),
		at(named("Aurora", 2e9, Noisy), 4, "Open MPI 5", "a4")}
}

// Columns, order and number of rows are the reader's choice; ranks stay.
func TestView(t *testing.T) {
	heads, cells := shownIn(t, some(), View{Columns: []string{"system", "rank", "date", "library", "file"},
		Sort: "date", Limit: 2})
	require.Equal(t, []string{"system", "rank", "date", "library", "file"}, heads)
	require.Equal(t, [][]string{{"Vulcan", "-", "2026-02-01 00:00", "Open MPI 4", "v2"},
		{"Hawk", "2?", "2026-03-01 00:00", "MPICH 4", "2 files"}}, cells)
	usual, _ := shownIn(t, some(), View{})
	heads, _ = shownIn(t, some(), View{Columns: []string{"+nodes", "+date"}})
	require.Len(t, heads, len(usual)+2)
	_, cells = shownIn(t, some(), View{Columns: []string{"b_eff"}, Sort: "b_eff", Falling: true})
	require.Equal(t, [][]string{{"2000", "noisy"}, {"2000", "NOT VALID"}, {"1730", "valid, 2 runs"}}, cells)
	heads, _ = shownIn(t, some(), View{Columns: []string{"system", "b_eff", "within-the-run", "status"}})
	require.Equal(t, []string{"system", "b_eff", "± within the run", "status"}, heads, "U30 of a trial")
	require.ErrorContains(t, View{Sort: "colour"}.Check(), `unknown column "colour": want rank, system, `)
	require.ErrorContains(t, View{Columns: []string{"+x"}}.Check(), `unknown column "x"`)
}

// Whatever columns are chosen, a figure of a result that isn't valid, doubtful or not ended has its status, in its row
// and in CSV, whose columns of numbers are all read as numbers; the picture leaves it out.
func TestMarks(t *testing.T) {
	for _, x := range []struct {
		status   Status
		underWay bool
		want     string
	}{{NotValid, false, "NOT VALID"}, {Doubtful, false, "DOUBTFUL"}, {Unverified, false, "UNVERIFIED"},
		{Valid, true, "valid, not ended"}} {
		bad := named("Vulcan", 2e9, x.status)
		bad.UnderWay = x.underWay
		io := Entry{Class: rating.Class{Benchmark: bEffIO}, Processes: 4, Status: x.status, UnderWay: x.underWay,
			Figures: valued(map[string]float64{bEffIO: 1e8, "write": 1e8})}
		io.System.Name = "Vulcan"
		list := []string{"top-clusters", "all", "+nodes"}
		for _, c := range append(columns(bEff), columns(bEffIO)...) {
			list = append(list, c.key)
		}
		for _, key := range list {
			d := Document(Rank([]Entry{bad, io, named("Hawk", 1e9, Valid)}, false), View{Columns: []string{key}})
			require.NoError(t, d.Validate())
			for _, section := range d.Sections {
				table, is := section.Blocks[0].(*document.Table)
				if !is {
					continue
				}
				figures := 0
				for _, f := range Figures(section.Title) {
					for _, c := range table.Columns {
						if c.Name == f.Name {
							figures++
						}
					}
				}
				var csv strings.Builder
				require.NoError(t, document.TableCSV(&csv, table))
				if figures > 0 {
					require.Contains(t, csv.String(), x.want, "%s of %s", key, section.Title)
				}
				readNumbers(t, csv.String(), table)
			}
			if f := d.Lead.Figure; f != nil {
				require.NotContains(t, fmt.Sprint(f), "Vulcan")
			}
		}
	}
}

// readNumbers requires that each column of numbers is read as numbers.
func readNumbers(t *testing.T, text string, table *document.Table) {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, len(table.Rows)+1)
	for i, c := range table.Columns {
		for _, row := range rows[1:] {
			if x := row[i]; c.Numbers && x != "" {
				_, err := strconv.ParseFloat(x, 64)
				require.NoError(t, err, c.Name)
			}
		}
	}
}

// Of the results of a row the best one has the row's rank, which is that of their mean; each says when and with which
// library.
func TestEveryRank(t *testing.T) {
	heads, cells := shownIn(t, some(), View{Every: true})
	require.Equal(t, []string{"class", "date", "file", "status"}, heads[len(heads)-4:])
	var ranks []string
	for _, row := range cells {
		ranks = append(ranks, row[0]+" "+row[len(row)-2])
	}
	require.Equal(t, []string{"1? a4", "2? h3", "- h1", "- v2"}, ranks)
	for _, r := range Rank(some(), true)[0].Rows {
		require.Equal(t, 1, r.Runs)
	}
}

// A probe has a row of its own in a section without ranks.
func TestProbes(t *testing.T) {
	probe := Entry{Class: rating.Class{Benchmark: probes}, Processes: 2, Kernels: "PingPong",
		Figures: valued(map[string]float64{"latency": 2e-6, "bandwidth": 3e9})}
	probe.System.Name = "Hawk"
	list := []Entry{probe, probe}
	require.Equal(t, "probes, MPI", list[0].Class.String())
	heads, cells := shownIn(t, list, View{})
	require.Equal(t, []string{"system", "procs", "kernels", "latency", "bandwidth", "library", "class", "status"},
		heads)
	require.Equal(t, []string{"Hawk", "2", "PingPong", "2.000", "3000", "", "MPI", "valid"}, cells[1])
}

func TestFilter(t *testing.T) {
	for text, want := range map[string]string{
		"": "h3h1v2a4", "valid": "h3h1a4", "!valid": "v2", "noisy": "a4", "valid, !noisy": "h3h1",
		`library~"open mpi"`: "v2a4", "library!~'open mpi'": "h3h1", "library=\"MPICH 4\"": "h3h1",
		"date<2026-03": "h1v2", "date>=2026-03": "h3a4", "b_eff>=2000MB/s": "h3v2a4", "b_eff=1000 MB/s": "h1",
		"b_eff!=1000MB/s and valid": "h3a4", "processes=4,system=hawk": "h3h1", "processes>4": "",
		"Lmax<=8":    "h3h1v2a4",
		"per-node=2": "h3h1v2a4", "b_eff_io>1 B/s": "", "M_PART>0": "", "within-the-run<5": "", "file~^h": "h3h1",
		"system~and": "", "verified": "h3h1v2a4",
		"b_eff>=2GB/s": "h3v2a4", "b_eff<2 GB/s": "h1", "b_eff=1e9 B/s, valid": "h1",
		"memory-per-process>=1 GiB":         "h3h1v2a4",
		"latency_rings_and_randoms<1100ns":  "h3h1v2a4",
		"latency_rings_and_randoms>2us":     "",
		"b_eff>0.0009 TB/s and processes=4": "h3h1v2a4",
		"date=2026":                         "h3h1v2a4", "date=2026-02": "v2",
		"date<=2026-02-01": "h1v2", "Date>2026-02-01": "h3a4",
		"date=2026-02 or b_eff<2 GB/s":       "h1v2",
		"not (date=2026-02 or b_eff<2 GB/s)": "h3a4", "valid and (noisy or b_eff<2GB/s),": "h1a4",
		"noisy or verified and !valid": "v2a4", "not(valid)": "v2",
		"(noisy)or(verified)and(not(valid))": "v2a4", "per_node=2": "h3h1v2a4",
		"date!=2026-02-01": "h3h1a4", "date=2026-02-01T00:00": "v2", "date=\"2026-02-01 00:01\"": "",
	} {
		f, err := tidy.NewCondition([]string{text}, Fields)
		require.NoError(t, err, text)
		got := ""
		for _, e := range some() {
			if f.Holds(e.Row()) {
				got += e.File
			}
		}
		require.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"processes": "want a value", "processes=": "want conditions such as", "=4": "want conditions",
		"colour=red": `unknown column "colour"`, "rank=1": `unknown column "rank"`, "processes>many": "want a number",
		"b_eff>3 GiB": "b_eff>3 GiB: want a number with a unit: B/s, GB/s, MB/s, PB/s, TB/s, kB/s",
		"b_eff>3":     "want a number with a unit", "(valid": "want the ) of a (", "valid)": "want conditions",
		"not":             "want conditions",
		"site":            "want a value",
		"processes>3MB/s": "want a number", "date>soon": "want a date",
		`library~"("`: "missing closing", strings.Repeat("valid or ", 1000): "a condition of 9000 bytes",
		"valid noisy": "want conditions", "system~\"a": "want conditions",
	} {
		_, err := tidy.NewCondition([]string{text}, Fields)
		require.ErrorContains(t, err, want, text)
	}
}

func FuzzFilter(f *testing.F) {
	for _, s := range []string{"valid", "processes=4", `library~"a" and !noisy`, "b_eff>1,,", "a=b=c"} {
		f.Add(s)
	}
	entries := some()
	mutants.Fuzz(f, func(t *testing.T, text string) {
		if holds, err := tidy.NewCondition([]string{text}, Fields); err == nil {
			holds.Holds(entries[0].Row())
		}
	})
}
