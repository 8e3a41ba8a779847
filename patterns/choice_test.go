package patterns

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDimsOfAll compares Dims with all factorizations: it returns the one with the least difference between the largest
// and the smallest factor, and among equal ones the one with the least largest factor.
func TestDimsOfAll(t *testing.T) {
	var all func(n, ndims, largest int) [][]int
	all = func(n, ndims, largest int) (list [][]int) {
		if ndims == 1 {
			if n <= largest {
				list = append(list, []int{n})
			}
			return list
		}
		for first := 1; first <= min(n, largest); first++ {
			if n%first == 0 {
				for _, rest := range all(n/first, ndims-1, first) {
					list = append(list, append([]int{first}, rest...))
				}
			}
		}
		return list
	}
	for ndims := 1; ndims <= 5; ndims++ {
		for n := 1; n <= 400; n++ {
			want := slices.MinFunc(all(n, ndims, n), func(a, b []int) int {
				if d := (a[0] - a[ndims-1]) - (b[0] - b[ndims-1]); d != 0 {
					return d
				}
				return slices.Compare(a, b)
			})
			require.Equal(t, want, Dims(n, ndims), "%d in %d", n, ndims)
		}
	}
}

// TestBelowMatchesLemire checks that below returns floor(x·n/2^64), where x is the first draw for which x·n mod 2^64 is
// at least 2^64 mod n. So the same number of draws leads to each result.
func TestBelowMatchesLemire(t *testing.T) {
	whole := new(big.Int).Lsh(big.NewInt(1), 64)
	for _, n := range []uint64{1, 2, 3, 1000, 1<<63 - 1, 1 << 63, 1<<63 + 1, 3 << 62, 1<<64 - 1} {
		source, same := rand.NewPCG(7, n), rand.NewPCG(7, n)
		factor := new(big.Int).SetUint64(n)
		least := new(big.Int).Mod(whole, factor)
		for range 200 {
			want, rest := new(big.Int), new(big.Int)
			for {
				product := new(big.Int).Mul(new(big.Int).SetUint64(same.Uint64()), factor)
				want.DivMod(product, whole, rest)
				if rest.Cmp(least) >= 0 {
					break
				}
			}
			require.Equal(t, want.Uint64(), below(source, n), "below %d", n)
		}
	}
}
