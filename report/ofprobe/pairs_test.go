package ofprobe_test

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// The report of pairs: verdicts in words, matrices in letters, the slowest pairs.
func TestPairsReport(t *testing.T) {
	r := &ofprobe.PairsCluster().Result
	require.NoError(t, r.Check())
	figures := ofprobe.Figures(r)
	var b bytes.Buffer
	require.NoError(t, document.PlainText(&b, ofprobe.Document(r, figures)))
	fixture.Golden(t, "pairs.text", b.String())
	b.Reset()
	require.NoError(t, imb.Write(&b, r))
	fixture.Golden(t, "pairs.txt", b.String())
	fixture.RequireAllGood(t, "pairs", figures)
	const slow = "Node n012 and the link between n003 and n009 are slow: time of round trips of 64 KiB between "
	require.Equal(t, slow+"ranks", figures[0].Title, "it has no slow rank, but shows the slow node, too")
	require.Equal(t, slow+"nodes", figures[1].Title)
	require.Equal(t, "The link from n005 to n001 is slow: time of messages of 64 KiB between nodes", figures[3].Title)
}

// The table has every time.
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
	for _, passes := range medians {
		require.Len(t, passes, 3)
	}
}
