package words

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScale(t *testing.T) {
	for want, have := range map[string]string{
		"0 B/s": Bandwidths.Text(0, 3), "999 B/s": Bandwidths.Text(999, 3), "1.00 kB/s": Bandwidths.Text(1000, 3),
		"1000 PB/s": Bandwidths.Text(1e18, 3), "4.73 GB/s": Bandwidths.Text(4.7251e9, 3),
		"10.00 GB/s": Bandwidths.Text(9.9999e9, 3), "not known B/s": Bandwidths.Text(math.NaN(), 3),
		"1.000 MB/s": Bandwidths.Text(999.96e3, 3), "999 kB/s": Bandwidths.Text(999.4e3, 3),
		"1 MiB": Lengths.Short(1<<20 - 1), "1023 KiB": Lengths.Short(1023 << 10), "1 ms": Times.Short(999.96e-6),
		"500 ns": Times.Short(0.5e-6), "2 µs": Times.Short(2e-6), "1.25 ms": Times.Short(1.25e-3),
		"2480 s": Times.Short(2480), "1 s": Times.Short(1 - 1e-12), "1e+10 s": Times.Short(1e10),
		"0.001 ns": Times.Short(1e-12), "1.5 KiB": Lengths.Short(1536), "4 MiB": Lengths.Short(4 << 20),
		"12.3 kops/s": Rates.Short(12345), "-0.25": Short(-0.25), "1234567": Short(1234567),
		"0.00100": Digits(0.00099999, 2), "1200": Digits(1234, 2), "not known": Digits(math.Inf(1), 2),
	} {
		require.Equal(t, want, have)
	}
}

// The numbers in the line for scripts have the digits of the document: 256 times the second one is the first.
func TestMegabytes(t *testing.T) {
	require.Equal(t, "9709.549", Megabytes(9709.549e6, 1))
	require.Equal(t, "37.927926", Megabytes(9709.549e6, 256))
	require.Equal(t, "0.001234560", Megabytes(1234.56, 1))
}
