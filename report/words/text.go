package words

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Figure writes a number; a dash stands for what was not measured.
func Figure(x float64, decimals int) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.*f", decimals, x)
}

// Seconds writes T: with as many decimals as it has.
func Seconds(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") }

func Numbers(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
}

func Processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}

// OneLine makes blanks of what would break a line, and leaves nothing around it.
func OneLine(text string) string {
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, text))
}

// Either returns yes where something holds, else no.
func Either(holds bool, yes, no string) string {
	if holds {
		return yes
	}
	return no
}

// Some joins the first entries of a list, and says how many more there are.
func Some(list []string) string {
	const most = 8
	if len(list) > most+1 {
		list = append(slices.Clone(list[:most]), fmt.Sprintf("and %d more", len(list)-most))
	}
	return strings.Join(list, "; ")
}
