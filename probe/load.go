package probe

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
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

// sides are the units of a split: the ranks of each node, or single processes.
type sides struct{ victims, congestors [][]int }

// split divides units into victims and congestors for a numbered split.
func (p *Plan) split(units [][]int, number int) sides {
	l := p.Settings.Loads()
	units = slices.Clone(units)
	if l.Order == "" {
		r := rand.New(rand.NewPCG(l.Seed, uint64(number)))
		r.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
	}
	var s sides
	n := len(units)
	congestors := int(math.Floor(*l.Share*float64(n) + 1e-9))
	for i, u := range units {
		is := i >= n-congestors
		if l.Order == "interleaved" {
			is = (i+1)*congestors/n > i*congestors/n
		}
		if is {
			s.congestors = append(s.congestors, u)
		} else {
			s.victims = append(s.victims, u)
		}
	}
	return s
}

// units returns the units that splits divide: processes in the order of their ranks, or nodes.
func (p *Plan) units() (list [][]int) {
	if p.Settings.Loads().By != "" || len(p.Hosts) == 0 {
		return lists.Each(p.members(), func(rank int) []int { return []int{rank} })
	}
	for _, n := range p.nodes() {
		list = append(list, n.Ranks)
	}
	return list
}

// slicesOf returns lists of the processes with the same number on each unit, as far as all units have one.
func slicesOf(units [][]int) (list [][]int) {
	if len(units) == 0 {
		return nil
	}
	each := len(units[0])
	for _, u := range units {
		each = min(each, len(u))
	}
	for local := range each {
		list = append(list, lists.Each(units, func(u []int) int { return u[local] }))
	}
	return list
}

// victims returns the groups of victims of a kernel: a slice of the nodes for each group in GPCNeT's kernels, one group
// in others.
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

// congestorGroups returns the groups of congestors. names has the kinds that work at the same time, joined by "+". They
// share each slice of the nodes.
func congestorGroups(names string, units [][]int) (list []measured.CongestorGroup) {
	kinds := strings.Split(names, "+")
	for _, slice := range slicesOf(units) {
		for i, kind := range kinds {
			var ranks []int
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
	l, units := p.Settings.Loads(), p.units()
	for number := 1; number <= l.Splits; number++ {
		s := p.split(units, number)
		choices := l.Congestors
		if len(choices) == 0 || len(s.congestors) == 0 {
			choices = []string{""}
		}
		for _, names := range choices {
			b := measured.Block{Kernel: k.Name, Component: k.Component, Congestors: names, Split: number}
			if k.Class != kernel.Congestion {
				b.Groups = victims(k, s.victims)
				b.Processes = len(b.Groups[0])
			}
			if names != "" {
				b.CongestorGroups = congestorGroups(names, s.congestors)
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
	l, units := p.Settings.Loads(), p.units()
	congests := k.Class == kernel.Congestion
	for number := 1; number <= l.Splits && !congests; number++ {
		if reason := p.tooFewVictims(k, p.split(units, number), number); reason != "" {
			return reason
		}
	}
	switch {
	case len(l.Congestors) == 0 && congests:
		return "has no congestors: name some with --beside"
	case len(l.Congestors) == 0, *l.Share == 0 && !congests:
		return ""
	}
	congestors := len(p.split(units, 1).congestors)
	for _, names := range l.Congestors {
		kinds := strings.Split(names, "+")
		for _, c := range kinds {
			x, err := settings.ParseCongestors(c)
			if err != nil {
				return err.Error()
			}
			for _, op := range slices.Concat(suites.Congestor(x[0].Name).Builder.Ops, method.StopOnSignalOps()) {
				if !p.supports(op) {
					return "can't be measured with " + c + ", which " + missingCall(op, p.Engine.Library())
				}
			}
		}
		if needed := 2 * len(kinds); congestors < needed {
			return p.tooFew(congestors, len(units), needed, p.unit(), "the congestors "+names)
		}
	}
	return ""
}

// tooFewVictims returns the reason why a kernel can't be measured on the victims of a split, or "". Splits have
// different numbers of processes if nodes have.
func (p *Plan) tooFewVictims(k *kernel.Kernel, s sides, number int) string {
	groups := victims(k, s.victims)
	have, all, what := len(s.victims), len(s.victims)+len(s.congestors), p.unit()
	if k.Component != kernel.Load {
		have, all, what = len(slices.Concat(s.victims...)), len(p.members()), "process"
	}
	side := "victims"
	if p.Settings.Loads().Splits > 1 {
		side += fmt.Sprintf(" in split %d", number)
	}
	switch {
	case len(groups) == 0 || len(groups[0]) < k.MinProcesses:
		return p.tooFew(have, all, k.MinProcesses, what, side)
	case k.UnmetCondition(len(groups[0])) != "":
		return fmt.Sprintf("needs %s, but has %d for %s", k.UnmetCondition(len(groups[0])), len(groups[0]), side)
	}
	return ""
}

// unit names the units of splits.
func (p *Plan) unit() string { return cmp.Or(p.Settings.Loads().By, settings.LoadUnits[0]) }

// tooFew returns the reason why a side of a split has too few units.
func (p *Plan) tooFew(have, all, needed int, what, side string) string {
	l := p.Settings.Loads()
	remedy := "start it on more, or choose another --option share"
	if l.By == "" {
		remedy += ", or split processes with --option by=process"
	}
	return fmt.Sprintf("has %d of %s for %s (congestors have a share of %g), but needs %d: %s", have,
		counting(all, what), side, *l.Share, needed, remedy)
}

// counting returns a number and a noun, in the plural if necessary.
func counting(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "s") {
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
