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
	// Number of groups that this element describes, the first one included. Absent for a single group.
	Groups int `json:"groups,omitempty" jsonschema:"minimum=0"`
	// How much higher the ranks of each further group are than the ranks of the group before it.
	Shift int `json:"shift,omitempty" jsonschema:"minimum=0"`
}

const (
	// rangesFrom is the number of processes from which documents describe groups by ranges.
	rangesFrom = 256
	// maxInRanges limits the memory of a document's distinct groups in bytes, because a short range may describe many.
	// A rank takes 8 bytes and a group 24. Memory that is in proportion to the ranges' text is free, so a document may
	// have any number of groups drawn at random.
	maxInRanges = 64 << 20
	freePerByte = 8 // bytes of memory for each byte of text that don't count
	// congestorBytes is the memory of a group of congestors without its list, which equal groups share.
	congestorBytes = 40
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
			room -= max(0, congestorBytes*len(groups)-freePerByte*len(c.Ranks))
			if err == nil && room < 0 {
				err = fmt.Errorf("%d groups in a range are too many", len(groups))
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

// groups returns the groups of this number of processes that r describes. It subtracts their memory from room.
func (r GroupRange) groups(processes int, room *int) (list [][]int, err error) {
	n := max(r.Groups, 1)
	switch {
	case processes < 1 || n > (*room+freePerByte*len(r.Ranks))/(8*processes+24):
		return nil, fmt.Errorf("a range of %d groups with %d processes each: empty, or too many", n, processes)
	case r.Groups == 1 || (r.Groups == 0) != (r.Shift == 0) || r.Shift < 0 || r.Shift > math.MaxInt32:
		return nil, fmt.Errorf("a range of %d groups with ranks that are %d higher", r.Groups, r.Shift)
	}
	*room -= max(0, n*(8*processes+24)-freePerByte*len(r.Ranks))
	first, err := job.Placement{Ranks: r.Ranks, Processes: processes}.List()
	if err != nil {
		return nil, err
	}
	return lists.Of(n, func(i int) []int {
		return lists.Each(first, func(rank int) int { return rank + i*r.Shift })
	}), nil
}
