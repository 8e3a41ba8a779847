package ofbeff

import (
	"strconv"

	"github.com/effective-bandwidth/beff/beff"
)

// readSample reads a sample as Form writes it, in a tenth of the time that schema and encoding/json need. It reports
// false for any other text, and for figures that the schema refuses: these are left to them.
func readSample(text []byte, s *beff.Sample) bool {
	l := line{text: text, ok: true}
	*s = beff.Sample{
		Pattern:    int(l.integer(`{"pattern":`)),
		Length:     int(l.integer(`,"length":`)),
		Method:     int(l.integer(`,"method":`)),
		Repetition: int(l.integer(`,"repetition":`)),
		Loops:      l.integer(`,"loops":`),
		Seconds:    l.float(`,"seconds":`),
		Min:        l.float(`,"seconds_min":`),
		Mean:       l.float(`,"seconds_mean":`),
	}
	if l.ok && l.at < len(text) && text[l.at] == ',' {
		s.Pass = int(l.integer(`,"pass":`))
	}
	l.skip("}")
	return l.ok && l.at == len(text) && s.Loops >= 1 && s.Seconds > 0
}

// line reads expected things one after the other; ok becomes false at anything else. Only the place in the text moves:
// a slice that gets shorter would be a pointer to update for the garbage collector.
type line struct {
	text []byte
	at   int
	ok   bool
}

// skip passes the text that must come next.
func (l *line) skip(text string) {
	end := l.at + len(text)
	if end > len(l.text) || string(l.text[l.at:end]) != text {
		l.ok = false
		return
	}
	l.at = end
}

// next passes the next byte, and reports true, if it is a or b.
func (l *line) next(a, b byte) bool {
	if l.at == len(l.text) || l.text[l.at] != a && l.text[l.at] != b {
		return false
	}
	l.at++
	return true
}

// integer reads a key and a number that is not negative. A number that could overflow an int64 is left to
// encoding/json.
func (l *line) integer(key string) int64 {
	const most = 18 // digits
	n, count := l.whole(key)
	l.ok = l.ok && count <= most
	return n
}

// float reads a key and a number that is not negative. The number has JSON's form (RFC 8259, Sec. 6): strconv would
// also read signs, leading zeros, bare points and more. A number of few digits is a quotient of two numbers that a
// float64 holds exactly. It is rounded once, with the same result as by strconv.
func (l *line) float(key string) float64 {
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

// powers has the powers of 10. All integers up to the last one are exact as float64.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// whole reads a key and digits without leading zeros.
func (l *line) whole(key string) (n int64, count int) {
	l.skip(key)
	from := l.at
	n, count = l.digits(0)
	l.ok = l.ok && (count == 1 || l.text[from] != '0')
	return n, count
}

// digits reads one digit or more, and appends them to those of n. More than 18 digits may overflow.
func (l *line) digits(n int64) (all int64, count int) {
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
