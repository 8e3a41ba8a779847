package osu_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/format/live"
	"github.com/effective-bandwidth/beff/report/format/osu"
	"github.com/effective-bandwidth/beff/report/imports"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

// started is an engine that knows how long its start took, as that over an MPI does.
type started struct{ mpi.Engine }

func (started) Started() float64 { return 0.25 }

// ranks is the number of ranks of a test: two, or as few as have neighbours on both sides.
func ranks(k *kernel.Kernel) int {
	if k.Recipe.Neighbours {
		return 3
	}
	return 2
}

// ran returns the result of a test on a few ranks of the embedded engine, of a few repetitions.
func ran(t *testing.T, name string, lengths []int64, set func(*settings.Settings)) *probe.Result {
	t.Helper()
	k, _, found := suites.FindIn(kernel.OSU, name)
	require.True(t, found, name)
	warm := int64(1)
	c := probe.Config{Selections: []probe.Selection{{Kernel: k, Named: true}}, Settings: settings.Settings{
		Lengths: lengths, MsgsPer: 10, WarmUp: &warm, OSU: &settings.OSU{}}, Hosts: [][]int{{0}, {1}, {2}}[:ranks(k)]}
	c.Settings.Method = settings.ByOSU
	if set != nil {
		set(&c.Settings)
	}
	plan, err := probe.NewPlan(ranks(k), c)
	require.NoError(t, err)
	var r *probe.Result
	require.NoError(t, local.Run(ranks(k), func(e mpi.Engine) error {
		if k.Recipe.StartUp {
			e = started{e}
		}
		m, err := plan.Measure(e, rating.Observer[measured.Outcome]{})
		if e.World().Rank() == 0 {
			r = probe.NewResult(plan, m, probe.Run{Run: rating.Run{Library: e.Library()}})
		}
		return err
	}))
	return r
}

func textOf(t *testing.T, r *probe.Result) string {
	var b bytes.Buffer
	require.NoError(t, live.Write(&b, r, osu.New))
	return b.String()
}

// graph is a line of OSU's that is no part of ours: what making the communicator took.
var graph = regexp.MustCompile(`(?m)^Time took to create topology graph.*\n`)

// form returns a text with the ends of its fields in place of its figures.
func form(text string) string {
	var s strings.Builder
	for line := range strings.Lines(text) {
		if !regexp.MustCompile(`^(\s*\d|nprocs)`).MatchString(line) {
			s.WriteString(line)
			continue
		}
		for _, at := range regexp.MustCompile(`\S+`).FindAllStringIndex(line, -1) {
			fmt.Fprintf(&s, "%s@%d ", regexp.MustCompile(`\d+`).ReplaceAllString(line[at[0]:at[1]], "0"), at[1])
		}
		s.WriteString("\n")
	}
	return s.String()
}

// columns sets which columns a text has.
func columns(o settings.OSU) func(*settings.Settings) {
	return func(s *settings.Settings) { *s.OSU = o }
}

// TestForm compares heads, columns, widths and digits with what OSU 7.4 printed (testdata) for the same options.
func TestForm(t *testing.T) {
	tail := settings.DefaultTail
	for file, c := range map[string]struct {
		test string
		set  func(*settings.Settings)
	}{
		"latency":         {"osu_latency", nil},
		"latency-cz":      {"osu_latency", columns(settings.OSU{Validated: true, Tail: tail})},
		"bw-cz":           {"osu_bw", columns(settings.OSU{Validated: true, Tail: tail})},
		"bibw":            {"osu_bibw", nil},
		"mbw_mr":          {"osu_mbw_mr", nil},
		"mbw_mr-R0":       {"osu_mbw_mr", columns(settings.OSU{NoRate: true})},
		"bw_fan_out":      {"osu_bw_fan_out", nil},
		"bw_fan_in-z":     {"osu_bw_fan_in", columns(settings.OSU{Tail: tail})},
		"multi_lat":       {"osu_multi_lat", nil},
		"latency_mp":      {"osu_latency_mp", nil},
		"latency_mp-c":    {"osu_latency_mp", columns(settings.OSU{Validated: true})},
		"allreduce-fzc":   {"osu_allreduce", columns(settings.OSU{Full: true, Validated: true, Tail: tail})},
		"alltoall":        {"osu_alltoall", nil},
		"barrier-fz":      {"osu_barrier", columns(settings.OSU{Full: true, Tail: tail})},
		"ibarrier-f":      {"osu_ibarrier", columns(settings.OSU{Full: true})},
		"ibcast":          {"osu_ibcast", nil},
		"ialltoall":       {"osu_ialltoall", nil},
		"iallreduce-fc":   {"osu_iallreduce", columns(settings.OSU{Full: true, Validated: true})},
		"put_latency":     {"osu_put_latency", nil},
		"put_bw-z":        {"osu_put_bw", columns(settings.OSU{Tail: tail})},
		"put_bibw":        {"osu_put_bibw", nil},
		"get_acc_latency": {"osu_get_acc_latency", nil},
		"cas_latency":     {"osu_cas_latency", nil},

		"latency_persistent-c":  {"osu_latency_persistent", columns(settings.OSU{Validated: true})},
		"bibw_persistent":       {"osu_bibw_persistent", nil},
		"alltoall_persistent-f": {"osu_alltoall_persistent", columns(settings.OSU{Full: true})},
		"barrier_persistent-f":  {"osu_barrier_persistent", columns(settings.OSU{Full: true})},
		"alltoallw":             {"osu_alltoallw", nil},
		"neighbor_alltoallw":    {"osu_neighbor_alltoallw", nil},
		"neighbor_alltoallv-z":  {"osu_neighbor_alltoallv", columns(settings.OSU{Tail: tail})},
		"ineighbor_allgather-f": {"osu_ineighbor_allgather", columns(settings.OSU{Full: true})},
		"init":                  {"osu_init", nil},
		"hello":                 {"osu_hello", nil},
		"put_latency-wlock": {"osu_put_latency", func(s *settings.Settings) {
			s.OneSided = &settings.OneSided{Window: settings.Created, Sync: settings.ByLock}
		}},
	} {
		t.Run(file, func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join("testdata", file+".txt"))
			require.NoError(t, err)
			text := graph.ReplaceAllString(string(want), "")
			require.Equal(t, form(text), form(textOf(t, ran(t, c.test, []int64{4, 8}, c.set))))
		})
	}
}

// TestReadBack reads the text of each test back by the importer of OSU's text: each figure to the last digit.
func TestReadBack(t *testing.T) {
	for _, name := range suiteTests() {
		t.Run(name, func(t *testing.T) {
			r := ran(t, name, []int64{8, 64}, nil)
			text := textOf(t, r)
			if name == "osu_hello" {
				require.Contains(t, text, "This is a test with 2 processes\n") // which has no figure
				return
			}
			report, err := imports.Read(strings.NewReader(text), "x.txt")
			require.NoError(t, err, text)
			got := report.Measured().([]foreign.Table)
			if name == "osu_init" {
				require.Equal(t, []foreign.Row{{Values: []float64{0.25, 0.25, 0.25}}}, got[0].Rows)
				return
			}
			require.Len(t, got, 1)
			if strings.HasPrefix(name, "osu_bw_fan") {
				name = "osu_bw_fan" // the text doesn't say which way
			}
			require.Equal(t, name, got[0].Test)
			var printed []string
			for line := range strings.Lines(text) {
				if fields := strings.Fields(line); len(fields) > 0 && regexp.MustCompile(`^\d`).MatchString(fields[0]) {
					if got[0].Lengths {
						fields = fields[1:]
					}
					printed = append(printed, fields...)
				}
			}
			var read []string
			for _, row := range got[0].Rows {
				for i, v := range row.Values {
					read = append(read, strconv.FormatFloat(v/unit(got[0].Columns[i]), 'f', 2, 64))
				}
			}
			require.Equal(t, printed, read)
		})
	}
}

// unit returns the base units of a column's printed one.
func unit(c foreign.Column) float64 {
	return map[string]float64{"us": 1e-6, "MB/s": 1e6, "1/s": 1, "%": 0.01}[c.Printed]
}

// suiteTests returns the names of all of OSU's tests.
func suiteTests() (names []string) {
	for _, k := range suites.Of(kernel.OSU).Kernels() {
		names = append(names, k.Name)
	}
	return names
}

// TestParsers runs the rules by which programs of the field read the text, over ours: ReFrame's hpctestlib, Ramble's
// (benchpark's) and JUBE's.
func TestParsers(t *testing.T) {
	latency := textOf(t, ran(t, "osu_latency", []int64{8}, nil))
	bandwidth := textOf(t, ran(t, "osu_bw", []int64{1 << 22}, nil))
	t.Run("ReFrame", func(t *testing.T) { // the length at the beginning of a line, then the first word
		require.Regexp(t, `(?m)^8`, latency)
		require.Regexp(t, `(?m)^8\s+(\S+)`, latency)
		found := regexp.MustCompile(`(?m)^4194304\s+(\S+)`).FindStringSubmatch(bandwidth)
		require.Len(t, found, 2)
		_, err := strconv.ParseFloat(found[1], 64)
		require.NoError(t, err)
	})
	t.Run("Ramble", func(t *testing.T) { // exact heads, rows of an integer and decimals, the version, the type
		tails := columns(settings.OSU{Tail: settings.DefaultTail})
		for name, head := range map[string]string{
			"osu_latency": "# Size       Avg Latency(us)  P50 Tail Lat(us)  P90 Tail Lat(us)  P99 Tail Lat(us)",
			"osu_bw":      "# Size      Bandwidth (MB/s) P50 Tail BW(MB/s) P90 Tail BW(MB/s) P99 Tail BW(MB/s)",
		} {
			text := textOf(t, ran(t, name, []int64{8}, tails))
			require.Contains(t, text, head+"\n")
			require.Regexp(t, `(?m)^8\s+[0-9]+\.[0-9]+\s+[0-9]+\.[0-9]+\s+[0-9]+\.[0-9]+\s+[0-9]+\.[0-9]+$`, text)
			require.Regexp(t, `# OSU.*Test v7\.4`, text)
			require.Regexp(t, `# Datatype: (MPI_CHAR)\.`, text)
		}
		require.Contains(t, latency, "\n# Size       Avg Latency(us)\n")
		require.Contains(t, bandwidth, "\n# Size      Bandwidth (MB/s)\n")
	})
	t.Run("JUBE", func(t *testing.T) { // the last size and the last number of the output
		sizes := regexp.MustCompile(`\n(\d+)\s`).FindAllStringSubmatch(bandwidth, -1)
		require.Equal(t, "4194304", sizes[len(sizes)-1][1])
		numbers := regexp.MustCompile(`\d+\.\d+`).FindAllString(bandwidth, -1)
		require.True(t, strings.HasSuffix(strings.TrimSpace(bandwidth), numbers[len(numbers)-1]))
	})
}

// TestResult requires that a result says how many repetitions it has, and how many came before them, and is proven.
func TestResult(t *testing.T) {
	r := ran(t, "osu_allreduce", []int64{8}, columns(settings.OSU{Tail: []int{50}}))
	row := r.Blocks[0].Rows[0]
	require.EqualValues(t, 10, row.Repetitions)
	require.EqualValues(t, 1, row.WarmUp)
	require.Len(t, row.Each, 10)
	require.Zero(t, row.Defects)
	require.Positive(t, row.Checked)
	require.Equal(t, settings.ByOSU, r.Settings.Method)
	var b bytes.Buffer
	require.NoError(t, ofprobe.Report{Result: r}.Sealed(&b))
}
