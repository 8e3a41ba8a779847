package scratch

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMain lets the test binary also run as a guard, and as a process that has a guard and waits to be killed.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) == 3 && os.Args[1] == GuardArgument:
		if BeGuard(os.Args[2]) != nil {
			os.Exit(1)
		}
	case len(os.Args) == 3 && os.Args[1] == "guarded":
		d, err := Make(os.Args[2])
		if err == nil {
			err = d.Guard()
		}
		if err != nil {
			os.Exit(1)
		}
		os.Stdout.WriteString(d.Path + "\n")
		time.Sleep(time.Minute)
	default:
		os.Exit(m.Run())
	}
}

func TestMakeAndRemove(t *testing.T) {
	parent := t.TempDir()
	d, err := Make(parent)
	require.NoError(t, err)
	info, err := os.Stat(d.Path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	another, err := Make(parent)
	require.NoError(t, err)
	require.NotEqual(t, d.Path, another.Path)

	// The targets of links stay.
	kept := filepath.Join(t.TempDir(), "kept")
	require.NoError(t, os.WriteFile(kept, []byte("precious"), 0o600))
	require.NoError(t, os.Symlink(kept, filepath.Join(d.Path, "link")))
	require.NoError(t, os.Symlink(filepath.Dir(kept), filepath.Join(d.Path, "dir")))
	require.NoError(t, d.Remove())
	require.NoDirExists(t, d.Path)
	require.FileExists(t, kept)
	require.NoError(t, d.Remove(), "again")
	require.DirExists(t, another.Path)
	require.NoError(t, another.Remove())
}

// Anyone who may write to the parent can put another directory in the place of ours. Remove leaves that directory
// alone.
func TestReplaced(t *testing.T) {
	d, err := Make(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.Rename(d.Path, d.Path+"-moved"))
	require.NoError(t, os.Mkdir(d.Path, 0o700))
	precious := filepath.Join(d.Path, "precious")
	require.NoError(t, os.WriteFile(precious, nil, 0o600))
	require.ErrorContains(t, d.Remove(), "another directory has its name")
	require.FileExists(t, precious)
}

// The parent may be a symbolic link, as scratch directories often are.
func TestLinkedParent(t *testing.T) {
	parent, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(parent, link))
	d, err := Make(link)
	require.NoError(t, err)
	require.Equal(t, parent, filepath.Dir(d.Path))
	require.NoError(t, d.Remove())
}

func TestMakeFails(t *testing.T) {
	_, err := Make(filepath.Join(t.TempDir(), "missing"))
	require.ErrorContains(t, err, "no such file or directory")
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = Make(file)
	require.ErrorContains(t, err, "scratch directory: ")
}

func TestAdopt(t *testing.T) {
	d, err := Make(t.TempDir())
	require.NoError(t, err)
	other, err := Adopt(d.Path)
	require.NoError(t, err)
	require.NoError(t, other.Remove())
	require.NoDirExists(t, d.Path)
	require.NoError(t, d.Remove(), "a missing directory is not an error")
	_, err = Adopt(d.Path)
	require.Error(t, err)
	_, err = Adopt(t.TempDir())
	require.ErrorContains(t, err, "is not a scratch directory")
}

// A killed process leaves no directory.
func TestGuard(t *testing.T) {
	c := exec.Command(os.Args[0], "guarded", t.TempDir())
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	path, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	path = path[:len(path)-1]
	require.NoError(t, os.WriteFile(filepath.Join(path, "file"), make([]byte, 1<<20), 0o600))
	time.Sleep(200 * time.Millisecond)
	require.DirExists(t, path, "as long as the process lives")
	require.NoError(t, c.Process.Kill())
	c.Wait()
	require.Eventually(t, func() bool { _, err := os.Stat(path); return os.IsNotExist(err) }, 10*time.Second,
		20*time.Millisecond)
}

func TestFacts(t *testing.T) {
	f, err := Facts(t.TempDir())
	require.NoError(t, err)
	require.NotEmpty(t, f.Directory)
	_, err = Facts(filepath.Join(t.TempDir(), "missing"))
	require.ErrorContains(t, err, "no such file or directory")
}
