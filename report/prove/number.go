package prove

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"unsafe"
)

// number reads a number that the rule accepts.
func (d *decoder) number(r *Rule, into unsafe.Pointer) bool {
	if end := r.few(d.text, d.at, into); end > 0 {
		d.at = end
		return true
	}
	begin, whole := d.at, true
	if d.at < len(d.text) && d.text[d.at] == '-' {
		d.at++
	}
	if first := d.at; !d.digits() {
		return d.other("a number")
	} else if d.at > first+1 && d.text[first] == '0' {
		return d.syntax("a number that begins with 0")
	}
	if d.at < len(d.text) && d.text[d.at] == '.' {
		d.at, whole = d.at+1, false
		if !d.digits() {
			return d.syntax("want a digit")
		}
	}
	if d.at < len(d.text) && d.text[d.at]|0x20 == 'e' {
		d.at, whole = d.at+1, false
		if d.at < len(d.text) && (d.text[d.at] == '+' || d.text[d.at] == '-') {
			d.at++
		}
		if !d.digits() {
			return d.syntax("want a digit")
		}
	}
	if d.at == len(d.text) {
		return false // it may go on
	}
	text := string(d.text[begin:d.at])
	if r.kind != number && !whole {
		return d.refuse("%.40s is no integer", text)
	}
	switch x, err := r.parse(text, into); {
	case err != nil:
		return d.refuse("the number %.40s is out of range", text)
	case x <= r.over, x < r.minimum:
		return d.refuse("%.40s is too small", text)
	case r.enum != nil && !r.enum[text]:
		return d.refuse("%.40s is no value of it", text)
	}
	return true
}

// digits passes digits, and reports whether there was one.
func (d *decoder) digits() bool {
	begin := d.at
	_, d.at = digits(d.text, begin, 0)
	return d.at > begin
}

// few reads a number of few digits, as most are, and returns where it ends; 0 if it is of another form, or the rule
// doesn't accept it: then number says why.
func (r *Rule) few(text []byte, begin int, into unsafe.Pointer) (end int) {
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
		*(*float64)(into) = x
	} else {
		*(*int64)(into) = n
	}
	if x <= r.over || x < r.minimum {
		return 0
	}
	return at
}

// powers has the powers of 10. All integers up to the last one are exact as float64, so that a number of few digits is
// a quotient of two exact ones. It is rounded once, with the same result as by strconv.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// parse sets any number, and returns about its value.
func (r *Rule) parse(text string, into unsafe.Pointer) (x float64, err error) {
	switch r.kind {
	case number:
		x, err = strconv.ParseFloat(text, 64)
		*(*float64)(into) = x
		return x, err
	case natural:
		n, err := strconv.ParseUint(text, 10, 64)
		*(*uint64)(into) = n
		return float64(n), err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	*(*int64)(into) = n
	return float64(n), err
}

// digits passes digits, and appends them to those of n, which is exact up to 18 of them. It takes up to eight at once,
// the first one in the lowest byte: those behind the last one are shifted out, neighbours are added up as pairs, the
// pairs as fours, the fours as eight. How many there are is no branch, which a processor would guess wrong.
func digits(text []byte, at int, n int64) (all int64, end int) {
	const zeros, high = 0x3030303030303030, 0x8080808080808080
	const pairs, firsts, seconds = 0x000000ff000000ff, 100 + 1000000<<32, 1 + 10000<<32
	if at+1 < len(text) && text[at]-'0' <= 9 && text[at+1]-'0' > 9 {
		return 10*n + int64(text[at]-'0'), at + 1
	}
	for at+8 <= len(text) {
		x := binary.LittleEndian.Uint64(text[at:]) ^ zeros // 0 to 9 of digits
		others := (x + 0x7676767676767676 | x) & high      // a carry changes only what is behind one
		count := bits.TrailingZeros64(others) / 8
		x <<= 64 - 8*count
		x = 10*x + x>>8
		n = n*integers[count] + int64((x&pairs*firsts+x>>16&pairs*seconds)>>32)
		if at += count; others != 0 {
			return n, at
		}
	}
	for at < len(text) && text[at]-'0' <= 9 {
		n = 10*n + int64(text[at]-'0')
		at++
	}
	return n, at
}

// integers has the powers of 10 of up to eight digits.
var integers = [...]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}
