package accept

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/words"
)

// flags are those of commands that a sheet may give: what is measured, and how often. A sheet may come from anybody,
// and its commands are printed to be run. So it names no file, directory or library, nor what is written, nor how
// processes start: these are the user's.
var flags = map[string][]string{
	"run": strings.Fields("memory rules seed patterns methods quick passes within at-most"),
	"io": strings.Fields("partitions T time memory total-memory max-bytes rules rewrite noshared nounique verify e " +
		"errors quick"),
	"probe": strings.Fields("npmin msglog msgsize lengths per off-cache iter sample-time memory timing within " +
		"repetitions quantiles passes pairs"),
}

// The forms of words that name no file: a short flag alone or with a number, and a name or a value.
var (
	shortForm = words.MustCompile(`^-([A-Za-z])[\d:]*$`)
	plainForm = words.MustCompile(`^[\w:.,%+][\w:.,%+-]*$`)
)

// measuring returns an error unless a command has words alone that a sheet may give.
func measuring(command []string) error {
	known, is := flags[command[0]]
	if !is {
		return fmt.Errorf("want %s", words.Joined(slices.Sorted(maps.Keys(flags)), "or"))
	}
	for _, word := range command[1:] {
		name, value := word, ""
		if m := shortForm().FindStringSubmatch(word); m != nil {
			name = m[1]
		} else if long, is := strings.CutPrefix(word, "--"); is {
			name, value, _ = strings.Cut(long, "=")
		} else if !strings.HasPrefix(word, "-") {
			name, value = "", word
		}
		switch {
		case value != word && !slices.Contains(known, name):
			return fmt.Errorf("%s isn't for sheets: give it yourself", word)
		case value != "" && !plainForm().MatchString(strings.TrimPrefix(value, "-")):
			return errors.New(word + " may be a file: a sheet names none")
		}
	}
	return nil
}
