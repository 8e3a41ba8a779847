// Package findings makes the sentences of a report's first page from a result's data. Each sentence follows a rule: it
// has a name, a condition under which it is true, and figures. If the condition isn't met, there is no sentence.
// docs/figures.md lists all rules.
package findings

// Rule is a rule for a sentence about results of type R.
type Rule[R any] struct {
	Name string
	When string // condition, as printed in docs/figures.md
	// Says returns the sentence, or "" if the condition isn't met.
	Says func(R) string
}

// of returns the sentences of the rules whose conditions a result meets, in the order of the rules.
func of[R any](rules []Rule[R], r R) []string {
	var list []string
	for _, rule := range rules {
		if s := rule.Says(r); s != "" {
			list = append(list, s)
		}
	}
	return list
}
