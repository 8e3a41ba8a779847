package imb

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// setter puts the value of an option into a request. unit is the unit of a size that is given without one. The
// functions below whose names begin with set return the setter of an option, or are setters.
type setter = func(r *probing.Request, value, unit string) error

// setParsed returns a setter that calls set with the parsed value.
func setParsed[T any](parse func(string) (T, error), set func(*probing.Request, T)) setter {
	return func(r *probing.Request, value, _ string) error {
		v, err := parse(value)
		if err == nil {
			set(r, v)
		}
		return err
	}
}

// setTrue returns a setter for an option without a value.
func setTrue(to func(*probing.Request) *bool) setter {
	return func(r *probing.Request, _, _ string) error { *to(r) = true; return nil }
}

// setChoice returns a setter for one of the choices of an option, which Option.Set has checked. The first choice is the
// default, for which the request has an empty string.
func setChoice[T ~string](from []T, to func(*probing.Request) *T) setter {
	return func(r *probing.Request, value, _ string) error {
		if *to(r) = T(value); *to(r) == from[0] {
			*to(r) = ""
		}
		return nil
	}
}

// setType returns a setter for a data type. replaced holds the types that MPI doesn't have, each with the reason: they
// are replaced by the default type, with a notice.
func setType(option, defaultType string, replaced map[string]string,
	to func(*probing.Request) *settings.DataType) setter {
	return func(r *probing.Request, value, _ string) error {
		*to(r) = settings.DataType(value)
		if why := replaced[value]; why != "" {
			r.Notice("-%s %s: %s", option, value, why)
		}
		if value == defaultType || replaced[value] != "" {
			*to(r) = ""
		}
		return nil
	}
}

// setName returns a setter for a text that must not be empty.
func setName[T ~string](to func(*probing.Request) *T) setter {
	return func(r *probing.Request, value, _ string) error {
		if value == "" {
			return errors.New("want a name")
		}
		*to(r) = T(value)
		return nil
	}
}

// setPositive returns a setter of a whole number of at least 1.
func setPositive(to func(*probing.Request) *int) setter {
	return setParsed(positive, func(r *probing.Request, v int64) { *to(r) = int(v) })
}

// setNatural returns a setter of a whole number that may be 0.
func setNatural(to func(*probing.Request) *int) setter {
	return setParsed(natural, func(r *probing.Request, v int64) { *to(r) = int(v) })
}

// setLibrary returns the setter for a property of a user's library.
func setLibrary(set func(l *settings.Library, value string)) setter {
	return func(r *probing.Request, value, _ string) error {
		if value == "" {
			return errors.New("want a name")
		}
		var l settings.Library
		if r.Settings.Library != nil {
			l = *r.Settings.Library
		}
		set(&l, value)
		r.Settings.Library = &l
		return nil
	}
}

// positive parses a whole number from 1 to 2^31-1, the range of IMB's ints.
func positive(text string) (int64, error) {
	v, err := strconv.ParseInt(text, 10, 32)
	if err != nil || v < 1 {
		return 0, errors.New("want a whole number of at least 1")
	}
	return v, nil
}

// natural parses a whole number of at least 0.
func natural(text string) (int64, error) {
	v, err := strconv.ParseInt(text, 10, 32)
	if err != nil || v < 0 {
		return 0, errors.New("want a whole number of at least 0")
	}
	return v, nil
}

// addNames returns a setter that adds names of kernels, separated by commas.
func addNames(to func(*probing.Request) *[]string) setter {
	return func(r *probing.Request, value, _ string) error { return probing.AddNames(to(r), value) }
}

// parseTime parses a time above 0 and returns its seconds.
func parseTime(text string) (float64, error) {
	v, err := size.ParseTime(text)
	if err == nil && v <= 0 {
		err = errors.New("want a time above 0")
	}
	return v.Seconds(), err
}

// parseRatio parses a floating-point number.
func parseRatio(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

// parseHint parses KEY=VALUE.
func parseHint(text string) (h mpi.Hint, err error) {
	var hasValue bool
	if h.Key, h.Value, hasValue = strings.Cut(text, "="); !hasValue || h.Key == "" {
		err = errors.New("want KEY=VALUE, such as striping_factor=4")
	}
	return h, err
}

// replaceLengths sets the lengths, and resets all other settings that choose lengths.
func replaceLengths(r *probing.Request, lengths []int64) {
	r.Settings.Rows.Lengths, r.Settings.Rows.Log, r.Settings.Rows.Adaptive, r.Lengths = lengths, nil, nil, ""
}

// setSize returns a setter for a size.
func setSize(to func(*probing.Request) *int64) setter {
	return func(r *probing.Request, value, unit string) (err error) {
		*to(r), err = bytes(value, unit)
		return err
	}
}

// bytes parses a size of at least one byte.
func bytes(value, unit string) (int64, error) {
	v, err := size.Parse(value, unit)
	if err == nil && v < 1 {
		err = errors.New("want at least 1 byte")
	}
	return int64(v), err
}

// setCache sets the size of a cache, optionally followed by a comma and the size of its line. -1 stands for the default
// size. With 0, data may stay in the cache between repetitions.
func setCache(r *probing.Request, value, unit string) (err error) {
	first, second, hasLine := strings.Cut(value, ",")
	if value == "0" {
		r.Settings.Memory.CacheSize, r.Settings.Memory.CacheLine = 0, 0
		return nil
	}
	cache, line := int64(settings.Default.CacheSize), int64(settings.Default.CacheLine)
	if first != "-1" {
		if cache, err = bytes(first, unit); err != nil {
			return fmt.Errorf("the cache's size: %w", err)
		}
	}
	if hasLine {
		if line, err = bytes(second, "B"); err != nil {
			return fmt.Errorf("the cache line's size: %w", err)
		}
	}
	r.Settings.Memory.CacheSize, r.Settings.Memory.CacheLine = cache, line
	return nil
}

// iter is the value of -iter: MSGSPERSAMPLE[,OVERALL_VOL[,MSGS_NONAGGR]], followed by the policy, or only the policy.
// A field that is 0 stands for the component's default.
type iter struct {
	msgs, volume, nonAggr int64 // volume in units of 2^20 bytes
	policy                string
}

// parseIter parses "1000", "1000,40" or "1000,40,100", each optionally followed by a policy such as ",auto", or only
// "auto".
func parseIter(text string) (i iter, err error) {
	words := strings.Split(text, ",")
	if last := len(words) - 1; slices.Contains(policies, words[last]) {
		i.policy, words = words[last], words[:last]
	}
	to := []*int64{&i.msgs, &i.volume, &i.nonAggr}
	bad := errors.New("want MSGSPERSAMPLE[,OVERALL_VOL[,MSGS_NONAGGR]] as whole numbers of at least 1 (the volume in " +
		"units of 2^20 bytes), followed by the policy: " + either(policies))
	if len(words) > len(to) {
		return iter{}, bad
	}
	for k, word := range words {
		if *to[k], err = positive(word); err != nil {
			return iter{}, bad
		}
	}
	return i, nil
}

func (i iter) set(s *settings.Settings) {
	s.Repetitions.Max, s.Repetitions.Volume, s.Repetitions.MaxNonAggr = i.msgs, i.volume<<20, i.nonAggr
	if i.policy != "" {
		s.Repetitions.Policy = settings.Policy(i.policy)
	}
}

// parseLog parses "3:7", or "7" for "0:7". It returns the lengths 0 and the powers of 2 with these exponents, in bytes,
// and the exponents.
func parseLog(text string) (lengths []int64, logs []int, err error) {
	first, last, two := strings.Cut(text, ":")
	if !two {
		first, last = "0", first
	}
	low, err1 := strconv.ParseUint(first, 10, 31)
	high, err2 := strconv.ParseUint(last, 10, 31)
	if err1 != nil || err2 != nil || low > high || high > settings.LongestLog {
		return nil, nil, fmt.Errorf("want the exponents [MIN:]MAX of the lengths, 0 <= MIN <= MAX <= %d",
			settings.LongestLog)
	}
	lengths, logs = []int64{0}, []int{int(low), int(high)}
	for ; low <= high; low++ {
		lengths = append(lengths, 1<<low)
	}
	return lengths, logs, nil
}

// setLog sets the lengths of -msglog. IMB-P2P has no row of 0 bytes if the least exponent is given.
func setLog(r *probing.Request, value, _ string) error {
	lengths, logs, err := parseLog(value)
	if r.Component == kernel.P2P && strings.Contains(value, ":") && err == nil {
		lengths = lengths[1:]
	}
	replaceLengths(r, lengths)
	r.Settings.Rows.Log = logs
	return err
}

// parseMap parses "2x7", the numbers of rows and columns of a matrix of processes, which are numbered row by row.
func parseMap(text string) ([]int, error) {
	first, second, _ := strings.Cut(text, "x")
	p, err1 := positive(first)
	q, err2 := positive(second)
	if err1 != nil || err2 != nil {
		return nil, errors.New("want PxQ with whole numbers of at least 1, such as 2x7")
	}
	return []int{int(p), int(q)}, nil
}

// Words that IMB 2021.11 accepts for a switch.
var (
	onWords  = []string{"on", "1", "enable", "yes", "true"}
	offWords = []string{"off", "0", "disable", "no", "false"}
)

// parseSwitch parses "on" or "off", or another of IMB's words for them.
func parseSwitch(text string) (bool, error) {
	switch lower := strings.ToLower(text); {
	case slices.Contains(onWords, lower):
		return true, nil
	case slices.Contains(offWords, lower):
		return false, nil
	}
	return false, errors.New("want on or off")
}

// setSwitch returns a setter for a switch.
func setSwitch(set func(r *probing.Request, on bool)) setter { return setParsed(parseSwitch, set) }

// setPauseAround sets the pause before and after a row of IMB-P2P. A negative pause is none.
func setPauseAround(r *probing.Request, value, _ string) error {
	microseconds, err := strconv.ParseInt(value, 10, 32)
	if err != nil {
		return errors.New("want a whole number of microseconds")
	}
	r.Settings.PauseAround = float64(max(microseconds, 0)) / 1e6
	return nil
}

// toStrings converts values to strings.
func toStrings[T ~string](values []T) []string {
	return lists.Each(values, func(v T) string { return string(v) })
}

// percent formats a fraction as users write it: 0.025 as 2.5%.
func percent(part float64) string { return strconv.FormatFloat(100*part, 'g', -1, 64) + "%" }

// parsePart parses "2.5%" or "0.025".
func parsePart(text string) (float64, error) {
	v, err := size.ParseRatio(text)
	if err != nil {
		err = errors.New("want a fraction, such as 2.5% or 0.025")
	}
	return v, err
}

// setPrecision returns a setter for a field of the precision. A request with a precision measures series.
func setPrecision[T any](parse func(string) (T, error), set func(*settings.Precision, T)) setter {
	return setParsed(parse, func(r *probing.Request, v T) {
		p := settings.Default.Precision
		if r.Settings.Series.Precision != nil {
			p = *r.Settings.Series.Precision
		}
		set(&p, v)
		r.Settings.Series.Precision = &p
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
		return l, fmt.Errorf("want MIN:MAX or N, whole numbers of at least 1")
	}
	return l, nil
}

// setLengths sets the lengths: MIN:MAX:STRIDE, or the word adaptive and its parameters.
func setLengths(r *probing.Request, value, _ string) error {
	replaceLengths(r, nil)
	if rest, adaptive := strings.CutPrefix(value, "adaptive"); adaptive {
		a, err := parseAdaptive(rest)
		r.Settings.Rows.Adaptive = &a
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
	lengths, err := settings.RegularLengths(sizes[0], sizes[1], sizes[2])
	r.Settings.Rows.Lengths = lengths
	return err
}

// parseAdaptive parses the text after the word adaptive: nothing, or :MIN:MAX[,DIFF[,STRIDE[,NUM]]].
func parseAdaptive(text string) (settings.Adaptive, error) {
	a := settings.Default.Adaptive
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
		if a.MaxLengths, err = strconv.Atoi(words[3]); err != nil {
			return a, bad
		}
	}
	return a, nil
}

// parseList returns a parser for values separated by commas. Its error is want, or the error of parse if want is empty.
func parseList[T any](want string, parse func(string) (T, error)) func(string) ([]T, error) {
	return func(text string) (list []T, err error) {
		for entry := range strings.SplitSeq(text, ",") {
			v, err := parse(entry)
			if err != nil && want != "" {
				err = errors.New(want)
			}
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	}
}

// Parsers for strides, for delays in seconds, and for percentages: 50,99,99.9.
var (
	parseStrides = parseList("want whole numbers of at least 1, separated by commas, such as 1,2,4", positive)
	parseDelays  = parseList("", func(text string) (float64, error) {
		v, err := size.ParseTime(text)
		return v.Seconds(), err
	})
	parseQuantiles = parseList("want percentages separated by commas, such as 50,99,99.9",
		func(text string) (float64, error) { return strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64) })
)

// setSkew sets which processes begin late, and by how much: last:TIME, random:SEED:TIME, or a file, which is read
// later.
func setSkew(r *probing.Request, value, _ string) error {
	r.Settings.Series.Skew, r.Skew = "", ""
	pattern, rest, _ := strings.Cut(value, ":")
	seed := ""
	switch pattern {
	case "last":
	case "random":
		seed, rest, _ = strings.Cut(rest, ":")
		pattern += ":" + seed
	default:
		r.Skew = value
		return nil
	}
	late, err := size.ParseTime(rest)
	if err == nil {
		r.Settings.Series.Skew = settings.SkewOf(pattern, late.Seconds())
	}
	return err
}

// joinNumbers formats numbers as they are written on the command line.
func joinNumbers(list []int64) string {
	return strings.Join(lists.Each(list, func(n int64) string { return strconv.FormatInt(n, 10) }), ",")
}

// setNeighbours sets the neighbours of neighbourhood calls: cart:DIMENSIONS:RADIUS, or graph:FILE with a line SRC,DST
// for each edge, which Read reads.
func setNeighbours(r *probing.Request, value, _ string) error {
	kind, rest, _ := strings.Cut(value, ":")
	switch {
	case strings.EqualFold(kind, "graph") && rest != "":
		r.Edges, r.Settings.OSU.Neighbours = rest, nil
		return nil
	case strings.EqualFold(kind, "cart"):
		d, away, _ := strings.Cut(rest, ":")
		dimensions, err1 := strconv.Atoi(d)
		radius, err2 := strconv.Atoi(away)
		if errors.Join(err1, err2) == nil {
			r.Edges, r.Settings.OSU.Neighbours = "", &settings.Neighbours{Dimensions: dimensions, Radius: radius}
			return nil
		}
	}
	return errors.New("want cart:DIMENSIONS:RADIUS or graph:FILE")
}
