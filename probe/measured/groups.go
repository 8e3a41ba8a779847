package measured

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// GroupRange describes groups that follow each other in the documents of large jobs.
type GroupRange struct {
	// Ranks of the first group in their order, in the format of the placement.
	Ranks string `json:"ranks"`
	// Number of groups with higher ranks that this element describes. Left out for a single group.
	Groups int `json:"groups,omitempty" jsonschema:"minimum=0"`
	// By how much the ranks of each of these groups are higher than those of the one before.
	Shift int `json:"shift,omitempty" jsonschema:"minimum=0"`
}

const (
	// rangesFrom is the number of processes in groups from which documents have ranges of them.
	rangesFrom = 256
	// maxInRanges limits the memory of the different groups of a document, of 8 bytes for a rank and 24 for a group,
	// because a few bytes may describe many. Memory in the order of the ranges' own text doesn't count, so a document
	// may have any number of drawn groups.
	maxInRanges = 64 << 20
	described   = 8 // bytes of memory for each byte of text that don't count
	// ofCongestor is the memory of a group of congestors without its list, which equal groups share.
	ofCongestor = 40
)

// MarshalJSON writes the groups of many processes as ranges, which Unfold reads.
func (b Block) MarshalJSON() ([]byte, error) {
	type plain Block // without this method
	if len(b.Groups)*b.Processes >= rangesFrom {
		b.GroupRanges, b.Groups = rangesOf(b.Groups), nil
	}
	if lists.SumOf(b.CongestorGroups, func(c CongestorGroup) int { return len(c.Ranks) }) >= rangesFrom {
		for left := b.CongestorGroups; len(left) > 0; {
			n := slices.IndexFunc(left, func(c CongestorGroup) bool {
				return c.Congestor != left[0].Congestor || len(c.Ranks) != len(left[0].Ranks)
			})
			if n < 0 {
				n = len(left)
			}
			for _, r := range rangesOf(lists.Each(left[:n], func(c CongestorGroup) []int { return c.Ranks })) {
				b.CongestorRanges = append(b.CongestorRanges, CongestorRange{left[0].Congestor, len(left[0].Ranks), r})
			}
			left = left[n:]
		}
		b.CongestorGroups = nil
	}
	return json.Marshal(plain(b))
}

// rangesOf returns the ranges that describe groups, which are equally large.
func rangesOf(groups [][]int) (list []GroupRange) {
	for len(groups) > 0 {
		first, shift, n := groups[0], 0, 1
		if len(groups) > 1 {
			shift = groups[1][0] - first[0]
		}
		higher := func(ranks []int, by int) bool {
			return slices.EqualFunc(ranks, first, func(rank, before int) bool { return rank == before+by })
		}
		for shift > 0 && n < len(groups) && higher(groups[n], n*shift) {
			n++
		}
		r := GroupRange{Ranks: job.Ranges(first)}
		if n > 1 {
			r.Groups, r.Shift = n, shift
		}
		list, groups = append(list, r), groups[n:]
	}
	return list
}

// Unfold gives the blocks of a document the groups that their ranges describe. Equal groups share a list.
func Unfold(blocks []Block) error {
	room, known := maxInRanges, map[string][][]int{}
	unfolded := func(list []GroupRange, processes int) (groups [][]int, err error) {
		key := fmt.Sprint(processes, list)
		if groups, seen := known[key]; seen {
			return groups, nil
		}
		for _, r := range list {
			more, err := r.groups(processes, &room)
			if err != nil {
				return nil, err
			}
			groups = append(groups, more...)
		}
		known[key] = groups
		return groups, nil
	}
	for b := range lists.Elements(blocks) {
		if b.GroupRanges != nil {
			groups, err := unfolded(b.GroupRanges, b.Processes)
			if err != nil {
				return fmt.Errorf("groups of %s: %w", b.Kernel, err)
			}
			b.Groups, b.GroupRanges = groups, nil
		}
		for _, c := range b.CongestorRanges {
			groups, err := unfolded([]GroupRange{c.GroupRange}, c.Processes)
			room -= max(0, ofCongestor*len(groups)-described*len(c.Ranks))
			if err == nil && room < 0 {
				err = fmt.Errorf("%d in a range are too many", len(groups))
			}
			if err != nil {
				return fmt.Errorf("congestors of %s: %w", b.Kernel, err)
			}
			for _, ranks := range groups {
				b.CongestorGroups = append(b.CongestorGroups, CongestorGroup{c.Congestor, ranks})
			}
		}
		b.CongestorRanges = nil
	}
	return nil
}

// groups returns the groups of so many processes that r describes, whose memory it takes from room.
func (r GroupRange) groups(processes int, room *int) (list [][]int, err error) {
	n := max(r.Groups, 1)
	switch {
	case processes < 1 || n > (*room+described*len(r.Ranks))/(8*processes+24):
		return nil, fmt.Errorf("%d in a range, of %d processes each, are none or too many", n, processes)
	case r.Groups == 1 || (r.Groups == 0) != (r.Shift == 0) || r.Shift < 0 || r.Shift > math.MaxInt32:
		return nil, fmt.Errorf("%d in a range, with ranks that are %d higher", r.Groups, r.Shift)
	}
	*room -= max(0, n*(8*processes+24)-described*len(r.Ranks))
	first, err := job.Placement{Ranks: r.Ranks, Processes: processes}.List()
	if err != nil {
		return nil, err
	}
	return lists.Of(n, func(i int) []int {
		return lists.Each(first, func(rank int) int { return rank + i*r.Shift })
	}), nil
}
