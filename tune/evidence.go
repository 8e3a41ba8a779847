package tune

import (
	"fmt"
	"slices"
)

// Evidence says whether a library does what a rule says, by something else than the time.
type Evidence struct {
	Collective string `json:"collective"`
	Processes  int    `json:"processes"`
	Bytes      int64  `json:"bytes"`
	Algorithm  string `json:"algorithm"`
	// Calls whose messages are counted; left out where the library counts none, and of older results, whose counts
	// are of 20 calls and of what the program around them sends.
	Calls int `json:"calls,omitempty"`
	// Messages that all processes send in these calls by default; 0, like the next ones, where nothing is counted.
	Default int64 `json:"default_messages"`
	// Where the algorithm was forced.
	Forced int64 `json:"forced_messages"`
	// With the file.
	Ruled int64 `json:"rules_messages"`
	// Messages that are sent either where the algorithm is forced or by default alone, by sender, receiver and size:
	// algorithms of as many messages are told apart by it.
	Unlike int64 `json:"forced_unlike_default,omitempty"`
	// Messages that are sent either with the file or where the algorithm is forced alone.
	Apart int64 `json:"rules_unlike_forced,omitempty"`
	// With a file in which the rule names an algorithm of another collective, the run failed, and with the file itself
	// it didn't.
	Spoiled bool `json:"spoiled"`
}

// Traffic is how many messages processes send, by their way.
type Traffic map[Way]int64

// Way is how a message goes. Messages of a class differ in their size by less than a factor of two.
type Way struct{ From, To, Class int }

// Sum returns the number of all messages.
func (t Traffic) Sum() (sum int64) {
	for _, n := range t {
		sum += n
	}
	return sum
}

// Without returns the messages that are left without those of another one.
func (t Traffic) Without(other Traffic) Traffic {
	left := Traffic{}
	for way, n := range t {
		left[way] = n
	}
	for way, n := range other {
		left[way] -= n
	}
	return left
}

// unlike returns the number of messages that one of two has alone.
func (t Traffic) unlike(other Traffic) (sum int64) {
	for _, n := range t.Without(other) {
		sum += max(n, -n)
	}
	return sum
}

// Count takes what as many calls send by default, where the algorithm is forced, and with the file.
func (e *Evidence) Count(calls int, byDefault, forced, ruled Traffic) {
	e.Calls, e.Default, e.Forced, e.Ruled = calls, byDefault.Sum(), forced.Sum(), ruled.Sum()
	e.Unlike, e.Apart = forced.unlike(byDefault), ruled.unlike(forced)
}

// differ reports whether counts are those of different algorithms: each call differs by a message or more. A few among
// all calls are the program's own, whose sizes aren't always the same. Older results have sums alone.
func (e *Evidence) differ(a, b, unlike int64) bool {
	return max(a-b, b-a, unlike) >= int64(max(e.Calls, 1))
}

// Shown reports whether the evidence shows that the rule is taken: the messages can tell the algorithm from the
// default, and are those of the algorithm.
func (e *Evidence) Shown() bool {
	return e.Spoiled || !e.Contradicts() && e.differ(e.Forced, e.Default, e.Unlike)
}

// Contradicts reports whether the evidence shows that the rule isn't taken: the messages are others than those of the
// algorithm, or a wrong rule is not even seen.
func (e *Evidence) Contradicts() bool {
	counts := e.Calls > 0 || e.Default > 0 || e.Forced > 0 || e.Ruled > 0
	return !e.Spoiled && (!counts || e.differ(e.Ruled, e.Forced, e.Apart))
}

// Refuted reports whether there is evidence that a rule isn't taken.
func (r *Result) Refuted(rule Rule) bool {
	return slices.ContainsFunc(r.Evidence, func(e Evidence) bool {
		return e.Collective == rule.Collective && e.Processes == rule.Processes && e.Bytes == rule.From &&
			e.Algorithm == rule.Algorithm.Name && e.Contradicts()
	})
}

// mostCount is the largest count of a result from outside.
const mostCount = 1 << 50

// check returns an error if there is no such evidence.
func (e *Evidence) check(r *Result) error {
	if !slices.Contains(r.Collectives, e.Collective) || !isName(e.Algorithm) {
		return fmt.Errorf("evidence of %.40q for %.40q", e.Collective, e.Algorithm)
	}
	for _, n := range []int64{int64(e.Calls), e.Default, e.Forced, e.Ruled, e.Unlike, e.Apart} {
		if n < 0 || n > mostCount {
			return fmt.Errorf("evidence of %d messages or calls", n)
		}
	}
	if e.Calls > 0 && (max(e.Forced-e.Default, e.Default-e.Forced) > e.Unlike ||
		max(e.Ruled-e.Forced, e.Forced-e.Ruled) > e.Apart) {
		return fmt.Errorf("evidence of %d, %d and %d messages, which are less unlike: %d and %d", e.Default, e.Forced,
			e.Ruled, e.Unlike, e.Apart)
	}
	return nil
}
