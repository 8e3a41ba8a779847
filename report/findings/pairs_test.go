package findings

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/pairs"
)

// A title names up to three slow units and links, and counts more of them.
func TestPairsTitle(t *testing.T) {
	slow := pairs.Finding{Trouble: pairs.Slow, From: "n12"}
	link := pairs.Finding{Trouble: pairs.Link, From: "n3", To: "n9"}
	for want, list := range map[string][]pairs.Finding{
		"No node and no link is slow":                      nil,
		"Node n12 is slow":                                 {slow},
		"Node n12 and the link between n3 and n9 are slow": {slow, link},
		"Sending from node n12 is slow":                    {{Trouble: pairs.Sends, From: "n12"}},
		"Receiving at node n12 is slow":                    {{Trouble: pairs.Receives, From: "n12"}},
		"The link from n3 to n9 is slow":                   {{Trouble: pairs.Direction, From: "n3", To: "n9"}},
		"1 node and 3 links are slow":                      {slow, link, link, link},
		"No link is slow, but 4 nodes":                     {slow, slow, slow, slow},
		"The link between n3 and n9 is slow":               {link},
	} {
		require.Equal(t, want, PairsTitle(&pairs.PairVerdict{Unit: pairs.Nodes, Findings: list, UnitLimit: 0.1}))
	}
	require.Equal(t, "No link is slow", PairsTitle(&pairs.PairVerdict{Unit: pairs.Nodes}))
}
