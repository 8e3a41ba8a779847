package imb

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/probe"
)

// The words of the options of series.
var (
	timings = texts(probe.Timings)
	columns = append([]string{"interval"}, texts([]probe.Columns{probe.PercentileColumns, probe.MPIBlibColumns,
		probe.PGASColumns})...)
	statistics = texts([]probe.Statistic{probe.ByMean, probe.ByMedian})
)

// texts returns values as the command line has them.
func texts[T ~string](values []T) []string {
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

// setColumns sets the columns of the text.
func setColumns(r *Request, value, _ string) error {
	r.Settings.Columns = probe.Columns(value)
	if value == columns[0] {
		r.Settings.Columns = ""
	}
	return nil
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

// setLengths sets the lengths: MIN:MAX:STRIDE, or adaptive ones.
func setLengths(r *Request, value, _ string) error {
	r.Settings.Lengths, r.Settings.Adaptive, r.Lengths = nil, nil, ""
	if rest, adaptive := strings.CutPrefix(value, "adaptive"); adaptive {
		a, err := parseAdaptive(rest)
		r.Settings.Adaptive = &a
		return err
	}
	bad := errors.New("want MIN:MAX:STRIDE or adaptive:MIN:MAX, with sizes such as 1k or 4096")
	var sizes [3]int64
	words := strings.Split(value, ":")
	if len(words) != len(sizes) {
		return bad
	}
	for i, word := range words {
		v, err := size.Parse(word, "B")
		if err != nil {
			return bad
		}
		sizes[i] = int64(v)
	}
	lengths, err := probe.RegularLengths(sizes[0], sizes[1], sizes[2])
	r.Settings.Lengths = lengths
	return err
}

// parseAdaptive parses what follows the word adaptive: nothing, or :MIN:MAX[,DIFF[,STRIDE[,NUM]]].
func parseAdaptive(text string) (probe.Adaptive, error) {
	a := probe.DefaultAdaptive
	if text == "" {
		return a, nil
	}
	bad := errors.New("want adaptive:MIN:MAX[,DIFF[,STRIDE[,NUM]]], such as adaptive:0:200k,0.1,64,100")
	words := strings.Split(text, ",")
	ends := strings.Split(words[0], ":")
	if len(ends) != 3 || ends[0] != "" || len(words) > 4 {
		return a, bad
	}
	sizes := map[*int64]string{&a.Min: ends[1], &a.Max: ends[2]}
	if len(words) > 2 {
		sizes[&a.Stride] = words[2]
	}
	for to, word := range sizes {
		v, err := size.Parse(word, "B")
		if err != nil {
			return a, bad
		}
		*to = int64(v)
	}
	var err error
	if len(words) > 1 {
		if a.Difference, err = parsePart(words[1]); err != nil {
			return a, bad
		}
	}
	if len(words) > 3 {
		if a.Most, err = strconv.Atoi(words[3]); err != nil {
			return a, bad
		}
	}
	return a, nil
}

// setPasses sets the passes.
func setPasses(r *Request, value, _ string) error {
	n, err := positive(value)
	r.Settings.Passes = int(n)
	if n == 1 {
		r.Settings.Passes = 0
	}
	return err
}
