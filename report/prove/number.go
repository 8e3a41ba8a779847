package prove

import (
	"encoding/binary"
	"strconv"
	"unsafe"
)

// number reads a number that the rule accepts. The place in the text is a variable of its own until it is known: behind
// a pointer each digit would wait for the one before it to be stored.
func (d *decoder) number(r *Rule, into unsafe.Pointer) bool {
	text, begin := d.text, d.at
	first := begin
	if first < len(text) && text[first] == '-' {
		first++
	}
	n, at := digits(text, first, 0)
	count, fraction, exponent := at-first, 0, 0
	if d.at = at; count == 0 {
		return d.other("a number")
	}
	if count > 1 && text[first] == '0' {
		return d.syntax("a number that begins with 0")
	}
	if at < len(text) && text[at] == '.' {
		point := at + 1
		n, at = digits(text, point, n)
		fraction = at - point
		if d.at = at; fraction == 0 {
			return d.syntax("want a digit")
		}
	}
	if at < len(text) && text[at]|0x20 == 'e' {
		if at++; at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		power := at
		_, at = digits(text, power, 0)
		exponent = at - power
		if d.at = at; exponent == 0 {
			return d.syntax("want a digit")
		}
	}
	if at == len(text) {
		return false // it may go on
	}
	x, err := 0.0, error(nil)
	switch exact := begin == first && exponent == 0 && count+fraction < len(powers); {
	case r.kind != number && fraction+exponent > 0:
		return d.refuse("%.40s is no integer", text[begin:at])
	case exact && r.kind == number:
		x = float64(n) / powers[fraction]
		*(*float64)(into) = x
	case exact && r.kind == integer:
		x = float64(n)
		*(*int64)(into) = n
	default:
		x, err = r.parse(string(text[begin:at]), into)
	}
	switch {
	case err != nil:
		return d.refuse("the number %.40s is out of range", text[begin:at])
	case r.over != nil && x <= *r.over, r.minimum != nil && x < *r.minimum:
		return d.refuse("%.40s is too small", text[begin:at])
	case r.enum != nil && !r.enum[string(text[begin:at])]:
		return d.refuse("%.40s is no value of it", text[begin:at])
	}
	return true
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

// eight returns the number of eight digits, the first one in the lowest byte: neighbours are added up as pairs, the
// pairs as fours, the fours as eight.
func eight(ascii uint64) (n int64, ok bool) {
	const zeros, sixes, high = 0x3030303030303030, 0x0606060606060606, 0xf0f0f0f0f0f0f0f0
	if ascii&high != zeros || (ascii+sixes)&high != zeros {
		return 0, false
	}
	x := ascii - zeros
	x = (10*x + x>>8) & 0x00ff00ff00ff00ff
	x = (100*x + x>>16) & 0x0000ffff0000ffff
	return int64(10000*(x&0xffffffff) + x>>32), true
}

// digits passes digits, and appends them to those of n, which is exact up to 18 of them.
func digits(text []byte, at int, n int64) (all int64, end int) {
	for at+8 <= len(text) {
		more, ok := eight(binary.LittleEndian.Uint64(text[at:]))
		if !ok {
			break
		}
		n, at = 1e8*n+more, at+8
	}
	for at < len(text) && text[at]-'0' <= 9 {
		n = 10*n + int64(text[at]-'0')
		at++
	}
	return n, at
}
