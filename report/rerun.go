package report

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// passed are flags that a command which measures again does without: the files of the first run are there already. The
// value is whether a value follows.
var passed = map[string]bool{"-o": true, "--output": true, "-output": true, "--force": false, "-force": false,
	"--resume": true}

// tuning are the beginnings of the names of variables by which users change what libraries do.
var tuning = []string{"UCX_", "FI_", "PSM", "I_MPI_", "MPICH_", "MV2_", "ROMIO_", "HCOLL_", "UCC_", "OMP_", "MALLOC_",
	"LD_PRELOAD", "GOMEMLIMIT"}

// Rerun returns the command that measures a result again, with the launcher and the variables that change what
// libraries do, in a shell's words. It is an error if the result doesn't have its command.
func (f *File) Rerun() (string, error) {
	head := f.report.Head()
	env := head.Environment
	if env == nil || len(env.Command) == 0 {
		return "", errors.New("the result doesn't say by which command it was measured: it is of an older beff, or " +
			"was imported")
	}
	var words []string
	for _, v := range env.Variables {
		if !v.Hidden && slices.ContainsFunc(tuning, func(b string) bool { return strings.HasPrefix(v.Name, b) }) {
			words = append(words, v.Name+"="+quoted(v.Value))
		}
	}
	ranks := 0
	for _, p := range head.Placement {
		ranks += p.Processes
	}
	distributed := head.Engine.Kind().Distributed
	if distributed {
		words = append(words, "mpirun", "-n", fmt.Sprint(ranks))
	}
	given := map[string]bool{}
	for i := 0; i < len(env.Command); i++ {
		name, _, joined := strings.Cut(env.Command[i], "=")
		given[name] = true
		if follows, ok := passed[name]; ok {
			if follows && !joined {
				i++
			}
			continue
		}
		words = append(words, quoted(env.Command[i]))
	}
	again := head.Draws
	if !distributed && !given["-n"] && !given["--ranks"] {
		again = append(slices.Clone(again), "-n", fmt.Sprint(ranks))
	}
	for i := 0; i+1 < len(again); i += 2 {
		if !given[again[i]] {
			words = append(words, again[i], quoted(again[i+1]))
		}
	}
	return strings.Join(words, " "), nil
}

var plain = regexp.MustCompile(`^[A-Za-z0-9_./:=,@%+-]+$`)

// quoted returns a word as a shell takes it.
func quoted(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
