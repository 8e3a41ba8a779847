package ofprobe_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/findings"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/ranking"
)

// A slow link is found on the first page, in the brief lines, in a ranking and in a comparison, in the same words.
func TestFoundEverywhere(t *testing.T) {
	r := &ofprobe.PairsCluster().Result
	found := findings.Faults(r)
	require.NotEmpty(t, found)
	said := found[0][strings.Index(found[0], ": ")+2:]
	d := ofprobe.Document(r, nil)
	require.Contains(t, strings.Join(d.Lead.Sentences, " "), said)
	var brief bytes.Buffer
	require.NoError(t, document.Brief(document.Screen{})(&brief, d))
	require.Contains(t, strings.Join(strings.Fields(brief.String()), " "), said[:60])
	e := ofprobe.Report{Result: r}.Entry()
	e.System.Name = "x"
	list := ranking.Document(ranking.Rank([]ranking.Entry{e}, false), ranking.View{})
	require.Contains(t, list.Notices, document.Notice{Level: document.Warning, Text: "x: " + found[0]})
	c, err := ofprobe.Compared([]string{"a", "b"}, [][]*probe.Result{{r}, {&ofprobe.PairsCluster().Result}})
	require.NoError(t, err)
	require.Contains(t, c.Document.Notices, document.Notice{Level: document.Warning, Text: "a and b: " + found[0]})
}
