package size

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

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
