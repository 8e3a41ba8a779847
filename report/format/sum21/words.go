package sum21

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
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

// figure writes a number with three decimals; a dash stands for what was not measured.
func figure(x float64) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", x)
}

func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}

// some joins the first entries of a list.
func some(list []string) string {
	const most = 8
	if len(list) > most+1 {
		list = append(slices.Clone(list[:most]), fmt.Sprintf("and %d more", len(list)-most))
	}
	return strings.Join(list, "; ")
}
