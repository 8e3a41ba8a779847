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
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// passed are flags that a command which measures again does without: the files of the first run are there already, and
// the system may be called otherwise by now. The value is whether a value follows.
var passed = map[string]bool{"--output": true, "-output": true, "--force": false, "-force": false,
	"--resume": true, "--system": true}

// tuning are the beginnings of the names of variables by which users change what libraries do. Of Open MPI's parameters
// those of its launcher aren't among them: they have programs and their arguments.
var tuning = []string{"OMPI_MCA_pml", "OMPI_MCA_btl", "OMPI_MCA_bml", "OMPI_MCA_mtl", "OMPI_MCA_coll",
	"OMPI_MCA_osc", "OMPI_MCA_io", "OMPI_MCA_fs", "OMPI_MCA_fcoll", "OMPI_MCA_fbtl", "OMPI_MCA_sharedfp",
	"OMPI_MCA_topo", "OMPI_MCA_op_", "OMPI_MCA_mpi_", "OMPI_MCA_opal_", "OMPI_MCA_hwloc_base_", "OMPI_MCA_rmaps_base_",
	"MPIR_CVAR_", "UCX_", "FI_", "PSM", "I_MPI_", "MPICH_", "MV2_", "ROMIO_", "HCOLL_", "UCC_", "OMP_", "MALLOC_",
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
var measures = lazy.MustCompile(`^(run|io|probe|imb|ior|io500|mpiblib)$`)

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
		begins := func(b string) bool { return strings.HasPrefix(v.Name, b) }
		switch {
		case v.Hidden, parts.Passing(v.Name), !slices.ContainsFunc(tuning, begins):
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
	distributed := head.Engine.Kind().Distributed
	if distributed {
		list = append(list, cmp.Or(starters[env.MPI.Launcher], "mpirun"), "-n", fmt.Sprint(ranks))
	}
	list = append(list, "beff")
	// These have grammars of their own: of imb a short flag isn't part of a word, the others have other ones.
	imb := env.Command[1] == "imb"
	own := !slices.Contains([]string{"imb", "ior", "mpiblib"}, env.Command[1])
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
		if m := output().FindStringSubmatch(env.Command[i]); m != nil && (own || imb && m[0] == "-o") {
			if m[1] == "" {
				i++
			}
			continue
		}
		list = append(list, quoted(env.Command[i]))
	}
	again := slices.Clone(head.Draws)
	if !distributed && !((own || imb) && given["-n"]) {
		again = append(again, "--ranks", fmt.Sprint(ranks))
	}
	if name := pluginOf(head.Engine.Library); distributed && name != "" {
		again = append(again, "--mpi", name)
	}
	if s := head.System; s != nil {
		again = append(again, "--system", s.Name) // as it is called now
	}
	again = append(again, "--output",
		strings.TrimLeft(filepath.Base(input.Stem(f.Path)), "-")+"-again")
	for i := 0; i+1 < len(again); i += 2 {
		if again[i+1] != "" && (!given[again[i]] || passed[again[i]]) {
			list = append(list, again[i], quoted(again[i+1]))
		}
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
