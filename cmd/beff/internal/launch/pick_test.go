package launch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
	"github.com/effective-bandwidth/beff/mpi/plugins"
)

// made returns a plug-in of this version of beff.
func made(name, family, wrapper string) plugins.Plugin {
	return plugins.Plugin{Name: name, Files: plugin.Files{Path: "/plugins/" + name + ".so"},
		Note: plugin.Note{Version: plugin.Version(), Family: family, Wrapper: wrapper}}
}

var (
	open  = []plugins.Plugin{made("openmpi", plugin.OpenMPI, "/opt/openmpi/bin/mpicc")}
	mpich = []plugins.Plugin{made("mpich", plugin.MPICH, "/opt/mpich/bin/mpicc")}
	abi   = []plugins.Plugin{made("abi", plugin.Standard, "/opt/mpich/bin/mpicc_abi")}
)

func TestPick(t *testing.T) {
	old := made("old", plugin.OpenMPI, "/old/mpicc")
	old.Version = "older"
	all := slices.Concat(mpich, open, abi)
	hydra, slurm := &Launcher{Name: "h", Size: 2, Families: byPMI}, &Launcher{Name: "s", Size: 2}
	orte, pmix := &Launcher{Name: "o", Size: 2, Families: byOpenMPI}, &Launcher{Name: "p", Size: 2, Families: byPMIx}
	for _, c := range []struct {
		launcher  *Launcher
		name      string
		list      []plugins.Plugin
		want, err string
	}{
		{orte, "", all, "openmpi", ""},
		{hydra, "", all, "mpich", ""},
		{pmix, "", all, "openmpi", ""},
		{pmix, "", slices.Concat(mpich, abi), "abi", ""},
		{pmix, "", mpich, "mpich", ""},
		{hydra, "", slices.Concat(open, abi), "abi", ""},
		{hydra, "", open, "", "none of the MPIs that are found fits it (openmpi)"},
		{hydra, "openmpi", all, "openmpi", ""},
		{slurm, "", open, "openmpi", ""},
		{slurm, "", all, "", "several plug-ins fit: mpich, openmpi, abi: choose one by --mpi NAME"},
		{&Launcher{Name: "Slurm's srun", Size: 2}, "", all, "", "several plug-ins fit: mpich, openmpi, abi: start it " +
			"by srun --mpi=pmix (Open MPI) or srun --mpi=pmi2 (MPICH), or choose one by --mpi NAME"},
		{nil, "", all, "", "several plug-ins fit"},
		{orte, "", append(open, made("second", plugin.OpenMPI, "/usr/bin/mpicc")), "openmpi", ""},
		{orte, "", []plugins.Plugin{old}, "", "plug-in /plugins/old.so: its interface is of version older"},
		{hydra, "", append(slices.Clone(open), old), "", "fits it (openmpi, old of another version)"},
		{hydra, "old", []plugins.Plugin{old}, "", "run beff mpi add again"},
	} {
		p, err := pick(c.launcher, Choice{MPI: c.name, Say: func(string) {}}, c.list)
		if c.err != "" {
			require.ErrorContains(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.want, p.Name)
	}
}

// If two plug-ins fit, the plug-in of the launcher's installation is chosen, however the path of its compiler wrapper
// is written.
func TestPickLaunchersInstallation(t *testing.T) {
	dir := t.TempDir()
	bin := filepath.Join(dir, "4.1", "bin")
	require.NoError(t, os.MkdirAll(bin, 0o777))
	require.NoError(t, os.Symlink("4.1", filepath.Join(dir, "current")))
	near := made("near", plugin.OpenMPI, filepath.Join(dir, "current", "bin", "mpicc"))
	require.Equal(t, []plugins.Plugin{near}, nextTo([]string{"/usr/bin", bin}, append(open, near)))
	require.Empty(t, nextTo(nil, append(open, near)))
}

// portable returns a plug-in of the archive, over a library.
func portable(name, family, library string) plugins.Plugin {
	p := made(name, family, "")
	p.Library = library
	return p
}

// Portable plug-ins fit by their libraries, and with the standard ABI by the makers of these. A plug-in built for one
// MPI comes first, and one of another version of beff last. The choice between two is printed.
func TestPickLibrary(t *testing.T) {
	dir := t.TempDir()
	text := func(name, content string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	ours, theirs := text("a", "Open MPI v6.0.0"), text("b", "MPICH Version: 5.0.2")
	one, two := portable("openmpi", plugin.OpenMPI, "/one/libmpi.so.40"), portable("openmpi", plugin.OpenMPI,
		"/two/libmpi.so.40")
	none := portable("openmpi", plugin.OpenMPI, "")
	standard := []plugins.Plugin{portable("abi", plugin.Standard, ours), portable("abi", plugin.Standard, theirs)}
	old := made("old", plugin.OpenMPI, "/old/mpicc")
	old.Version = "older"
	hydra, orte := &Launcher{Name: "h", Size: 2, Families: byPMI}, &Launcher{Name: "o", Size: 2, Families: byOpenMPI}
	const both = "2 MPIs fit, and /one/libmpi.so.40 is taken: --mpi /two/libmpi.so.40 takes the next one " +
		"(beff mpi list shows all)"
	for _, c := range []struct {
		launcher   *Launcher
		name       string
		list       []plugins.Plugin
		want, said string
	}{
		{orte, "", []plugins.Plugin{one, two}, one.Library, both},
		{orte, "", append(standard, one), one.Library, ""},
		{orte, "", append(standard, none), ours, ""},
		{hydra, "", append(standard, one), theirs, ""},
		{hydra, "abi", append(standard, one), theirs, ""},
		{orte, "abi", append(standard, one), ours, ""},
		{hydra, "openmpi", append(standard, one, two), one.Library, ""},
		{orte, "", append(open, one), "", ""},
		{orte, "", []plugins.Plugin{old, one}, one.Library, ""},
	} {
		said := ""
		p, err := pick(c.launcher, Choice{Preferred: c.name, Say: func(line string) { said += line }}, c.list)
		require.NoError(t, err)
		require.Equal(t, c.want, p.Library)
		require.Equal(t, c.said, said)
	}
	for name, want := range map[string]string{
		"openmpi": "no library of the plug-in openmpi (Open MPI) is found: name its file by --mpi PATH",
		"./mpi":   "no such file",
	} {
		_, err := pick(orte, Choice{MPI: name}, []plugins.Plugin{none})
		require.ErrorContains(t, err, want)
		require.Equal(t, exit.Usage, exit.Code(err))
	}
}

func TestParent(t *testing.T) {
	list := host.Ancestors("/")
	require.Equal(t, []int{os.Getpid(), os.Getppid()}, []int{list[0].ID, list[1].ID})
	require.Empty(t, Directories(), "go test is no launcher")
}
