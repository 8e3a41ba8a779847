package launch

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/report/words"
)

// Line returns a command line of this program, quoted for a shell.
func Line(args ...string) string { return Program() + " " + words.ShellQuoted(args) }

// Program returns the word by which a shell finds this program: beff, or its path if the PATH doesn't have it.
func Program() string {
	self, err := os.Executable()
	if err != nil {
		return "beff"
	}
	if found, err := exec.LookPath("beff"); err == nil && sameFile(found, self) {
		return "beff"
	}
	return words.ShellQuoted([]string{self})
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// Line returns a command line of this program with the launcher, for as many processes started in the same way. It has
// no launcher if l is nil.
func (l *Launcher) Line(args ...string) string {
	if l == nil {
		return Line(args...)
	}
	return words.ShellQuoted(l.command(os.Getenv, host.Ancestors("/"))) + " " + Line(args...)
}

// command returns the launcher's words before the program: the actual ones if the launcher is an ancestor of this
// process, or otherwise the usual ones.
func (l *Launcher) command(getenv func(string) string, ancestors []host.Ancestor) []string {
	switch size := strconv.Itoa(l.Size); {
	case l.Name == slurm:
		return l.srun(getenv)
	case ancestorWords(ancestors) != nil:
		return ancestorWords(ancestors)
	case l.Size == 0:
		return []string{"mpirun"}
	case l.Name == flux:
		return []string{"flux", "run", "-n", size}
	case l.Name == mvapich:
		return []string{"mpirun_rsh", "-np", size}
	default:
		return []string{"mpirun", "-n", size}
	}
}

// ancestorWords returns the words of a launcher among the ancestors, up to its program. It is nil if there is no
// launcher, or if it starts several programs.
func ancestorWords(ancestors []host.Ancestor) []string {
	if len(ancestors) == 0 || len(ancestors[0].Args) == 0 {
		return nil
	}
	program := filepath.Base(ancestors[0].Args[0])
	for _, a := range ancestors[1:] {
		if !slices.Contains(starters, filepath.Base(a.Program)) || slices.Contains(a.Args, ":") {
			continue
		}
		at := slices.IndexFunc(a.Args, func(word string) bool { return filepath.Base(word) == program })
		if at > 0 {
			return a.Args[:at]
		}
	}
	return nil
}

// srun returns the words of Slurm's launcher. Its processes learn on how many nodes they are, and have variables of the
// interface that was requested or is the default.
func (l *Launcher) srun(getenv func(string) string) []string {
	list := []string{"srun"}
	if kind := cmp.Or(getenv("SLURM_MPI_TYPE"), words.Either(getenv("PMIX_RANK") != "", "pmix", ""),
		words.Either(getenv("PMI_RANK") != "", "pmi2", "")); kind != "" {
		list = append(list, "--mpi="+kind)
	}
	if nodes, err := strconv.Atoi(getenv("SLURM_STEP_NUM_NODES")); err == nil && nodes > 1 {
		list = append(list, "-N", strconv.Itoa(nodes))
	}
	return append(list, "-n", strconv.Itoa(l.Size))
}
