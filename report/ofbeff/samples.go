package resultfile

import (
	"bytes"
	"strconv"

	"github.com/effective-bandwidth/beff/beff"
)

// Split returns a document of b_eff without its samples, and the samples. They are nearly all of a document, and lines
// of numbers. Read here, they take a tenth of the time that encoding/json needs. They need no schema, because nothing
// but numbers in their places gets through. For any other text than Write's ok is false, and encoding/json must read
// it.
func Split(data []byte) (head []byte, samples []beff.Sample, ok bool) {
	const begin = memberEnd + `"samples": ` + listBegin
	at := bytes.Index(data, []byte(begin))
	if at < 0 {
		return nil, nil, false
	}
	at += len(begin)
	list, ok := bytes.CutSuffix(data[at:], []byte(listEnd+textEnd))
	if !ok {
		return nil, nil, false
	}
	const about = 130 // bytes of a line
	samples = make([]beff.Sample, 0, len(list)/about+1)
	l := lines{text: list, ok: true}
	for between := ""; l.at < len(list); between = comma {
		l.skip(between)
		samples = append(samples, l.sample())
		if !l.ok {
			return nil, nil, false
		}
	}
	return append(append([]byte{}, data[:at]...), "]"+textEnd...), samples, true
}

// lines reads what it expects at a place of a text; ok gets false where there is something else. Only the place moves:
// a slice that gets shorter has a pointer to keep for the garbage collector.
type lines struct {
	text []byte
	at   int
	ok   bool
}

func (l *lines) sample() beff.Sample {
	s := beff.Sample{
		Pattern:    int(l.integer(lineBegin + `{"pattern":`)),
		Length:     int(l.integer(`,"length":`)),
		Method:     int(l.integer(`,"method":`)),
		Repetition: int(l.integer(`,"repetition":`)),
		Loops:      l.integer(`,"loops":`),
		Seconds:    l.float(`,"seconds":`),
		Min:        l.float(`,"seconds_min":`),
		Mean:       l.float(`,"seconds_mean":`),
	}
	l.skip("}")
	return s
}

// skip goes behind the text that must come next.
func (l *lines) skip(text string) {
	end := l.at + len(text)
	if end > len(l.text) || string(l.text[l.at:end]) != text {
		l.ok = false
		return
	}
	l.at = end
}

// next goes behind the next byte if it is one of two.
func (l *lines) next(a, b byte) bool {
	if l.at == len(l.text) || l.text[l.at] != a && l.text[l.at] != b {
		return false
	}
	l.at++
	return true
}

// integer reads a number that is not negative behind a key. One that could be too large for an int64 is left to
// encoding/json.
func (l *lines) integer(key string) int64 {
	const most = 18 // digits
	n, count := l.whole(key)
	l.ok = l.ok && count <= most
	return n
}

// float reads a number that is not negative behind a key. Its bytes are those of JSON (RFC 8259, Sec. 6): strconv would
// also read signs, leading zeros, bare points and more. A number of few digits is a quotient of two numbers that a
// float64 holds exactly. It is rounded once, as strconv rounds it.
func (l *lines) float(key string) float64 {
	from := l.at + len(key)
	n, count := l.whole(key)
	fraction, exact := 0, true
	if l.next('.', '.') {
		n, fraction = l.digits(n)
	}
	if l.next('e', 'E') {
		exact = false
		l.next('+', '-')
		l.digits(0)
	}
	if !l.ok {
		return 0
	}
	if exact && count+fraction < len(powers) {
		return float64(n) / powers[fraction]
	}
	x, err := strconv.ParseFloat(string(l.text[from:l.at]), 64)
	l.ok = err == nil
	return x
}

// powers of 10. All integers up to the last one are exact as float64.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// whole reads digits behind a key, without leading zeros.
func (l *lines) whole(key string) (n int64, count int) {
	l.skip(key)
	from := l.at
	n, count = l.digits(0)
	l.ok = l.ok && (count == 1 || l.text[from] != '0')
	return n, count
}

// digits reads one digit or more, which follow the digits of n. A number of more than 18 digits may overflow.
func (l *lines) digits(n int64) (all int64, count int) {
	at := l.at
	for at < len(l.text) && '0' <= l.text[at] && l.text[at] <= '9' {
		n = 10*n + int64(l.text[at]-'0')
		at++
	}
	count = at - l.at
	l.at = at
	l.ok = l.ok && count > 0
	return n, count
}
