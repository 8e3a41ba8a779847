package patterns

import "slices"

// IOType is a pattern type of b_eff_io. Its value is the number in the paper (Sec. 4).
type IOType int

// The pattern types 0 to 4.
const (
	Scatter             IOType = iota // collective, strided, several chunks a call
	Shared                            // collective, strided by the shared pointer, one chunk a call
	Separated                         // one file per process
	Segmented                         // one file, one segment per process
	SegmentedCollective               // the same with collective calls
)

// String returns the name in hint files and reports, "" if there is no such type.
func (t IOType) String() string {
	names := [...]string{"scatter", "shared", "separated", "segmented", "seg_coll"}
	if t < 0 || int(t) >= len(names) {
		return ""
	}
	return names[t]
}

// IORow is one numbered pattern of b_eff_io.
type IORow struct {
	Number int    // 0..42
	Type   IOType // rows of one type follow each other
	Disk   int64  // l, contiguous bytes on disk, or 0 if Fill
	Memory int64  // L, contiguous bytes in memory per call, a multiple of Disk, or 0 if Fill
	Units  int    // U, units of time, or 0 for a single call
	Fill   bool   // fills up the segment in one call, whose size follows from the other rows
}

// MPart returns M_PART in bytes for the given bytes of memory per process: 1/128 of the memory, at least 2 MB and at
// most 1 GB (paper, Sec. 4; the upper bound is from HLRS release 2.1). It is rounded down to a multiple of 8 bytes, the
// size of the elementary type.
func MPart(memoryPerProcess int64) int64 {
	return min(max(memoryPerProcess/128, 2*mB), 1024*mB) / 8 * 8
}

// IO returns the 43 patterns in the order of their numbers, with M_PART replaced by mpart bytes (see MPart). The caller
// owns the slice.
func IO(mpart int64) []IORow {
	rows := slices.Clone(ioTable[:])
	for i := range rows {
		r := &rows[i]
		if r.Disk == mPart {
			r.Disk = mpart
		}
		if r.Memory == mPart {
			r.Memory = mpart
		}
	}
	return rows
}

const (
	kB    = 1 << 10
	mB    = 1 << 20
	mPart = -1 // stands for M_PART in ioTable
)

// ioTable is the paper's Table 2.
var ioTable = [...]IORow{
	{0, Scatter, mB, mB, 0, false},
	{1, Scatter, mPart, mPart, 4, false},
	{2, Scatter, mB, 2 * mB, 4, false},
	{3, Scatter, mB, mB, 4, false},
	{4, Scatter, 32 * kB, mB, 2, false},
	{5, Scatter, kB, mB, 2, false},
	{6, Scatter, 32*kB + 8, mB + 256, 2, false},
	{7, Scatter, kB + 8, mB + 8*kB, 2, false},
	{8, Scatter, mB + 8, mB + 8, 2, false},

	{9, Shared, mB, mB, 0, false},
	{10, Shared, mPart, mPart, 4, false},
	{11, Shared, mB, mB, 2, false},
	{12, Shared, 32 * kB, 32 * kB, 1, false},
	{13, Shared, kB, kB, 1, false},
	{14, Shared, 32*kB + 8, 32*kB + 8, 1, false},
	{15, Shared, kB + 8, kB + 8, 1, false},
	{16, Shared, mB + 8, mB + 8, 2, false},

	{17, Separated, mB, mB, 0, false},
	{18, Separated, mPart, mPart, 2, false},
	{19, Separated, mB, mB, 2, false},
	{20, Separated, 32 * kB, 32 * kB, 1, false},
	{21, Separated, kB, kB, 1, false},
	{22, Separated, 32*kB + 8, 32*kB + 8, 1, false},
	{23, Separated, kB + 8, kB + 8, 1, false},
	{24, Separated, mB + 8, mB + 8, 2, false},

	{25, Segmented, mB, mB, 0, false},
	{26, Segmented, mPart, mPart, 2, false},
	{27, Segmented, mB, mB, 2, false},
	{28, Segmented, 32 * kB, 32 * kB, 1, false},
	{29, Segmented, kB, kB, 1, false},
	{30, Segmented, 32*kB + 8, 32*kB + 8, 1, false},
	{31, Segmented, kB + 8, kB + 8, 1, false},
	{32, Segmented, mB + 8, mB + 8, 2, false},
	{33, Segmented, 0, 0, 0, true},

	{34, SegmentedCollective, mB, mB, 0, false},
	{35, SegmentedCollective, mPart, mPart, 2, false},
	{36, SegmentedCollective, mB, mB, 2, false},
	{37, SegmentedCollective, 32 * kB, 32 * kB, 1, false},
	{38, SegmentedCollective, kB, kB, 1, false},
	{39, SegmentedCollective, 32*kB + 8, 32*kB + 8, 1, false},
	{40, SegmentedCollective, kB + 8, kB + 8, 1, false},
	{41, SegmentedCollective, mB + 8, mB + 8, 2, false},
	{42, SegmentedCollective, 0, 0, 0, true},
}
