package report

import (
	"strings"
	"unicode"

	"github.com/effective-bandwidth/beff/beffio"
)

// oneLine replaces what would break a line by blanks, and leaves none around it.
func oneLine(text string) string {
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, text))
}

// countErrors returns the wrong data of a partition; of all if it is negative.
func countErrors(r *beffio.Result, partition int) int64 {
	sum := int64(0)
	for _, s := range r.Samples {
		if partition < 0 || s.Partition == partition {
			sum += s.Errors
		}
	}
	return sum
}
