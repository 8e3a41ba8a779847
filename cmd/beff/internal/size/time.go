package size

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Time is how long something takes. It reads 45m, 90s, or a number of seconds as the old benchmarks'
// options have it.
type Time time.Duration

// UnmarshalText reads a duration; the error has the text in it.
func (d *Time) UnmarshalText(text []byte) error {
	v, err := ParseTime(string(text))
	if err != nil {
		return fmt.Errorf("duration %q: %w", text, err)
	}
	*d = Time(v)
	return nil
}

// mostSeconds is above any run, and far below what a time.Duration holds.
const mostSeconds = 1e9

// ParseTime returns the duration that a text says. The error says what is wrong, without the text.
func ParseTime(text string) (time.Duration, error) {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds >= 0 && seconds < mostSeconds {
		return time.Duration(seconds * float64(time.Second)), nil
	}
	v, err := time.ParseDuration(text)
	if err != nil {
		return 0, errors.New("want 45m, 90s or a number of seconds")
	}
	return v, nil
}
