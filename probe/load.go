package probe

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/method"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// loads reports whether a kernel is measured on splits of the nodes.
func (p *Plan) loads(k *kernel.Kernel) bool { return p.way(k).Splits }

// addCongestors adds the kernel of congestors alone, if there are victims beside congestors.
func (c *Config) addCongestors() {
	loads := func(s Selection) bool { return suites.Way(&c.Settings, s.Kernel).Splits }
	alone := func(s Selection) bool { return s.Kernel.Name == suites.NoVictims }
	l := c.Settings.Loads()
	if slices.ContainsFunc(c.Selections, loads) && !slices.ContainsFunc(c.Selections, alone) && len(l.Beside) > 0 &&
		*l.Share > 0 {
		k, _, _ := suites.FindIn(kernel.Load, suites.NoVictims)
		c.Selections = append(c.Selections, Selection{Kernel: k})
	}
}

// sides are the units of a split: the ranks of each node, or a process each.
type sides struct{ victims, congestors [][]int }

// split deals the units out.
func (p *Plan) split(number int) sides {
	l := p.Settings.Loads()
	units := p.units()
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

// units returns what splits deal out, in the order of the nodes.
func (p *Plan) units() (list [][]int) {
	members := p.members()
	if p.Settings.Loads().By != "" || len(p.Hosts) == 0 {
		for _, rank := range members {
			list = append(list, []int{rank})
		}
		return list
	}
	for _, on := range p.Hosts {
		ranks := slices.DeleteFunc(slices.Clone(on), func(rank int) bool { return !slices.Contains(members, rank) })
		if len(ranks) > 0 {
			list = append(list, ranks)
		}
	}
	return list
}

// slicesOf returns the processes of the same number on each unit, as far as all units have one.
func slicesOf(units [][]int) (list [][]int) {
	if len(units) == 0 {
		return nil
	}
	each := len(units[0])
	for _, u := range units {
		each = min(each, len(u))
	}
	for local := range each {
		var ranks []int
		for _, u := range units {
			ranks = append(ranks, u[local])
		}
		list = append(list, ranks)
	}
	return list
}

// victims returns the groups of victims of a kernel: of GPCNeT's a slice of the nodes each, of others all together.
func victims(k *kernel.Kernel, units [][]int) [][]int {
	if k.Recipe.InOrder {
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

// crews returns the groups of congestors: each slice of the nodes is dealt out over the kinds that work at the same
// time.
func crews(beside string, units [][]int) (list []measured.Crew) {
	kinds := strings.Split(beside, "+")
	for _, slice := range slicesOf(units) {
		for i, kind := range kinds {
			var ranks []int
			for at := i; at < len(slice); at += len(kinds) {
				ranks = append(ranks, slice[at])
			}
			if len(ranks) > 0 {
				list = append(list, measured.Crew{Congestor: kind, Ranks: ranks})
			}
		}
	}
	return list
}

// loadBlocks returns the blocks of a victim, or of congestors alone: one for each split and each list of congestors.
func (p *Plan) loadBlocks(k *kernel.Kernel) (list []measured.Block) {
	l := p.Settings.Loads()
	for number := 1; number <= l.Splits; number++ {
		s := p.split(number)
		besides := l.Beside
		if len(besides) == 0 || len(s.congestors) == 0 {
			besides = []string{""}
		}
		for _, beside := range besides {
			b := measured.Block{Kernel: k.Name, Component: k.Component, Beside: beside, Split: number}
			if k.Class != kernel.Congest {
				b.Groups = victims(k, s.victims)
				b.Processes = len(b.Groups[0])
			}
			if beside != "" {
				b.Against = crews(beside, s.congestors)
			}
			congestors := 0
			for _, c := range b.Against {
				congestors += len(c.Ranks)
			}
			if k.Class == kernel.Congest {
				b.Processes = congestors
				b.Waiting = p.Processes - congestors
			} else {
				b.Waiting = p.Processes - congestors - len(b.Groups)*b.Processes
			}
			if k.Windows() {
				b.WindowSize = p.way(k).Window()
			}
			b.Describe(k, &p.Settings)
			list = append(list, b)
		}
	}
	return list
}

// unsplit returns the reason why the nodes can't be dealt out for a kernel, "" if they can.
func (p *Plan) unsplit(k *kernel.Kernel) string {
	l := p.Settings.Loads()
	s := p.split(1)
	n := len(s.victims) + len(s.congestors)
	unit := settings.LoadUnits[0]
	if l.By != "" {
		unit = l.By
	}
	remedy := "start it on more, or choose another --option share"
	if l.By == "" {
		remedy += ", or split processes by --option by=process"
	}
	few := func(have, needed int, what string) string {
		return fmt.Sprintf("has %d of %s for %s with a share of %g for congestors, and needs %d: %s", have,
			counted(n, unit), what, *l.Share, needed, remedy)
	}
	congests := k.Class == kernel.Congest
	if groups := victims(k, s.victims); !congests && (len(groups) == 0 || len(groups[0]) < k.Least) {
		return few(len(s.victims), k.Least, "victims")
	}
	if len(l.Beside) == 0 || *l.Share == 0 && !congests {
		if congests {
			return "has no congestors: name some by --beside"
		}
		return ""
	}
	for _, beside := range l.Beside {
		kinds := strings.Split(beside, "+")
		for _, c := range kinds {
			x, err := settings.ParseCongestors(c)
			if err != nil {
				return err.Error()
			}
			for _, op := range append(slices.Clone(suites.Congestor(x[0].Name).Recipe.Ops), method.Heeds()...) {
				if !p.supports(op) {
					return "can't be measured beside " + c + ", which " + lacks(op, p.Engine.Library())
				}
			}
		}
		if needed := 2 * len(kinds); len(s.congestors) < needed {
			return few(len(s.congestors), needed, "congestors ("+beside+")")
		}
	}
	return ""
}

// counted returns a number of things.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "s") {
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
