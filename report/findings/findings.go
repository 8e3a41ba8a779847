// Package findings makes the sentences of a report's first page from a result's data. Each sentence follows a rule: a
// name, the condition under which it is true, and the figures that it gives. A rule whose condition isn't met says
// nothing. docs/figures.md lists all rules.
package findings

// Rule is a sentence about results of a kind.
type Rule[R any] struct {
	Name string
	When string // the condition, as docs/figures.md has it
	// Says returns the sentence, "" unless the condition is met.
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
