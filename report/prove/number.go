package prove

import (
	"reflect"
	"strconv"
)

// number decodes a number that the rule accepts.
func (d *decoder) number(r *Rule, into reflect.Value) bool {
	if end := r.shortNumber(d.text, d.at, into); end > 0 {
		d.at = end
		return true
	}
	begin, whole := d.at, true
	if d.at < len(d.text) && d.text[d.at] == '-' {
		d.at++
	}
	if first := d.at; !d.digits() {
		return d.wrongKind("a number")
	} else if d.at > first+1 && d.text[first] == '0' {
		return d.syntax("a number that begins with 0")
	}
	if d.at < len(d.text) && d.text[d.at] == '.' {
		d.at, whole = d.at+1, false
		if !d.digits() {
			return d.syntax("expected a digit")
		}
	}
	if d.at < len(d.text) && d.text[d.at]|0x20 == 'e' {
		d.at, whole = d.at+1, false
		if d.at < len(d.text) && (d.text[d.at] == '+' || d.text[d.at] == '-') {
			d.at++
		}
		if !d.digits() {
			return d.syntax("expected a digit")
		}
	}
	if d.at == len(d.text) {
		return false // more digits may follow
	}
	text := string(d.text[begin:d.at])
	if r.kind != number && !whole {
		return d.refuse("%.40s is not an integer", text)
	}
	switch x, err := r.parse(text, into); {
	case err != nil:
		return d.refuse("the number %.40s is out of range", text)
	case x <= r.exclusiveMinimum, x < r.minimum:
		return d.refuse("%.40s is too small", text)
	case r.enum != nil && !r.enum[text]:
		return d.refuse("%.40s is not an allowed value", text)
	}
	return true
}

// digits skips digits, and reports whether there was one.
func (d *decoder) digits() bool {
	begin := d.at
	_, d.at = digits(d.text, begin, 0)
	return d.at > begin
}

// shortNumber decodes a number with few digits, which is the usual case, and returns its end. It returns 0 if the
// number has another form or the rule doesn't accept it; number then finds the fault.
func (r *Rule) shortNumber(text []byte, begin int, into reflect.Value) (end int) {
	n, at := digits(text, begin, 0)
	count, fraction := at-begin, 0
	if r.kind == number && at < len(text) && text[at] == '.' {
		n, at = digits(text, at+1, n)
		fraction = at - begin - count - 1
	}
	switch {
	case count == 0, count > 1 && text[begin] == '0', count+fraction >= len(powers), at == len(text),
		text[at]|0x20 == 'e', text[at] == '.', text[at-1] == '.', r.enum != nil:
		return 0
	}
	x := float64(n)
	if r.kind == number {
		x /= powers[fraction]
	}
	if x <= r.exclusiveMinimum || x < r.minimum {
		return 0
	}
	switch r.kind {
	case number:
		into.SetFloat(x)
	case integer:
		into.SetInt(n)
	case natural:
		into.SetUint(uint64(n))
	}
	return at
}

// powers has the powers of 10. float64 represents all integers up to the last one exactly, so a number with few digits
// is the quotient of two exact ones. It is rounded once, with the same result as strconv's.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// parse decodes any number, and returns its approximate value.
func (r *Rule) parse(text string, into reflect.Value) (x float64, err error) {
	switch r.kind {
	case number:
		x, err = strconv.ParseFloat(text, 64)
		into.SetFloat(x)
		return x, err
	case natural:
		n, err := strconv.ParseUint(text, 10, 64)
		into.SetUint(n)
		return float64(n), err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	into.SetInt(n)
	return float64(n), err
}

// digits skips digits, and appends them to n. The result is exact for up to 18 digits.
func digits(text []byte, at int, n int64) (all int64, end int) {
	for at < len(text) && text[at]-'0' <= 9 {
		n = 10*n + int64(text[at]-'0')
		at++
	}
	return n, at
}
