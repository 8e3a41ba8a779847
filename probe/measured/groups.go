package measured

import (
	"encoding/json"
	"fmt"
	"math"

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
	// because a few bytes may describe many.
	maxInRanges = 64 << 20
)

// MarshalJSON writes the groups of many processes as ranges, which Unfold reads.
func (b Block) MarshalJSON() ([]byte, error) {
	type plain Block // without this method
	if len(b.Groups)*b.Processes >= rangesFrom {
		b.GroupRanges = lists.Each(job.Fold(lists.Each(b.Groups, func(ranks []int) job.Placement {
			return job.NewPlacement("", ranks)
		})), func(p job.Placement) GroupRange { return GroupRange{p.Ranks, p.Hosts, p.Shift} })
		b.Groups = nil
	}
	return json.Marshal(plain(b))
}

// Unfold gives the blocks of a document the groups that their ranges describe. Equal groups share a list.
func Unfold(blocks []Block) error {
	room, known := maxInRanges, map[string][][]int{}
	for b := range lists.Elements(blocks) {
		if b.GroupRanges == nil {
			continue
		}
		key := fmt.Sprint(b.Processes, b.GroupRanges)
		groups, seen := known[key]
		for i := 0; i < len(b.GroupRanges) && !seen; i++ {
			more, err := b.GroupRanges[i].groups(b.Processes, &room)
			if err != nil {
				return fmt.Errorf("groups of %s: %w", b.Kernel, err)
			}
			groups = append(groups, more...)
		}
		known[key], b.Groups, b.GroupRanges = groups, groups, nil
	}
	return nil
}

// groups returns the groups of so many processes that r describes, whose memory it takes from room.
func (r GroupRange) groups(processes int, room *int) (list [][]int, err error) {
	n := max(r.Groups, 1)
	switch {
	case processes < 1 || n > *room/(8*processes+24):
		return nil, fmt.Errorf("%d in a range, of %d processes each, are none or too many", n, processes)
	case r.Groups == 1 || (r.Groups == 0) != (r.Shift == 0) || r.Shift < 0 || r.Shift > math.MaxInt32:
		return nil, fmt.Errorf("%d in a range, with ranks that are %d higher", r.Groups, r.Shift)
	}
	*room -= n * (8*processes + 24)
	first, err := job.Placement{Ranks: r.Ranks, Processes: processes}.List()
	if err != nil {
		return nil, err
	}
	return lists.Of(n, func(i int) []int {
		return lists.Each(first, func(rank int) int { return rank + i*r.Shift })
	}), nil
}
