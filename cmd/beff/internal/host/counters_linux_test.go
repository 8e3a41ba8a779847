package host

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// Counters of errors, retries and drops are read for all kinds of networks. Counters of traffic, of software devices,
// and of drops outside the network aren't. Load reports by host which counters have grown.
func TestCounters(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	write("sys/class/net/eth0/statistics/rx_bytes", "1000\n")
	write("sys/class/net/eth0/statistics/rx_errors", "5\n")
	write("sys/class/net/eth0/statistics/rx_dropped", "5\n") // of unknown protocols, too
	write("sys/class/net/eth0/device/vendor", "0x15b3\n")
	write("sys/class/net/lo/statistics/rx_errors", "7\n")
	write("sys/class/net/docker0/statistics/tx_dropped", "7\n")
	write("sys/class/infiniband/mlx5_0/ports/1/counters/symbol_error", "0\n")
	write("sys/class/infiniband/mlx5_0/ports/1/counters/port_xmit_wait", "99\n")
	write("sys/class/infiniband/mlx5_0/ports/1/hw_counters/packet_seq_err", "1\n")
	write("sys/class/infiniband/mlx5_0/ports/1/hw_counters/local_ack_timeout_err", "none\n")
	write("sys/class/cxi/cxi0/device/telemetry/pct_retry_srb_requests", "12@1700000000.5\n")
	snmp := func(sent, again int) {
		write(fmt.Sprintf("proc/%d/net/snmp", os.Getpid()),
			fmt.Sprintf("Tcp: OutSegs RetransSegs InErrs\nTcp: %d %d 0\n", sent, again))
	}
	snmp(1000, 5)
	before := counters(root)
	require.Equal(t, map[string]int64{sent: 1000, retransmitted: 5, "eth0/rx_errors": 5, "mlx5_0/1/symbol_error": 0,
		"mlx5_0/1/packet_seq_err": 1, "cxi0/pct_retry_srb_requests": 12}, before)
	m := NewMeter(root)
	write("sys/class/net/eth0/statistics/rx_errors", "8\n")
	write("sys/class/net/eth0/statistics/rx_dropped", "9\n")
	write("sys/class/infiniband/mlx5_0/ports/1/counters/symbol_error", "2\n")
	write("sys/class/net/eth0/statistics/rx_bytes", "1000000\n")
	for _, few := range []struct{ sent, again int }{{1000, 14}, {12001, 16}} { // by any connection
		snmp(few.sent, few.again)
		require.NotContains(t, m.Use().Counters, retransmitted)
	}
	snmp(12000, 16)
	u := m.Use()
	require.Equal(t, map[string]int64{"eth0/rx_errors": 3, "mlx5_0/1/symbol_error": 2, retransmitted: 11}, u.Counters)

	u.Processors, u.Seconds = 4, 1
	other := Use{Numbers: Numbers{Processors: 4, Seconds: 1}}
	l := Load(&job.Layout{Placement: []job.Placement{{Host: "a"}, {Host: "b"}}, Ranks: [][]int{{0}, {1}}}, "",
		[]Use{other, u})
	require.Equal(t, []rating.Counter{{Host: "b", Name: "eth0/rx_errors", Count: 3},
		{Host: "b", Name: "mlx5_0/1/symbol_error", Count: 2}, {Host: "b", Name: retransmitted, Count: 11}}, l.Counters)
	alone := Load(&job.Layout{Placement: []job.Placement{{Host: "b"}}, Ranks: [][]int{{0}}}, "", []Use{u})
	require.NotContains(t, fmt.Sprint(alone.Counters), retransmitted)
	signs := l.Signs()
	require.True(t, rating.Noisy(signs))
	require.Contains(t, rating.Warnings(signs)[0].Text, "eth0/rx_errors of b by 3, mlx5_0/1/symbol_error of b by 2, "+
		"tcp/RetransSegs of b by 11")
	require.Empty(t, increased(before, before))
}
