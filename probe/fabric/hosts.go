package fabric

import (
	"fmt"
	"strconv"
	"strings"
)

// maxNodes limits the nodes and the switches of a map to more than any machine has. Without a limit, a short list in
// brackets could expand to any number of names.
const maxNodes = 1 << 18

// expand returns the names in a list of Slurm's form, at most limit of them. Names are separated by commas, and may
// contain lists of numbers in brackets, such as node[001-128,130],login1 or r[1-2]n[01-16]. Numbers have as many digits
// as the first one of their range.
func expand(list string, limit int) ([]string, error) {
	var names []string
	for _, word := range topLevel(list) {
		more, err := expandName(word, limit-len(names))
		if err != nil {
			return nil, err
		}
		names = append(names, more...)
	}
	return names, nil
}

// topLevel splits a list at the commas outside of brackets.
func topLevel(list string) (words []string) {
	depth, from := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '[':
			depth++
		case ']':
			depth--
		case ',':
			if depth == 0 {
				words, from = append(words, list[from:i]), i+1
			}
		}
	}
	return append(words, list[from:])
}

// expandName returns the names to which a word with brackets expands, at most limit of them.
func expandName(word string, limit int) ([]string, error) {
	begin, rest, brackets := strings.Cut(word, "[")
	switch {
	case word == "":
		return nil, fmt.Errorf("a name is missing in a list")
	case strings.Contains(begin, "]"):
		return nil, fmt.Errorf("%.60q has a bracket ] without its [", word)
	case limit < 1:
		return nil, fmt.Errorf("more than %d names, the last is %.60q", maxNodes, word)
	case !brackets:
		return []string{word}, nil
	}
	numbers, end, closed := strings.Cut(rest, "]")
	if !closed || strings.Contains(numbers, "[") {
		return nil, fmt.Errorf("%.60q has a bracket [ without its ]", word)
	}
	ends := []string{""}
	if end != "" {
		var err error
		if ends, err = expandName(end, limit); err != nil {
			return nil, err
		}
	}
	var names []string
	for entry := range strings.SplitSeq(numbers, ",") {
		first, last, digits, err := span(entry)
		if err != nil {
			return nil, fmt.Errorf("%.60q: %w", word, err)
		}
		if last-first >= limit || (len(names)+last-first+1)*len(ends) > limit {
			return nil, fmt.Errorf("with %.60q there are more than %d names", word, maxNodes)
		}
		for n := first; n <= last; n++ {
			for _, e := range ends {
				names = append(names, fmt.Sprintf("%s%0*d%s", begin, digits, n, e))
			}
		}
	}
	return names, nil
}

// span parses 001-128 or 130, and returns its ends and the number of digits.
func span(entry string) (first, last, digits int, err error) {
	low, high, two := strings.Cut(entry, "-")
	if !two {
		high = low
	}
	a, err1 := strconv.ParseUint(low, 10, 31)
	b, err2 := strconv.ParseUint(high, 10, 31)
	if err1 != nil || err2 != nil || a > b {
		return 0, 0, 0, fmt.Errorf("%.30q is not a range of numbers, such as 001-128", entry)
	}
	return int(a), int(b), len(low), nil
}
