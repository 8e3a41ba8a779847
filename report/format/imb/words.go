package imb

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

const (
	mega  = 1e6
	mebi  = 1 << 20
	micro = 1e-6
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

// some joins the first entries of a list.
func some(list []string) string {
	const most = 8
	if len(list) > most+1 {
		list = append(slices.Clone(list[:most]), fmt.Sprintf("and %d more", len(list)-most))
	}
	return strings.Join(list, "; ")
}

// count returns the number whose digits a regular expression has found; -1 if they are too many.
func count(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// when returns a text where something holds, else nothing.
func when(holds bool, text string) string {
	if holds {
		return text
	}
	return ""
}
