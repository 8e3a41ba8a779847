package verify

import (
	"bytes"
	"strconv"
	"unsafe"

	"github.com/effective-bandwidth/beff/beff"
)

// Samples are nearly all of a document, and one line each as report.JSON writes them. Such lines are read here, ten times as fast as by
// encoding/json, and need no schema: nothing but numbers in their places gets through. Any other text is left to encoding/json.
var (
	listStart = []byte("\n  \"samples\": [")
	lineStart = []byte("\n    ")
	listEnd   = []byte("\n  ]\n}\n")
	keys      = [...][]byte{
		[]byte(`{"pattern":`), []byte(`,"length":`), []byte(`,"method":`), []byte(`,"repetition":`), []byte(`,"loops":`),
		[]byte(`,"seconds":`), []byte(`,"seconds_min":`), []byte(`,"seconds_mean":`),
	}
)

// split returns a document without its samples, and these. It is false for any text that report.JSON would have written in another way.
func split(data []byte) (head []byte, samples []beff.Sample, ok bool) {
	at := bytes.Index(data, listStart)
	if at < 0 {
		return nil, nil, false
	}
	at += len(listStart)
	head = append(append([]byte{}, data[:at]...), "]\n}\n"...)
	s := scanner{rest: data[at:], ok: true}
	const about = 130 // bytes of a line
	samples = make([]beff.Sample, 0, len(s.rest)/about)
	for !s.skip(listEnd) {
		if len(samples) > 0 && !s.skip(comma) || !s.skip(lineStart) {
			return nil, nil, false
		}
		samples = append(samples, s.sample())
		if !s.ok {
			return nil, nil, false
		}
	}
	return head, samples, len(s.rest) == 0
}

var (
	comma = []byte(",")
	brace = []byte("}")
)

// scanner reads what it expects; ok gets false if there is something else.
type scanner struct {
	rest []byte
	ok   bool
}

// skip says whether text comes next, and skips it.
func (s *scanner) skip(text []byte) bool {
	if !bytes.HasPrefix(s.rest, text) {
		return false
	}
	s.rest = s.rest[len(text):]
	return true
}

func (s *scanner) sample() beff.Sample {
	sample := beff.Sample{
		Pattern: int(s.integer(keys[0])), Length: int(s.integer(keys[1])), Method: int(s.integer(keys[2])), Repetition: int(s.integer(keys[3])),
		Loops: s.integer(keys[4]), Seconds: s.float(keys[5]), Min: s.float(keys[6]), Mean: s.float(keys[7]),
	}
	s.ok = s.ok && s.skip(brace)
	return sample
}

// integer reads a key and an integer that is not negative.
func (s *scanner) integer(key []byte) int64 {
	const most = 18 // digits that surely fit
	if !s.ok || !s.skip(key) {
		s.ok = false
		return 0
	}
	n, i := int64(0), 0
	for i < len(s.rest) && isDigit(s.rest[i]) && i < most {
		n = 10*n + int64(s.rest[i]-'0')
		i++
	}
	s.ok = i > 0 && (i == 1 || s.rest[0] != '0')
	s.rest = s.rest[i:]
	return n
}

// float reads a key and a number that is not negative.
func (s *scanner) float(key []byte) float64 {
	if !s.ok || !s.skip(key) {
		s.ok = false
		return 0
	}
	i := 0
	for i < len(s.rest) && s.rest[i] != ',' && s.rest[i] != '}' {
		i++
	}
	text := s.rest[:i]
	if s.ok = isNumber(text); !s.ok {
		return 0
	}
	x, err := strconv.ParseFloat(unsafe.String(&text[0], len(text)), 64)
	s.ok = err == nil
	s.rest = s.rest[i:]
	return x
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isNumber says whether a text is one of JSON's numbers that are not negative (RFC 8259, Sec. 6).
func isNumber(text []byte) bool {
	rest := digits(text)
	if len(rest) == len(text) || text[0] == '0' && len(text)-len(rest) > 1 {
		return false
	}
	if len(rest) > 0 && rest[0] == '.' {
		fraction := rest[1:]
		if rest = digits(fraction); len(rest) == len(fraction) {
			return false
		}
	}
	if len(rest) > 0 && (rest[0] == 'e' || rest[0] == 'E') {
		exponent := rest[1:]
		if len(exponent) > 0 && (exponent[0] == '+' || exponent[0] == '-') {
			exponent = exponent[1:]
		}
		if rest = digits(exponent); len(rest) == len(exponent) {
			return false
		}
	}
	return len(rest) == 0
}

// digits returns what is behind the leading digits.
func digits(text []byte) []byte {
	for len(text) > 0 && isDigit(text[0]) {
		text = text[1:]
	}
	return text
}
