// Package terminal writes for a user at a terminal: it finds the width and the colours, shows the progress of a run,
// and formats errors for users.
package terminal

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

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

// rule replaces the wording of Go's libraries.
type rule struct {
	from *regexp.Regexp
	to   string
}

func replace(from, to string) rule { return rule{regexp.MustCompile(from), to} }

// rules returns the wordings of Go's libraries in errors, with the ones for users. They are compiled for the first
// error, because most runs have none.
var rules = sync.OnceValue(func() []rule {
	return []rule{
		// Errors of the system: Go begins with the name of its call, then gives the file and the cause. Beff's own
		// sentences may begin with the same words, so the file is a single word, and the cause comes from the system or
		// from internal/input.
		replace(`\b(?:open|stat|lstat|read|write|mkdir|readdirent|fdopendir|remove|unlink|rename|symlink|readlink|`+
			`chdir|getwd|fsync|sync|truncate|close|openat|statfs) ([^\s:]+): (`+causes()+`)`, "$1: $2"),
		replace(`\bfork/exec ([^:]+): `, "$1: "),
		replace(`\bexec: "([^"]+)": executable file not found in \$PATH`, `there is no program $1 on the PATH`),
		replace(`\bexec: ("[^"]+"): `, "$1: "),
		replace(`\bexit status (\d+)`, "it ended with code $1"),
		// Errors in numbers.
		replace(`\bstrconv\.\w+: parsing ("(?:[^"\\]|\\.)*"): invalid syntax`, "$1 is not a number"),
		replace(`\bstrconv\.\w+: parsing ("(?:[^"\\]|\\.)*"): value out of range`, "$1 is too large a number"),
		replace(`\btime: (?:invalid|unknown unit|missing unit)[^"]*("[^"]*").*`, "$1 is no time such as 90s or 45m"),
		// Errors in JSON, TOML and YAML.
		replace(`\bunexpected end of JSON input`, "its JSON ends early"),
		replace(`\binvalid character ('.*?') looking for beginning of value`, "it is no JSON, by its character $1"),
		replace(`\binvalid character ('.*?') (?:in|after) (.*)`, "its JSON has a $1 that can't be there ($2)"),
		replace(`\bjson: cannot unmarshal ([\w .+-]+?) into Go (?:struct field|value)(?: \S*?\.)?(\S*) of type \S+`,
			"its JSON has a misplaced $1: $2"),
		replace(`(^|[ (])(?:json|toml|yaml): `, "$1"),
		replace(`\bgo-yaml load error in \w+ (?:\(([^)]*)\) )?at L(\d+)\.C(\d+)(?:-\S+)?: `, "line $2, column $3: "),
		replace(`\bgo-yaml load errors?: ?`, ""),
		replace(`\bunexpected EOF\b`, "it ends early"),
		replace(`: EOF$`, ": it ends early"),
		// Errors in patterns.
		replace("\\berror parsing regexp: (.*): `(.*)`", "$1 in $2"),
		replace(`\bsyntax error in pattern`, "a bracket has no end"),
	}
})

// causes returns a pattern for the causes of errors with files.
func causes() string {
	list := []string{"is (?:a|longer) ", "file already closed", "i/o timeout"}
	const beyond = syscall.Errno(1 << 8) // larger than any system's numbers
	for e := range beyond {
		if text := e.Error(); !strings.HasPrefix(text, "errno ") {
			list = append(list, regexp.QuoteMeta(text))
		}
	}
	return strings.Join(list, "|")
}

// Plain returns an error in the wording for users, in one line, with a remedy if one is known. Parts of the error may
// come from untrusted files. Plain works on the text, because errors of other processes arrive as texts.
func Plain(err error) string {
	text := strings.ReplaceAll(err.Error(), "\n", "; ")
	for _, r := range rules() {
		text = r.from.ReplaceAllString(text, r.to)
	}
	return words.OneLine(withHint(text, strings.Contains(err.Error(), "mkdir ")))
}

var missing = regexp.MustCompile(`(\S+): no such file or directory$`)

// withHint adds to the error of a missing file which directory is missing, or which file the user may mean, unless the
// file was to be created.
func withHint(text string, made bool) string {
	m := missing.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	path := m[1]
	if !strings.ContainsAny(path, "./") {
		return text // may be any word
	}
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return strings.TrimSuffix(text, "no such file or directory") + "there is no directory " + dir
	}
	ending := filepath.Ext(path)
	var names []string
	for _, e := range entries {
		if name := e.Name(); filepath.Ext(name) == ending && !strings.HasPrefix(name, ".") {
			names = append(names, strings.TrimSuffix(name, ending))
		}
	}
	near := words.Nearest(strings.TrimSuffix(filepath.Base(path), ending), names)
	if near == "" || made {
		return text
	}
	return text + ": did you mean " + words.Line(filepath.Join(dir, near+ending), '?') + "?"
}
