package imb

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/mutants"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// The examples of the guide, "Command-line Control".
func TestGuidesExamples(t *testing.T) {
	mib := int64(1 << 20)
	zero, one := 0, 1
	for line, want := range map[string]func(*probing.Request){
		"pingpong -off_cache -1": func(r *probing.Request) {
			r.Names, r.Settings.Memory.CacheSize, r.Settings.Memory.CacheLine = []string{"pingpong"}, 8*mib, 64
		},
		"-npmin 512 alltoallv -iter 20 -time 1.5 -mem 2": func(r *probing.Request) {
			r.Names, r.Settings.Who.MinProcesses, r.Settings.Repetitions.Max, r.Settings.Repetitions.SampleTime,
				r.Settings.Memory.Limit = []string{"alltoallv"}, 512, 20, 1.5, 2<<30
		},
		"":                      func(*probing.Request) {},
		"PingPing Reduce":       func(r *probing.Request) { r.Names = []string{"PingPing", "Reduce"} },
		"-input IMB_SELECT_EXT": func(r *probing.Request) { r.Input = "IMB_SELECT_EXT" },
		"-multi 0 PingPong Barrier -map 2x7": func(r *probing.Request) {
			r.Settings.Who.Multi, r.Names, r.Settings.Who.Map = &zero, []string{"PingPong", "Barrier"}, []int{2, 7}
		},
		"-msglog 2:7 -include PingPongSpecificSource PingPingSpecificSource " +
			"-exclude Alltoall Alltoallv --guide": func(r *probing.Request) {
			r.Settings.Method = settings.ByGuide
			r.Settings.Rows.Log = []int{2, 7}
			r.Settings.Rows.Lengths, r.Include = []int64{0, 4, 8, 16, 32, 64, 128},
				[]string{"PingPongSpecificSource", "PingPingSpecificSource"}
			r.Exclude = []string{"Alltoall", "Alltoallv"}
		},
		"-multi 1 Put_local": func(r *probing.Request) { r.Settings.Who.Multi, r.Names = &one, []string{"Put_local"} },
		"-off_cache 2.5": func(r *probing.Request) {
			r.Settings.Memory.CacheSize, r.Settings.Memory.CacheLine = 5*mib/2,
				64
		},
		"-off_cache 16,128": func(r *probing.Request) {
			r.Settings.Memory.CacheSize, r.Settings.Memory.CacheLine = 16*mib,
				128
		},
		"-iter 2000,100": func(r *probing.Request) {
			r.Settings.Repetitions.Max, r.Settings.Repetitions.Volume = 2000,
				100*mib
		},
		"-iter 1000,40,150": func(r *probing.Request) {
			r.Settings.Repetitions.Max, r.Settings.Repetitions.Volume, r.Settings.Repetitions.MaxNonAggr = 1000,
				40*mib, 150
		},
		"-iter 2000,multiple_np": func(r *probing.Request) {
			r.Settings.Repetitions.Max, r.Settings.Repetitions.Policy = 2000,
				settings.MultipleNP
		},
		"-iter auto":                  func(r *probing.Request) { r.Settings.Repetitions.Policy = settings.Auto },
		"-iter_policy off":            func(r *probing.Request) { r.Settings.Repetitions.Policy = settings.Off },
		"-msglen Lengths":             func(r *probing.Request) { r.Lengths = "Lengths" },
		"-msglog 3":                   logs(0, 3, 0, 1, 2, 4, 8),
		"-msglog 31:32":               logs(31, 32, 0, 1<<31, 1<<32),
		"-msglen Lengths -msglog 0:0": logs(0, 0, 0, 1),
		"-thread_level multiple Bcast": func(r *probing.Request) {
			r.ThreadLevel, r.Names = "multiple", []string{"Bcast"}
		},
		"PingPong,Bcast -exclude a,b c": func(r *probing.Request) { // as in IMB 2021.11, and not as in the guide
			r.Names, r.Exclude = []string{"PingPong", "Bcast", "c"}, []string{"a", "b"}
			r.Notices = []string{"c after -exclude is taken as a benchmark to run, as in IMB 2021.11: separate the " +
				"names by commas only"}
		},
		"-off_cache 16 -off_cache 0": func(*probing.Request) {},
		"-multi 1 -multi -1":         func(*probing.Request) {},
		"-help":                      func(r *probing.Request) { r.Help = true },
		"-p /tmp":                    func(r *probing.Request) { r.Directory = "/tmp" },
	} {
		t.Run(line, func(t *testing.T) {
			r := probing.NewRequest(kernel.MPI1)
			want(r)
			got, err := Parse(kernel.MPI1, strings.Fields(line))
			require.NoError(t, err)
			require.Equal(t, r, got)
		})
	}
}

// Each error is one line that names the option and the values that it wants.
func TestWrongValues(t *testing.T) {
	for line, want := range map[string]string{
		"-npmin":               "option -npmin: P is missing",
		"-npmin x":             `-npmin "x": want a whole number of at least 1`,
		"-npmin 0":             `-npmin "0": want a whole number of at least 1`,
		"-npmin 9999999999":    `-npmin "9999999999": want a whole number of at least 1`,
		"-multi 2":             `-multi "2": want 0, 1 or -1`,
		"-multi PingPong":      `-multi "PingPong": want 0, 1 or -1`,
		"-off_cache 0,64":      `-off_cache "0,64": the cache's size: want at least 1 byte`,
		"-off_cache 1,0":       `-off_cache "1,0": the cache line's size: want at least 1 byte`,
		"-off_cache NaN":       `-off_cache "NaN": the cache's size: want a number`,
		"-iter 0":              `-iter "0": want MSGSPERSAMPLE`,
		"-iter 1,2,3,4":        `-iter "1,2,3,4": want MSGSPERSAMPLE`,
		"-iter often":          `-iter "often": want MSGSPERSAMPLE`,
		"-iter auto,3":         `-iter "auto,3": want MSGSPERSAMPLE`,
		"-iter_policy always":  `-iter_policy "always": want dynamic, multiple_np, auto or off`,
		"-time 0":              `-time "0": want a time above 0`,
		"-time Inf":            `-time "Inf": want 45m, 90s or a number of seconds`,
		"-mem -1":              `-mem "-1": want a number with a unit`,
		"-mem 0":               `-mem "0": want at least 1 byte`,
		"-mem 4294967297":      `-mem "4294967297": too large`,
		"-map 2":               `-map "2": want PxQ`,
		"-map 0x2":             `-map "0x2": want PxQ`,
		"-map 65536x65536":     `-map "65536x65536": want P and Q of at least 1 with at most 2^31-1 processes`,
		"-msglog 7:3":          `-msglog "7:3": want the exponents`,
		"-msglog 41":           `-msglog "41": want the exponents`,
		"-msglog -1":           `-msglog "-1": want the exponents`,
		"-thread_level all":    `-thread_level "all": want single, funneled, serialized, multiple or nompinit`,
		"-pitch 2":             `unknown option "-pitch": beff imb mpi1 -help`,
		"PingPong -data_type":  "option -data_type: TYPE is missing",
		"-data_type complex":   `-data_type "complex": want byte, char, int, float, double, float16 or bfloat16`,
		"-sync maybe":          `-sync "maybe": want on or off`,
		"-root_shift 2":        `-root_shift "2": want on or off`,
		"-aggregate_mode some": `-aggregate_mode "some": want aggregate, non_aggregate or multi`,
		"-contig_type odd":     `-contig_type "odd": want base, base_vec, resize or resize_vec`,
		"-msgsize 1,x":         `-msgsize "1,x": "x": want a number of bytes`,
		"-exclude a -bogus":    `unknown option "-bogus"`,
		"-include a,,b":        `-include "a,,b": want names`,
		"--self=yes PingPong":  "option --self has no value",
		"--wal 4":              "did you mean --wall?",
	} {
		_, err := Parse(kernel.MPI1, strings.Fields(line), "--wall")
		require.ErrorContains(t, err, want, line)
		require.NotContains(t, err.Error(), "\n")
	}
}

// The table has every option of the guide, and every row has a help text.
func TestOptions(t *testing.T) {
	var all []string
	for _, o := range Options(Guide) {
		require.NotEmpty(t, o.Help)
		require.True(t, o.Value == "" || o.Example != "", o.Name)
		all = append(all, o.Spellings(Guide)...)
	}
	for _, name := range strings.Fields("-npmin -multi -off_cache -iter -iter_policy -time -mem -msglen -map -input " +
		"-include -exclude -msglog -thread_level") {
		require.Contains(t, all, name)
	}
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(all))), len(all))
}

func FuzzParse(f *testing.F) {
	f.Add("-npmin 2 -multi 0 PingPong -off_cache -1 -iter 1,2,3,off -time 0.1 -mem 2 -map 2x7 -msglog 3:7")
	f.Add("-include a,b c -exclude d --within=3% -help -thread_level single")
	mutants.Fuzz(f, func(t *testing.T, line string) {
		r, err := Parse(kernel.RMA, strings.Fields(line))
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		s := r.Settings
		require.GreaterOrEqual(t, s.Who.MinProcesses, 0)
		require.Positive(t, s.Repetitions.SampleTime)
		require.Positive(t, s.Memory.Limit)
		for _, n := range append(s.Rows.Lengths, s.Repetitions.Max, s.Repetitions.MaxNonAggr, s.Repetitions.Volume,
			s.Memory.CacheSize, s.Memory.CacheLine) {
			require.GreaterOrEqual(t, n, int64(0))
		}
		for _, name := range append(r.Names, r.Exclude...) {
			require.NotEmpty(t, name)
		}
	})
}

// logs returns what -msglog asks for.
func logs(low, high int, lengths ...int64) func(*probing.Request) {
	return func(r *probing.Request) { r.Settings.Rows.Lengths, r.Settings.Rows.Log = lengths, []int{low, high} }
}
