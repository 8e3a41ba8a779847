package imb

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
)

// The words of the options of series.
var (
	timings    = words(probe.Timings)
	statistics = words([]probe.Statistic{probe.ByMean, probe.ByMedian})
)

// words returns values as the command line has them.
func words[T ~string](values []T) []string {
	var list []string
	for _, v := range values {
		list = append(list, string(v))
	}
	return list
}

// percent returns a part as users write it: 2.5%.
func percent(part float64) string { return strconv.FormatFloat(100*part, 'g', -1, 64) + "%" }

// parsePart parses "2.5%" or "0.025".
func parsePart(text string) (float64, error) {
	digits, isPercent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil {
		return 0, errors.New("want a part, such as 2.5% or 0.025")
	}
	if isPercent {
		v /= 100
	}
	return v, nil
}

// setTiming sets the timing. A timing with barriers has series.
func setTiming(r *Request, value, _ string) error {
	r.Settings.Timing = probe.Timing(value)
	if r.Settings.Timing == probe.ByLoop {
		r.Settings.Timing = ""
	}
	return nil
}

// precise returns a setter of a part of the precision. It makes rows series.
func precise[T any](parse func(string) (T, error), set func(*probe.Precision, T)) setter {
	return parsed(parse, func(r *Request, v T) {
		p := probe.DefaultPrecision
		if r.Settings.Precision != nil {
			p = *r.Settings.Precision
		}
		set(&p, v)
		r.Settings.Precision = &p
	})
}

// limits is the value of --repetitions.
type limits struct{ least, most int64 }

// parseLimits parses "5:100", or "20" for "20:20".
func parseLimits(text string) (l limits, err error) {
	first, last, two := strings.Cut(text, ":")
	if !two {
		last = first
	}
	var err1, err2 error
	l.least, err1 = positive(first)
	l.most, err2 = positive(last)
	if err1 != nil || err2 != nil {
		return l, fmt.Errorf("want MIN:MAX or N, whole numbers from 1 on")
	}
	return l, nil
}

// setWarmUp sets the untimed repetitions.
func setWarmUp(r *Request, value, _ string) error {
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || n < 0 {
		return errors.New("want a whole number")
	}
	r.Settings.WarmUp = &n
	return nil
}
