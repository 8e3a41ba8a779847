package settings

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Load defines the congestors that run while victims are measured, and how the nodes are split. Zero values are
// defaults.
type Load struct {
	// Congestors that run while all victims are measured, one entry after the other; see ParseCongestors. With the
	// single entry none, victims have the machine for themselves. The default is GPCNeT's list.
	Congestors []string `json:"beside,omitempty" jsonschema:"maxItems=64"`
	// Part of the nodes whose processes are congestors, rounded down (default: half of them).
	Share *float64 `json:"share,omitempty" jsonschema:"minimum=0"`
	// The unit of a split (default: whole nodes).
	By string `json:"by,omitempty" jsonschema:"enum=process"`
	// How the nodes are split (default: at random, and differently in each split).
	Order string `json:"order,omitempty" jsonschema:"enum=blocked,enum=interleaved"`
	// Seed of the random splits (default: 1).
	Seed uint64 `json:"seed,omitempty"`
	// Number of splits (default: 5, or 1 if the order isn't random).
	Splits int `json:"splits,omitempty" jsonschema:"minimum=1"`
	// Blocks without congestors in each split. As many blocks with congestors are between them (default: 4).
	Blocks int `json:"blocks,omitempty" jsonschema:"minimum=1"`
}

// The values of Load.By and Load.Order, the default first.
var (
	LoadUnits  = []string{"node", "process"}
	LoadOrders = []string{"random", "blocked", "interleaved"}
)

// Congestors are the names of the congestors' patterns. GPCNeT's are the first four, in its order.
var Congestors = []string{"alltoall", "incast", "put_incast", "get_bcast", "stencil"}

// Nobody as the only congestor leaves the machine to the victims.
const Nobody = "none"

const (
	maxCongestors    = 64
	gpcnetCongestors = 4
	minDuty          = 0.001 // the end of a block waits for a pause, which is up to 1000 times as long as a burst
)

// MaxSplits is the largest number of splits, and of blocks of a split.
const MaxSplits = 1000

// Congestor is a pattern of messages that load the network.
type Congestor struct {
	Name  string // of Congestors
	Bytes int64  // of a message; 0 means the usual size
	// Seconds from burst to burst, and the part of them that a burst takes on an idle network. With 0, messages never
	// end.
	Period, Duty float64
}

// ParseCongestors returns the congestors that run at the same time. "incast" sends messages of the usual size,
// "incast:65536" messages of 65536 bytes. "incast@10ms:0.3" sends bursts that begin every 10 ms and take 0.3 of that
// time. In "alltoall+incast" each congestor runs on a part of the congestors' processes.
func ParseCongestors(text string) (list []Congestor, err error) {
	for _, word := range strings.Split(text, "+") {
		c := Congestor{}
		pattern, burst, bursts := strings.Cut(word, "@")
		name, bytes, sized := strings.Cut(pattern, ":")
		if c.Name = name; !slices.Contains(Congestors, name) {
			return nil, fmt.Errorf("unknown congestor %q: want %s, or only %s", name, strings.Join(Congestors, ", "),
				Nobody)
		}
		if sized {
			if c.Bytes, err = strconv.ParseInt(bytes, 10, 64); err != nil || c.Bytes < 1 || c.Bytes > 1<<30 {
				return nil, fmt.Errorf("congestor %q: want NAME:BYTES with 1 to 2^30 bytes", word)
			}
		}
		if bursts {
			period, duty, _ := strings.Cut(burst, ":")
			every, err := time.ParseDuration(period)
			part, wrong := strconv.ParseFloat(duty, 64)
			if c.Period, c.Duty = every.Seconds(), part; err != nil || wrong != nil ||
				!(c.Period >= 1e-6 && c.Period <= 10) || !(part >= minDuty && part < 1) {
				return nil, fmt.Errorf("congestor %q: want NAME@PERIOD:DUTY such as incast@10ms:0.3, a period from "+
					"1us to 10s and a duty from %g to less than 1", word, minDuty)
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// Loaded reports whether the user set any option of loads.
func (s *Settings) Loaded() bool { return !reflect.ValueOf(s.Load).IsZero() }

// Loads returns the settings of loads with their defaults. Without congestors the list is empty.
func (s *Settings) Loads() Load {
	l := s.Load
	if l.Share == nil {
		half := 0.5
		l.Share = &half
	}
	l.Seed = cmp.Or(l.Seed, 1)
	if l.Splits == 0 {
		if l.Splits = 5; l.Order != "" {
			l.Splits = 1
		}
	}
	l.Blocks = cmp.Or(l.Blocks, 4)
	switch {
	case l.Congestors == nil:
		l.Congestors = Congestors[:gpcnetCongestors]
	case slices.Equal(l.Congestors, []string{Nobody}):
		l.Congestors = nil
	}
	return l
}

// check returns an error if no run can have the settings.
func (l *Load) check() error {
	switch {
	case l.Share != nil && !(*l.Share >= 0 && *l.Share <= 1):
		return fmt.Errorf("want a share of the congestors from 0 to 1, not %g", *l.Share)
	case l.By != "" && l.By != LoadUnits[1]:
		return fmt.Errorf("unknown unit %q: want %s", l.By, strings.Join(LoadUnits, " or "))
	case l.Order != "" && !slices.Contains(LoadOrders[1:], l.Order):
		return fmt.Errorf("unknown order %q: want %s", l.Order, strings.Join(LoadOrders, ", "))
	case l.Splits < 0 || l.Splits > MaxSplits || l.Blocks < 0 || l.Blocks > MaxSplits:
		return fmt.Errorf("want 1 to %d splits and blocks, not %d and %d", MaxSplits, l.Splits, l.Blocks)
	case l.Order != "" && l.Splits > 1:
		return fmt.Errorf("the order %s has one split: leave the number of splits out", l.Order)
	case len(l.Congestors) > maxCongestors:
		return fmt.Errorf("want up to %d congestors, not %d", maxCongestors, len(l.Congestors))
	case slices.Equal(l.Congestors, []string{Nobody}):
		return nil
	}
	for i, text := range l.Congestors {
		if slices.Contains(l.Congestors[:i], text) {
			return fmt.Errorf("congestor %q is named twice", text)
		}
		if _, err := ParseCongestors(text); err != nil {
			return err
		}
	}
	return nil
}
