package sign

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"
)

// keys writes a private and a public key, and returns their paths.
func keys(t *testing.T, comment string) (private, public string) {
	dir := t.TempDir()
	pub, key, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	block, err := ssh.MarshalPrivateKey(key, comment)
	require.NoError(t, err)
	private, public = filepath.Join(dir, "key"), filepath.Join(dir, "key.pub")
	require.NoError(t, os.WriteFile(private, pem.EncodeToMemory(block), 0o600))
	line, err := ssh.NewPublicKey(pub)
	require.NoError(t, err)
	text := string(ssh.MarshalAuthorizedKey(line))
	require.NoError(t, os.WriteFile(public, []byte(text[:len(text)-1]+" "+comment+"\n"), 0o600))
	return private, public
}

func result(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "x.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"benchmark":"b_eff"}`), 0o600))
	return path
}

func text(t *testing.T, path string) []byte {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

// A signature is of one file, as it was, by one key.
func TestSign(t *testing.T) {
	private, public := keys(t, "me@site")
	_, other := keys(t, "you@site")
	path := result(t)
	mine, err := Read(public)
	require.NoError(t, err)
	yours, err := Read(other)
	require.NoError(t, err)

	_, err = mine.Check(path, text(t, path))
	require.ErrorContains(t, err, "not signed")
	made := path + ".sig"
	require.NoError(t, Sign(path, text(t, path), private))
	name, err := mine.Check(path, text(t, path))
	require.NoError(t, err)
	require.Equal(t, "me@site", name)
	name, err = append(yours, mine...).Check(path, text(t, path))
	require.NoError(t, err)
	require.Equal(t, "me@site", name)
	_, err = yours.Check(path, text(t, path))
	require.ErrorContains(t, err, "signed by another key: SHA256:")

	require.NoError(t, os.WriteFile(path, []byte(`{"benchmark":"b_eff" }`), 0o600))
	_, err = mine.Check(path, text(t, path))
	require.ErrorContains(t, err, "the signature of me@site is not of this file")
	require.NoError(t, os.WriteFile(made, []byte("x"), 0o600))
	_, err = mine.Check(path, text(t, path))
	require.ErrorContains(t, err, "no signature")

	// What isn't a signature keeps its name, and so does a link, wherever it leads.
	require.ErrorContains(t, Sign(path, text(t, path), private), made+" is no signature: move it away")
	require.NoError(t, os.Remove(made))
	require.NoError(t, os.Symlink("elsewhere", made))
	require.ErrorContains(t, Sign(path, text(t, path), private), made+" is a link: move it away")
	require.NoFileExists(t, filepath.Join(filepath.Dir(path), "elsewhere"))
}

// A signature tells whose key made it, whoever has that.
func TestKey(t *testing.T) {
	private, public := keys(t, "me@site")
	key, _, _, _, err := ssh.ParseAuthorizedKey(text(t, public))
	require.NoError(t, err)
	path := result(t)
	as := func(document []byte, failed error) func() ([]byte, error) {
		return func() ([]byte, error) { return document, failed }
	}
	good := text(t, path)
	got, err := Key(path, as(nil, errors.New("it is read without a signature")))
	require.NoError(t, err)
	require.Empty(t, got)
	require.NoError(t, Sign(path, good, private))
	got, err = Key(path, as(good, nil))
	require.NoError(t, err)
	require.Equal(t, ssh.FingerprintSHA256(key), got)
	_, err = Key(path, as(append(good, ' '), nil))
	require.ErrorContains(t, err, "the signature of SHA256:")
	gone := errors.New("it is gone")
	_, err = Key(path, as(nil, gone))
	require.ErrorIs(t, err, gone)
	require.NoError(t, os.WriteFile(PathOf(path), []byte("x"), 0o600))
	_, err = Key(path, as(good, nil))
	require.ErrorContains(t, err, "no signature")
}

// OpenSSH accepts our signatures and we accept OpenSSH's, but not those for other purposes.
func TestOpenSSH(t *testing.T) {
	tool, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("ssh-keygen is not installed: make deps")
	}
	private, public := keys(t, "me@site")
	key, err := os.ReadFile(public)
	require.NoError(t, err)
	allowed := filepath.Join(t.TempDir(), "allowed")
	require.NoError(t, os.WriteFile(allowed, append([]byte("# signers\n\nme@site "), key...), 0o600))
	signers, err := Read(allowed)
	require.NoError(t, err)

	path := result(t)
	require.NoError(t, Sign(path, text(t, path), private))
	verify := exec.Command(tool, "-Y", "verify", "-f", allowed, "-I", "me@site", "-n", Namespace, "-s", path+Ending)
	verify.Stdin, err = os.Open(path)
	require.NoError(t, err)
	out, err := verify.CombinedOutput()
	require.NoError(t, err, "%s", out)

	for namespace, ok := range map[string]bool{Namespace: true, "file": false} {
		require.NoError(t, os.Remove(path+Ending))
		out, err := exec.Command(tool, "-Y", "sign", "-n", namespace, "-f", private, path).CombinedOutput()
		require.NoError(t, err, "%s", out)
		name, err := signers.Check(path, text(t, path))
		if ok {
			require.NoError(t, err)
			require.Equal(t, "me@site", name)
		} else {
			require.ErrorContains(t, err, "not of this file")
		}
	}
}

// Files of keys that would be understood in another way than OpenSSH does are refused.
func TestRead(t *testing.T) {
	_, public := keys(t, "me@site")
	key, err := os.ReadFile(public)
	require.NoError(t, err)
	for text, want := range map[string]string{
		"":            "no public key",
		"# nothing\n": "no public key",
		"x\n":         "line 1: want a public key",
		"a@b valid-before=\"20200101\" " + string(key): "line 1: want a public key",
		"valid-before=\"20200101\" " + string(key):     "line 1: options",
		"cert-authority " + string(key):                "line 1: options",
		"a@b,c@d " + string(key):                       "line 1: options",
	} {
		path := filepath.Join(t.TempDir(), "keys")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := Read(path)
		require.ErrorContains(t, err, want, text)
	}
	for more, want := range []string{"no public key", "is longer than 1048576 bytes"} {
		path := filepath.Join(t.TempDir(), "keys")
		require.NoError(t, os.WriteFile(path, append([]byte("#"), make([]byte, 1<<20-1+more)...), 0o600))
		_, err := Read(path)
		require.ErrorContains(t, err, want)
	}
}
