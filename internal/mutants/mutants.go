// Package mutants is of tests: it makes inputs that differ from good ones in a few places, by a seed, so that each is
// the same again.
package mutants

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"
)

// inputs is how many mutants of its first seed a target checks, and of each further one a two hundredth. They are
// counted, not timed, so that a busy machine tries as many: a first seed is short enough for 2 s of a processor.
const inputs = 10_000

// Fuzz is f.Fuzz, and without -fuzz checks mutants of the seeds, too.
func Fuzz[T string | []byte](f *testing.F, check func(t *testing.T, input T)) {
	left := inputs
	f.Fuzz(func(t *testing.T, seed T) {
		check(t, seed)
		if len(seed) == 0 || Fuzzing() {
			return
		}
		var text []byte
		t.Cleanup(func() {
			if t.Failed() {
				t.Logf("the input: %.4000q", text)
			}
		})
		random := rand.New(rand.NewPCG(1, uint64(left)))
		for range left {
			text = Of(random, []byte(seed))
			check(t, T(text))
		}
		left = inputs / 200
	})
}

// Fuzzing reports whether Go makes the inputs.
func Fuzzing() bool { return flag.Lookup("test.fuzz").Value.String() != "" }

// values take the place of a number or a text of JSON.
var values = [][]byte{[]byte("null"), []byte("-1"), []byte("0"), []byte("1e308"), []byte("1e-320"), []byte("1.5"),
	[]byte("9223372036854775807"), []byte("[]"), []byte("{}"), []byte(`""`), []byte(`"\u0000"`), []byte(`"\u202e"`),
	[]byte("true"), []byte("NaN"), bytes.Repeat([]byte("9"), 400), []byte("[[[[[[[[1]]]]]]]]")}

// Of changes a text in one to four places: a bit, a range that is lost, doubled or moved, or a value of JSON. The text
// isn't empty.
func Of(r *rand.Rand, text []byte) []byte {
	text = slices.Clone(text)
	for range 1 + r.IntN(4) {
		at := r.IntN(len(text))
		end := min(len(text), at+1+r.IntN(64))
		switch r.IntN(5) {
		case 0:
			text[at] ^= 1 << r.IntN(8)
		case 1:
			text = slices.Delete(text, at, end)
		case 2:
			text = slices.Insert(text, end, slices.Clone(text[at:end])...)
		case 3:
			text = slices.Insert(text, r.IntN(len(text)), slices.Clone(text[at:end])...)
		default:
			colon := bytes.IndexByte(text[at:], ':')
			if colon < 0 {
				continue
			}
			from := at + colon + 1
			value := bytes.IndexAny(text[from:], ",\n}]")
			if value < 0 {
				continue
			}
			text = slices.Replace(text, from, from+value, values[r.IntN(len(values))]...)
		}
		if len(text) == 0 {
			return text
		}
	}
	return text
}
