package job

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFold checks that Fold makes one element of hosts with consecutive names and ranks, and that Unfold restores the
// placement, whatever interrupts the order.
func TestFold(t *testing.T) {
	const hosts = 1e4
	block := func(i int) string { return fmt.Sprintf("%d-%d", 48*i, 48*i+47) }
	cyclic := func(i int) string { return fmt.Sprintf("%d-%d:%d", i, i+int(hosts), int(hosts)) }
	one := func(i int) string { return fmt.Sprint(i) }
	for name, c := range map[string]struct {
		host  func(i int) string
		ranks func(i int) string
		most  int // elements
	}{
		"one per node":     {func(i int) string { return fmt.Sprintf("n%05d", i+1) }, one, 1},
		"blocks":           {func(i int) string { return fmt.Sprintf("nid%d", i) }, block, 1},
		"cyclic":           {func(i int) string { return fmt.Sprintf("n%06d.example", i) }, cyclic, 1},
		"number not last":  {func(i int) string { return fmt.Sprintf("node-%d-ib0", i+7) }, block, 1},
		"cells":            {func(i int) string { return fmt.Sprintf("r%di%dn%d", i/144, i/18%8, i%18) }, block, 556},
		"padded":           {func(i int) string { return fmt.Sprintf("x%05dc2s1", i) }, one, 1},
		"racks of 64":      {func(i int) string { return fmt.Sprintf("r%dn%02d", i/64, i%64) }, block, 157},
		"other names":      {func(i int) string { return fmt.Sprintf("%x", i*7919) }, one, hosts},
		"no number":        {func(i int) string { return string(rune('a'+i%26)) + "x" }, one, hosts},
		"a missing host":   {func(i int) string { return fmt.Sprintf("n%05d", i+i/5000) }, one, 2},
		"one name for all": {func(int) string { return "n1" }, one, hosts},
	} {
		var list []Placement
		for i := range int(hosts) {
			n := 1
			if slices.Contains([]string{"blocks", "racks of 64", "number not last", "cells"}, name) {
				n = 48
			}
			list = append(list, Placement{Host: c.host(i), Ranks: c.ranks(i), Processes: n, Processors: 96})
		}
		if name == "blocks" {
			list[500].Processors, c.most = 95, 3
		}
		before := slices.Clone(list)
		folded := Fold(list)
		require.LessOrEqual(t, len(folded), c.most, name)
		text, err := json.Marshal(folded)
		require.NoError(t, err)
		var read []Placement
		require.NoError(t, json.Unmarshal(text, &read))
		all, err := Unfold(read)
		require.NoError(t, err)
		require.Equal(t, before, all, name)
		require.Equal(t, before, list, "the placement itself doesn't change")
		for _, i := range []int{0, 1, 63, 64, 4999, 9999} {
			rank := Placement{Ranks: c.ranks(i)}.first()
			host, has := "", false
			for _, p := range folded {
				if host, has = p.HostOf(rank); has {
					break
				}
			}
			require.True(t, has, "%s, host %d", name, i)
			require.Equal(t, before[i].Host, host, name)
		}
	}
	require.Equal(t, "n8-ib0 to n10-ib0", Placement{Host: "n8-ib0", Hosts: 3, Shift: 1, Number: 1}.Names())
	require.Equal(t, "n08 to n19", Placement{Host: "n08", Hosts: 12, Shift: 4}.Names())
	few := []Placement{{Host: "n1", Ranks: "0", Processes: 1}, {Host: "n2", Ranks: "1", Processes: 1}}
	require.Equal(t, few, Fold(few), "small documents have an element for each host")
}

// TestUnfoldLimits checks that an element can't describe more hosts than a document may have.
func TestUnfoldLimits(t *testing.T) {
	for _, p := range []Placement{
		{Host: "n1", Ranks: "0", Processes: 1, Hosts: 1 << 21, Shift: 1},
		{Host: "n1", Ranks: "0", Processes: 1, Hosts: 3, Shift: -1},
		{Host: "n1", Ranks: "0", Processes: 1, Hosts: 3},
		{Host: "n1", Ranks: "0", Processes: 1, Hosts: 1, Shift: 1},
		{Host: "n1", Ranks: "0", Processes: 1, Shift: 1},
		{Host: "n1", Ranks: "0", Processes: 1, Hosts: 3, Shift: 1 << 62},
		{Host: "n1", Ranks: "0", Processes: 1, Hosts: 3, Shift: 1, Number: -1},
		{Host: "n1", Ranks: "0", Processes: 1, Number: 1},
	} {
		_, err := Unfold([]Placement{p, {Host: "m", Ranks: "9", Processes: 1}})
		require.Error(t, err, "%+v", p)
	}
}

// TestFoldLongRanks checks that hosts whose irregular ranks make a long text aren't folded, because Unfold would refuse
// the text.
func TestFoldLongRanks(t *testing.T) {
	var list []Placement
	for i := range 300 {
		ranks := make([]int, 400)
		for j := range ranks {
			ranks[j] = j*(j+1)*400 + i
		}
		list = append(list, NewPlacement(fmt.Sprintf("n%d", i), ranks))
	}
	all, err := Unfold(Fold(list))
	require.NoError(t, err)
	require.Equal(t, list, all)
}
