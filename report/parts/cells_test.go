package parts

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/document"
)

// FourDigits shows four digits, or all digits before the decimal point. Numbers that aren't known are a dash.
func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{0.0126: "0.013", 1: "1.000", 9.9994: "9.999", 10: "10.00", 99.99: "99.99",
		100: "100.0", 999.9: "999.9", 1000: "1000", 9999: "9999", 10000: "10000", 123456: "123456", 0: "-"} {
		require.Equal(t, want, FourDigits(x).Text)
	}
	for _, x := range []float64{0, math.NaN(), math.Inf(1), math.Inf(-1)} {
		require.Equal(t, document.Text("-"), Number(x, 3), "%v", x)
	}
	require.Equal(t, "-0.25", Number(-0.25, 2).Text)
}

// A share of 0 is shown, and a share that isn't known is a dash.
func TestShare(t *testing.T) {
	require.Equal(t, "0.0", Share(0).Text)
	require.Equal(t, "99.6", Share(0.996).Text)
	require.Equal(t, "-", Share(math.NaN()).Text)
}

// An interval that is many times its figure is shown as more than 1000 %.
func TestHalfWidth(t *testing.T) {
	require.Equal(t, "2.5", HalfWidth(0.025).Text)
	require.Equal(t, "> 1000", HalfWidth(1371616991098).Text)
	require.Equal(t, "-", HalfWidth(math.NaN()).Text)
}
