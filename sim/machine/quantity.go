package machine

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Seconds is a time. In a file it is a number of seconds, or a number with a unit, such as 1.2us.
type Seconds float64

// Rate is a bandwidth in bytes per second. In a file it has a unit, such as 12.5 GB/s or 100 Gbit/s.
type Rate float64

// Bytes is an amount of memory. In a file it may have a unit, such as 16 KiB.
type Bytes int64

// The units of each quantity. Units of memory with an i are powers of 2, all others powers of 10.
var (
	timeUnits = map[string]float64{"": 1, "s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9, "ps": 1e-12}
	rateUnits = map[string]float64{"": 1, "B/s": 1, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12,
		"MiB/s": 1 << 20, "GiB/s": 1 << 30, "Mbit/s": 1e6 / 8, "Gbit/s": 1e9 / 8, "Tbit/s": 1e12 / 8}
	byteUnits = map[string]float64{"": 1, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 1 << 10,
		"MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
)

// split returns the number at the beginning of a text, and its unit.
func split(text string) (number float64, unit string, err error) {
	text = strings.TrimSpace(text)
	end := strings.LastIndexAny(text, "0123456789.") + 1
	number, err = strconv.ParseFloat(text[:end], 64)
	if err != nil || math.IsInf(number, 0) || math.IsNaN(number) {
		return 0, "", fmt.Errorf("%q is not a number with a unit", text)
	}
	return number, strings.TrimSpace(text[end:]), nil
}

// parse returns the value of a number with a unit.
func parse(text string, units map[string]float64, example string) (float64, error) {
	number, unit, err := split(text)
	factor, known := units[unit]
	switch {
	case err != nil:
		return 0, fmt.Errorf("%w: want for example %s", err, example)
	case !known:
		return 0, fmt.Errorf("unknown unit %q in %q: want for example %s", unit, text, example)
	case number < 0:
		return 0, fmt.Errorf("%s is less than 0", text)
	}
	return number * factor, nil
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (s *Seconds) UnmarshalYAML(n *yaml.Node) error {
	v, err := parse(n.Value, timeUnits, "1.2us")
	*s = Seconds(v)
	return err
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (r *Rate) UnmarshalYAML(n *yaml.Node) error {
	v, err := parse(n.Value, rateUnits, "12.5 GB/s or 100 Gbit/s")
	*r = Rate(v)
	return err
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (b *Bytes) UnmarshalYAML(n *yaml.Node) error {
	v, err := parse(n.Value, byteUnits, "16 KiB")
	if err == nil && v >= 1<<62 {
		err = fmt.Errorf("%s is too much", n.Value)
	}
	*b = Bytes(v)
	return err
}
