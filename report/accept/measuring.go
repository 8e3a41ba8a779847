package accept

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/words"
)

// flags lists the flags that a sheet may set, by command. They determine the measurement and its length. A sheet may
// come from anybody, and users run its commands. So it can't name files, directories or libraries, nor set the output
// or how processes are started, which is left to the user.
var flags = map[string][]string{
	"run": strings.Fields("memory rules seed patterns methods quick passes within at-most buffers"),
	"io": strings.Fields("partitions T time memory total-memory max-bytes rules rewrite noshared nounique verify e " +
		"errors quick cold times-memory"),
	"probe": strings.Fields("npmin msglog msgsize lengths per off-cache iter sample-time memory timing within " +
		"repetitions quantiles passes pairs buffers"),
}

// Words that name no file: a short flag, perhaps with a number, and a name or value.
var (
	shortForm = words.MustCompile(`^-([A-Za-z])[\d:]*$`)
	plainForm = words.MustCompile(`^[\w:.,%+][\w:.,%+-]*$`)
)

// checkCommand returns an error unless a sheet may give all words of a command.
func checkCommand(command []string) error {
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
			return fmt.Errorf("%s isn't allowed in a sheet: give it on the command line", word)
		case value != "" && !plainForm().MatchString(strings.TrimPrefix(value, "-")):
			return errors.New(word + " may be a file, which a sheet must not name")
		}
	}
	return nil
}
