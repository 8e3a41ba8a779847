// Package terminal writes for a user at a terminal: it finds the width and the colours, shows the progress of a run,
// and formats errors for users.
package terminal

import (
	"cmp"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Screen describes the destination of texts.
type Screen struct {
	document.Screen
	Terminal bool // a user looks at it
}

// Limits of the assumed width of a screen in columns.
const (
	minWidth = 40
	maxWidth = 1000
)

// ScreenOf describes the screen of a writer. COLUMNS takes precedence over the terminal's own size, and also applies to
// pipes and files. A terminal has colours, unless NO_COLOR (no-color.org) or TERM=dumb is in the environment. The
// pseudo-terminal that Open MPI gives its processes doesn't count as a terminal, because mpirun's own output may be a
// file.
func ScreenOf(w io.Writer, getenv func(string) string) Screen {
	var s Screen
	if f, is := words.Unwrap(w).(*os.File); is && term.IsTerminal(int(f.Fd())) && getenv("OMPI_COMM_WORLD_RANK") == "" {
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
		s.Width = min(max(s.Width, minWidth), maxWidth)
	}
	inJob := slices.ContainsFunc(jobVariables, func(name string) bool { return getenv(name) != "" })
	s.ASCII = !utf8(getenv) || inJob && !s.Terminal
	return s
}

// jobVariables lists environment variables that batch systems set. The output of batch jobs goes to files, which may be
// read on systems without UTF-8.
var jobVariables = []string{"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID"}

// utf8 reports whether the locale uses UTF-8. The first of the variables that isn't empty decides (POSIX, 8.2).
func utf8(getenv func(string) string) bool {
	charset := strings.ToLower(cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG")))
	return strings.Contains(charset, "utf-8") || strings.Contains(charset, "utf8")
}
