package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

// misuses maps kong's errors, which are for programmers, to functions that return an error for users. The first match
// counts.
var misuses = []struct {
	text  words.Regexp
	error func(line *kong.Context, m []string) error
}{
	{words.MustCompile(`^(.*): expected .* value but got ("(.*?)"|'.*') \(`), noValue},
	{words.MustCompile(`^(.*): expected (?:a valid \d+ bit (u?)int|an (u?)int|a (float)) but got (".*")`), noNumber},
	{words.MustCompile(`^(.*) must be one of (.*) but got "(.*)"$`), noChoice},
	{words.MustCompile(`^expected ("<.*)$`), noArgument},
	{words.MustCompile(`^expected one of `), noCommand},
	{words.MustCompile(`^missing flags: (.*)$`), noFlags},
	{words.MustCompile(`^flag (.*) applies to the default command .*, not "(.*)"$`), tooEarly},
	{words.MustCompile(`^unexpected argument (.*?)(?:, did you mean .*)?$`), surplus},
	{words.MustCompile(`^unknown flag (.*?)(?:, did you mean .*)?$`), noOption},
}

// misused returns an error of kong in words for users, with a remedy. It returns other errors as they are.
func misused(err error) error {
	parsed := (*kong.ParseError)(nil)
	if !errors.As(err, &parsed) {
		return err
	}
	for _, x := range misuses {
		if m := x.text().FindStringSubmatch(err.Error()); m != nil {
			return x.error(parsed.Context, m)
		}
	}
	return err
}

var negative = words.MustCompile(`^-[0-9.]`)

func noValue(line *kong.Context, m []string) error {
	place := ""
	if negative().MatchString(m[3]) {
		return exit.Misuse("%s %q: want no negative number", spellings(line, m[1]), m[3])
	}
	if m[3] != "" && m[3] != "EOL" {
		place = " before " + m[3]
	}
	return exit.Misuse("%s: its value is missing%s", spellings(line, m[1]), place)
}

func noNumber(line *kong.Context, m []string) error {
	kind := words.Either(m[4] == "", "a whole number", "a number")
	if m[2]+m[3] != "" {
		kind += " from 0 to 4294967295"
	}
	return exit.Misuse("%s %s: want %s", spellings(line, m[1]), m[5], kind)
}

func noChoice(_ *kong.Context, m []string) error {
	choices := strings.Split(strings.ReplaceAll(m[2], `"`, ""), ",")
	choices = slices.DeleteFunc(choices, func(s string) bool { return s == "" })
	return exit.Misuse("%s %s: want %s%s", m[1], m[3], words.Joined(choices, "or"), words.DidYouMean(m[3], choices))
}

func noArgument(line *kong.Context, m []string) error {
	what := strings.NewReplacer(`"`, "", "<", "", ">", "", " ...", "").Replace(m[1])
	return exit.Misuse("%s: want a %s: beff help %[1]s explains it", node(line).Path(), what)
}

func noCommand(line *kong.Context, _ []string) error {
	return exit.Misuse("%s: want %s", node(line).Path(), words.Joined(commandsOf(node(line)), "or"))
}

func noFlags(line *kong.Context, m []string) error {
	return exit.Misuse("%s: give %s", node(line).Path(), m[1])
}

func tooEarly(line *kong.Context, m []string) error {
	return exit.Misuse("%s: write it after %s %s", spellings(line, m[1]), node(line).Path(), m[2])
}

// node returns the command on the line, as far as it is known.
func node(line *kong.Context) *kong.Node {
	at := cmp.Or(line.Selected(), line.Model.Node)
	return cmp.Or(at.DefaultCmd, at)
}

// optionsOf returns the flags of the command on the line.
func optionsOf(line *kong.Context) []*kong.Flag { return slices.Concat(node(line).AllFlags(true)...) }

// spellings returns a flag as users may have written it: "-n or --ranks".
func spellings(line *kong.Context, name string) string {
	for _, f := range optionsOf(line) {
		if "--"+f.Name == name && f.Short != 0 {
			return "-" + string(f.Short) + " or " + name
		}
	}
	return name
}

// surplus returns the error of a word that a command doesn't accept, or that isn't a command.
func surplus(line *kong.Context, m []string) error {
	path, word, names := node(line).Path(), m[1], commandsOf(node(line))
	if len(names) == 0 {
		return exit.Misuse("unexpected argument %s: beff help %s shows its arguments", word, path)
	}
	return exit.Misuse("there is no command %s%s", strings.TrimSpace(path+" "+word),
		cmp.Or(words.DidYouMean(word, names), ": "+strings.TrimSpace("beff help "+path)+" lists them"))
}

// noOption returns the error of an unknown option.
func noOption(line *kong.Context, m []string) error {
	word := m[1]
	names := lists.Each(optionsOf(line), func(f *kong.Flag) string { return "--" + f.Name })
	cure := ": " + strings.TrimSpace("beff help "+node(line).Path()) + " lists them"
	switch {
	case word == "-v":
		cure = ": did you mean --version?"
	case word == "--msglen": // IMB's option
		cure = ": --msgsize takes message lengths, --msglog a range of them"
	case strings.HasPrefix(word, "--"):
		cure = cmp.Or(words.DidYouMean(word, names), cure)
	}
	return exit.Misuse("unknown option %s%s", word, cure)
}
