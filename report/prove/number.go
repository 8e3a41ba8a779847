package prove

import (
	"encoding/binary"
	"math/bits"
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
	case x <= r.over, x < r.minimum:
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

// digits passes digits, and appends them to those of n, which is exact up to 18 of them. It takes up to eight at once,
// the first one in the lowest byte: those behind the last one are shifted out, neighbours are added up as pairs, the
// pairs as fours, the fours as eight. How many there are is no branch, which a processor would guess wrong.
func digits(text []byte, at int, n int64) (all int64, end int) {
	const zeros, high = 0x3030303030303030, 0x8080808080808080
	if at+1 < len(text) && text[at]-'0' <= 9 && text[at+1]-'0' > 9 {
		return 10*n + int64(text[at]-'0'), at + 1
	}
	for at+8 <= len(text) {
		x := binary.LittleEndian.Uint64(text[at:]) ^ zeros // 0 to 9 of digits
		others := (x + 0x7676767676767676 | x) & high      // a carry changes only what is behind one
		count := bits.TrailingZeros64(others) / 8
		x <<= 64 - 8*count
		x = (10*x + x>>8) & 0x00ff00ff00ff00ff
		x = (100*x + x>>16) & 0x0000ffff0000ffff
		n = n*integers[count] + int64(10000*(x&0xffffffff)+x>>32)
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
