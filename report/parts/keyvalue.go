package parts

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Keys writes lines of a key and a value.
type Keys struct{ *bufio.Writer }

// NewKeys returns keys that are written to w; Flush is the last call.
func NewKeys(w io.Writer) Keys { return Keys{bufio.NewWriter(w)} }

// Text writes a text as one line, whatever it holds; nothing if it is empty.
func (k Keys) Text(key, value string) {
	if value = words.Line(value, ' '); value != "" {
		fmt.Fprintf(k, "%s=%s\n", key, value)
	}
}

// Stated writes the words about a system, but for its name.
func (k Keys) Stated(s *rating.System) {
	for _, x := range s.Facts() {
		if x.Name != "system" {
			k.Text(x.Name, x.Text)
		}
	}
}

// Plain writes a number unless it is 0, NaN or infinite.
func (k Keys) Plain(key string, x float64) {
	if x != 0 && !math.IsNaN(x) && !math.IsInf(x, 0) {
		k.Text(key, strconv.FormatFloat(x, 'f', -1, 64))
	}
}

// Bytes writes a number of bytes.
func (k Keys) Bytes(key string, n int64) { k.Plain(key+"_bytes", float64(n)) }

// Mbps writes a bandwidth, given in bytes per second, in MB/s.
func (k Keys) Mbps(key string, x float64) { k.Plain(key+"_MBps", x/words.Mega) }

// Us writes a time, given in seconds, in microseconds.
func (k Keys) Us(key string, x float64) { k.Plain(key+"_us", x/words.Micro) }

// Flag returns 1 for true and 0 for false.
func Flag(is bool) string {
	if is {
		return "1"
	}
	return "0"
}

// KeyName returns a text with _ for each character that may not be in a key.
func KeyName(name string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '_'
	}, name)
}
