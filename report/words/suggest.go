package words

import "strings"

// DidYouMean returns ": did you mean X?", where X is the Nearest name to a wrong one, or "" if no name is near.
func DidYouMean(wrong string, names []string) string {
	if near := Nearest(wrong, names); near != "" {
		return ": did you mean " + near + "?"
	}
	return ""
}

// Nearest returns the name that is nearest to a wrong one or begins with it, or "" if no name is near.
func Nearest(wrong string, names []string) string {
	lower := strings.ToLower(wrong)
	near, least := "", max(2, len(wrong)/3)+1
	if len(wrong) <= 3 {
		least = 2 // all short words are alike
	}
	for _, name := range names {
		if d := distance(lower, strings.ToLower(name)); d < least {
			near, least = name, d
		}
	}
	for _, name := range names {
		if near == "" && len(wrong) > 2 && strings.HasPrefix(strings.ToLower(name), lower) {
			near = name
		}
	}
	return near
}

// distance returns the number of letters that must be changed, added, removed or swapped with the next one to turn one
// word into the other.
func distance(a, b string) int {
	if len(a) > longestName || len(b) > longestName {
		return longestName
	}
	before, last, row := []int(nil), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, make([]int, len(b)+1)
	}
	return last[len(b)]
}

// longestName is the length in bytes of the longest name that is compared.
const longestName = 100
