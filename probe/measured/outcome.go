package measured

import (
	"reflect"
	"slices"

	"github.com/effective-bandwidth/beff/rating"
)

// Since returns the new part of a measurement: the rows that before doesn't have, in their blocks, and everything
// outside of blocks. It reports false if there is no new row or note.
func (m *Outcome) Since(before *Outcome) (Outcome, bool) {
	news := *m
	news.Blocks = nil
	for i, b := range m.Blocks {
		if i < len(before.Blocks) {
			n := len(before.Blocks[i].Rows)
			b.Rows = b.Rows[n:]
		}
		if len(b.Rows) == 0 {
			continue
		}
		news.Blocks = append(news.Blocks, b)
	}
	return news, len(news.Blocks) > 0 || len(m.Notes) > len(before.Notes)
}

// Add adds the result of Since to a measurement: rows of its blocks, and further blocks.
func (m *Outcome) Add(news Outcome) {
	blocks := m.Blocks
	for _, b := range news.Blocks {
		if i := IndexOf(blocks, &b, len(blocks)-1); i >= 0 {
			b.Rows = append(blocks[i].Rows, b.Rows...)
			blocks[i] = b
		} else {
			blocks = append(blocks, b)
		}
	}
	*m = news
	m.Blocks = blocks
}

// IndexOf returns the index of a block in a list, or -1 if it isn't there. It first looks at index guess.
func IndexOf(list []Block, b *Block, guess int) int {
	if guess >= 0 && guess < len(list) && b.same(list[guess]) {
		return guess
	}
	return slices.IndexFunc(list, b.same)
}

// same reports whether two blocks have the same kernel, processes and choices.
func (b *Block) same(other Block) bool {
	if b.Kernel != other.Kernel || b.Pass != other.Pass {
		return false
	}
	x, y := *b, other
	x.Rows, x.Barriers, y.Rows, y.Barriers = nil, nil, nil, nil
	return reflect.DeepEqual(x, y)
}

// Outcome is the outcome of a measurement on process 0. On other processes it is meaningless.
type Outcome struct {
	CPU         CPU
	Factors     []float64 // of the processes; nil if all are 1
	Clock       *Clock    // nil if there are no series
	Notes       []rating.Warning
	Blocks      []Block
	WallSeconds float64 // from the first barrier to the end of the last row
}

// Unfold gives the blocks of a journal's record the groups that their ranges describe.
func (o *Outcome) Unfold() error { return Unfold(o.Blocks) }

// CPU is the calibration of the computing kernel.
type CPU struct {
	// How nonblocking collective calls make progress while a process computes. Absent if the MPI library decides, or
	// without such kernels.
	Progress string `json:"progress,omitempty"`
	// Operations per second of the 100x100 matrix-vector product; 0 if not calibrated.
	Flops float64 `json:"flops,omitempty"`
	// Seconds that computing should take.
	Target float64 `json:"target_seconds,omitempty"`
}

// Unproven maps warnings about things that aren't in a result to their remedies.
var Unproven = map[string]string{
	"option":         "see `beff probe keys` for all options, or `beff imb mpi1 -help` for IMB's",
	"kernel-skipped": "run it under mpirun, with enough processes and a library that has its calls",
}

// WarningsOf returns a warning with the code for each text.
func WarningsOf(code string, texts ...string) (list []rating.Warning) {
	for _, text := range texts {
		list = append(list, rating.Warning{Code: code, Text: text, Remedy: Unproven[code]})
	}
	return list
}
