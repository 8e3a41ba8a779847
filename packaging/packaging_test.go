package main

import (
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tests use the release for this machine's kind of processor, which is made once.

const arch = "amd64"

var made = sync.OnceValues(func() (*release, error) {
	out, err := os.MkdirTemp("", "beff-dist")
	if err != nil {
		return nil, err
	}
	r := &release{root: "..", out: out}
	return r, r.make([]string{arch})
})

func TestMain(m *testing.M) {
	code := m.Run()
	if r, err := made(); err == nil {
		os.RemoveAll(r.out)
	}
	os.Exit(code)
}

func theRelease(t *testing.T) *release {
	r, err := made()
	require.NoError(t, err)
	return r
}

// bare returns an environment without Go and without settings of the user.
func bare(t *testing.T, more ...string) []string {
	return append([]string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=" + t.TempDir(), "LC_ALL=C.UTF-8",
		"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}, more...)
}

// run runs a command, which must succeed, and returns its output.
func run(t *testing.T, environ []string, dir, name string, args ...string) string {
	c := exec.Command(name, args...)
	c.Dir, c.Env = dir, environ
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s %v: %s", name, args, out)
	return string(out)
}

// unpacked unpacks the archive, and returns its directory.
func unpacked(t *testing.T) string {
	r := theRelease(t)
	dir := t.TempDir()
	run(t, bare(t), dir, "tar", "xzf", r.name(arch, ".tar.gz"))
	return filepath.Join(dir, fmt.Sprintf("beff-%s-linux-%s", r.version, arch))
}

// TestSameBytesTwice makes the release again, from an archive of the sources, which has no history, in another
// directory. If the working copy has changes, it makes the release again from the copy.
func TestSameBytesTwice(t *testing.T) {
	r := theRelease(t)
	again := &release{root: "..", out: t.TempDir()}
	if !r.changed {
		again.root = t.TempDir()
		run(t, os.Environ(), "..", "sh", "-c", "git archive HEAD | tar -x -C "+again.root)
	}
	require.NoError(t, again.make([]string{arch}))
	want, err := os.ReadFile(filepath.Join(r.out, "SHA256SUMS"))
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(again.out, "SHA256SUMS"))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
	require.Equal(t, 4, strings.Count(string(got), "\n"))
	run(t, bare(t), r.out, "sha256sum", "-c", "SHA256SUMS")
}

// Plug-ins are for their processor, and need no C library newer than glibc 2.17 (plugins checks that).
func TestPlugins(t *testing.T) {
	r := theRelease(t)
	work, dir := r.work, unpacked(t)
	r.work = t.TempDir()
	defer func() { r.work = work }()
	require.NoError(t, os.Mkdir(filepath.Join(r.work, runtime.GOARCH), 0o777))
	require.NoError(t, os.Symlink(filepath.Join(dir, "bin/beff"), filepath.Join(r.work, runtime.GOARCH, "beff")))
	_, err := r.plugins("arm64")
	require.NoError(t, err)
	for where, machine := range map[string]elf.Machine{dir + "/lib/beff": elf.EM_X86_64,
		r.work + "/arm64": elf.EM_AARCH64} {
		list, err := filepath.Glob(where + "/*.so")
		require.NoError(t, err)
		require.Len(t, list, 3, where)
		for _, p := range list {
			f, err := elf.Open(p)
			require.NoError(t, err)
			require.Equal(t, machine, f.Machine)
			require.NoError(t, f.Close())
		}
	}
	require.ErrorContains(t, checkLibraries("/bin/sh"), "needs")
}

// NOTICE names the modules that the program is linked from, and no others.
func TestNotice(t *testing.T) {
	dir := unpacked(t)
	info, err := buildinfo.ReadFile(filepath.Join(dir, "bin", "beff"))
	require.NoError(t, err)
	text, err := os.ReadFile("../NOTICE")
	require.NoError(t, err)
	var want []string
	for _, m := range info.Deps {
		want = append(want, regexp.MustCompile(`/v\d+$`).ReplaceAllString(m.Path, ""))
	}
	require.ElementsMatch(t, want, regexp.MustCompile(`\b[a-z.]+\.[a-z]+/[\w~./-]*\w`).FindAllString(string(text), -1))
}

// launchers start the MPIs here.
var launchers = map[string]string{"openmpi": "mpirun.openmpi --oversubscribe", "mpich": "mpirun.mpich"}

// noCompiler is a bare environment whose PATH has the programs of /usr/bin without compilers and Go.
func noCompiler(t *testing.T) []string {
	environ, programs := bare(t), t.TempDir()
	environ[0] = "PATH=" + programs
	all, err := os.ReadDir("/usr/bin")
	require.NoError(t, err)
	for _, x := range all {
		if !regexp.MustCompile(`cc|clang|\+\+|^c\d|^go`).MatchString(x.Name()) {
			require.NoError(t, os.Symlink("/usr/bin/"+x.Name(), filepath.Join(programs, x.Name())))
		}
	}
	return environ
}

// The archive works without Go, compiler and module cache, and with any libc: no symbol has a version.
func TestArchive(t *testing.T) {
	dir := unpacked(t)
	beff := filepath.Join(dir, "bin", "beff")
	f, err := elf.Open(beff)
	require.NoError(t, err)
	defer f.Close()
	symbols, err := f.ImportedSymbols()
	require.NoError(t, err)
	for _, s := range symbols {
		require.Empty(t, s.Version, s.Name)
	}
	environ := noCompiler(t)
	for _, name := range []string{"abi", "mpich", "openmpi"} {
		require.Contains(t, run(t, environ, dir, beff, "version"), filepath.Join(dir, "lib", "beff", name+".so"))
	}
	for mpi, launch := range launchers {
		require.Regexp(t, `(?m)^`+mpi+`: .*, starts\n  interface .*\n  has .*files`,
			run(t, environ, dir, beff, "mpi", "list"))
		measure := func(args ...string) string {
			words := strings.Fields(launch + " -n 2 " + beff)
			return run(t, environ, t.TempDir(), words[0], append(words[1:], args...)...)
		}
		require.Contains(t, measure("run", "--quick", "--memory", "64MiB", "--patterns", "ring,random", "--methods",
			"sendrecv"), "* 2 PEs with")
		require.Contains(t, measure("probe", "PingPong", "--msglog", "3:4"), "PingPong")
		require.Contains(t, measure("io", "-T", "1", "--memory", "256MiB", "--max-bytes", "1GiB"), "b_eff_io")
	}
}

// The package is installed below a separate directory and removed again. Nothing is left, not even plug-ins.
func TestDeb(t *testing.T) {
	r, root := theRelease(t), t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "var/lib/dpkg/updates"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(root, "var/lib/dpkg/info"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o644))
	dpkg := func(args ...string) {
		run(t, bare(t), root, "dpkg", append([]string{"--root=" + root, "--force-script-chrootless",
			"--log=" + root + "/log"}, args...)...)
	}
	dpkg("-i", r.name(arch, ".deb"))
	installed(t, filepath.Join(root, "usr"), "share/zsh/vendor-completions/_beff")
	dpkg("-r", "beff")
	left, _ := filepath.Glob(filepath.Join(root, "usr/*/*"))
	require.Empty(t, left)
}

func TestRPM(t *testing.T) {
	r, root := theRelease(t), t.TempDir()
	rpm := func(args ...string) string {
		return run(t, bare(t), root, "rpm", append([]string{"--root", root, "--dbpath", "/db"}, args...)...)
	}
	rpm("--initdb")
	rpm("-i", "--ignorearch", "--noscripts", r.name(arch, ".rpm"))
	require.Contains(t, rpm("-q", "beff"), "beff-"+r.version)
	require.Contains(t, rpm("-q", "--scripts", "beff"), "rm -rf")
	installed(t, filepath.Join(root, "usr"), "share/zsh/site-functions/_beff")
	rpm("-e", "--noscripts", "beff")
	_, err := os.Stat(filepath.Join(root, "usr/bin/beff"))
	require.Error(t, err)
	_, err = os.Stat(filepath.Join(root, "usr/lib/beff"))
	require.Error(t, err)
}

// installed checks a package's files below a prefix, measures over both MPIs without a compiler, and makes a plug-in.
func installed(t *testing.T, prefix, zsh string) {
	for _, name := range []string{"share/man/man1/beff.1.gz", "share/man/man1/beff-run.1.gz", zsh,
		"share/bash-completion/completions/beff", "share/fish/vendor_completions.d/beff.fish",
		"share/doc/beff/LICENSE"} {
		require.FileExists(t, filepath.Join(prefix, name))
	}
	for mpi, launch := range launchers {
		words := append(strings.Fields(launch), "-n", "2", filepath.Join(prefix, "bin/beff"), "probe", "PingPong",
			"--msglog", "3:3")
		require.Contains(t, run(t, noCompiler(t), prefix, words[0], words[1:]...), "\n            8 ", mpi)
	}
	out := run(t, bare(t), prefix, filepath.Join(prefix, "bin/beff"), "mpi", "add", "--mpicc", "mpicc.openmpi")
	made := regexp.MustCompile(filepath.Join(prefix, `lib/beff/openmpi-[0-9].*\.so`)).FindString(out)
	require.FileExists(t, made, "the package's plug-in stays")
	require.FileExists(t, filepath.Join(prefix, "lib/beff/openmpi.so"))
	run(t, bare(t), prefix, filepath.Join(prefix, "bin/beff"), "mpi", "remove", strings.TrimSuffix(filepath.Base(made),
		".so"))
	run(t, bare(t), prefix, filepath.Join(prefix, "bin/beff"), "run", "-n", "2", "--quick", "--engine", "local",
		"--patterns", "ring,random", "--methods", "sendrecv")
}

// The script of a removed package removes the plug-ins, except if the package is replaced by another version.
func TestPostremove(t *testing.T) {
	for argument, removed := range map[string]bool{"remove": true, "purge": true, "upgrade": false, "0": true,
		"1": false} {
		root := t.TempDir()
		plugins := filepath.Join(root, "usr/lib/beff")
		require.NoError(t, os.MkdirAll(plugins, 0o755))
		run(t, bare(t, "DPKG_ROOT="+root), ".", "./postremove", argument)
		_, err := os.Stat(plugins)
		require.Equal(t, removed, os.IsNotExist(err), argument)
	}
}

// overstruck matches a character that is overstruck, as mandoc prints bold and underlined text.
var overstruck = regexp.MustCompile(`.\x08`)

// The man pages are well-formed.
func TestManual(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(unpacked(t), "share/man/man1/*.gz"))
	require.NoError(t, err)
	require.Greater(t, len(pages), 15)
	for _, page := range pages {
		c := exec.Command("mandoc", "-T", "utf8", "-W", "error", page)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s: %s", page, out)
		require.Contains(t, overstruck.ReplaceAllString(string(out), ""), "\nNAME\n       beff", page)
	}
}

// The shells complete a line with the scripts in the archive.
func TestCompletions(t *testing.T) {
	dir := unpacked(t)
	share := filepath.Join(dir, "share")
	environ := bare(t)
	environ[0] = "PATH=" + filepath.Join(dir, "bin") + ":/usr/bin:/bin"
	for shell, script := range map[string]string{
		"bash": `. ` + share + `/bash-completion/completions/beff
			COMP_WORDS=(beff run --ru) COMP_CWORD=2; _beff beff --ru run; echo "${COMPREPLY[@]}"`,
		"fish": `source ` + share + `/fish/vendor_completions.d/beff.fish; complete -C 'beff run --ru'`,
		"zsh": `compdef() { }; _files() { print files }; _describe() { print -l -- ${(P)2} }
			. ` + share + `/zsh/site-functions/_beff; words=(beff run --ru) CURRENT=3; _beff`,
	} {
		out := run(t, environ, dir, shell, "-c", script)
		require.Regexp(t, `(?m)^--rules`, out, shell)
		require.NotContains(t, out, "--seed", shell)
	}
}

// managers are the programs that read modulefiles. begin is the shell command that defines module.
var managers = map[string]struct {
	begin string
	files []string
}{
	"Lmod":                {". /usr/share/lmod/lmod/init/bash", []string{"beff.lua", "beff.tcl"}},
	"Environment Modules": {`module() { eval "$(tclsh "$MANAGER" bash "$@")"; }`, []string{"beff.tcl"}},
}

// The modulefiles add the program to the PATH and remove it, whichever program reads them. The system's man pages and
// completions are still found.
func TestModulefiles(t *testing.T) {
	dir := unpacked(t)
	manager, err := filepath.Glob("../build/environment-modules/usr/lib/*/modulecmd.tcl")
	require.NoError(t, err)
	require.Len(t, manager, 1, ".ci/deps unpacks Environment Modules")
	for manages, m := range managers {
		for _, name := range m.files {
			text, err := os.ReadFile(filepath.Join(dir, "share/beff/modulefiles", name))
			require.NoError(t, err)
			modules := t.TempDir()
			file := filepath.Join(modules, "beff", "0.1.0"+strings.TrimSuffix(filepath.Ext(name), ".tcl"))
			require.NoError(t, os.Mkdir(filepath.Dir(file), 0o755))
			require.Contains(t, string(text), "/opt/beff-0.1.0-linux-amd64")
			text = bytes.ReplaceAll(text, []byte("/opt/beff-0.1.0-linux-amd64"), []byte(dir))
			require.NoError(t, os.WriteFile(file, text, 0o644))
			out := run(t, bare(t, "MANAGER="+manager[0]), ".", "bash", "-c", m.begin+` && module use `+modules+
				` && module load beff/0.1.0 && command -v beff && echo "$MANPATH" "$XDG_DATA_DIRS"`+
				` && module unload beff/0.1.0 && ! command -v beff && echo "$MANPATH" "$XDG_DATA_DIRS"`)
			require.Regexp(t, "^"+dir+"/bin/beff\n"+dir+"/share/man:+ "+dir+"/share:/usr/local/share:/usr/share\n"+
				" /usr/local/share:/usr/share\n$", out, "%s by %s", name, manages)
		}
	}
}

// JUBE runs beff.xml with several numbers of processes, and reads the figures.
func TestJUBE(t *testing.T) {
	dir, work := unpacked(t), t.TempDir()
	text, err := os.ReadFile(filepath.Join(dir, "share/beff/jube/beff.xml"))
	require.NoError(t, err)
	changed := strings.NewReplacer(">2,4,8<", ">2,3<", ">mpirun -n", ">mpirun.openmpi --oversubscribe -n",
		`name="flags"><`, `name="flags">--quick --memory 64MiB --methods sendrecv<`).Replace(
		string(text))
	require.NoError(t, os.WriteFile(filepath.Join(work, "beff.xml"), []byte(changed), 0o644))
	environ := bare(t)
	environ[0] = "PATH=" + filepath.Join(dir, "bin") + ":/usr/bin:/bin"
	run(t, environ, work, "jube", "run", "beff.xml")
	out := run(t, environ, work, "jube", "result", "beff", "--id", "last")
	require.Regexp(t, `(?m)^2,\d+\.\d+,0$`, out)
	require.Regexp(t, `(?m)^3,\d+\.\d+,0$`, out)
}

// The recipes in Python are well-formed.
func TestRecipes(t *testing.T) {
	for _, name := range append(builders, "reframe/beff.py") {
		run(t, bare(t), ".", "python3", "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", name)
	}
}

// Recipes for package managers have the digests of this release's archives, and name its version.
func TestRecipesOfRelease(t *testing.T) {
	r := theRelease(t)
	sum, err := digest(r.name(arch, ".tar.gz"))
	require.NoError(t, err)
	for _, name := range builders {
		text, err := os.ReadFile(filepath.Join(r.out, "recipes", name))
		require.NoError(t, err)
		require.Contains(t, string(text), sum, name)
		require.NotContains(t, string(text), "@"+arch+"@", name)
		require.Contains(t, string(text), r.version, name)
	}
	info, err := os.Stat(r.name(arch, ".tar.gz"))
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(30e6), "the archive stays small")
}
