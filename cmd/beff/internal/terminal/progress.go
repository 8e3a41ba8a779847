package terminal

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/rivo/uniseg"

	"github.com/effective-bandwidth/beff/report/words"
)

// Progress shows the progress of a run: as a bar on a terminal, elsewhere as a line now and then. It has no goroutine
// of its own, which could disturb a measurement. Any goroutine may call its methods. Nil shows nothing.
//
// Other programs, such as an MPI library, write to the same terminal at any time, and end their lines. So the bar is in
// the line below the cursor, which stays where they have left it: their line is whole, and the next drawing finds the
// bar below it. What they write over a bar that isn't drawn anew yet may have its rest behind it.
type Progress struct {
	w     io.Writer
	width func() int // of the terminal, in columns; nil: no terminal

	mu    sync.Mutex    // guards what follows
	drawn time.Time     // when the bar was drawn
	last  time.Duration // elapsed at the last line
	stood time.Duration // at the last line that said so
	part  float64
	what  string
}

const (
	// every is the least time between two lines, seldom the most. Between them it is a tenth of the time elapsed: some
	// 60 lines for an hour.
	every  = 5 * time.Second
	seldom = 5 * time.Minute
	// usual is the width of a terminal that does not say it.
	usual = 80
	// redrawn is the time between two drawings of the bar.
	redrawn = 200 * time.Millisecond
)

// NewProgress returns a display of progress on w.
func NewProgress(w io.Writer) *Progress {
	d := &Progress{w: w}
	if Of(w, os.Getenv).Terminal {
		d.width = func() int { return cmp.Or(Of(w, os.Getenv).Width, usual) } // it may change
	}
	return d
}

// Show displays the part of the run that is done (0 to 1), the time elapsed, an estimate of the time left, and the name
// of the current step. Where there is no bar it writes a line now and then, the first after 5 seconds: a run of less
// than that needs none.
func (d *Progress) Show(part float64, elapsed, left time.Duration, what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.part, d.what, d.stood = part, words.OneLine(what), 0
	switch {
	case d.width != nil:
		d.draw(fmt.Sprintf("%v left", left.Round(time.Second)))
	case elapsed-d.last >= min(max(every, d.last/10), seldom):
		d.last = elapsed
		d.line(fmt.Sprintf("elapsed %v, left about %v", elapsed.Round(time.Second), left.Round(time.Second)))
	}
}

// Still displays that the current step has not gone on for some time. It estimates nothing. Where there is no bar it
// writes a line each time this has become twice as long.
func (d *Progress) Still(lasted time.Duration) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	text := fmt.Sprintf("no progress for %v", lasted.Round(time.Second))
	switch {
	case d.width != nil:
		d.draw(text)
	case d.what != "" && lasted >= max(2*d.stood, every):
		d.stood = lasted
		d.line(text)
	}
}

// draw draws the bar anew: percent and bar first, then what else there is room for. The last column stays free: a
// terminal would begin a new line after it.
func (d *Progress) draw(state string) {
	if time.Since(d.drawn) < redrawn {
		return
	}
	d.drawn = time.Now()
	width, part := d.width()-1, min(max(d.part, 0), 1)
	room := min(max((width-50)/2, 10), 40)
	done := strings.Repeat("=", int(part*float64(room)))
	text := fmt.Sprintf("%3.0f%% [%-*s] %s, %s", 100*part, room, done, state, d.what)
	for width > 0 && uniseg.StringWidth(text) > width {
		runes := []rune(text)
		text = string(runes[:len(runes)-1])
	}
	fmt.Fprint(words.Behind(d.w), erase+below+text+back) // a failing display must not end the run
}

// Sequences of terminals: erase clears what is behind the cursor and below it (ED; ECMA-48, 8.3.39); below makes room
// for a line there, and goes to its beginning (IND, RI, DECSC; VT100); back returns to where the cursor was (DECRC).
const (
	erase = "\x1b[J"
	below = "\x1bD\x1bM\x1b7\r\x1bD"
	back  = "\x1b8"
)

func (d *Progress) line(state string) {
	fmt.Fprintf(d.w, "beff: %3.0f %%  %s, %s\n", 100*d.part, d.what, state)
}

// End removes the bar, if there is one.
func (d *Progress) End() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.width != nil {
		fmt.Fprint(words.Behind(d.w), erase)
	}
}
