package patterns

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const somePart = 3*mB + 8

func TestIO(t *testing.T) {
	rows := IO(somePart)
	require.Len(t, rows, 43)
	var timed, fills int
	var units [5]int
	for i, r := range rows {
		require.Equal(t, i, r.Number)
		units[r.Type] += r.Units
		if r.Units > 0 {
			timed++
		}
		if r.Fill {
			fills++
			require.Equal(t, IORow{Number: i, Type: r.Type, Fill: true}, r)
			continue
		}
		require.Zero(t, r.Disk%8, "%+v", r)
		require.Positive(t, r.Disk)
		require.Zero(t, r.Memory%r.Disk, "%+v", r)
		require.Positive(t, r.Memory)
		if r.Type != Scatter {
			require.Equal(t, r.Disk, r.Memory)
		}
	}
	require.Equal(t, 36, timed)
	require.Equal(t, 2, fills)
	require.True(t, rows[33].Fill && rows[42].Fill)
	require.Equal(t, [5]int{22, 12, 10, 10, 10}, units)
}

func TestIORows(t *testing.T) {
	rows := IO(somePart)
	require.Equal(t, IORow{Number: 1, Type: Scatter, Disk: somePart, Memory: somePart, Units: 4}, rows[1])
	require.Equal(t, IORow{Number: 6, Type: Scatter, Disk: 32776, Memory: 32 * 32776, Units: 2}, rows[6])
	require.Equal(t, IORow{Number: 7, Type: Scatter, Disk: 1032, Memory: 1024 * 1032, Units: 2}, rows[7])
	require.Equal(t, IORow{Number: 16, Type: Shared, Disk: 1048584, Memory: 1048584, Units: 2}, rows[16])

	// Types 3 and 4 have the rows of type 2 and one that fills up the segment.
	for i := range 8 {
		for j, typ := range []IOType{Segmented, SegmentedCollective} {
			want := rows[17+i]
			want.Number, want.Type = 25+9*j+i, typ
			require.Equal(t, want, rows[25+9*j+i])
		}
	}
	first := map[IOType]int{}
	for i := len(rows) - 1; i >= 0; i-- {
		first[rows[i].Type] = i
	}
	require.Equal(t, map[IOType]int{Scatter: 0, Shared: 9, Separated: 17, Segmented: 25, SegmentedCollective: 34},
		first)

	rows[0].Disk = 1
	require.EqualValues(t, mB, IO(somePart)[0].Disk, "the table is not shared")
}

func TestIOTypeString(t *testing.T) {
	require.Equal(t, "scatter", Scatter.String())
	require.Equal(t, "seg_coll", SegmentedCollective.String())
	require.Empty(t, IOType(-1).String())
	require.Empty(t, IOType(5).String())
}

func TestMPart(t *testing.T) {
	for memory, want := range map[int64]int64{
		0:                    2 * mB,
		256 * mB:             2 * mB,
		256*mB + 128*8:       2*mB + 8,
		256*mB + 128*15:      2*mB + 8, // a multiple of 8
		1024 * mB:            8 * mB,
		128 * 1024 * mB:      1024 * mB,
		128*1024*mB + 128*64: 1024 * mB,
		1 << 62:              1024 * mB,
	} {
		require.Equal(t, want, MPart(memory), "%d", memory)
	}
}
