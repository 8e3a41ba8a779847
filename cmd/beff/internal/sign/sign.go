// Package sign signs result files with SSH keys, and checks such signatures. The format is OpenSSH's (PROTOCOL.sshsig),
// beside the file with the ending .sig, so that ssh-keygen -Y sign and ssh-keygen -Y verify work on the same files.
package sign

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report/input"
)

const (
	// Namespace keeps signatures of results apart from those that the same key makes for other purposes.
	Namespace = "beff"
	// Ending of a file's signature.
	Ending = ".sig"

	mostBytes = 1 << 20 // of a key, a list of them, or a signature
)

// PathOf returns the path of a file's signature. It is of the document, packed or not, so that a signature stays when a
// file is packed later.
func PathOf(path string) string { return strings.TrimSuffix(path, input.Gzip) + Ending }

// Sign writes the signature of the document in a file beside it, by the private key in another file, which must be
// trusted.
func Sign(path string, document []byte, key string) error {
	private, err := input.ReadTrusted(key, mostBytes)
	if err != nil {
		return err
	}
	signer, err := ssh.ParsePrivateKey(private)
	if missing := (*ssh.PassphraseMissingError)(nil); errors.As(err, &missing) {
		return fmt.Errorf("%s has a passphrase: ssh-keygen -Y sign -n %s -f %s %s makes the same signature",
			key, Namespace, key, path)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	if err := spare(PathOf(path)); err != nil {
		return err
	}
	made, err := sshsig.SignWithRand(bytes.NewReader(document), rand.Reader, signer, sshsig.HashSHA512, Namespace)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return publish.Replace(PathOf(path), func(w io.Writer) error {
		_, err := w.Write(sshsig.Armor(made))
		return err
	})
}

// spare returns an error if something else than a signature has the name of one, which no user has chosen: a link that
// came with the file may lead anywhere.
func spare(path string) error {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a link: move it away", path)
	}
	old, err := input.ReadAll(path, mostBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil:
		_, err = sshsig.Unarmor(old)
	}
	if err != nil {
		err = fmt.Errorf("%s is no signature: move it away: %w", path, err)
	}
	return err
}

// Signers are public keys with their names.
type Signers []signer

type signer struct {
	key  ssh.PublicKey
	name string
}

// Read returns the keys of a file: public keys as ssh-keygen writes them, or a list of allowed signers, which has a
// name before each key (ssh-keygen(1), ALLOWED SIGNERS). Options of a list, such as a time of validity, are refused,
// because they would not be kept. So is a file that isn't trusted.
func Read(path string) (Signers, error) {
	data, err := input.ReadTrusted(path, mostBytes)
	if err != nil {
		return nil, err
	}
	var list Signers
	for n, line := range strings.Split(string(data), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		key, comment, options, _, err := ssh.ParseAuthorizedKey([]byte(line))
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: want a public key, with one name before it or none", path, n+1)
		}
		name := comment
		if len(options) > 0 {
			name = options[0]
			if len(options) > 1 || strings.Contains(name, "=") || name == "cert-authority" {
				return nil, fmt.Errorf("%s, line %d: options of allowed signers are not supported", path, n+1)
			}
		}
		if name == "" {
			name = ssh.FingerprintSHA256(key)
		}
		list = append(list, signer{key, name})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no public key", path)
	}
	return list, nil
}

// Check returns the name of the signer of the document in a file, or an error if none of these keys has signed it as it
// is. It is a report.Vouch.
func (s Signers) Check(path string, document []byte) (string, error) {
	made, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", errors.New("not signed: there is no " + PathOf(path))
	}
	if err != nil {
		return "", err
	}
	for _, who := range s {
		if !bytes.Equal(who.key.Marshal(), made.PublicKey.Marshal()) {
			continue
		}
		return who.name, of(document, made, who.name)
	}
	return "", errors.New("signed by another key: " + ssh.FingerprintSHA256(made.PublicKey))
}

// Key returns the fingerprint of the key that has signed the document in a file, whoever has it; nothing if there is no
// signature. It is an error if the signature is not of the document.
func Key(path string, document func() ([]byte, error)) (string, error) {
	made, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	text, err := document()
	if err != nil {
		return "", err
	}
	key := ssh.FingerprintSHA256(made.PublicKey)
	return key, of(text, made, key)
}

// of returns an error unless a signature is of a document. It may be nobody's whom we know.
func of(document []byte, made *sshsig.Signature, name string) error {
	err := sshsig.Verify(bytes.NewReader(document), made, made.PublicKey, made.HashAlgorithm, Namespace)
	if err != nil {
		return fmt.Errorf("the signature of %s is not of this file: %w", name, err)
	}
	return nil
}

// read reads the signature of a file.
func read(path string) (*sshsig.Signature, error) {
	armored, err := input.ReadAll(PathOf(path), mostBytes)
	if err != nil {
		return nil, err
	}
	made, err := sshsig.Unarmor(armored)
	if err != nil {
		return nil, fmt.Errorf("%s: no signature: %w", PathOf(path), err)
	}
	return made, nil
}
