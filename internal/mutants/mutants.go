// Package mutants makes inputs for tests that differ from valid inputs in a few places. A seed determines them, so
// every run of a test has the same inputs.
package mutants

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"
)

// inputs is the number of mutants of a target's first seed. Each further seed has a 200th as many. It is no time
// limit, so that a busy machine doesn't check fewer.
const inputs = 3_000

// Fuzz is like f.Fuzz, but without -fuzz it also checks mutants of the seeds.
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

// Fuzzing reports whether the test runs with -fuzz, so that Go makes the inputs.
func Fuzzing() bool { return flag.Lookup("test.fuzz").Value.String() != "" }

// values replace a JSON value.
var values = [][]byte{[]byte("null"), []byte("-1"), []byte("0"), []byte("1e308"), []byte("1e-320"), []byte("1.5"),
	[]byte("9223372036854775807"), []byte("[]"), []byte("{}"), []byte(`""`), []byte(`"\u0000"`), []byte(`"\u202e"`),
	[]byte("true"), []byte("NaN"), bytes.Repeat([]byte("9"), 400), []byte("[[[[[[[[1]]]]]]]]")}

// Of returns a copy of a text, which must not be empty, with up to four changes. Each flips a bit, deletes, doubles or
// copies a range, or replaces a JSON value.
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
