package accept

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// Threshold is the range for the true value, in the figure's base unit. -Inf and +Inf mean no bound. The zero value is
// no threshold.
type Threshold struct {
	Low, High float64
	Text      string // as given, with single blanks
}

// Given reports whether there is a bound.
func (t Threshold) Given() bool { return t.Text != "" }

// thresholdForm matches a threshold: max 4500 us, min 12 GB/s, between 3 us 5 us.
var thresholdForm = words.MustCompile(`^(max|min|between)\s+(\S.*)$`)

// newThreshold parses the threshold of a figure. For nil or an empty text it returns no threshold.
func newThreshold(given any, f *Figure) (Threshold, error) {
	text, is := given.(string)
	t := Threshold{math.Inf(-1), math.Inf(1), strings.Join(strings.Fields(text), " ")}
	switch {
	case given == nil || is && text == "":
		return Threshold{}, nil
	case !is:
		return t, fmt.Errorf("threshold = %v: want a text such as %q", given, f.example())
	}
	m := thresholdForm().FindStringSubmatch(t.Text)
	if m == nil {
		return t, fmt.Errorf("threshold %q: want max X, min X or between X Y, with units, such as %q", text,
			f.example())
	}
	values, err := valuesOf(m[2], f)
	if err != nil {
		return t, fmt.Errorf("threshold %q: %w", text, err)
	}
	switch {
	case m[1] == "between" && len(values) != 2:
		return t, fmt.Errorf("threshold %q: want two values", text)
	case m[1] != "between" && len(values) != 1:
		return t, fmt.Errorf("threshold %q: want one value", text)
	case m[1] == "max":
		t.High = values[0]
	case m[1] == "min":
		t.Low = values[0]
	default:
		t.Low, t.High = values[0], values[1]
	}
	return t, t.check(f)
}

// check returns an error if no value can meet the threshold, or if the worst values would meet it.
func (t Threshold) check(f *Figure) error {
	switch {
	case !(t.High > 0) || t.Low <= 0 && !math.IsInf(t.Low, -1):
		return fmt.Errorf("threshold %q: want values above 0", t.Text)
	case t.Low >= t.High:
		return fmt.Errorf("threshold %q: no value is between these", t.Text)
	case f.Less && math.IsInf(t.High, 1):
		return fmt.Errorf("threshold %q: a smaller %s is better: want max or between", t.Text, f.Name)
	case !f.Less && math.IsInf(t.Low, -1):
		return fmt.Errorf("threshold %q: a larger %s is better: want min or between", t.Text, f.Name)
	}
	return nil
}

// valueForm matches a number with its unit at the start of a text, perhaps with a blank between them.
var valueForm = words.MustCompile(`^([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(1/s|[A-Za-zµ]*(?:/s)?)(?:\s+|$)`)

// valuesOf parses values with their units.
func valuesOf(text string, f *Figure) (list []float64, err error) {
	for text != "" {
		m := valueForm().FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("%q is not a value with a unit", text)
		}
		text = text[len(m[0]):]
		x, err := valueOf(m[1], m[2], f)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

// valueOf converts a value to the figure's base unit.
func valueOf(number, unit string, f *Figure) (float64, error) {
	switch base := f.Unit.Base; {
	case base == "1/s" && unit != "1/s" && unit != "/s":
		return 0, errors.New("want a number with a unit: 1/s")
	case base == "" && unit != "":
		return 0, fmt.Errorf("%s has no unit", f.Name)
	case base != "1/s" && base != "":
		return tidy.Quantity(number+unit, base)
	}
	x, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", number)
	}
	return x, nil
}

// example returns a threshold for the figure, as an example in messages.
func (f *Figure) example() string {
	switch f.Unit.Base {
	case "s":
		return "max 4500 us"
	case "B/s":
		return "min 12 GB/s"
	case "1/s":
		return "min 5000 1/s"
	}
	return "min 100"
}
