package imb

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// The options of IMB 2021.11 that the guide doesn't have.
func TestOptionsOfIMB2021(t *testing.T) {
	yes, no, none := true, false, int64(0)
	for line, want := range map[string]func(*settings.Settings){
		"-sync 0":                        func(s *settings.Settings) { s.Sync = &no },
		"-sync Enable":                   func(s *settings.Settings) { s.Sync = &yes },
		"-root_shift yes":                func(s *settings.Settings) { s.RootShift = &yes },
		"-imb_barrier on":                func(s *settings.Settings) { s.OwnBarrier = true },
		"-data_type double":              func(s *settings.Settings) { s.DataType = "double" },
		"-data_type int -data_type byte": func(*settings.Settings) {},
		"-red_data_type int":             func(s *settings.Settings) { s.RedType = "int" },
		"-data_type_for_reduction int":   func(s *settings.Settings) { s.RedType = "int" },
		"-red_data_type float":           func(*settings.Settings) {},
		"-contig_type base":              func(*settings.Settings) {},
		"-contig_type resize_vec":        func(s *settings.Settings) { s.ContigType = "resize_vec" },
		"-zero_size off":                 func(s *settings.Settings) { s.NoZero = true },
		"-warm_up off":                   func(s *settings.Settings) { s.Repetitions.WarmUp = &none },
		"-warm_up off -warm_up on":       func(*settings.Settings) {},
		"-aggregate_mode non_aggregate":  func(s *settings.Settings) { s.OnlyMode = settings.NonAggregate },
		"-aggregate_mode multi":          func(*settings.Settings) {},
		"-msg_pause on":                  func(s *settings.Settings) { s.Pause = 0.1 },
		"-msgsize 4,64k,1M":              func(s *settings.Settings) { s.Rows.Lengths = []int64{4, 64 << 10, 1 << 20} },
		"-mem_alloc_type cpu":            func(*settings.Settings) {},
		"--guide":                        func(s *settings.Settings) { s.Method = settings.ByGuide },
	} {
		r := probing.NewRequest(kernel.MPI1)
		want(&r.Settings)
		got, err := Parse(kernel.MPI1, strings.Fields(line))
		require.NoError(t, err, line)
		require.Equal(t, r.Settings, got.Settings, line)
		require.Empty(t, got.Notices, line)
	}
}

// Options without an effect are accepted with a notice.
func TestNotices(t *testing.T) {
	for line, want := range map[string]string{
		"-show_tail":                  "-show_tail is ignored: the text always has IMB's last line",
		"-show_tail off PingPong":     "-show_tail is ignored: the text always has IMB's last line",
		"-contig_type resize --guide": "-contig_type is ignored: the guide has elements one after the other",
		"-mem_alloc_type device":      "-mem_alloc_type device is ignored: data are in the memory of the processors",
		"-thread_level nompinit":      "-thread_level nompinit is ignored: without MPI_Init there is no message",
		"-data_type char":             "-data_type char: the data are bytes, which move alike",
		"-data_type bfloat16":         "-data_type bfloat16: the MPI standard has no such type; the data are bytes",
		"-red_data_type char": "-red_data_type char: the MPI standard doesn't add characters (MPI 4.1, " +
			"6.9.2); the numbers are floats",
		"-aggregate_mode multi PingPong": "-aggregate_mode is ignored: it has no effect on these benchmarks",
	} {
		r, err := Parse(kernel.MPI1, strings.Fields(line))
		require.NoError(t, err, line)
		config, err := r.Config()
		require.NoError(t, err, line)
		require.Equal(t, []string{want}, config.Notices, line)
	}
	r, err := Parse(kernel.EXT, strings.Fields("-sync on -sync off -root_shift on"))
	require.NoError(t, err)
	config, err := r.Config()
	require.NoError(t, err)
	require.Equal(t, []string{"-sync is ignored: it has no effect on these benchmarks",
		"-root_shift is ignored: it has no effect on these benchmarks"}, config.Notices)
}

// A word after -show_tail that is no value of a switch is a benchmark.
func TestOptionalValue(t *testing.T) {
	r, err := Parse(kernel.MPI1, strings.Fields("-show_tail PingPong"))
	require.NoError(t, err)
	require.Equal(t, []string{"PingPong"}, r.Names)
}
