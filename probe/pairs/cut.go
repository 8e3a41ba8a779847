package pairs

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/fabric"
)

// CutPasses is the number of passes over all steps of a cut. A slow pair is slow in each, and a disturbance hits one.
const CutPasses = 3

// maxLinks is the most links of a row, in one direction.
const maxLinks = 1 << 20

// Cut divides the processes of a block into sides. The block's group has the processes of one set after the other, in
// each set the left side before the right one.
type Cut struct {
	// The cut: halves, switches, groups, cells, switch:NAME, switch:NAME|NAME, or the same with group and cell.
	Name string `json:"name"`
	// The origin of the sides: a map of the nodes, the order of ranks, or the order of ranks in the only node.
	By   fabric.By `json:"by" jsonschema:"enum=map,enum=rank,enum=in node"`
	Sets []CutSet  `json:"sets"`
}

// CutSet is a set of processes that is cut in two.
type CutSet struct {
	// Name of a unit; absent if the set is all nodes.
	Name string `json:"name,omitempty"`
	// Processes of a side.
	Side int `json:"side" jsonschema:"minimum=1"`
}

// NewCut returns a cut, and the ranks of its processes in their order.
func NewCut(c fabric.Cut) (*Cut, []int) {
	x := &Cut{Name: c.Name, By: c.By}
	var ranks []int
	for _, s := range c.Sets {
		x.Sets = append(x.Sets, CutSet{s.Name, len(s.Left)})
		ranks = slices.Concat(ranks, s.Left, s.Right)
	}
	return x, ranks
}

// Links returns the number of pairs of a step.
func (c *Cut) Links() int {
	return lists.SumOf(c.Sets, func(s CutSet) int { return s.Side })
}

// AllSteps returns the number of steps after which each process of the largest set has met the whole other side.
func (c *Cut) AllSteps() int {
	return lists.Max(c.Sets, func(s CutSet) int { return s.Side })
}

// Ends returns the ranks of a pair in a step. A pair has the number of its left process among all left processes.
func (c *Cut) Ends(pair, shift int) (left, right int) {
	first := 0
	for _, s := range c.Sets {
		if pair < s.Side {
			return first + pair, first + s.Side + (pair+shift)%s.Side
		}
		first, pair = first+2*s.Side, pair-s.Side
	}
	return 0, 0
}

// Meets returns the partner of a rank in a step, and whether the rank is on the left side.
func (c *Cut) Meets(rank, shift int) (peer int, left bool) {
	first := 0
	for _, s := range c.Sets {
		if at := rank - first; at < s.Side {
			return first + s.Side + (at+shift)%s.Side, true
		} else if at -= s.Side; at < s.Side {
			return first + ((at-shift)%s.Side+s.Side)%s.Side, false
		}
		first += 2 * s.Side
	}
	return 0, false
}

// Shifts returns the steps of a row: all, or the given number of them at even distances.
func (c *Cut) Shifts(steps int) []int {
	most := c.AllSteps()
	steps = cmp.Or(steps, maxSteps)
	list := make([]int, min(steps, most, max(1, maxLinks/c.Links())))
	for k := range list {
		list[k] = k * most / len(list)
	}
	return list
}

// maxSteps is the default number of steps.
const maxSteps = 256

// Check returns an error if the cut isn't nil and doesn't divide the given number of processes.
func (c *Cut) Check(processes int) error {
	if c == nil {
		return nil
	}
	sum := 0
	for _, s := range c.Sets {
		if s.Side < 1 || s.Side > processes {
			return fmt.Errorf("cut %q: a side of %d processes", c.Name, s.Side)
		}
		sum += 2 * s.Side
	}
	if sum != processes || !slices.Contains([]fabric.By{fabric.ByMap, fabric.ByRank, fabric.OneNode}, c.By) {
		return fmt.Errorf("cut %q by %q: sides of %d processes together, of %d", c.Name, c.By, sum, processes)
	}
	return fabric.CheckName(c.Name)
}

// CutTimes holds the times of all pairs of a cut. All pairs of a step ran at the same time. The lists of a step have an
// element for each process of the left sides, in their order.
type CutTimes struct {
	// For each step, the places by which the right processes are ahead: the right process in place i meets the left
	// process in place i - shift, modulo the side.
	Shifts []int `json:"shifts"`
	// Picoseconds of a message from left to right, or of one message each way at the same time, for each pass and step.
	There [][][]int64 `json:"there"`
	// Times from right to left, if each direction is timed.
	Back [][][]int64 `json:"back,omitempty"`
}

// Directions returns the times of each direction.
func (t *CutTimes) Directions() [][][][]int64 {
	if t.Back == nil {
		return [][][][]int64{t.There}
	}
	return [][][][]int64{t.There, t.Back}
}

// NewTimes returns zeros for the times of a cut.
func (c *Cut) NewTimes(shifts []int, directed bool) *CutTimes {
	room := func() (list [][][]int64) {
		for range CutPasses {
			steps := lists.Of(len(shifts), func(k int) []int64 { return make([]int64, c.Links()) })
			list = append(list, steps)
		}
		return list
	}
	t := &CutTimes{Shifts: shifts, There: room()}
	if directed {
		t.Back = room()
	}
	return t
}

// Check returns an error unless the times fit a cut of a number of processes.
func (t *CutTimes) Check(c *Cut, processes int, directed bool) error {
	if c == nil {
		return fmt.Errorf("times of a cut, and no cut")
	}
	if err := c.Check(processes); err != nil {
		return err
	}
	steps := len(t.Shifts)
	if steps == 0 || steps > c.AllSteps() || steps*c.Links() > maxLinks || (t.Back != nil) != directed {
		return fmt.Errorf("%d steps of %d pairs, times back: %t", steps, c.Links(), t.Back != nil)
	}
	for k, shift := range t.Shifts {
		if shift < 0 || shift >= c.AllSteps() || k > 0 && shift <= t.Shifts[k-1] {
			return fmt.Errorf("step %d has a shift of %d", k, shift)
		}
	}
	for _, list := range t.Directions() {
		if len(list) != len(t.There) || len(list) == 0 || len(list) > CutPasses {
			return fmt.Errorf("%d passes over the steps", len(list))
		}
		for _, pass := range list {
			if len(pass) != steps {
				return fmt.Errorf("%d steps, want %d", len(pass), steps)
			}
			for k, step := range pass {
				if len(step) != c.Links() || slices.ContainsFunc(step, func(t int64) bool {
					return t < 1 || t > math.MaxInt64/4
				}) {
					return fmt.Errorf("step %d: want times of %d pairs, not %d, or one is no time", k, c.Links(),
						len(step))
				}
			}
		}
	}
	return nil
}

// Seconds returns the time of a message of each pair of a step in a direction: the median of the passes.
func (t *CutTimes) Seconds(direction, step int) []float64 {
	passes := t.Directions()[direction]
	list := make([]float64, len(passes[0][step]))
	of := make([]int64, len(passes))
	for i := range list {
		for p := range passes {
			of[p] = passes[p][step][i]
		}
		slices.Sort(of)
		middle := of[len(of)/2]
		if len(of)%2 == 0 {
			middle = of[len(of)/2-1]/2 + middle/2
		}
		list[i] = float64(middle) / picoseconds
	}
	return list
}

// picoseconds is the number of picoseconds in a second.
const picoseconds = 1e12

// Step holds the figures of all pairs of a step in one direction.
type Step struct {
	// Places by which the right processes are ahead of the left ones.
	Shift int `json:"shift"`
	// True for messages from right to left.
	Back bool `json:"back,omitempty"`
	// Seconds of a message of the quickest pair.
	Shortest float64 `json:"t_min"`
	// Seconds: the mean of all pairs.
	Mean float64 `json:"t_avg"`
	// Seconds of the slowest pair.
	Longest float64 `json:"t_max"`
	// Bytes per second of all pairs together: their number times their mean bandwidth, as in LinkTest.
	Bandwidth float64 `json:"bandwidth"`
	// Bytes per second of all pairs together, by the time of the slowest pair.
	BySlowest float64 `json:"bandwidth_by_slowest"`
}

// Steps returns the figures of each step in each direction. Moved is the bytes that a pair moves with a message.
func (t *CutTimes) Steps(c *Cut, moved float64) (list []Step) {
	for direction := range t.Directions() {
		for k, shift := range t.Shifts {
			x := Step{Shift: shift, Back: direction == 1, Shortest: math.Inf(1)}
			seconds := t.Seconds(direction, k)
			for _, s := range seconds {
				x.Shortest, x.Longest = min(x.Shortest, s), max(x.Longest, s)
				x.Mean += s / float64(len(seconds))
				x.Bandwidth += moved / s
			}
			x.BySlowest = moved * float64(len(seconds)) / x.Longest
			list = append(list, x)
		}
	}
	return list
}
