package input

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const stranger = 65534

// tree makes files below a new directory. A path that ends with / is a directory. A link has its target after =. An
// entry may have its mode after !, and another user owns it if it has @.
func tree(t *testing.T, entries ...string) string {
	dir := t.TempDir()
	for _, e := range entries {
		path, foreign := strings.CutSuffix(e, "@")
		path, mode, _ := strings.Cut(path, "!")
		path, target, link := strings.Cut(path, "=")
		at := filepath.Join(dir, path)
		switch {
		case link:
			require.NoError(t, os.Symlink(target, at))
		case strings.HasSuffix(path, "/"):
			require.NoError(t, os.Mkdir(at, 0o755))
		default:
			require.NoError(t, os.WriteFile(at, []byte("text"), 0o644))
		}
		switch mode {
		case "group":
			require.NoError(t, os.Chmod(at, 0o775))
		case "all":
			require.NoError(t, os.Chmod(at, 0o777))
		case "shared":
			require.NoError(t, os.Chmod(at, 0o777|os.ModeSticky))
		}
		if foreign {
			require.NoError(t, os.Lchown(at, stranger, stranger))
		}
	}
	return dir
}

func asRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root makes files of other users")
	}
}

// refused checks that an error contains the text want, or that there is no error if want is empty.
func refused(t *testing.T, err error, want, path string) {
	if want == "" {
		require.NoError(t, err, path)
		return
	}
	require.ErrorContains(t, err, want, path)
	require.NotContains(t, err.Error(), "\n")
}

// TestTrusted checks that files that others can change aren't trusted, and that the error gives a remedy.
func TestTrusted(t *testing.T) {
	t.Setenv("HOME", "/nonexistent")
	dir := tree(t, "file", "open!group", "group/!group", "group/file", "shared/!shared", "shared/file", "link=file",
		"far=group/file", "home/!group", "home/me/", "home/me/file")
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	for path, want := range map[string]string{
		"file": "", "link": "", "shared/file": "", "pipe": "is a pipe", "group": "is a directory",
		"open":         "chmod go-w " + dir + "/open",
		"group/file":   "chmod go-w " + dir + "/group",
		"far":          "chmod go-w " + dir + "/group",
		"home/me/file": "chmod go-w " + dir + "/home",
		"missing":      "no such file",
	} {
		_, err := Trusted(filepath.Join(dir, path))
		refused(t, err, want, path)
	}
	for path, want := range map[string]string{
		"": "", "group": "chmod go-w", "shared": "use your own directory", "file": "not a directory",
	} {
		_, err := TrustedDirectory(filepath.Join(dir, path))
		refused(t, err, want, path)
	}
	t.Setenv("HOME", dir+"/home/me") // directories above it aren't checked
	_, err := Trusted(dir + "/home/me/file")
	require.NoError(t, err)
	require.NoError(t, os.Symlink("home/me", dir+"/here"))
	t.Chdir(dir + "/here") // the working directory's path may have links, too
	real, err := Trusted("file")
	require.NoError(t, err)
	require.Equal(t, dir+"/home/me/file", real)
	_, err = Trusted("../file")
	refused(t, err, "no such file", ".. after a link is the parent of the link's target")
}

// TestReadTrusted checks that ReadTrusted reads the file that it has checked, even if the link to it has changed.
func TestReadTrusted(t *testing.T) {
	t.Setenv("HOME", "/nonexistent")
	dir := tree(t, "good", "bad!all", "link=good")
	require.NoError(t, os.WriteFile(dir+"/bad", []byte("not trusted"), 0o600))
	ended, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-ended:
				return
			default:
			}
			_ = os.Symlink([]string{"good", "bad"}[i%2], dir+"/next")
			_ = os.Rename(dir+"/next", dir+"/link")
		}
	}()
	for range 20_000 {
		if text, err := ReadTrusted(dir+"/link", 99); err == nil {
			assert.Equal(t, "text", string(text))
		}
	}
	close(ended)
	<-done
}

// TestTrustedOwners checks that no file of another user is trusted, whatever its directory and its mode are.
func TestTrustedOwners(t *testing.T) {
	asRoot(t)
	dir := tree(t, "file@", "his/@", "his/file", "shared/!shared", "shared/his@", "link=file")
	for _, path := range []string{"file", "his/file", "shared/his", "link"} {
		_, err := Trusted(filepath.Join(dir, path))
		refused(t, err, "belongs to user 65534: use your own copy", path)
	}
	_, err := TrustedDirectory(dir + "/his")
	refused(t, err, "belongs to user 65534", "his")
}

// TestLinksOfStrangers checks that another user's link is never followed for an output, nor for an input if it is in a
// directory of all users.
func TestLinksOfStrangers(t *testing.T) {
	asRoot(t)
	dir := tree(t, "file", "mine=file", "his=file@", "via=his", "shared/!shared", "shared/mine=../file",
		"shared/his=../file@", "shared/new@", "shared/dir=..@", "dir=.@", "loop=loop", "none=missing",
		"device=/dev/null")
	const no = "is a link of user 65534, which is not followed"
	for _, c := range []struct{ path, read, write string }{
		{"mine", "", ""}, {"shared/mine", "", ""}, {"none", "no such file", ""},
		{"shared/new", "", "is a file of user 65534 in a directory of all users: choose another name"},
		{"his", "", no}, {"via", "", no}, {"shared/his", no, no}, {"shared/dir/file", no, no}, {"dir/file", "", ""},
		{"loop", "too many levels", "too many levels"}, {"device", "is a device", "is a device, not a file"},
		{"shared/../mine", "", ""}, {"file/more", "not a directory", "not a directory"},
	} {
		_, err := ReadAll(filepath.Join(dir, "./")+"/"+c.path, 9)
		refused(t, err, c.read, c.path)
		path, _, err := OutputTarget(dir + "/" + c.path)
		refused(t, err, c.write, c.path)
		if err == nil && c.path != "none" {
			require.Equal(t, dir+"/file", path)
		}
	}
}
