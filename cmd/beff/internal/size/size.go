// Package size parses and formats numbers of bytes and times as users write them.
package size

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/rating"
)

// Bytes is a number of bytes. Its text form is "1GiB", "512M", "1MB" or a sum such as "1k+8". k, M, G, T, P and KiB,
// MiB, GiB, TiB, PiB are powers of 1024. kB, MB, GB, TB, PB are powers of 1000.
type Bytes int64

var units = map[string]float64{
	"B": 1,
	"k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50,
	"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "PiB": 1 << 50,
	"kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15,
}

// most is the largest size. It is above any memory and within the range of an int64.
const most = 1 << 62

// UnmarshalText parses a size. The error contains the text.
func (b *Bytes) UnmarshalText(text []byte) error {
	v, err := Parse(string(text), "B")
	if err != nil {
		return fmt.Errorf("size %q: %w", text, err)
	}
	*b = v
	return nil
}

// Parse parses a size. Numbers without a unit are in the given one. The error does not contain the text.
func Parse(text, unit string) (Bytes, error) {
	sum := 0.0
	for _, term := range strings.Split(text, "+") {
		v, err := parse(strings.TrimSpace(term), unit)
		if err != nil {
			return 0, err
		}
		sum += v
	}
	if sum > most {
		return 0, errors.New("too large")
	}
	return Bytes(math.Round(sum)), nil
}

// parse parses one term: a decimal number with a unit, or without one, which means the unit otherwise.
func parse(term, otherwise string) (float64, error) {
	digits := strings.TrimRight(term, "kKMGTPiB ")
	for _, c := range digits {
		if c != '.' && (c < '0' || c > '9') {
			return 0, fmt.Errorf("want a number with a unit such as 512MiB, 1G or 4kB")
		}
	}
	v, err := strconv.ParseFloat(digits, 64) // infinite if out of range
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("want a number with a unit such as 512MiB, 1G or 4kB")
	}
	unit := cmp.Or(strings.TrimSpace(term[len(digits):]), otherwise)
	factor, ok := units[unit]
	if !ok {
		return 0, fmt.Errorf("unknown unit %q", unit)
	}
	return v * factor, nil
}

// String writes the size in the largest power of 1024 that keeps it above 1, with at most 4 digits.
func (b Bytes) String() string { return rating.Bytes(int64(b)) }

// Time is a duration. Its text form is 45m, 90s, or a number of seconds, as in the options of the old benchmarks.
type Time time.Duration

// UnmarshalText parses a duration. The error contains the text.
func (d *Time) UnmarshalText(text []byte) error {
	v, err := ParseTime(string(text))
	if err != nil {
		return fmt.Errorf("duration %q: %w", text, err)
	}
	*d = Time(v)
	return nil
}

// maxSeconds limits numbers of seconds. It is longer than any run and far below the range of a time.Duration.
const maxSeconds = 1e9

// ParseTime parses a duration. The error does not contain the text.
func ParseTime(text string) (time.Duration, error) {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds >= 0 && seconds < maxSeconds {
		return time.Duration(seconds * float64(time.Second)), nil
	}
	v, err := time.ParseDuration(text)
	if err != nil {
		return 0, errors.New("want 45m, 90s or a number of seconds")
	}
	return v, nil
}

// Part is a fraction as users write it: 2% or 0.02.
type Part float64

// UnmarshalText parses a fraction between 0 and 1.
func (p *Part) UnmarshalText(text []byte) error {
	x, err := ParseRatio(string(text))
	if err != nil || !(x > 0 && x < 1) {
		return fmt.Errorf("%q is not a fraction: want something like 2%% or 0.02", text)
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
