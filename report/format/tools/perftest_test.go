package tools

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/foreign"
)

// The texts are constructed with the formats of perftest (perftest_parameters.c), not printed by a run.
const (
	perftestLine = "---------------------------------------------------------------------------------------\n"
	perftestBW   = perftestLine + "                    RDMA_Write BW Test\n" +
		" Dual-port       : OFF\t\tDevice         : mlx5_0\n Number of qps   : 1\t\tTransport type : IB\n" +
		" Connection type : RC\t\tUsing SRQ      : OFF\n PCIe relax order: ON\t\tLock-free      : OFF\n" +
		" ibv_wr* API     : ON\t\tUsing Enhanced Reorder      : OFF\n TX depth        : 128\n" +
		" CQ Moderation   : 1\n CQE Poll Batch  : 16\n Mtu             : 4096[B]\n Link type       : IB\n" +
		" Max inline data : 0[B]\n rdma_cm QPs\t : OFF\n Data ex. method : Ethernet\n" + perftestLine +
		" local address: LID 0x02 QPN 0x0127 PSN 0x4e7a3a RKey 0x181700 VAddr 0x007f0a00a10000\n" +
		" remote address: LID 0x03 QPN 0x0127 PSN 0x8ff1c9 RKey 0x181700 VAddr 0x007f1000a10000\n" + perftestLine +
		" #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]\n" +
		" 2          5000             6.50               6.25   \t\t     3.276800\n" +
		" 65536      5000             23500.00            23000.50\t\t     0.368008\n" + perftestLine
	perftestLat = perftestLine + "                    Send Latency Test\n" +
		" Dual-port       : OFF\t\tDevice         : mlx5_0\n TX depth        : 1\n" +
		" Mtu             : 4096[B]\n" + perftestLine +
		" #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   " +
		"99% percentile[usec]   99.9% percentile[usec] \n" +
		" 2       1000          1.05           5.50         1.10     \t       1.12        \t0.04   " +
		"\t\t1.25    \t\t5.50  \n" + perftestLine
)

func TestPerftest(t *testing.T) {
	r, err := readAs(t, perftestBW+perftestLat)
	require.NoError(t, err)
	require.Equal(t, []any{"perftest", 2, true, 2}, []any{r.Program, r.Processes, r.Complete, len(r.Tables)})
	x := r.Tables[0]
	require.Equal(t, []any{"RDMA_Write BW Test", foreign.Put, foreign.FullQueue, 128},
		[]any{x.Test, x.Operation, x.Way, x.Window})
	require.Equal(t, []string{"BW peak", "BW average", "MsgRate"}, heads(&x))
	require.Equal(t, foreign.Row{Bytes: 65536, Repetitions: 5000,
		Values: []float64{23500 * mebi, 23000.5 * mebi, 368008}}, row(t, r, 0, 65536))
	require.InEpsilon(t, 65536*368008.0, row(t, r, 0, 65536).Values[1], 1e-3, "MB are 2^20 bytes")
	for _, s := range []foreign.Setting{{Name: "Device", Value: "mlx5_0"}, {Name: "Mtu", Value: "4096[B]"},
		{Name: "Connection type", Value: "RC"}, {Name: "PCIe relax order", Value: "ON"}} {
		require.Contains(t, x.Settings, s)
	}
	x = r.Tables[1]
	require.Equal(t, []any{foreign.Message, foreign.HalfRoundTrip}, []any{x.Operation, x.Way})
	require.Equal(t, []string{"t_min", "t_max", "t_typical", "t_avg", "t_stdev", "99% percentile", "99.9% percentile"},
		heads(&x))
	require.Equal(t, 2, x.Main(foreign.Seconds))
	require.Equal(t, 1.1e-6, row(t, r, 1, 2).Values[2])
}

// Other units, tests and columns are read. A peak of 0 means that it wasn't measured.
func TestPerftestForms(t *testing.T) {
	gbits := strings.NewReplacer("MB/sec", "Gb/sec", "23000.50", "192.94  ", "6.25  ", "0.05  ",
		" 6.50", " 0.00", "23500.00", "0.00    ", "MsgRate[Mpps]", "MsgRate[Mpps]    CPU_Util[%]",
		"3.276800", "3.276800    5.00", "0.368008", "0.368008    5.00", "RDMA_Write BW", "RDMA_Write Bidirectional BW")
	r, err := readAs(t, "allocated GPU buffer address at 00007f3fa4000000 pointer=0x7f3fa4000000\n"+
		gbits.Replace(perftestBW))
	require.NoError(t, err)
	x := r.Tables[0]
	require.Equal(t, []any{foreign.PutBothWays, foreign.FullQueue}, []any{x.Operation, x.Way})
	require.Equal(t, []string{"BW average", "MsgRate"}, heads(&x), "the percentage isn't a figure of the network")
	require.Equal(t, []float64{192.94e9 / 8, 368008}, row(t, r, 0, 65536).Values)
	require.Contains(t, x.Settings, foreign.Setting{Name: "buffers", Value: "device"})

	head := perftestBW[:strings.Index(perftestBW, " #bytes")]
	for text, want := range map[string]string{
		strings.Replace(perftestBW, "0.368008", "", 1):       "4 figures in 5 columns",
		head + " #bytes #iterations BW average[x]\n 2 5 7\n": "RDMA_Write BW Test: no column has a known time",
		strings.Replace(perftestBW, " 23000.50", " fast", 1): `BW average: "fast" is not a number`,
		head: "no figures",
	} {
		_, err := readAs(t, text)
		require.ErrorContains(t, err, want, text)
	}
	r, err = readAs(t, strings.ReplaceAll(perftestBW, "MB/sec", "furlongs"))
	require.NoError(t, err)
	require.Equal(t, []string{"MsgRate"}, heads(&r.Tables[0]), "figures of unknown units are left out")
	r, err = readAs(t, strings.TrimSuffix(perftestBW, perftestLine))
	require.NoError(t, err)
	require.False(t, r.Complete)

	// A test in both directions may print tables for both sides (--report-both).
	r, err = readAs(t, perftestBW+"\n Local results: \n"+perftestBW[strings.Index(perftestBW, " #bytes"):]+
		"\n Remote results: \n"+perftestBW[strings.Index(perftestBW, " #bytes"):])
	require.NoError(t, err)
	require.Len(t, r.Tables, 3)
	require.Equal(t, "RDMA_Write BW Test, Remote results", r.Tables[2].Test)
	require.Empty(t, r.Tables[2].Operation)
}

// Labels and line ends around constructed texts change no figure.
func TestNoiseAroundConstructed(t *testing.T) {
	for _, text := range []string{ncclText, perftestBW + perftestLat} {
		want, err := readAs(t, text)
		require.NoError(t, err)
		for _, label := range []string{"0: ", "    ", "> ", "[1,0]<stdout>:", "2026-01-01T10:00:00 "} {
			noisy := label + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+label) + "\n"
			r, err := readAs(t, noisy)
			require.NoError(t, err, label)
			require.Equal(t, want.Tables, r.Tables, label)
			require.Equal(t, want.Complete, r.Complete, label)
		}
		r, err := readAs(t, "\ufeff"+strings.ReplaceAll(text, "\n", "\r\n"))
		require.NoError(t, err)
		require.Equal(t, want.Tables, r.Tables)
	}
}
