package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
)

// eachString calls use for each string constant of beff's packages, since any may be a remedy. It joins operands of +.
func eachString(t *testing.T, use func(file, text string)) {
	var joined func(x ast.Expr) (string, bool)
	joined = func(x ast.Expr) (string, bool) {
		switch x := x.(type) {
		case *ast.BasicLit:
			text, err := strconv.Unquote(x.Value)
			return text, err == nil && x.Kind == token.STRING
		case *ast.ParenExpr:
			return joined(x.X)
		case *ast.BinaryExpr:
			left, is := joined(x.X)
			right, also := joined(x.Y)
			return left + right, is && also && x.Op == token.ADD
		}
		return "", false
	}
	for _, root := range []string{"../../beff", "../../beffio", "../../cmd", "../../mpi", "../../probe", "../../rating",
		"../../report", "../../sim"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if d != nil && d.IsDir() && d.Name() == "fixture" { // serves tests
				return fs.SkipDir
			}
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				x, is := n.(ast.Expr)
				if !is {
					return true
				}
				text, constant := joined(x)
				if constant {
					use(path, text)
				}
				return !constant
			})
			return nil
		}))
	}
}

// othersFlags maps the flags of other programs that beff's texts name to the programs.
var othersFlags = map[string]string{
	"--bind-to": "mpirun.openmpi", "--cpu-bind": "srun", "--distribution": "srun", "--exclusive": "srun",
	"--cpus": "docker", "--tmpfs": "docker", "--hint": "srun",
	"--ntasks-per-node": "srun", "--cap-add": "docker", "--ipc": "docker", "--shm-size": "docker",
	"--defsym": "ld", "--getentryinfo": "beegfs-ctl", "--guide": "beff imb", "--oversubscribe": "mpirun.openmpi",
	"--allow-run-as-root": "mpirun.openmpi", "--msglen": "IMB", "--beff": "a setting of beff ab",
}

// Each flag in a text of beff is a flag of beff, or one of othersFlags.
func TestFlagsInTexts(t *testing.T) {
	app, err := wholeModel(&process.Process{Stdout: io.Discard, Stderr: io.Discard})
	require.NoError(t, err)
	have := map[string]bool{}
	var collect func(node *kong.Node)
	collect = func(node *kong.Node) {
		for _, f := range node.Flags {
			have["--"+f.Name] = true
		}
		for _, child := range node.Children {
			collect(child)
		}
	}
	collect(app.Node)
	flag := regexp.MustCompile(`(?:^|[^\w-])(--[a-z][a-z0-9-]*)`)
	seen := 0
	eachString(t, func(file, text string) {
		for _, m := range flag.FindAllStringSubmatch(text, -1) {
			seen++
			if !have[m[1]] && othersFlags[m[1]] == "" {
				t.Errorf("%s: beff has no %s: %q", file, m[1], text)
			}
		}
	})
	require.Greater(t, seen, 200)
}

// beff understands the commands in its texts.
func TestCommandsInTexts(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	command := regexp.MustCompile("`beff ([^`%…]*)`")
	seen := 0
	eachString(t, func(file, text string) {
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			words := shellWords(m[1])
			if len(words) < 2 { // the name of a command
				continue
			}
			seen++
			err := understood(words)
			if err != nil { // the text leaves out the result, because the reader looks at it
				err = understood(append(words, "result.json"))
			}
			assert.NoError(t, err, "%s: beff %s", file, m[1])
		}
	})
	require.Positive(t, seen)
}

// unreadHere has the variables in texts that the MPIs of Debian 12 don't read, and who sets or reads them.
var unreadHere = map[string]string{
	"OMPI_MCA_initial_wdir":            "mpirun sets it for its processes",
	"MPIR_CVAR_ENABLE_SMP_COLLECTIVES": "MPICH 3 and earlier",
	"MPIR_CVAR_CH4_CMA_ENABLE":         "MPICH 4.1 and later",
}

// The installed MPIs read the variables that beff's texts name.
func TestVariablesInTexts(t *testing.T) {
	libraries := map[string]string{} // by the prefix of its variables, each library's list of variables or its bytes
	if all, err := exec.Command("ompi_info", "--all", "--parsable").Output(); err == nil {
		libraries["OMPI_MCA_"] = string(all)
	}
	for prefix, files := range map[string][]string{"MPIR_CVAR_": {"libmpich.so.12"},
		"UCX_": {"libucp.so.0", "libuct.so.0", "libucs.so.0", "ucx/libuct_ib.so.0"}} {
		for _, name := range files {
			found, _ := filepath.Glob("/usr/lib/*/" + name)
			for _, path := range found {
				text, err := os.ReadFile(path)
				require.NoError(t, err)
				libraries[prefix] += string(text)
			}
		}
	}
	if len(libraries) == 0 {
		t.Skip("no MPI is installed")
	}
	variable := regexp.MustCompile(`\b(OMPI_MCA_|MPIR_CVAR_|UCX_)([A-Za-z0-9_]*[A-Za-z0-9])([_*]?)`)
	seen := 0
	eachString(t, func(file, text string) {
		for _, m := range variable.FindAllStringSubmatch(text, -1) {
			library, there := libraries[m[1]]
			if !there || m[3] != "" || unreadHere[m[1]+m[2]] != "" { // m[3]: m is a prefix of several
				continue
			}
			seen++
			read := strings.Contains(library, map[string]string{"OMPI_MCA_": ":param:" + m[2] + ":",
				"MPIR_CVAR_": m[0], "UCX_": m[2] + "\x00"}[m[1]])
			for i := range m[2] { // UCX keeps the prefix of a transport and the rest of a name apart
				read = read || m[1] == "UCX_" && m[2][i] == '_' && strings.Contains(library, m[2][:i+1]+"\x00") &&
					strings.Contains(library, "\x00"+m[2][i+1:]+"\x00")
			}
			if !read {
				t.Errorf("%s: the library doesn't read %s: %q", file, m[0], text)
			}
		}
	})
	require.Greater(t, seen, 20)
}
