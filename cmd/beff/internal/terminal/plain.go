package terminal

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"

	"github.com/effective-bandwidth/beff/report/words"
)

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
		replace(`\bstrconv\.\w+: parsing ("(?:[^"\\]|\\.)*"): invalid syntax`, "$1 is no number"),
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

// Plain returns an error in the wording for users, in one line, with a remedy if one is known. Parts of it may come
// from strangers. It changes the text, because errors cross processes as texts.
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
