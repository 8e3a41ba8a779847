package resultfile

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
)

// Split returns a document of b_eff without its samples, and these. They are nearly all of it, and lines of numbers:
// read here, they take a quarter of the time that encoding/json needs, and need no schema, as nothing but numbers in
// their places gets through. Of any other text than Write's ok is false, and encoding/json must read it.
func Split(data []byte) (head []byte, samples []beff.Sample, ok bool) {
	const begin = memberEnd + `"samples": ` + listBegin
	at := bytes.Index(data, []byte(begin))
	if at < 0 {
		return nil, nil, false
	}
	at += len(begin)
	lines, ok := strings.CutSuffix(string(data[at:]), listEnd+textEnd)
	if !ok {
		return nil, nil, false
	}
	head = append(append([]byte{}, data[:at]...), "]"+textEnd...)
	const about = 130 // bytes of a line
	samples = make([]beff.Sample, 0, len(lines)/about)
	for between := ""; lines != ""; between = comma {
		w := words{rest: lines, ok: true}
		w.skip(between + lineBegin + "{")
		samples = append(samples, w.sample())
		if !w.ok {
			return nil, nil, false
		}
		lines = w.rest
	}
	return head, samples, true
}

// words reads what it expects; ok gets false where there is something else.
type words struct {
	rest string
	ok   bool
}

func (w *words) sample() beff.Sample {
	s := beff.Sample{
		Pattern: int(w.integer(`"pattern":`)), Length: int(w.integer(`,"length":`)), Method: int(w.integer(`,"method":`)),
		Repetition: int(w.integer(`,"repetition":`)), Loops: w.integer(`,"loops":`),
		Seconds: w.float(`,"seconds":`), Min: w.float(`,"seconds_min":`), Mean: w.float(`,"seconds_mean":`),
	}
	w.skip("}")
	return s
}

func (w *words) skip(text string) {
	rest, found := strings.CutPrefix(w.rest, text)
	w.rest, w.ok = rest, w.ok && found
}

// number takes the number behind a key.
func (w *words) number(key string) string {
	w.skip(key)
	end := 0
	for end < len(w.rest) && ofNumber[w.rest[end]] {
		end++
	}
	text := w.rest[:end]
	w.rest, w.ok = w.rest[end:], w.ok && plain(text)
	return text
}

func (w *words) integer(key string) int64 {
	n, err := strconv.ParseInt(w.number(key), 10, 64)
	w.ok = w.ok && err == nil
	return n
}

func (w *words) float(key string) float64 {
	x, err := strconv.ParseFloat(w.number(key), 64)
	w.ok = w.ok && err == nil
	return x
}

// ofNumber has the bytes of JSON's numbers.
var ofNumber = func() (list [256]bool) {
	for _, c := range "0123456789.eE+-" {
		list[c] = true
	}
	return list
}()

// plain reports whether a number that strconv reads is one of JSON's (RFC 8259, Sec. 6), and not negative: strconv also
// reads signs, leading zeros and bare points.
func plain(text string) bool {
	last := len(text) - 1
	if last < 0 || !isDigit(text[0]) || !isDigit(text[last]) || text[0] == '0' && last > 0 && isDigit(text[1]) {
		return false
	}
	point := strings.IndexByte(text, '.')
	return point < 0 || isDigit(text[point+1])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
