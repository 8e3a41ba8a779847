package probe

import (
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/pairs"
)

// Judge returns the verdicts on a row. Rows without times of pairs have none.
func (r *Result) Judge(b *measured.Block, row *measured.Row) []pairs.PairVerdict {
	return r.judgeOn(r.world(), b, row)
}

// judgeOn is Judge with the hosts of the world's ranks.
func (r *Result) judgeOn(world []string, b *measured.Block, row *measured.Row) []pairs.PairVerdict {
	if row.Pairs == nil {
		return nil
	}
	return pairs.Judge(row.Pairs, b.Processes, hostsOf(b, world), r.tick())
}

// JudgeCut returns the outliers of a row of a cut, or nil for other rows.
func (r *Result) JudgeCut(b *measured.Block, row *measured.Row) *pairs.CutVerdict {
	return r.judgeCutOn(r.world(), b, row)
}

// judgeCutOn is JudgeCut with the hosts of the world's ranks.
func (r *Result) judgeCutOn(world []string, b *measured.Block, row *measured.Row) *pairs.CutVerdict {
	k, ok := r.Kernel(b)
	if row.Crossing == nil || !ok {
		return nil
	}
	at := pairs.Places{Ranks: b.Groups[0], Hosts: hostsOf(b, world), Units: r.unitsOf(hostsOf(b, world))}
	return pairs.JudgeCut(row.Crossing, b.Cut, k.Moved*float64(row.Bytes), at, r.tick())
}

// unitsOf returns the units above each host, or nil if no map has them.
func (r *Result) unitsOf(hosts []string) [][]string {
	of := map[string][]string{}
	for _, p := range r.Placement {
		of[p.Host] = p.Units
	}
	list := make([][]string, len(hosts))
	for i, host := range hosts {
		if list[i] = of[host]; len(list[i]) == 0 {
			return nil
		}
	}
	return list
}

// tick returns the clock's resolution in seconds, or 0 if it is unknown.
func (r *Result) tick() float64 {
	if r.Clock == nil {
		return 0
	}
	return r.Clock.Resolution
}

// HostsOf returns the host of each rank of a block, or of its first group, and "" for ranks that no placement names.
func (r *Result) HostsOf(b *measured.Block) []string { return hostsOf(b, r.world()) }

// maxPlaced is the largest number of processes of a job whose hosts are looked up.
const maxPlaced = 1 << 20

// world returns the host of each rank of the world, or "" if it is unknown.
func (r *Result) world() []string {
	list := make([]string, min(r.Processes, maxPlaced))
	if r.Processes > maxPlaced {
		return list
	}
	for _, p := range r.Placement {
		ranks, err := p.List()
		if err != nil {
			continue
		}
		for _, rank := range ranks {
			if rank < len(list) {
				list[rank] = p.Host
			}
		}
	}
	return list
}

// hostsOf returns the host of each rank of the block, given the hosts of the world's ranks.
func hostsOf(b *measured.Block, world []string) []string {
	list := make([]string, b.Processes)
	for i := range list {
		rank := i
		if len(b.Groups) > 0 && i < len(b.Groups[0]) {
			rank = b.Groups[0][i]
		}
		if rank < len(world) {
			list[i] = world[rank]
		}
	}
	return list
}
