package hlrs_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/format/hlrs"
	"github.com/effective-bandwidth/beff/report/format/tools"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

func written(t testing.TB, r *beffio.Result) string {
	var b strings.Builder
	require.NoError(t, hlrs.BEffIO(&b, r))
	return b.String()
}

func TestWrite(t *testing.T) {
	for name, r := range fixture.IOResults() {
		t.Run(name, func(t *testing.T) {
			fixture.Golden(t, name+".sum", written(t, r))
		})
	}
}

// Results of quick or incomplete runs and of the embedded engine are not valid.
func TestMarked(t *testing.T) {
	for name, r := range fixture.IOResults() {
		valid := !strings.Contains(written(t, r), "NOT VALID for comparison")
		require.Equal(t, name == "whole" || name == "sure" || name == "old", valid, name)
	}
}

// A name that contains a line feed can't add a line.
func TestOneLine(t *testing.T) {
	r := fixture.IOResults()["whole"]
	r.Host.Name, r.FileSystem.Directory = "n1\nb_eff_io = 1 MB/s", "/a\n -N 3"
	text := written(t, r)
	require.NotContains(t, text, "\nb_eff_io = 1")
	require.NotContains(t, text, "\n -N 3")
}

// The file has the keys that readers look for.
func TestKeys(t *testing.T) {
	text := written(t, fixture.IOResults()["quick"])
	for _, key := range []string{
		"MEMORY_PER_PROCESSOR = ", ", MT=", " T=", "Date of measurement:", "b_eff_io of these measurements =",
		"total-write", "total-rewrite", "total-read",
		"NOT VALID for comparison", "criterion 1: ", "criterion 2: ", "criterion 3: ", "segmened",
		"individual file pointer",
	} {
		require.Contains(t, text, key)
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, " PEs ") && !strings.Contains(line, "total-") {
			require.Len(t, strings.Fields(line), 10, line)
		}
	}
}

func TestWriteErrors(t *testing.T) {
	r := fixture.IOResults()["old"]
	size := len(written(t, r))
	for _, room := range []int{0, size / 2, size - 1} {
		require.ErrorIs(t, hlrs.BEffIO(&fixture.Disk{Room: room}, r), fixture.ErrFull)
	}
	require.NoError(t, hlrs.BEffIO(&fixture.Disk{Room: size}, r))
}

// The file of a run without a rating has no rating.
func TestNotComputed(t *testing.T) {
	text := written(t, fixture.IOResults()["stopped"])
	require.Contains(t, text, "\n b_eff_io not computed: the measurement was ended too early: it needs write, "+
		"rewrite and read of all pattern types on one partition\n")
	require.Contains(t, text, "\nb_eff_io of these measurements not computed: it needs write, rewrite and read of "+
		"all pattern types\n")
	require.NotRegexp(t, `b_eff_io .*=`, text)
}

// All lines have the same memory of a process.
func TestMemory(t *testing.T) {
	m := fixture.IOCluster()
	m.Config.Memory = 256<<20 - 1
	text := written(t, m.Result())
	require.Contains(t, text, "MEMORY_PER_PROCESSOR =  255 MBytes")
	require.Equal(t, strings.Count(text, "MByte/PE"), strings.Count(text, "255 MByte/PE"))
}

// The layout is release 2.1's: a result with the figures of one of its files is written with the same characters,
// except in lines that can't be the same.
func TestLayout(t *testing.T) {
	paths, err := filepath.Glob("../../../../shared/data/b_eff_io/*.sum")
	require.NoError(t, err)
	for _, path := range append(paths, "../tools/testdata/beff/b_eff_io.sum") {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		f, err := tools.Read(bytes.NewReader(data), "a.sum")
		require.NoError(t, err)
		// Its last digit is beyond the three decimals of the table.
		rating := regexp.MustCompile(`b_eff_io (of these measurements )?=\s+\S+`)
		own := regexp.MustCompile(`(?m)^(b_eff_io\.c.*|-N .*|PATH=.*|\(by the paper.*|Total amount.*|  =.*percent.*|` +
			`  besides: .*| +\d+ PEs \d +32 .*)\n`) // chunks of 32 bytes come from a modified table
		number := regexp.MustCompile(`PEs \d `)
		zone := regexp.MustCompile(`(?m)^(Date of measurement: .*\d{4}) [+-]\d{4}$`) // which 2.1 doesn't print
		shared := func(text string) string {
			text = zone.ReplaceAllString(text, "$1")
			text = rating.ReplaceAllString(own.ReplaceAllString(text, ""), "b_eff_io =")
			return strings.ReplaceAll(number.ReplaceAllString(text, "PEs "), "\n\n\n", "\n\n")
		}
		require.Equal(t, shared(string(data)), shared(written(t, likeFile(f))))
	}
}

// likeFile returns a result with the bandwidths of a file of four processes.
func likeFile(f *foreign.Result) *beffio.Result {
	m := fixture.IOCluster()
	m.Config.Rules, m.Config.Partitions, m.Config.Duration, m.Config.RewriteAll = beffio.Rules21, []int{4},
		10*time.Second, true
	r := m.Result()
	r.Host, r.Started = f.Host, f.Started
	at := func(test, label string, bytes int64) float64 {
		for _, t := range f.Tables {
			for _, row := range t.Rows {
				if t.Test == test && row.Label == label && row.Bytes == bytes {
					return row.Values[0]
				}
			}
		}
		return 0
	}
	for i := range r.Files {
		file := &r.Files[i]
		bytes, seconds, fill := int64(0), 0.0, (*beffio.Sample)(nil)
		for j := range r.Samples {
			s := &r.Samples[j]
			p := r.Pattern(s.Pattern)
			if s.Access != file.Access || p.Type.String() != file.Type {
				continue
			}
			x := at(foreign.ByChunk(string(s.Access), file.Type), "", p.Disk)
			if p.Type == patterns.Scatter && p.Memory == 2*p.Disk {
				x = at(foreign.Pattern2, string(s.Access), 0)
			}
			if p.Units == 0 {
				fill = s
				s.Bytes, s.Seconds = 0, 1e-9
			} else {
				s.Seconds = float64(s.Bytes) / x
			}
			bytes, seconds = bytes+s.Bytes, seconds+s.Seconds
		}
		total := at(foreign.ByType(string(file.Access)), file.Type, 0)
		file.Open, file.Close = max(0, float64(bytes)/total-seconds), 0
		fill.Bytes = int64(max(0, total*seconds-float64(bytes)))
	}
	return r
}
