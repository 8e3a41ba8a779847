package prove

import (
	"bytes"
	"strconv"
	"unsafe"

	"github.com/effective-bandwidth/beff/beff"
)

// Samples are nearly all of a document, and one line each as report.JSON writes them. Such lines are read here, ten
// times as fast as by encoding/json, and need no schema: nothing but numbers in their places gets through. Any other
// text is left to encoding/json.
const (
	listStart = "\n  \"samples\": ["
	lineStart = "\n    "
	listEnd   = "\n  ]\n}\n"
)

var keys = [...]string{`{"pattern":`, `,"length":`, `,"method":`, `,"repetition":`, `,"loops":`, `,"seconds":`,
	`,"seconds_min":`, `,"seconds_mean":`}

// Split returns a document without its samples, and these. It is false for any text that report.JSON would have written
// in another way.
func Split(data []byte) (head []byte, samples []beff.Sample, ok bool) {
	at := bytes.Index(data, []byte(listStart))
	if at < 0 {
		return nil, nil, false
	}
	at += len(listStart)
	head = append(append([]byte{}, data[:at]...), "]\n}\n"...)
	s := scanner{data: data, at: at, ok: true}
	const about = 130 // bytes of a line
	samples = make([]beff.Sample, 0, (len(data)-at)/about)
	for !s.skip(listEnd) {
		if len(samples) > 0 && !s.skip(comma) || !s.skip(lineStart) {
			return nil, nil, false
		}
		samples = append(samples, s.sample())
		if !s.ok {
			return nil, nil, false
		}
	}
	return head, samples, s.at == len(data)
}

const (
	comma = ","
	brace = "}"
)

// scanner reads what it expects at a place; ok gets false if there is something else. Only the place moves: a slice
// that gets shorter is a pointer that the garbage collector wants to know of.
type scanner struct {
	data []byte
	at   int
	ok   bool
}

// skip says whether text comes next, and skips it.
func (s *scanner) skip(text string) bool {
	if len(s.data)-s.at < len(text) || string(s.data[s.at:s.at+len(text)]) != text {
		return false
	}
	s.at += len(text)
	return true
}

// peek is the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.at < len(s.data) {
		return s.data[s.at]
	}
	return 0
}

func (s *scanner) sample() beff.Sample {
	sample := beff.Sample{
		Pattern: int(s.integer(keys[0])), Length: int(s.integer(keys[1])), Method: int(s.integer(keys[2])),
		Repetition: int(s.integer(keys[3])),
		Loops:      s.integer(keys[4]), Seconds: s.float(keys[5]), Min: s.float(keys[6]), Mean: s.float(keys[7]),
	}
	s.ok = s.ok && s.skip(brace)
	return sample
}

// integer reads a key and an integer that is not negative.
func (s *scanner) integer(key string) int64 {
	const most = 18 // digits that surely fit
	if !s.ok || !s.skip(key) {
		s.ok = false
		return 0
	}
	first := s.peek()
	n, count := s.digits(0)
	s.ok = count == 1 || count > 1 && count <= most && first != '0'
	return int64(n)
}

// float reads a key and one of JSON's numbers that is not negative (RFC 8259, Sec. 6). What follows it is not its
// business.
func (s *scanner) float(key string) float64 {
	if !s.ok || !s.skip(key) {
		s.ok = false
		return 0
	}
	from := s.at
	first := s.peek()
	mantissa, whole := s.digits(0)
	s.ok = whole > 0 && (first != '0' || whole == 1)
	fraction := 0
	if s.skip(".") {
		mantissa, fraction = s.digits(mantissa)
		s.ok = s.ok && fraction > 0
	}
	exponent := s.skip("e") || s.skip("E")
	if exponent {
		if !s.skip("+") {
			s.skip("-")
		}
		_, n := s.digits(0)
		s.ok = s.ok && n > 0
	}
	switch {
	case !s.ok:
		return 0
	case !exponent && whole+fraction <= exactDigits && mantissa <= exactInteger && fraction < len(powers):
		// both are exact, so the quotient is rounded once, as ParseFloat rounds
		return float64(mantissa) / powers[fraction]
	}
	x, err := strconv.ParseFloat(unsafe.String(&s.data[from], s.at-from), 64)
	s.ok = err == nil
	return x
}

const (
	exactInteger = 1 << 53 // up to here a float64 holds every integer
	exactDigits  = 19      // that fit into 64 bits
)

// powers of 10 that a float64 holds.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// digits skips digits, appends them to a number, which overflows silently, and says how many there were.
func (s *scanner) digits(n uint64) (uint64, int) {
	at := s.at
	for at < len(s.data) && isDigit(s.data[at]) {
		n = 10*n + uint64(s.data[at]-'0')
		at++
	}
	count := at - s.at
	s.at = at
	return n, count
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
