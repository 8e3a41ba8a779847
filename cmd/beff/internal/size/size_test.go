package size

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/effective-bandwidth/beff/internal/mutants"
	"github.com/stretchr/testify/require"
)

func read(text string) (Bytes, error) {
	var b Bytes
	err := b.UnmarshalText([]byte(text))
	return b, err
}

func TestRead(t *testing.T) {
	for text, want := range map[string]Bytes{
		"0": 0, "1": 1, "42B": 42, "1024": 1024, "007": 7,
		"1k": 1 << 10, "1K": 1 << 10, "1M": 1 << 20, "1G": 1 << 30, "1T": 1 << 40, "1P": 1 << 50,
		"1KiB": 1 << 10, "1MiB": 1 << 20, "1GiB": 1 << 30, "1TiB": 1 << 40, "1PiB": 1 << 50,
		"1kB": 1e3, "1KB": 1e3, "1MB": 1e6, "1GB": 1e9, "1TB": 1e12, "1PB": 1e15,
		"512MiB": 512 << 20, "1.5G": 3 << 29, ".5k": 512, "2.k": 2048, "0.3B": 0, "0.5B": 1,
		" 8 M ": 8 << 20, "1k+8": 1032, "1M + 1k + 1": 1<<20 + 1<<10 + 1, "4096P": 1 << 62,
	} {
		got, err := read(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
}

func TestRefuse(t *testing.T) {
	const form = "want a number with a unit such as 512MiB, 1G or 4kB"
	for text, want := range map[string]string{
		"": form, " ": form, "k": form, "GiB": form, ".": form, "1..5k": form, "-1": form, "1e6": form, "0x10": form,
		"1,5G": form, "1_000": form,
		"NaN": form, "Inf": form, "1 0k": form, "12X": form, "1+": form, "+1": form, "1k+8x": form, "1m": form,
		"1 gib": form, "١k": form, "1µ": form,
		"1iB": `unknown unit "iB"`, "1Ki": `unknown unit "Ki"`, "1kk": `unknown unit "kk"`,
		"1k B": `unknown unit "k B"`, "1BB": `unknown unit "BB"`,
		"4097P": "too large", "99999999999999999999": "too large", strings.Repeat("9", 400): "too large",
		"4096P+4096P": "too large",
	} {
		_, err := read(text)
		require.EqualError(t, err, "size "+strconv.Quote(text)+": "+want)
	}
}

// A text that can't be parsed doesn't change the old value.
func TestRefuseKeeps(t *testing.T) {
	b := Bytes(7)
	require.Error(t, b.UnmarshalText([]byte("1k+x")))
	require.EqualValues(t, 7, b)
}

func TestString(t *testing.T) {
	for b, want := range map[Bytes]string{
		0: "0 B", 1: "1 B", 1023: "1023 B", 1024: "1 KiB", 1536: "1.5 KiB", 1<<20 - 1: "1024 KiB", 1 << 20: "1 MiB",
		9742:      "9.514 KiB",
		1<<40 - 1: "1024 GiB", 100 << 40: "100 TiB", 1 << 50: "1 PiB", 1 << 62: "4096 PiB", -5: "-5 B",
	} {
		require.Equal(t, want, b.String())
	}
}

// FuzzSize checks that each size is parsed back exactly from its number of bytes, and to 4 digits from its text.
func FuzzSize(f *testing.F) {
	for _, text := range []string{"", "0", "1k+8", "512MiB", "1.5GB", "4096P", "1e9", "+", "k", "-1", "1 T",
		"0.0000000001P", "99999999999999999999999"} {
		f.Add(text)
	}
	mutants.Fuzz(f, func(t *testing.T, text string) {
		b, err := read(text)
		if err != nil {
			require.Zero(t, b)
			return
		}
		require.GreaterOrEqual(t, b, Bytes(0))
		again, err := read(b.String())
		require.NoError(t, err, "%q from %q", b, text)
		require.InDelta(t, float64(b), float64(again), 1+0.5e-3*float64(b))
		if b < 1<<53 {
			again, err = read(strconv.FormatInt(int64(b), 10))
			require.NoError(t, err)
			require.Equal(t, b, again)
		}
		doubled, err := read(text + "+" + text)
		if b < math.MaxInt64/8 {
			require.NoError(t, err)
			require.InDelta(t, 2*float64(b), float64(doubled), 1+1e-9*float64(b))
		}
	})
}
