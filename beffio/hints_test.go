package beffio

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
)

// A hints file has a line for each hint, with processes, access, type, chunk, key and value. The error for a wrong line
// names the line and the field.
func TestParseHints(t *testing.T) {
	rules, err := ParseHints(strings.NewReader("# striping\n\n 4 write shared 1032 striping_unit  a value \n" +
		"all\tall all on_open cb_nodes 2\n"))
	require.NoError(t, err)
	shared := patterns.Shared
	require.Equal(t, []HintRule{
		{Line: 3, Processes: 4, Access: Write, Type: &shared, Chunk: "1032",
			Hint: mpi.Hint{Key: "striping_unit", Value: "a value"}},
		{Line: 4, Chunk: "on_open", Hint: mpi.Hint{Key: "cb_nodes", Value: "2"}},
	}, rules)
	long := "1 all all all key " + strings.Repeat("x", 2000-len("1 all all all key "))
	_, err = ParseHints(strings.NewReader(long))
	require.NoError(t, err, "2000 bytes")
	_, err = ParseHints(strings.NewReader("#" + strings.Repeat("x", 1<<20-2) + "\n"))
	require.NoError(t, err, "a comment of 1 MB")
	_, err = ParseHints(strings.NewReader("#" + strings.Repeat("x", 1<<20) + "\n"))
	require.ErrorContains(t, err, "hints: ")
	for line, want := range map[string]string{
		long + "x":                    "hints, line 1: longer than 2000 bytes",
		"0 all all all k v":           `hints, line 1: processes "0"`,
		"\n-1 all all all k v":        `hints, line 2: processes "-1"`,
		"some all all all k v":        `processes "some"`,
		"all append all all k v":      `access "append"`,
		"all all strided all k v":     `type "strided"`,
		"all all all 4096 k v":        `chunk "4096"`,
		"all all all all k":           "value is missing",
		"all all all all":             "key is missing",
		"all all all":                 "chunk is missing",
		"all":                         "access is missing",
		"1 read seg_coll Lmax a b\nx": "hints, line 2",
	} {
		_, err := ParseHints(strings.NewReader(line))
		require.ErrorContains(t, err, want)
	}
}

// A call gets the hints that match its processes, access, type and chunk, in the order of the file.
func TestHintsOfCalls(t *testing.T) {
	rules, err := ParseHints(strings.NewReader(`4 all all all processes 1
all write all all access 1
all all shared all type 1
all all all on_open open 1
all all all Lmax part 1
all all all 1024 kB 1
all all all 1048584 MB+8 1
`))
	require.NoError(t, err)
	plan, err := NewPlan(4, small(func(c *Config) {
		c.Hints = rules
		c.Partitions = []int{2,
			4}
		c.MaxBytes = 1 << 40
	}))
	require.NoError(t, err)
	for _, c := range []struct {
		n      int
		access Access
		typ    patterns.IOType
		disk   int64
		want   string
	}{
		{2, Read, patterns.Scatter, 32 << 10, ""},
		{4, Read, patterns.Scatter, 32 << 10, "processes"},
		{2, Write, patterns.Scatter, 32 << 10, "access"},
		{2, Read, patterns.Shared, 32 << 10, "type"},
		{2, Read, patterns.Scatter, 0, "open"},
		{2, Read, patterns.Scatter, 2 << 20, "part"},
		{2, Read, patterns.Scatter, 1 << 10, "kB"},
		{2, Read, patterns.Scatter, 1<<20 + 8, "MB+8"},
		{2, Read, patterns.Segmented, fillDisk, ""},
		{4, Write, patterns.Shared, 1 << 10, "processes access type kB"},
	} {
		var keys []string
		for _, h := range plan.hints(c.n, c.access, c.typ, c.disk) {
			keys = append(keys, h.Key)
		}
		require.Equal(t, c.want, strings.Join(keys, " "), "%+v", c)
	}
}
