package beff

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// release36Warnings warns about the differences between a rating by rules 3.6 and a rating by the release itself.
// docs/studies/definitions.md has each difference with its effect.
func release36Warnings(r *Result) []rating.Warning {
	if r.Rules != Rules36 {
		return nil
	}
	odd := ""
	if higher := 1/ReleaseRatio(r.Processes) - 1; higher > 0 {
		odd = fmt.Sprintf(", which may make b_eff %.1f %% higher here", 100*higher)
	}
	return []rating.Warning{{Code: "rules", Remedy: "docs/studies/definitions.md describes each difference and its " +
		"effect",
		Text: "these are the same as in release 3.6: the loop lengths (by the slowest process's times, not rank " +
			"0's), the untimed exchange before the 18 shortest lengths, the shortening of the two longest, the rings " +
			"and the formula; these differ: the random orders, which are uniform, the marks of 8 bytes, the grids of " +
			"the details, and the count of messages in rings of pairs on an odd number of processes" + odd}}
}

// ReleaseRatio returns the ratio of release 3.6's b_eff to ours, if all processes take equally long. The factor is 1,
// except for odd numbers of 5 or more. With these, one ring pattern has pairs and a ring of three, with P+3 messages.
// The release counts only P, because it multiplies the slowest process's bandwidth by P.
func ReleaseRatio(processes int) float64 {
	list, err := patterns.BEff(processes, 0)
	if err != nil {
		return 1
	}
	log, n := 0.0, 0.0
	for _, p := range list {
		if p.Kind != patterns.KindRing {
			continue
		}
		n++
		least := len(p.Exchanges(0))
		const ends = 4 // rings of another size are made of the last ranks
		for rank := range min(ends, processes) {
			least = min(least, len(p.Exchanges(rank)), len(p.Exchanges(processes-1-rank)))
		}
		log += math.Log(float64(least*processes) / float64(p.Messages))
	}
	const halves = 2 // rings and randoms count alike
	return math.Exp(log / n / halves)
}
