package whatif

import (
	"math"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/sim/machine"
)

// Changes returns the effect of each setting in set on a machine, of all of them together, and the elasticities of the
// machine. read returns the machine with the given settings.
func Changes(read func(settings ...string) (*machine.Machine, error), set []string, ranks int, seed uint64) (
	*document.Document, error) {
	rated := func(name string, settings ...string) (Rated, error) {
		m, err := quiet(read, settings...)
		if err != nil {
			return Rated{}, err
		}
		r, err := rate(m, ranks, seed)
		if name != "" {
			r.Name = name
		}
		return r, err
	}
	first, err := rated("")
	if err != nil {
		return nil, err
	}
	var changes []Rated
	for _, s := range set {
		r, err := rated(s, s)
		if err != nil {
			return nil, err
		}
		changes = append(changes, r)
	}
	if len(set) > 1 {
		r, err := rated("all together", set...)
		if err != nil {
			return nil, err
		}
		changes = append(changes, r)
	}
	base, err := quiet(read)
	if err != nil {
		return nil, err
	}
	list, err := elasticities(base, rated)
	return Document(first, changes, list), err
}

// quiet returns a machine without noise between measurements.
func quiet(read func(settings ...string) (*machine.Machine, error), settings ...string) (*machine.Machine, error) {
	m, err := read(settings...)
	if err == nil {
		m.Noise.Sigma, m.Noise.SlowPart = 0, 0
	}
	return m, err
}

// elasticities returns the elasticities of all parameters of a machine. rated returns the rating of the machine with
// the given settings.
func elasticities(m *machine.Machine, rated func(name string, settings ...string) (Rated, error)) (
	list []Elasticity, err error) {
	const step = "1.02"
	for _, x := range m.Parameters() {
		more, err := rated("", x.Key+"*="+step)
		if err != nil {
			return nil, err
		}
		less, err := rated("", x.Key+"/="+step)
		if err != nil {
			return nil, err
		}
		list = append(list, Elasticity{Key: x.Key, Value: x.Value,
			Slope: math.Log(more.bEff()/less.bEff()) / (2 * math.Log(1.02))})
	}
	return list, nil
}
