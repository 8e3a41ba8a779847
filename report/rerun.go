package report

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/effective-bandwidth/beff/report/input"
	"github.com/effective-bandwidth/beff/report/lazy"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/tune"
)

// passed are flags that a command which measures again does without: the files of the first run are there already, the
// system may be called otherwise by now, and a launcher is a program. The value is whether a value follows.
var passed = map[string]bool{"-o": true, "--output": true, "-output": true, "--force": false, "-force": false,
	"--resume": true, "--system": true, "--into": true, "--launch": true}

// tuning are the beginnings of the names of variables by which users change what libraries do.
var tuning = []string{"UCX_", "FI_", "PSM", "I_MPI_", "MPICH_", "MV2_", "ROMIO_", "HCOLL_", "UCC_", "OMP_", "MALLOC_",
	"LD_PRELOAD", "GOMEMLIMIT"}

// naming matches the names of variables that may name programs, libraries or files, such as I_MPI_GTOOL and
// UCX_GDB_COMMAND. A result may be a stranger's, and what it names would run.
var naming = lazy.MustCompile(`(?i)PRELOAD|LIBRAR|PATH|DIRS?(_|$)|DIRECTOR|ROOT|BIN(_|$)|EXEC|TOOL|FILE|CONF|` +
	`MODULE|PLUGIN|COMPONENT|AGENT|COMMAND|CMD|GDB|DEST|OUTPUT|HINTS|TRACE|DUMP|SCRIPT|SHELL|PROGRAM|WRAPPER|BOOTSTRAP`)

// single matches values that are no command with arguments and no path, whatever their variable is for.
var single = lazy.MustCompile(`^[\w.,:^*+=@%{}\[\]()-]*$`)

// output matches the short flag of the output, which others may stand before, and the output in the same word.
var output = lazy.MustCompile(`^-[vh]*o(.*)`)

// measures matches the commands that measure.
var measures = lazy.MustCompile(`^(run|io|probe|imb|osu|ior|io500|gpcnet|mdtest|mpiblib|tune)$`)

// Rerun returns the command that measures a result again, with the launcher and the variables that change what
// libraries do, in a shell's words. Left are variables that may name programs or files: these aren't in the command. It
// is an error if the result doesn't have its command.
func (f *File) Rerun() (command string, left []string, err error) {
	head := f.report.Head()
	env := head.Environment
	if env == nil || len(env.Command) < 2 || !measures().MatchString(env.Command[1]) {
		return "", nil, errors.New("the result doesn't say by which command it was measured: it is of an older " +
			"beff, or was imported")
	}
	var list []string
	for _, v := range env.Variables {
		switch {
		case v.Hidden || !slices.ContainsFunc(tuning, func(b string) bool { return strings.HasPrefix(v.Name, b) }):
		case !v.IsNamed(), naming().MatchString(v.Name), !single().MatchString(v.Value):
			left = append(left, v.Name)
		default:
			list = append(list, v.Name+"="+quoted(v.Value))
		}
	}
	ranks := 0
	for _, p := range head.Placement {
		ranks += p.Processes
	}
	alone := env.Command[1] == tune.Benchmark // it starts its jobs itself
	distributed := head.Engine.Kind().Distributed
	if distributed && !alone {
		list = append(list, cmp.Or(starters[env.MPI.Launcher], "mpirun"), "-n", fmt.Sprint(ranks))
	}
	list = append(list, "beff")
	// These have grammars of their own.
	own := !alone && !slices.Contains([]string{"imb", "osu", "ior", "mdtest", "mpiblib"}, env.Command[1])
	given := map[string]bool{}
	for i := 1; i < len(env.Command); i++ {
		name, _, joined := strings.Cut(env.Command[i], "=")
		given[name] = true
		if follows, ok := passed[name]; ok {
			if follows && !joined {
				i++
			}
			continue
		}
		if m := output().FindStringSubmatch(env.Command[i]); m != nil && own {
			if m[1] == "" {
				i++
			}
			continue
		}
		list = append(list, quoted(env.Command[i]))
	}
	again := head.Draws
	if !distributed && !given["-n"] && !given["--ranks"] {
		again = append(slices.Clone(again), "-n", fmt.Sprint(ranks))
	}
	if name := pluginOf(head.Engine.Library); distributed && own && name != "" {
		again = append(slices.Clone(again), "--mpi", name)
	}
	for i := 0; i+1 < len(again); i += 2 {
		if !given[again[i]] {
			list = append(list, again[i], quoted(again[i+1]))
		}
	}
	if own {
		if s := head.System; s != nil && s.Name != "" {
			list = append(list, "--system", quoted(s.Name)) // as it is called now
		}
	}
	if own || alone {
		list = append(list, words.Either(alone, "--into", "-o"),
			quoted(strings.TrimLeft(filepath.Base(input.Stem(f.Path)), "-")+"-again"))
	}
	return strings.Join(list, " "), left, nil
}

// starters are the commands of launchers that aren't called mpirun.
var starters = map[string]string{"Slurm's srun": "srun", "Flux": "flux run", "MVAPICH's mpirun_rsh": "mpirun_rsh"}

// pluginOf returns the name of a library's plug-in, such as openmpi of Open MPI. Another MPI's launcher refuses it,
// where it would measure with its own library else.
func pluginOf(library string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		return words.Either(r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)), r, -1)
	}, library))
}

// MeasuredBy returns the library that measured a result, and what started it, in words; empty without an MPI.
func (f *File) MeasuredBy() string {
	head := f.report.Head()
	if head.Environment == nil || !head.Engine.Kind().Distributed {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSpace(head.Engine.Library+" "+head.Engine.Version)+", started by "+
		head.Environment.MPI.Launcher, ", started by ")
}

var plain = lazy.MustCompile(`^[A-Za-z0-9_./:=,@%+-]+$`)

// Quoted returns words as a shell takes them.
func Quoted(texts []string) string {
	var list []string
	for _, w := range texts {
		list = append(list, quoted(w))
	}
	return strings.Join(list, " ")
}

// quoted returns a word as a shell takes it.
func quoted(word string) string {
	if plain().MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
