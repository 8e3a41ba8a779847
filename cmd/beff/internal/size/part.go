package size

import (
	"fmt"
	"strconv"
	"strings"
)

// Part is a fraction as users write it: 2% or 0.02.
type Part float64

// UnmarshalText parses a fraction between 0 and 1.
func (p *Part) UnmarshalText(text []byte) error {
	x, err := ParseRatio(string(text))
	if err != nil || !(x > 0 && x < 1) {
		return fmt.Errorf("%q is no part: want something like 2%% or 0.02", text)
	}
	*p = Part(x)
	return nil
}

// ParseRatio parses a number such as 0.02, or a percentage such as 2%.
func ParseRatio(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		x /= 100
	}
	return x, err
}
