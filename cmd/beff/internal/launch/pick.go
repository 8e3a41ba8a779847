package launch

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/plugins"
)

// pick returns the plug-in of a name, or the one that fits a launcher, which may be nil. A plug-in of another version
// of beff is refused.
func pick(l *Launcher, name string, list []plugins.Plugin) (*plugins.Plugin, error) {
	p := plugins.Named(list, name)
	if name != "" && p == nil {
		return nil, exit.Misuse("no plug-in %s: there are: %s (beff mpi add makes one)", name, plugins.Names(list))
	}
	if p == nil {
		var err error
		if p, err = fitting(l, list); err != nil {
			return nil, err
		}
	}
	if err := p.Check(); err != nil {
		return nil, fmt.Errorf("plug-in %s: %w", p.Path, err)
	}
	return p, nil
}

// fitting returns the plug-in that fits a launcher: the only one of the likeliest family that has one. Of several it is
// the one whose compiler wrapper lies beside the launcher's program.
func fitting(l *Launcher, list []plugins.Plugin) (*plugins.Plugin, error) {
	const how = "run beff mpi add with the mpicc of the MPI"
	fit := list
	if l != nil && l.Families != nil {
		fit = nil
		for _, family := range l.Families {
			if len(fit) == 0 {
				fit = of(list, func(p plugins.Plugin) bool { return p.Family == family })
			}
		}
	}
	if len(fit) > 1 {
		if near := beside(launcherDirectories(), fit); len(near) == 1 {
			fit = near
		}
	}
	switch {
	case len(fit) == 1:
		return &fit[0], nil
	case len(fit) > 1:
		return nil, fmt.Errorf("several plug-ins fit: %s: choose one by --mpi NAME", plugins.Names(fit))
	case l == nil:
		return nil, fmt.Errorf("there is no plug-in of an MPI: %s", how)
	case len(list) == 0:
		return nil, fmt.Errorf("%v, but there is no plug-in of an MPI: %s", l, how)
	}
	return nil, fmt.Errorf("%v, but no plug-in fits it (there are: %s): %s, or choose one by --mpi NAME", l,
		plugins.Names(list), how)
}

// of returns the plug-ins that a test keeps.
func of(list []plugins.Plugin, keep func(plugins.Plugin) bool) []plugins.Plugin {
	return slices.DeleteFunc(slices.Clone(list), func(p plugins.Plugin) bool { return !keep(p) })
}

// beside returns the plug-ins whose compiler wrappers lie in one of the directories.
func beside(directories []string, list []plugins.Plugin) []plugins.Plugin {
	return of(list, func(p plugins.Plugin) bool {
		dir, err := filepath.EvalSymlinks(filepath.Dir(p.Wrapper))
		return err == nil && slices.Contains(directories, dir)
	})
}

// daemons are the programs of Open MPI, PRRTE and Hydra that start the processes of a host.
var daemons = []string{"orterun", "orted", "prterun", "prted", "mpiexec.hydra", "hydra_pmi_proxy"}

// launcherDirectories returns the directories of the launcher's programs that started this one.
func launcherDirectories() (list []string) {
	for _, a := range host.Ancestors("/") {
		if slices.Contains(daemons, filepath.Base(a.Program)) {
			list = append(list, filepath.Dir(a.Program))
		}
	}
	return list
}
