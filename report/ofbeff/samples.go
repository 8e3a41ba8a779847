package ofbeff

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"

	"github.com/effective-bandwidth/beff/beff"
)

// readSample reads a sample as Form writes it, in a small part of the time that schema and encoding/json need. It
// reports false for any other text, and for figures that the schema refuses: these are left to them.
//
// Each function gets a place in the text and returns the place behind what it has read, or lost. As a return value the
// place stays in a register: behind a pointer each number would wait for the one before it to be stored.
func readSample(text []byte, s *beff.Sample) bool {
	n, at := integer(text, 0, &keys.pattern)
	s.Pattern = int(n)
	n, at = integer(text, at, &keys.length)
	s.Length = int(n)
	n, at = integer(text, at, &keys.method)
	s.Method = int(n)
	n, at = integer(text, at, &keys.repetition)
	s.Repetition = int(n)
	s.Loops, at = integer(text, at, &keys.loops)
	s.Seconds, at = float(text, at, &keys.seconds)
	s.Min, at = float(text, at, &keys.least)
	s.Mean, at = float(text, at, &keys.mean)
	n = 0
	if at < len(text) && text[at] == ',' {
		n, at = integer(text, at, &keys.pass)
	}
	s.Pass = int(n)
	return at == len(text)-1 && text[at] == '}' && s.Loops >= 1 && s.Seconds > 0
}

// lost is the place behind a text that isn't as it should be. It is behind the end of any text.
const lost = math.MaxInt / 2

// keys are the keys of a sample with what stands around them.
var keys = struct{ pattern, length, method, repetition, loops, seconds, least, mean, pass key }{
	newKey(`{"pattern":`), newKey(`,"length":`), newKey(`,"method":`), newKey(`,"repetition":`), newKey(`,"loops":`),
	newKey(`,"seconds":`), newKey(`,"seconds_min":`), newKey(`,"seconds_mean":`), newKey(`,"pass":`),
}

// key is a text of 8 to 16 bytes as its first and its last 8, which may overlap: two comparisons find it.
type key struct {
	size        int
	first, last uint64
}

const word = 8 // bytes

func newKey(text string) key {
	return key{len(text), binary.LittleEndian.Uint64([]byte(text)),
		binary.LittleEndian.Uint64([]byte(text[len(text)-word:]))}
}

// skip passes the key that must come next.
func skip(text []byte, at int, k *key) int {
	end := at + k.size
	if end > len(text) || binary.LittleEndian.Uint64(text[at:]) != k.first ||
		binary.LittleEndian.Uint64(text[end-word:]) != k.last {
		return lost
	}
	return end
}

// integer reads a key and a number that is not negative. A number that could overflow an int64 is left to
// encoding/json.
func integer(text []byte, at int, k *key) (n int64, next int) {
	const most = 18 // digits
	at = skip(text, at, k)
	if n, next = natural(text, at); next-at > most {
		return 0, lost
	}
	return n, next
}

// float reads a key and a number that is not negative. The number has JSON's form (RFC 8259, Sec. 6): strconv would
// also read signs, leading zeros, bare points and more. A number of few digits is a quotient of two numbers that a
// float64 holds exactly. It is rounded once, with the same result as by strconv.
func float(text []byte, at int, k *key) (x float64, next int) {
	at = skip(text, at, k)
	n, next := natural(text, at)
	count, fraction, exact := next-at, 0, true
	if next < len(text) && text[next] == '.' {
		point := next + 1
		n, next = digits(text, point, n)
		fraction = next - point
	}
	if next < len(text) && text[next]|0x20 == 'e' {
		exact = false
		if next++; next < len(text) && (text[next] == '+' || text[next] == '-') {
			next++
		}
		_, next = digits(text, next, 0)
	}
	if next > len(text) {
		return 0, lost
	}
	if exact && count+fraction < len(powers) {
		return float64(n) / powers[fraction], next
	}
	x, err := strconv.ParseFloat(string(text[at:next]), 64)
	if err != nil {
		return 0, lost
	}
	return x, next
}

// powers has the powers of 10. All integers up to the last one are exact as float64.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// natural reads digits without leading zeros. Most numbers have one.
func natural(text []byte, at int) (n int64, next int) {
	if at+1 < len(text) && isDigit(text[at]) && !isDigit(text[at+1]) {
		return int64(text[at] - '0'), at + 1
	}
	n, next = digits(text, at, 0)
	if next-at > 1 && next <= len(text) && text[at] == '0' {
		return 0, lost
	}
	return n, next
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// digits reads one digit or more, and appends them to those of n: eight at a time. More than 18 digits may overflow.
func digits(text []byte, at int, n int64) (all int64, next int) {
	for next = at; next+word <= len(text); next += word {
		eight := binary.LittleEndian.Uint64(text[next:]) ^ zeros // digits become 0 to 9
		// The highest bit of a byte is set if it is no digit. A carry touches bytes behind the first such one alone.
		if other := (eight + belowTen | eight) & highest; other != 0 {
			more := bits.TrailingZeros64(other) / word
			n = n*tens[more] + value(eight<<(word*(word-more)))
			if next += more; next == at {
				return 0, lost
			}
			return n, next
		}
		n = n*tens[word] + value(eight)
	}
	for next < len(text) && isDigit(text[next]) {
		n = 10*n + int64(text[next]-'0')
		next++
	}
	if next == at {
		return 0, lost
	}
	return n, next
}

// The bytes of eight digits.
const (
	zeros    = 0x3030303030303030
	belowTen = 0x7676767676767676 // 9 stays below 0x80, and 10 doesn't
	highest  = 0x8080808080808080
)

// tens has the powers of 10 up to that of eight digits.
var tens = [...]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

// value returns the number that eight digits make, of which the first is in the lowest byte: pairs of digits first, and
// then all four pairs by two multiplications.
func value(eight uint64) int64 {
	const pairs, firsts, seconds = 0x000000FF000000FF, 100 + 1000000<<32, 1 + 10000<<32
	eight = eight*10 + eight>>8
	return int64((eight&pairs*firsts + eight>>16&pairs*seconds) >> 32)
}
