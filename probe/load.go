package probe

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/fabric"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/method"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// loads reports whether a kernel is measured on splits of the nodes.
func (p *Plan) loads(k *kernel.Kernel) bool { return p.way(k).Splits }

// addCongestors adds the kernel that measures congestors by themselves, if victims are measured with congestors.
func (c *Config) addCongestors() {
	loads := func(s Selection) bool { return suites.Way(&c.Settings, s.Kernel).Splits }
	alone := func(s Selection) bool { return s.Kernel.Name == suites.NoVictims }
	l := c.Settings.Loads()
	if slices.ContainsFunc(c.Selections, loads) && !slices.ContainsFunc(c.Selections, alone) && len(l.Congestors) > 0 &&
		*l.Share > 0 {
		k, _, _ := suites.Find(kernel.Load, suites.NoVictims)
		c.Selections = append(c.Selections, Selection{Kernel: k})
	}
}

// sides are the units of a split: the ranks of each node, or single processes. slices is slicesOf(congestors).
type sides struct{ victims, congestors, slices [][]int }

// split divides the units into victims and congestors for a numbered split.
func (p *Plan) split(number int) sides {
	if s, made := p.splits[number]; made {
		return s
	}
	l := p.Settings.Loads()
	units := p.units()
	if l.Order == "" {
		r := rand.New(rand.NewPCG(l.Seed, uint64(number)))
		r.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
	}
	n := len(units)
	congestors := int(math.Floor(*l.Share*float64(n) + 1e-9))
	s := sides{victims: make([][]int, 0, n-congestors), congestors: make([][]int, 0, congestors)}
	for i, u := range units {
		congests := i >= n-congestors
		if l.Order == "interleaved" {
			congests = (i+1)*congestors/n > i*congestors/n
		}
		if congests {
			s.congestors = append(s.congestors, u)
		} else {
			s.victims = append(s.victims, u)
		}
	}
	s.slices = slicesOf(s.congestors)
	p.splits[number] = s
	return s
}

// units returns the units that splits divide: processes in the order of their ranks, or nodes.
func (p *Plan) units() [][]int {
	if p.Settings.Loads().By != "" || len(p.Hosts) == 0 {
		return slices.Collect(slices.Chunk(p.members, 1))
	}
	return lists.Each(p.nodes, func(n fabric.Node) []int { return n.Ranks })
}

// slicesOf returns slices of units: slice i has process i of each unit. The smallest unit has a process in each slice.
func slicesOf(units [][]int) (list [][]int) {
	if len(units) == 0 {
		return nil
	}
	each := len(units[0])
	for _, u := range units {
		each = min(each, len(u))
	}
	for local := range each {
		list = append(list, lists.Of(len(units), func(i int) int { return units[i][local] }))
	}
	return list
}

// The groups of victims in a split depend on a victimsKey, and the groups of congestors on a congestorsKey.
type (
	victimsKey struct {
		split                    int
		inOrder, sliced, inPairs bool
		active                   int
	}
	congestorsKey struct {
		split int
		names string
	}
)

// victims returns the groups of victims of a kernel in a split: each slice of the nodes in GPCNeT's kernels, and one
// group in others. Kernels share the lists.
func (p *Plan) victims(k *kernel.Kernel, split int) [][]int {
	key := victimsKey{split, k.Builder.Processes.InOrder, k.Component == kernel.Load, k.InPairs(), k.Active}
	if _, made := p.victimGroups[key]; !made {
		p.victimGroups[key] = victims(k, p.split(split).victims)
	}
	return p.victimGroups[key]
}

// congestorGroups returns the groups of congestors in a split. Kernels share the lists.
func (p *Plan) congestorGroups(names string, split int) []measured.CongestorGroup {
	key := congestorsKey{split, names}
	if p.congestors[key] == nil {
		p.congestors[key] = congestorGroups(names, p.split(split).slices)
	}
	return p.congestors[key]
}

// victims returns the groups of victims of a kernel among the units of a split.
func victims(k *kernel.Kernel, units [][]int) [][]int {
	if k.Builder.Processes.InOrder {
		units = slices.SortedFunc(slices.Values(units), func(a, b []int) int { return a[0] - b[0] })
	}
	if k.Component == kernel.Load {
		return slicesOf(units)
	}
	all := slices.Concat(units...)
	switch {
	case len(all) == 0:
		return nil
	case k.Active > 0 && k.Active < len(all):
		return [][]int{append(slices.Clone(all[:k.Active-1]), all[len(all)-1])}
	case k.InPairs():
		all = all[:len(all)/2*2]
	}
	return [][]int{all}
}

// congestorGroups returns the groups of congestors, kind by kind. names has the kinds that work at the same time,
// joined by "+". They share each slice of the nodes.
func congestorGroups(names string, slices [][]int) (list []measured.CongestorGroup) {
	kinds := strings.Split(names, "+")
	for i, kind := range kinds {
		for _, slice := range slices {
			ranks := make([]int, 0, len(slice)/len(kinds)+1)
			for at := i; at < len(slice); at += len(kinds) {
				ranks = append(ranks, slice[at])
			}
			if len(ranks) > 0 {
				list = append(list, measured.CongestorGroup{Congestor: kind, Ranks: ranks})
			}
		}
	}
	return list
}

// loadBlocks returns the blocks of a victim or of congestors by themselves: one for each split and each list of
// congestors.
func (p *Plan) loadBlocks(k *kernel.Kernel) (list []measured.Block) {
	l := p.Settings.Loads()
	for number := 1; number <= l.Splits; number++ {
		s := p.split(number)
		choices := l.Congestors
		if len(choices) == 0 || len(s.congestors) == 0 {
			choices = []string{""}
		}
		for _, names := range choices {
			b := measured.Block{Kernel: k.Name, Component: k.Component, Congestors: names, Split: number}
			if k.Class != kernel.Congestion {
				b.Groups = p.victims(k, number)
				b.Processes = len(b.Groups[0])
			}
			if names != "" {
				b.CongestorGroups = p.congestorGroups(names, number)
			}
			congestors := lists.SumOf(b.CongestorGroups, func(c measured.CongestorGroup) int { return len(c.Ranks) })
			if k.Class == kernel.Congestion {
				b.Processes = congestors
				b.Waiting = p.Processes - congestors
			} else {
				b.Waiting = p.Processes - congestors - len(b.Groups)*b.Processes
			}
			if k.MessageWindows() {
				b.WindowSize = p.way(k).Window()
			}
			b.Describe(k, &p.Settings)
			list = append(list, b)
		}
	}
	return list
}

// splitReason returns the reason why the nodes can't be split for a kernel, or "" if they can in each split.
func (p *Plan) splitReason(k *kernel.Kernel) string {
	l := p.Settings.Loads()
	congests := k.Class == kernel.Congestion
	for number := 1; number <= l.Splits && !congests; number++ {
		if reason := p.tooFewVictims(k, number); reason != "" {
			return reason
		}
	}
	switch {
	case len(l.Congestors) == 0 && congests:
		return "has no congestors: name some with --beside"
	case len(l.Congestors) == 0, *l.Share == 0 && !congests:
		return ""
	}
	congestors := len(p.split(1).congestors)
	for _, names := range l.Congestors {
		kinds := strings.Split(names, "+")
		for _, c := range kinds {
			x, err := settings.ParseCongestors(c)
			if err != nil {
				return err.Error()
			}
			congestor := suites.Congestor(x[0].Name)
			if reason := memoryReason(congestor, &p.Settings); reason != "" {
				return "can't be measured with " + c + ", which " + reason
			}
			for _, op := range slices.Concat(congestor.Builder.Ops, method.StopOnSignalOps()) {
				if !p.supports(op) {
					return "can't be measured with " + c + ", which " + missingCall(op, p.Engine.Library())
				}
			}
		}
		if needed := 2 * len(kinds); congestors < needed {
			return p.tooFew(congestors, len(p.units()), needed, p.unit(), "the congestors "+names)
		}
	}
	return ""
}

// tooFewVictims returns the reason why a kernel can't be measured on the victims of a split, or "". Splits have
// different numbers of processes if nodes have.
func (p *Plan) tooFewVictims(k *kernel.Kernel, number int) string {
	s, groups := p.split(number), p.victims(k, number)
	have, all, noun := len(s.victims), len(s.victims)+len(s.congestors), p.unit()
	if k.Component != kernel.Load {
		have, all, noun = lists.SumOf(s.victims, func(u []int) int { return len(u) }), len(p.members), "process"
	}
	side := "victims"
	if p.Settings.Loads().Splits > 1 {
		side += fmt.Sprintf(" in split %d", number)
	}
	switch {
	case len(groups) == 0 || len(groups[0]) < k.MinProcesses:
		return p.tooFew(have, all, k.MinProcesses, noun, side)
	case k.UnmetCondition(len(groups[0])) != "":
		return fmt.Sprintf("needs %s, but has %d for %s", k.UnmetCondition(len(groups[0])), len(groups[0]), side)
	}
	return ""
}

// unit names the units of splits.
func (p *Plan) unit() string { return cmp.Or(p.Settings.Loads().By, settings.LoadUnits[0]) }

// tooFew returns the reason why a side of a split has too few units.
func (p *Plan) tooFew(have, all, needed int, noun, side string) string {
	l := p.Settings.Loads()
	remedy := "start it on more, or choose another --option share"
	if l.By == "" {
		remedy += ", or split processes with --option by=process"
	}
	return fmt.Sprintf("has %d of %s for %s (congestors have a share of %g), but needs %d: %s", have,
		counting(all, noun), side, *l.Share, needed, remedy)
}

// counting returns a number and its noun, in the plural unless the number is 1.
func counting(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "s") {
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
