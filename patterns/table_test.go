package patterns

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// table2 is the paper's Table 2 in its own notation (release 2.1 has the same): l, L if it differs from l, and U, with
// one line for each pattern type.
var table2 = [...]string{
	Scatter:             "1M 0, M_PART 4, 1M:2M 4, 1M 4, 32k:1M 2, 1k:1M 2, 32k+8:1M+256 2, 1k+8:1M+8k 2, 1M+8 2",
	Shared:              "1M 0, M_PART 4, 1M 2, 32k 1, 1k 1, 32k+8 1, 1k+8 1, 1M+8 2",
	Separated:           "1M 0, M_PART 2, 1M 2, 32k 1, 1k 1, 32k+8 1, 1k+8 1, 1M+8 2",
	Segmented:           "1M 0, M_PART 2, 1M 2, 32k 1, 1k 1, 32k+8 1, 1k+8 1, 1M+8 2, fill 0",
	SegmentedCollective: "1M 0, M_PART 2, 1M 2, 32k 1, 1k 1, 32k+8 1, 1k+8 1, 1M+8 2, fill 0",
}

// parseSize returns a size of the table in bytes. k and M stand for 2^10 and 2^20.
func parseSize(t *testing.T, text string, mpart int64) int64 {
	if text == "M_PART" {
		return mpart
	}
	sum := int64(0)
	for term := range strings.SplitSeq(text, "+") {
		digits := strings.TrimRight(term, "kM")
		n, err := strconv.ParseInt(digits, 10, 64)
		require.NoError(t, err)
		switch term[len(digits):] {
		case "k":
			n *= 1024
		case "M":
			n *= 1024 * 1024
		}
		sum += n
	}
	return sum
}

func TestTable2(t *testing.T) {
	const mpart = 8 << 20
	var want []IORow
	for typ, line := range table2 {
		for cell := range strings.SplitSeq(line, ", ") {
			chunk, units, _ := strings.Cut(cell, " ")
			row := IORow{Number: len(want), Type: IOType(typ)}
			row.Units, _ = strconv.Atoi(units)
			if chunk == "fill" {
				row.Fill = true
			} else {
				disk, memory, two := strings.Cut(chunk, ":")
				if !two {
					memory = disk
				}
				row.Disk, row.Memory = parseSize(t, disk, mpart), parseSize(t, memory, mpart)
			}
			want = append(want, row)
		}
	}
	require.Len(t, want, 43)
	require.Equal(t, want, IO(mpart))
}
