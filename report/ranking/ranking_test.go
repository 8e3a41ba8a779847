package ranking

import (
	"bytes"
	"encoding/csv"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

func named(name string, rated float64, status Status) Entry {
	return Entry{Benchmark: bEff, System: rating.System{Name: name, Site: "HLRS"}, Processes: 4,
		MemoryPerProcess: 1 << 30,
		Date:             time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC), Status: status,
		Rating: rated, PerProcess: rated / 4, AtLmax: 3 * rated, AtLmaxPerProcess: 3 * rated / 4, PingPong: rated / 2,
		Latency: 1e-6}
}

func entries() []Entry {
	io := Entry{Benchmark: bEffIO, System: rating.System{Name: "second"}, Processes: 8, MemoryPerProcess: 1 << 30,
		Rating: 5e8,
		Write:  1 << 30}
	alone := io
	alone.System.Name = "disk"
	return []Entry{named("third", 1e9, Valid), named("second", 2e9, Valid), io, named("first", 1e9, Valid),
		named("first", 3e9, Valid), named("first", 9e9, NotValid),
		named("broken", 5e9, Unverified), named("quick", 4e9, NotValid), alone, named("equal", 1e9, Valid),
		named("rings", 0, NotValid)}
}

func TestRank(t *testing.T) {
	var names []string
	var ranks []int
	rows := Rank(entries(), false)
	for _, r := range rows {
		names, ranks = append(names, r.any().System.Name), append(ranks, r.Rank)
	}
	require.Equal(t, []string{"first", "second", "equal", "third", "broken", "quick", "rings", "disk"}, names)
	require.Equal(t, []int{1, 2, 3, 3, 0, 0, 0, 0}, ranks)
	require.Equal(t, 3, rows[0].Runs)
	require.Equal(t, 3e9, rows[0].Best[bEff].Rating) // the best valid one
	require.Equal(t, 5e8, rows[1].Best[bEffIO].Rating)
}

// With every, each result has its row. The b_eff_io result of a system is in all of its rows.
func TestEvery(t *testing.T) {
	rows := Rank(append(entries(), named("second", 1e8, Valid)), true)
	require.Len(t, rows, 11)
	io := 0
	for _, r := range rows {
		if r.Best[bEffIO] != nil && r.any().System.Name == "second" {
			io++
		}
	}
	require.Equal(t, 2, io)
}

func TestDocument(t *testing.T) {
	for name, rows := range map[string][]Row{"all": Rank(append(entries(), Reference()...), false),
		"paper": Rank(Reference(), false)} {
		var text bytes.Buffer
		require.NoError(t, document.PlainText(&text, Document(rows)))
		path := filepath.Join("testdata", "ranking_"+name+".txt")
		if *update {
			require.NoError(t, os.MkdirAll("testdata", 0o755))
			require.NoError(t, os.WriteFile(path, text.Bytes(), 0o644))
			continue
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(want), text.String())
	}
	require.NoError(t, document.PlainText(new(bytes.Buffer), Document(nil)))
}

// The paper's b_eff per process is b_eff divided by the number of processes, rounded, but for one misprint.
func TestReference(t *testing.T) {
	list := Reference()
	require.Len(t, list, 16)
	for _, e := range list {
		if e.Rating == 5766e6 { // the misprint, which has a note
			require.Equal(t, "as printed, but 5766 / 8 is 721", e.System.Note)
		} else {
			require.InDelta(t, e.Rating/float64(e.Processes), e.PerProcess, 0.6e6, "%+v", e)
			require.Empty(t, e.System.Note)
		}
		require.InDelta(t, e.AtLmax/float64(e.Processes), e.AtLmaxPerProcess, 1.1e6, "%+v", e)
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
		for k, x := range []float64{float64(e.Processes) * 1e6, e.Rating, e.PerProcess, -1, e.PingPong, e.AtLmax,
			e.AtLmaxPerProcess, e.RingsAtLmaxOfEach} {
			if want, _ := strconv.ParseFloat(row[k+1], 64); x >= 0 {
				require.Equal(t, want, x/1e6, "%v", row)
			}
		}
	}
}

// Results of b_eff_io alone are ranked by b_eff_io.
func TestOnlyIO(t *testing.T) {
	io := func(name string, x float64, status Status) Entry {
		return Entry{Benchmark: bEffIO, System: rating.System{Name: name}, Processes: 8, MemoryPerProcess: 1 << 30,
			TotalMemory: 16 << 30, Rating: x, Write: x / 2, Status: status}
	}
	list := []Entry{io("slow", 1e8, Valid), io("fast", 4e8, Valid), io("quick", 9e8, NotValid), io("fast", 2e8, Valid),
		io("stopped", 0, NotValid)}
	for every, want := range map[bool][]string{false: {"fast", "slow", "quick", "stopped"},
		true: {"fast", "fast", "slow", "quick", "stopped"}} {
		var names []string
		rows := Rank(list, every)
		for _, r := range rows {
			names = append(names, r.any().System.Name)
		}
		require.Equal(t, want, names)
		require.Equal(t, []int{1, 2}, []int{rows[0].Rank, rows[1].Rank})
		require.Zero(t, rows[len(rows)-1].Rank)
		d := Document(rows)
		require.NoError(t, d.Validate())
		if !every {
			var text bytes.Buffer
			require.NoError(t, document.PlainText(&text, d))
			require.Contains(t, text.String(), "Systems by b_eff_io.")
			require.NotContains(t, text.String(), "latency")
			require.Contains(t, text.String(), "85.90") // 16 GiB at 200 MB/s
		}
	}
	require.Empty(t, Rank(nil, true))
}
