package job

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// foldFrom is the smallest number of hosts for which documents have one element for consecutive hosts.
const foldFrom = 256

// maxHosts limits the hosts of a document, because a few bytes may describe many.
const maxHosts = 1 << 20

// Fold returns a placement in the form that it has in documents of many hosts, where an element describes several
// consecutive hosts (Placement.Hosts).
func Fold(list []Placement) (folded []Placement) {
	if len(list) < foldFrom {
		return list
	}
	for _, p := range list {
		if n := len(folded); n > 0 && folded[n-1].extend(p) {
			continue
		}
		p.Hosts = 1
		folded = append(folded, p)
	}
	for i := range folded {
		if folded[i].Hosts == 1 {
			folded[i].Hosts = 0
		}
	}
	return folded
}

// extend adds the next host to an element, and reports whether the host is the next one.
func (p *Placement) extend(next Placement) bool {
	shift, number := p.Shift, p.Number
	if p.Hosts == 1 {
		shift, number = next.first()-p.first(), changing(p.Host, next.Host)
	}
	is := shift > 0 && p.Processes == next.Processes && p.Processors == next.Processors &&
		len(p.Ranks) <= maxFolded && slices.Equal(p.Units, next.Units) &&
		numbered(p.Host, number, p.Hosts) == next.Host && p.shifted(p.Hosts*shift) == next.Ranks
	if is {
		p.Hosts, p.Shift, p.Number = p.Hosts+1, shift, number
	}
	return is
}

// changing returns which number of a host's name is one higher in the next name. It counts from the last number, which
// is 0, and returns 0 if none is.
func changing(name, next string) int {
	for number := 0; ; number++ {
		switch begin, end := numberIn(name, number); {
		case begin == end:
			return 0
		case numbered(name, number, 1) == next:
			return number
		}
	}
}

// Unfold returns a placement with an element for each host.
func Unfold(list []Placement) (all []Placement, err error) {
	if !slices.ContainsFunc(list, func(p Placement) bool { return p.Hosts != 0 || p.Shift != 0 || p.Number != 0 }) {
		return list, nil
	}
	for _, p := range list {
		n, shift := max(p.Hosts, 1), p.Shift
		switch {
		case p.Hosts == 1 || (p.Hosts == 0) != (p.Shift == 0), p.Number < 0 || p.Number > 0 && p.Hosts == 0:
			return nil, fmt.Errorf("%d hosts in an element, with ranks that are %d higher", p.Hosts, p.Shift)
		case n > maxHosts-len(all) || n > 1 && len(p.Ranks) > maxFolded:
			return nil, fmt.Errorf("the placement has more than %d hosts, or too many ranks of each", maxHosts)
		case shift < 0 || shift > math.MaxInt32:
			return nil, fmt.Errorf("the ranks of a host are %d higher than the ranks of the previous host", shift)
		}
		number := p.Number
		p.Hosts, p.Shift, p.Number = 0, 0, 0
		if n == 1 {
			all = append(all, p)
			continue
		}
		for i := range n {
			one := p
			one.Host, one.Ranks = numbered(p.Host, number, i), p.shifted(i*shift)
			all = append(all, one)
		}
	}
	return all, nil
}

// Names returns the name of the host, or the first and the last name of an element that describes several.
func (p Placement) Names() string {
	if p.Hosts == 0 {
		return p.Host
	}
	return fmt.Sprintf("%s to %s", p.Host, numbered(p.Host, p.Number, p.Hosts-1))
}

// HostOf returns the host of a rank, if the element has the rank.
func (p Placement) HostOf(rank int) (host string, has bool) {
	for i := range max(p.Hosts, 1) {
		if p.has(rank - i*p.Shift) {
			return numbered(p.Host, p.Number, i), true
		}
	}
	return "", false
}

// maxFolded limits the length of the ranks of a host in a document of many hosts, in bytes.
const maxFolded = 1 << 10

// numbered returns a host's name with one of its numbers increased by later: n008 becomes n009. number counts from the
// last number, which is 0. If the name doesn't have this number, it stays as it is.
func numbered(name string, number, later int) string {
	begin, end := numberIn(name, number)
	n, err := strconv.Atoi(name[begin:end])
	if err != nil || later == 0 {
		return name
	}
	return fmt.Sprintf("%s%0*d%s", name[:begin], end-begin, n+later, name[end:])
}

// numberIn returns the indices at which a number of a name begins and ends. number counts from the last one, which is
// 0. Both indices are 0 if there is no such number.
func numberIn(name string, number int) (begin, end int) {
	const longest = 9 // digits
	for begin = len(name); number >= 0; number-- {
		if end = strings.LastIndexAny(name[:begin], digits) + 1; end == 0 {
			return 0, 0
		}
		begin = end
		for begin > 0 && end-begin < longest && strings.Contains(digits, name[begin-1:begin]) {
			begin--
		}
	}
	return begin, end
}

const digits = "0123456789"

// first returns the first rank, or -1.
func (p Placement) first() int {
	for s, err := range p.spans() {
		if err == nil {
			return s.first
		}
		break
	}
	return -1
}

// shifted returns the ranks, each increased by the given number.
func (p Placement) shifted(by int) string {
	var b strings.Builder
	for s, err := range p.spans() {
		if err != nil {
			return p.Ranks // List refuses them
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(s.first + by))
		if s.last > s.first {
			b.WriteString("-" + strconv.Itoa(s.last+by))
		}
		if s.step > 1 {
			b.WriteString(":" + strconv.Itoa(s.step))
		}
	}
	return b.String()
}
