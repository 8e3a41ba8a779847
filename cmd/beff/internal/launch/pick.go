package launch

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/plugins"
)

// pick returns the plug-in that a choice names, or the one that fits a launcher, which may be nil. It refuses a plug-in
// of another version of beff.
func pick(l *Launcher, c Choice, list []plugins.Plugin) (p *plugins.Plugin, err error) {
	switch name := cmp.Or(c.MPI, c.Preferred); {
	case name == "":
		p, err = fitting(l, c.Say, list)
	case strings.Contains(name, "/"):
		p, err = plugins.ForLibrary(list, name)
		err = exit.With(exit.Usage, err)
	default:
		p, err = named(l, c.Say, list, name)
	}
	if err != nil {
		return nil, err
	}
	if err := p.Check(); err != nil {
		return nil, exit.Misuse("plug-in %s: %w", p.Path, err)
	}
	return p, nil
}

// named returns the plug-in with a name, with the library that fits a launcher, or otherwise with the first library.
func named(l *Launcher, say func(string), list []plugins.Plugin, name string) (*plugins.Plugin, error) {
	rows := lists.Where(list, func(p plugins.Plugin) bool { return p.Name == name })
	if len(rows) == 0 {
		return nil, exit.Misuse("no plug-in %s: there are: %s (beff mpi add makes one)", name, plugins.Names(list))
	}
	if family := rows[0].Family; !rows[0].Loads() {
		return nil, exit.Misuse("no library of the plug-in %s (%s) is found: name its file by --mpi PATH, or its "+
			"directory by LD_LIBRARY_PATH", name, family)
	}
	if p, err := fitting(l, say, rows); err == nil {
		return p, nil
	}
	return &rows[0], nil
}

// fitting returns the plug-in that fits a launcher: one of the likeliest family that has any, preferably one whose
// compiler wrapper or library lies next to the launcher's program. It calls say if there is another such plug-in.
// Plug-ins of other versions of beff, and without a library, only count if there are no others.
func fitting(l *Launcher, say func(string), list []plugins.Plugin) (*plugins.Plugin, error) {
	const how = "name its library by --mpi PATH, or run beff mpi add with its mpicc"
	list = lists.Where(list, plugins.Plugin.Loads)
	fit := firstOf(lists.Where(list, func(p plugins.Plugin) bool { return p.Check() == nil }), list)
	if l != nil && l.Families != nil {
		all := fit
		fit = nil
		for _, family := range l.Families {
			if len(fit) == 0 {
				fit = lists.Where(all, func(p plugins.Plugin) bool { return p.Family == family && l.starts(p.Maker()) })
			}
		}
	}
	fit = firstOf(nextTo(Directories(), fit), fit)
	// Users have built the other plug-ins for one MPI, so these take precedence.
	fit = firstOf(lists.Where(fit, func(p plugins.Plugin) bool { return !p.Portable() }), fit)
	switch {
	case len(fit) > 0 && len(lists.Where(fit, func(p plugins.Plugin) bool { return p.Family != fit[0].Family })) > 0:
		how := "choose one by --mpi NAME"
		if l != nil && l.Name == slurm {
			how = "start it by srun --mpi=pmix (Open MPI) or srun --mpi=pmi2 (MPICH), or " + how
		}
		return nil, fmt.Errorf("several plug-ins fit: %s: %s", plugins.Names(fit), how)
	case len(fit) > 0:
		if len(fit) > 1 && fit[0].Check() == nil {
			say(fmt.Sprintf("%d MPIs fit, and %s is taken: --mpi %s takes the next one (beff mpi list shows all)",
				len(fit), choice(fit[0]), choice(fit[1])))
		}
		return &fit[0], nil
	case l == nil:
		return nil, fmt.Errorf("no MPI is found: %s", how)
	case len(list) == 0:
		return nil, fmt.Errorf("%v, but no MPI is found: %s", l, how)
	}
	names := lists.Each(list, func(p plugins.Plugin) string {
		if p.Check() != nil {
			return p.Name + " of another version"
		}
		return p.Name
	})
	return nil, fmt.Errorf("%v, but none of the MPIs that are found fits it (%s): %s", l, strings.Join(names, ", "),
		how)
}

// starts reports whether the launcher starts processes of an MPI of a family, or of an unknown one if it is empty.
func (l *Launcher) starts(family string) bool {
	return family == "" || slices.Contains(l.Families, family)
}

// firstOf returns the first list unless it is empty, and otherwise the second one.
func firstOf(first, second []plugins.Plugin) []plugins.Plugin {
	if len(first) > 0 {
		return first
	}
	return second
}

// choice returns the value of --mpi for a plug-in and its library.
func choice(p plugins.Plugin) string { return cmp.Or(p.Library, p.Name) }

// nextTo returns the plug-ins with compiler wrappers in one of the directories of programs, or with libraries in a
// directory next to one.
func nextTo(directories []string, list []plugins.Plugin) []plugins.Plugin {
	var near []string
	for _, bin := range directories {
		near = append(near, bin)
		for _, dir := range plugins.LibraryDirectoriesIn(filepath.Dir(bin)) {
			real, _ := filepath.EvalSymlinks(dir) // empty: it doesn't exist
			near = append(near, real)
		}
	}
	return lists.Where(list, func(p plugins.Plugin) bool {
		dir, err := filepath.EvalSymlinks(filepath.Dir(cmp.Or(p.Library, p.Wrapper)))
		return err == nil && slices.Contains(near, dir)
	})
}

// starters lists the programs of Open MPI, PRRTE and Hydra that a user starts, and daemons the programs that start the
// processes of a host.
var (
	starters = []string{"orterun", "prterun", "mpiexec.hydra"}
	daemons  = append([]string{"orted", "prted", "hydra_pmi_proxy"}, starters...)
)

// Ages returns the ages in seconds of the launcher that started this process on this host, and of this process, both to
// a hundredth. An unknown age is 0.
func Ages() (launcher, process float64) {
	for i, a := range host.Ancestors("/") {
		if i == 0 {
			process = a.Age
		} else if slices.Contains(daemons, filepath.Base(a.Program)) {
			launcher = a.Age
		}
	}
	return launcher, process
}

// Directories returns the directories of the launcher's programs that started this process.
func Directories() (list []string) {
	for _, a := range host.Ancestors("/") {
		if slices.Contains(daemons, filepath.Base(a.Program)) {
			list = append(list, filepath.Dir(a.Program))
		}
	}
	return list
}
