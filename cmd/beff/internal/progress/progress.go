// Package progress shows the progress of a run: as a bar on a terminal, elsewhere as a line every few seconds. It has
// no goroutine of its own, which could disturb a measurement.
package progress

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Show displays the part of the run that is done (0 to 1), the time elapsed, an estimate of the time left, and the name
// of the current step.
type Show func(part float64, elapsed, left time.Duration, what string)

// every is the time between two lines.
const every = 5 * time.Second

// New returns a function that shows progress on w, and one that ends the display.
func New(w io.Writer) (show Show, end func()) {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return bar(w)
	}
	return lines(w), func() {}
}

func bar(w io.Writer) (Show, func()) {
	const steps = 1000
	b := progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(w), progressbar.OptionFullWidth(), progressbar.OptionThrottle(200*time.Millisecond),
		progressbar.OptionSetTheme(progressbar.ThemeASCII), progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false))
	show := func(part float64, _, left time.Duration, what string) {
		b.Describe(fmt.Sprintf("%s, %v left", what, left.Round(time.Second)))
		_ = b.Set(int(part * steps)) // a failing display must not end the run
	}
	return show, func() { _ = b.Clear() }
}

// lines returns a function that writes a line every 5 seconds. A run of less than 5 seconds needs no display.
func lines(w io.Writer) Show {
	last := time.Duration(0)
	return func(part float64, elapsed, left time.Duration, what string) {
		if elapsed-last < every {
			return
		}
		last = elapsed
		fmt.Fprintf(w, "beff: %3.0f %%  %s, elapsed %v, left about %v\n", 100*part, what, elapsed.Round(time.Second),
			left.Round(time.Second))
	}
}
