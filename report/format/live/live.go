// Package live writes the texts of probes piece by piece during a run, or for a whole result. It defines the interface
// Text, and has the text for victims with congestors and the text of MPIBlib. Package imb has the texts of suites.
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

// Text is a text in progress: Header, then Block and its Rows for each table, then End. Rows must have the figures that
// probe derives.
type Text interface {
	Header(s *strings.Builder)
	Block(s *strings.Builder, k *kernel.Kernel, b *measured.Block)
	Row(s *strings.Builder, k *kernel.Kernel, b *measured.Block, row *measured.Row) error
	End(s *strings.Builder)
}

// Maker returns the text of a result whose blocks may be added later. kernels are the planned kernels. Header needs the
// whole result except the blocks, and End needs Complete.
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

// Selections returns the distinct kernels of a result.
func Selections(r *probe.Result) (list []probe.Selection) {
	for _, b := range r.Blocks {
		k, found := r.Kernel(&b)
		if s := (probe.Selection{Kernel: k, Multi: r.Settings.Who.Multi != nil}); found && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// Blocks collects blocks for a text that needs them at its end.
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

// Follower writes a text during a measurement, each piece with one write.
type Follower struct {
	w      io.Writer
	r      *probe.Result
	text   Text
	piece  strings.Builder
	blocks int   // number of blocks that have begun
	rows   int   // number of written rows of the last block
	err    error // first error of writing, after which nothing is written
}

// NewFollower returns a Follower that writes a result's text to w.
func NewFollower(w io.Writer, r *probe.Result, text Text) *Follower {
	return &Follower{w: w, r: r, text: text}
}

// Header writes the part before the first table.
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

// End writes the part after the last table.
func (f *Follower) End() error {
	f.text.End(&f.piece)
	return f.write()
}

// write writes the piece if it isn't empty.
func (f *Follower) write() error {
	if f.piece.Len() > 0 && f.err == nil {
		_, f.err = io.WriteString(f.w, f.piece.String())
	}
	f.piece.Reset()
	return f.err
}

// ErrNoFigures is the error for a row without figures and without a reason.
var ErrNoFigures = fmt.Errorf("a row has neither figures nor a reason")
