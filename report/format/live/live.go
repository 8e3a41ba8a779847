// Package live writes the texts of probes piece by piece while a run is measured, or of a whole result at once: the
// frame of such texts, that of victims beside congestors, and that of MPIBlib. Package imb has those of suites.
package live

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
)

// Text is a text under way: Header, then Block and its Rows for each table, then End. Rows must have the figures that
// probe derives.
type Text interface {
	Header(s *strings.Builder)
	Block(s *strings.Builder, k *kernel.Kernel, b *measured.Block)
	Row(s *strings.Builder, k *kernel.Kernel, b *measured.Block, row *measured.Row) error
	End(s *strings.Builder)
}

// Maker returns the text of a result whose blocks need not be there yet. Kernels are the planned ones. Header needs all
// of the result but the blocks; End needs to know whether it is complete.
type Maker func(r *probe.Result, kernels []probe.Selection) Text

// Write writes a whole result.
func Write(w io.Writer, r *probe.Result, text Maker) error {
	f := NewFollower(w, r, text(r, Selections(r)))
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
		if s := (probe.Selection{Kernel: k, Multi: r.Settings.Who.Multi != nil}); found && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// Blocks are the blocks of a text that needs them at its end.
type Blocks []measured.Block

// Begin adds a block without its rows.
func (l *Blocks) Begin(b *measured.Block) {
	x := *b
	x.Rows = nil
	*l = append(*l, x)
}

// Add adds a row to the last block.
func (l Blocks) Add(row *measured.Row) {
	last := &l[len(l)-1]
	last.Rows = append(last.Rows, *row)
}

// Follower writes a text as a measurement goes on: each piece is one write.
type Follower struct {
	w      io.Writer
	r      *probe.Result
	text   Text
	piece  strings.Builder
	blocks int   // that have begun
	rows   int   // of the last of them, that are written
	err    error // the first one of writing: nothing is written behind it
}

// NewFollower returns the follower of a text of a result.
func NewFollower(w io.Writer, r *probe.Result, text Text) *Follower {
	return &Follower{w: w, r: r, text: text}
}

// Header writes what is known before the first table.
func (f *Follower) Header() error {
	f.text.Header(&f.piece)
	return f.write()
}

// Follow writes the rows that are new since the last call.
func (f *Follower) Follow(blocks []measured.Block) error {
	for i := max(f.blocks-1, 0); i < len(blocks); i++ {
		b := &blocks[i]
		k, found := f.r.Kernel(b)
		if !found {
			return fmt.Errorf("unknown kernel %q of %s", b.Kernel, b.Component)
		}
		if i == f.blocks {
			f.blocks, f.rows = i+1, 0
			f.text.Block(&f.piece, k, b)
			if err := f.write(); err != nil {
				return err
			}
		}
		for ; f.rows < len(b.Rows); f.rows++ {
			row := &b.Rows[f.rows]
			if err := f.text.Row(&f.piece, k, b, row); err != nil {
				return fmt.Errorf("%s: %d bytes: %w", b.Kernel, row.Bytes, err)
			}
			if err := f.write(); err != nil {
				return err
			}
		}
	}
	return nil
}

// End writes what stands behind the last table.
func (f *Follower) End() error {
	f.text.End(&f.piece)
	return f.write()
}

// write writes a piece, if there is one.
func (f *Follower) write() error {
	if f.piece.Len() > 0 && f.err == nil {
		_, f.err = io.WriteString(f.w, f.piece.String())
	}
	f.piece.Reset()
	return f.err
}

// ErrNoFigures is the error of a row that has none.
var ErrNoFigures = fmt.Errorf("no figures, and not said why")
