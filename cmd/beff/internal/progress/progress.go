// Package progress shows the progress of a run: as a bar on a terminal, elsewhere as a line every few seconds. It has
// no goroutine of its own, which could disturb a measurement.
package progress

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Display shows progress. Any goroutine may call its methods.
type Display struct {
	w     io.Writer
	mu    sync.Mutex               // guards what follows
	bar   *progressbar.ProgressBar // nil: lines
	last  time.Duration            // elapsed at the last line
	stood time.Duration            // at the last line that said so
	part  float64
	what  string
}

const (
	// every is the time between two lines.
	every = 5 * time.Second
	// steps of the bar.
	steps = 1000
)

// New returns a display on w.
func New(w io.Writer) *Display {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return withBar(w)
	}
	return &Display{w: w}
}

func withBar(w io.Writer) *Display {
	return &Display{w: w, bar: progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(w), progressbar.OptionFullWidth(), progressbar.OptionThrottle(200*time.Millisecond),
		progressbar.OptionSetTheme(progressbar.ThemeASCII), progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false))}
}

// Show displays the part of the run that is done (0 to 1), the time elapsed, an estimate of the time left, and the name
// of the current step. Where there is no bar it writes a line every 5 seconds: a run of less than that needs none.
func (d *Display) Show(part float64, elapsed, left time.Duration, what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.part, d.what, d.stood = part, what, 0
	switch {
	case d.bar != nil:
		d.draw(fmt.Sprintf("%v left", left.Round(time.Second)))
	case elapsed-d.last >= every:
		d.last = elapsed
		d.line(fmt.Sprintf("elapsed %v, left about %v", elapsed.Round(time.Second), left.Round(time.Second)))
	}
}

// Still displays that the current step has not gone on for some time. It estimates nothing. Where there is no bar it
// writes a line each time this has become twice as long.
func (d *Display) Still(lasted time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	text := fmt.Sprintf("stands still for %v", lasted.Round(time.Second))
	switch {
	case d.bar != nil:
		d.draw(text)
	case d.what != "" && lasted >= max(2*d.stood, every):
		d.stood = lasted
		d.line(text)
	}
}

// draw draws the bar anew. A failing display must not end the run.
func (d *Display) draw(state string) {
	d.bar.Describe(d.what + ", " + state)
	_ = d.bar.Set(int(d.part * steps))
}

func (d *Display) line(state string) {
	fmt.Fprintf(d.w, "beff: %3.0f %%  %s, %s\n", 100*d.part, d.what, state)
}

// End ends the display.
func (d *Display) End() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.bar != nil {
		_ = d.bar.Clear()
	}
}
