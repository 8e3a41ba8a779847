package imb

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/report/words"
)

// Parse parses the arguments of component c's executable, without its name. Options may be in any order, with names of
// benchmarks between them, separated by blanks or commas. The last value of an option counts. An error is one line that
// names the option. others are options that the caller has parsed already.
//
// The names after -include and -exclude end at the first blank, as in IMB 2021.11, which runs the words that follow.
// With --guide, a list continues after blanks, as in the guide.
func Parse(c kernel.Component, args []string, others ...string) (*probing.Request, error) {
	r := probing.NewRequest(c)
	lists := slices.Contains(args, "--guide")
	for i := 0; i < len(args); i++ {
		if !strings.HasPrefix(args[i], "-") {
			if err := r.Name(args[i]); err != nil {
				return nil, err
			}
			continue
		}
		name, value, joined := args[i], "", false
		if c == kernel.P2P && !strings.HasPrefix(name, "--") {
			name = strings.ToLower(name) // IMB-P2P ignores case, too
		}
		if strings.HasPrefix(name, "--") {
			name, value, joined = strings.Cut(name, "=")
		}
		o := find(name)
		switch {
		case o == nil:
			return nil, fmt.Errorf("unknown option %q: %s%s -help lists all options", name,
				meantOption(name, others), Command(c))
		case o.Value == "" && joined:
			return nil, fmt.Errorf("option %s has no value", name)
		case o.optional && !joined && !followed(args[i+1:]):
		case o.Value != "" && !joined:
			if i++; i == len(args) {
				return nil, fmt.Errorf("option %s: %s is missing", name, o.Value)
			}
			value = args[i]
		}
		if err := o.Set(r, Guide, name, value); err != nil {
			return nil, err
		}
		if o.List && !o.Own && !lists && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			r.Notice("%s after %s is taken as a benchmark to run, as in IMB 2021.11: separate the names by commas only",
				args[i+1], name)
			continue
		}
		for o.List && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			i++
			if err := o.Set(r, Guide, name, args[i]); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// Command returns the command of a component's own command line: beff imb mpi1.
func Command(c kernel.Component) string { return "beff imb " + strings.ToLower(string(c)) }

func find(name string) *Option {
	return lists.First(Options(Guide), func(o *Option) bool { return slices.Contains(o.Spellings(Guide), name) })
}

// followed reports whether arguments begin with the value of a switch.
func followed(args []string) bool {
	if len(args) == 0 {
		return false
	}
	_, err := parseSwitch(args[0])
	return err == nil
}

// meantOption returns "did you mean -x? " for the option that is most similar to a wrong one, empty if none is similar.
func meantOption(wrong string, others []string) string {
	names := slices.DeleteFunc(slices.Concat(others, Spellings()), func(name string) bool {
		return strings.HasPrefix(name, "--") != strings.HasPrefix(wrong, "--")
	})
	if near := words.Nearest(wrong, names); near != "" && len(wrong) > 2 {
		return "did you mean " + near + "? "
	}
	return ""
}
