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

// Progress shows the progress of a run: as a bar on a terminal, and otherwise as a line now and then. It has no
// goroutine, which could disturb a measurement. Any goroutine may call its methods. A nil Progress shows nothing.
//
// Other programs, such as an MPI library, write lines to the same terminal at any time. So the bar is in the line below
// the cursor, which stays where these programs have left it: their line is whole, and the next drawing finds the bar
// below it. If they write over the bar, its rest may follow their text until the next drawing.
type Progress struct {
	w     io.Writer
	width func() int // of the terminal, in columns (nil: no terminal)

	mu        sync.Mutex    // guards the fields below
	drawn     time.Time     // when the bar was drawn
	last      time.Duration // elapsed time at the last line
	stillLast time.Duration // the time without progress at the last line about it
	part      float64
	what      string
}

const (
	// every is the least time between two lines, and seldom the most. Between them it is a tenth of the elapsed time,
	// which gives some 60 lines for an hour.
	every  = 5 * time.Second
	seldom = 5 * time.Minute
	// usual is the width of a terminal whose width isn't known.
	usual = 80
	// redrawn is the time between two drawings of the bar.
	redrawn = 200 * time.Millisecond
)

// NewProgress returns a display of progress on w.
func NewProgress(w io.Writer) *Progress {
	d := &Progress{w: w}
	if ScreenOf(w, os.Getenv).Terminal {
		d.width = func() int { return cmp.Or(ScreenOf(w, os.Getenv).Width, usual) } // the width may change
	}
	return d
}

// Show displays the finished part of the run (0 to 1), the elapsed time, an estimate of the time left, and the name of
// the current step. Without a bar it writes a line now and then, the first after 5 seconds, because a shorter run needs
// none.
func (d *Progress) Show(part float64, elapsed, left time.Duration, what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.part, d.what, d.stillLast = part, words.OneLine(what), 0
	switch {
	case d.width != nil:
		d.draw(fmt.Sprintf("%v left", left.Round(time.Second)))
	case elapsed-d.last >= min(max(every, d.last/10), seldom):
		d.last = elapsed
		d.line(fmt.Sprintf("elapsed %v, left about %v", elapsed.Round(time.Second), left.Round(time.Second)))
	}
}

// Still displays that the current step has made no progress for some time. It estimates nothing. Without a bar it
// writes a line whenever this time has doubled.
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
	case d.what != "" && lasted >= max(2*d.stillLast, every):
		d.stillLast = lasted
		d.line(text)
	}
}

// draw draws the bar: first percentage and bar, then as much of the state as fits. The last column stays free, because
// a terminal would begin a new line after it.
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
	fmt.Fprint(words.Unwrap(d.w), erase+below+text+back) // a failing display must not end the run
}

// Sequences for terminals. erase clears everything after the cursor and below it (ED, in ECMA-48, 8.3.39). below makes
// room for a line there, and moves to its beginning (IND, RI, DECSC, of VT100). back returns to the old place of the
// cursor (DECRC).
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
		fmt.Fprint(words.Unwrap(d.w), erase)
	}
}
