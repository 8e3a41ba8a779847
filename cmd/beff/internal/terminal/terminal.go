// Package terminal has what somebody at a terminal sees: how wide it is and whether it has colours, the progress of a
// run, and errors in the words of users.
package terminal

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"

	"github.com/effective-bandwidth/beff/report/words"
)

// Screen is what texts are written to.
type Screen struct {
	Terminal bool // somebody looks at it
	Width    int  // columns; 0: not known, as of a file
	Colour   bool
}

// Columns that a screen is taken to have at least and at most, whatever it says.
const (
	least = 40
	most  = 1000
)

// Of returns what a writer writes to. COLUMNS counts before the terminal's own size, and for pipes and files, too. A
// terminal has colours, unless NO_COLOR (no-color.org) or TERM=dumb is in the environment. The pseudo-terminal that
// Open MPI gives its processes is none: mpirun's own output may be a file.
func Of(w io.Writer, getenv func(string) string) Screen {
	var s Screen
	if f, is := words.Behind(w).(*os.File); is && term.IsTerminal(int(f.Fd())) && getenv("OMPI_COMM_WORLD_RANK") == "" {
		s.Terminal = true
		s.Colour = getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			s.Width = width
		}
	}
	if n, err := strconv.Atoi(getenv("COLUMNS")); err == nil && n > 0 {
		s.Width = n
	}
	if s.Width > 0 {
		s.Width = min(max(s.Width, least), most)
	}
	return s
}
