package ofprobe_test

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/internal/drawn"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/internal/golden"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// The report of pairs: verdicts in words, matrices in letters, the slowest pairs.
func TestPairsReport(t *testing.T) {
	r := &ofprobe.PairsCluster().Result
	require.NoError(t, r.Check())
	figures := ofprobe.Figures(r)
	var b bytes.Buffer
	require.NoError(t, document.PlainText(&b, ofprobe.Document(r, figures)))
	golden.Equal(t, "pairs.text", b.String())
	b.Reset()
	require.NoError(t, imb.Write(&b, r))
	golden.Equal(t, "pairs.txt", b.String())
	drawn.RequireAllGood(t, "pairs", figures)
}

// The CSV files hold every time, once as a list, and once as matrices in the order of the ranks.
func TestPairsCSV(t *testing.T) {
	r := &ofprobe.PairsCluster().Result
	var b bytes.Buffer
	require.NoError(t, tidy.CSV(&b, ofprobe.Report{Result: r}.Tables()[2]))
	list, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	at := func(name string) int { return slices.Index(list[0], name) }
	medians := map[[3]string][]float64{}
	for _, line := range list[1:] {
		x, err := strconv.ParseFloat(line[at("median")], 64)
		require.NoError(t, err)
		way := [3]string{line[at("kernel")], line[at("from")], line[at("to")]}
		medians[way] = append(medians[way], x)
	}
	require.Len(t, medians, 2016+2*2016)
	b.Reset()
	require.NoError(t, ofprobe.MatrixCSV(&b, r))
	matrices := strings.Split(b.String(), "\n\n")
	require.Len(t, matrices, 2)
	for i, name := range []string{"Roundtrip_pairs", "Oneway_pairs"} {
		rows, err := csv.NewReader(strings.NewReader(matrices[i])).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 65)
		require.Equal(t, []string{name + " 65536 bytes [s]", "host", "0"}, rows[0][:3])
		require.Equal(t, []string{"4", "n001"}, rows[5][:2])
		require.Empty(t, rows[5][2+4], "none with itself")
		for way, passes := range medians {
			from, err1 := strconv.Atoi(way[1])
			to, err2 := strconv.Atoi(way[2])
			require.NoError(t, err1)
			require.NoError(t, err2)
			if way[0] == name {
				want := words.Exact(stats.Middle(passes))
				require.Equal(t, want, rows[1+from][2+to])
				if name == "Roundtrip_pairs" {
					require.Equal(t, want, rows[1+to][2+from])
				}
			}
		}
	}
	require.ErrorIs(t, ofprobe.MatrixCSV(&fixture.Disk{}, r), fixture.ErrFull)
}

// Results without pairs lack their formats.
func TestPairsTexts(t *testing.T) {
	names := func(r ofprobe.Report) (list []string) {
		for _, x := range r.Texts() {
			list = append(list, x.Name)
		}
		return list
	}
	require.Contains(t, names(ofprobe.Report{Result: &ofprobe.PairsCluster().Result}), "matrix")
	require.NotContains(t, names(ofprobe.Report{Result: probeResult()}), "matrix")
}
