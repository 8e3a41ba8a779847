// Package live writes the texts that other benchmark programs print, of probes: piece by piece while a run is measured,
// or of a whole result at once.
package live

import (
	"io"
	"slices"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/measured"
)

// Text is a text under way: Header, then Block and its Rows for each table, then End. Each call is one write. Rows must
// have the figures that probe derives.
type Text interface {
	Header() error
	Block(b *measured.Block) error
	Row(b *measured.Block, row *measured.Row) error
	End() error
}

// Maker returns the text of a result whose blocks need not be there yet. Kernels are the planned ones. Header needs all
// of the result but the blocks; End needs to know whether it is complete.
type Maker func(w io.Writer, r *probe.Result, kernels []probe.Selection) Text

// Write writes a whole result.
func Write(w io.Writer, r *probe.Result, text Maker) error {
	f := Follower{Text: text(w, r, Selections(r))}
	if err := f.Header(); err != nil {
		return err
	}
	if err := f.Follow(r.Blocks); err != nil {
		return err
	}
	return f.End()
}

// Selections returns the kernels that a result has, each once.
func Selections(r *probe.Result) (list []probe.Selection) {
	for _, b := range r.Blocks {
		k, found := r.Kernel(&b)
		if s := (probe.Selection{Kernel: k, Multi: r.Settings.Multi != nil}); found && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// Follower writes the rows of a measurement as they come.
type Follower struct {
	Text
	blocks int // that have begun
	rows   int // of the last of them, that are written
}

// Follow writes the rows that are new since the last call.
func (f *Follower) Follow(blocks []measured.Block) error {
	for i := max(f.blocks-1, 0); i < len(blocks); i++ {
		b := &blocks[i]
		if i == f.blocks {
			f.blocks, f.rows = i+1, 0
			if err := f.Block(b); err != nil {
				return err
			}
		}
		for ; f.rows < len(b.Rows); f.rows++ {
			if err := f.Row(b, &b.Rows[f.rows]); err != nil {
				return err
			}
		}
	}
	return nil
}
