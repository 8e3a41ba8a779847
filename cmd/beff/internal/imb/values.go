package imb

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/probe"
)

// setter puts a value into a request. unit applies to a size without one.
type setter = func(r *Request, value, unit string) error

// parsed returns a setter that parses the value and then calls set.
func parsed[T any](parse func(string) (T, error), set func(*Request, T)) setter {
	return func(r *Request, value, _ string) error {
		v, err := parse(value)
		if err == nil {
			set(r, v)
		}
		return err
	}
}

func flag(to func(*Request) *bool) setter {
	return func(r *Request, _, _ string) error { *to(r) = true; return nil }
}

func word[T ~string](to func(*Request) *T) setter {
	return func(r *Request, value, _ string) error {
		if value == "" {
			return errors.New("want a name")
		}
		*to(r) = T(value)
		return nil
	}
}

func whole(to func(*Request) *int) setter {
	return parsed(positive, func(r *Request, v int64) { *to(r) = int(v) })
}

// positive parses a whole number from 1 to 2^31-1, the range of IMB's ints.
func positive(text string) (int64, error) {
	v, err := strconv.ParseInt(text, 10, 32)
	if err != nil || v < 1 {
		return 0, errors.New("want a whole number from 1 on")
	}
	return v, nil
}

func names(to func(*Request) *[]string) setter {
	return func(r *Request, value, _ string) error {
		for name := range strings.SplitSeq(value, ",") {
			if name == "" {
				return errors.New("want names of benchmarks, separated by commas or blanks")
			}
			*to(r) = append(*to(r), name)
		}
		return nil
	}
}

func setTime(r *Request, value, _ string) error {
	v, err := size.ParseTime(value)
	if err == nil && v <= 0 {
		err = errors.New("want more than no time")
	}
	if err == nil {
		r.Settings.SampleTime = v.Seconds()
	}
	return err
}

func setMemory(r *Request, value, unit string) (err error) {
	r.Settings.Memory, err = bytes(value, unit)
	return err
}

// bytes parses a size of at least one byte.
func bytes(value, unit string) (int64, error) {
	v, err := size.Parse(value, unit)
	if err == nil && v < 1 {
		err = errors.New("want at least 1 byte")
	}
	return int64(v), err
}

// setCache parses the size of a cache, optionally followed by a comma and the size of its line. -1 stands for the
// default sizes, 0 for no cache that is avoided.
func setCache(r *Request, value, unit string) (err error) {
	first, second, two := strings.Cut(value, ",")
	if value == "0" {
		r.Settings.CacheSize, r.Settings.CacheLine = 0, 0
		return nil
	}
	cache, line := int64(probe.DefaultCacheSize), int64(probe.DefaultCacheLine)
	if first != "-1" {
		if cache, err = bytes(first, unit); err != nil {
			return fmt.Errorf("the cache's size: %w", err)
		}
	}
	if two {
		if line, err = bytes(second, "B"); err != nil {
			return fmt.Errorf("the cache line's size: %w", err)
		}
	}
	r.Settings.CacheSize, r.Settings.CacheLine = cache, line
	return nil
}

// iter is the value of -iter: MSGSPERSAMPLE[,OVERALL_VOL[,MSGS_NONAGGR]], followed by the policy, or the policy alone.
// Zero stands for a component's default.
type iter struct {
	msgs, volume, nonAggr int64 // volume in units of 2^20 bytes
	policy                string
}

// parseIter parses "1000", "1000,40" or "1000,40,100", each optionally followed by a policy such as ",auto", or "auto"
// alone.
func parseIter(text string) (i iter, err error) {
	words := strings.Split(text, ",")
	if last := len(words) - 1; slices.Contains(policies, words[last]) {
		i.policy, words = words[last], words[:last]
	}
	to := []*int64{&i.msgs, &i.volume, &i.nonAggr}
	bad := errors.New("want MSGSPERSAMPLE[,OVERALL_VOL[,MSGS_NONAGGR]] as whole numbers from 1 on (the volume in " +
		"units of 2^20 bytes), and behind them the policy: " + either(policies))
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

func (i iter) set(s *probe.Settings) {
	s.MsgsPer, s.OverallVol, s.MsgsNonAggr = i.msgs, i.volume<<20, i.nonAggr
	if i.policy != "" {
		s.Policy = probe.Policy(i.policy)
	}
}

// parseLog parses "3:7", or "7" for "0:7". It returns the lengths 0 and the powers of 2 with these exponents, in bytes.
func parseLog(text string) ([]int64, error) {
	first, last, two := strings.Cut(text, ":")
	if !two {
		first, last = "0", first
	}
	low, err1 := strconv.ParseUint(first, 10, 31)
	high, err2 := strconv.ParseUint(last, 10, 31)
	if err1 != nil || err2 != nil || low > high || high > probe.LongestLog {
		return nil, fmt.Errorf("want the exponents [MIN:]MAX of the lengths, 0 <= MIN <= MAX <= %d", probe.LongestLog)
	}
	lengths := []int64{0}
	for ; low <= high; low++ {
		lengths = append(lengths, 1<<low)
	}
	return lengths, nil
}

// setLog sets the lengths of -msglog. IMB-P2P has no row of 0 bytes if the least exponent is given.
func setLog(r *Request, value, _ string) error {
	lengths, err := parseLog(value)
	if r.Component == probe.P2P && strings.Contains(value, ":") && err == nil {
		lengths = lengths[1:]
	}
	r.Settings.Lengths, r.Settings.Adaptive, r.Lengths = lengths, nil, ""
	return err
}

// parseMap parses "2x7", the sides of the matrix along whose rows the processes are numbered.
func parseMap(text string) ([]int, error) {
	first, second, _ := strings.Cut(text, "x")
	p, err1 := positive(first)
	q, err2 := positive(second)
	if err1 != nil || err2 != nil {
		return nil, errors.New("want PxQ with whole numbers from 1 on, such as 2x7")
	}
	return []int{int(p), int(q)}, nil
}
