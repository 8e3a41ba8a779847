package findings

import "github.com/effective-bandwidth/beff/internal/lists"

// Name is a rule by its name and condition, whatever its results are.
type Name struct{ Benchmark, Name, When string }

// All returns the names of all rules.
func All() []Name {
	list := names("b_eff", beffRules)
	list = append(list, names("b_eff_io", ioRules)...)
	return append(list, names("probe", probeRules)...)
}

func names[R any](benchmark string, rules []Rule[R]) []Name {
	return lists.Each(rules, func(r Rule[R]) Name { return Name{benchmark, r.Name, r.When} })
}
