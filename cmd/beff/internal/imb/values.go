package imb

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
)

// Iter is how many repetitions there are: MSGSPERSAMPLE[,OVERALL_VOL[,MSGS_NONAGGR]], with the policy behind them or
// alone. The zero value leaves all to the components' defaults.
type Iter struct {
	Msgs, NonAggr int64
	Volume        int64        // bytes; users write units of 2^20
	Policy        probe.Policy // empty: not given
}

// UnmarshalText reads 1000, 1000,40, 1000,40,100, each of them with ,auto behind it, or auto.
func (i *Iter) UnmarshalText(text []byte) error {
	*i = Iter{}
	words := strings.Split(string(text), ",")
	if policy, err := policyOf(words[len(words)-1]); err == nil {
		i.Policy, words = policy, words[:len(words)-1]
	}
	to := []*int64{&i.Msgs, &i.Volume, &i.NonAggr}
	bad := errors.New("want MSGSPERSAMPLE[,OVERALL_VOL[,MSGS_NONAGGR]] as whole numbers from 1 on (the volume in " +
		"units of 2^20 bytes), and behind them the policy: " + policies)
	if len(words) > len(to) {
		return bad
	}
	for k, word := range words {
		n, err := strconv.ParseInt(word, 10, 32)
		if err != nil || n < 1 {
			return bad
		}
		*to[k] = n
	}
	i.Volume <<= 20
	return nil
}

// Set puts what was given into settings.
func (i Iter) Set(s *probe.Settings) {
	s.MsgsPer, s.OverallVol, s.MsgsNonAggr = i.Msgs, i.Volume, i.NonAggr
	if i.Policy != "" {
		s.Policy = i.Policy
	}
}

const policies = "dynamic, multiple_np, auto or off"

func policyOf(text string) (probe.Policy, error) {
	switch p := probe.Policy(text); p {
	case probe.Dynamic, probe.MultipleNP, probe.Auto, probe.Off:
		return p, nil
	}
	return "", errors.New("want " + policies)
}

// Log is the range of message lengths: 0 and the powers of 2 from 2^Min to 2^Max.
type Log struct{ Min, Max int }

// UnmarshalText reads 3:7, or 7 for 0:7.
func (l *Log) UnmarshalText(text []byte) error {
	first, last, two := strings.Cut(string(text), ":")
	if !two {
		first, last = "0", first
	}
	low, err1 := strconv.ParseUint(first, 10, 31)
	high, err2 := strconv.ParseUint(last, 10, 31)
	if err1 != nil || err2 != nil || low > high || high > probe.LongestLog {
		return fmt.Errorf("want the exponents [MIN:]MAX of the lengths, 0 <= MIN <= MAX <= %d", probe.LongestLog)
	}
	*l = Log{int(low), int(high)}
	return nil
}

// Lengths are the range's lengths, bytes.
func (l Log) Lengths() []int64 {
	lengths := []int64{0}
	for log := l.Min; log <= l.Max; log++ {
		lengths = append(lengths, 1<<log)
	}
	return lengths
}

// Grid is the matrix along whose rows the processes are numbered.
type Grid struct{ P, Q int }

// UnmarshalText reads 2x7.
func (g *Grid) UnmarshalText(text []byte) error {
	first, second, _ := strings.Cut(string(text), "x")
	p, err1 := strconv.ParseUint(first, 10, 31)
	q, err2 := strconv.ParseUint(second, 10, 31)
	if err1 != nil || err2 != nil || p == 0 || q == 0 || p*q > math.MaxInt32 {
		return errors.New("want PxQ with whole numbers from 1 on, such as 2x7")
	}
	*g = Grid{int(p), int(q)}
	return nil
}

// Cache is the last level cache whose use is avoided, bytes.
type Cache struct{ Size, Line int64 }

// IMB's unit of caches.
const cacheUnit = 1 << 20

// UnmarshalText reads 2.5, 16,128, or -1 for IMB's defaults: the size in units of 2^20 bytes, the line in bytes.
func (c *Cache) UnmarshalText(text []byte) error {
	first, second, two := strings.Cut(string(text), ",")
	*c = Cache{probe.DefaultCacheSize, probe.DefaultCacheLine}
	bad := errors.New("want the cache's size in MB (2^20 bytes), such as 2.5, perhaps a comma and the bytes of its " +
		"line; or -1 for 8,64")
	if first != "-1" {
		v, err := positive(first, cacheUnit)
		if err != nil {
			return bad
		}
		c.Size = v
	}
	if two {
		line, err := strconv.ParseInt(second, 10, 32)
		if err != nil || line < 1 {
			return bad
		}
		c.Line = line
	}
	return nil
}

// positive is text times unit, rounded: at least 1, at most 2^62.
func positive(text string, unit float64) (int64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if v = math.Round(v * unit); err != nil || !(v >= 1) || v > 1<<62 {
		return 0, errors.New("want a positive number")
	}
	return int64(v), nil
}
