// Package sign signs result files with SSH keys, and checks such signatures. The format is OpenSSH's (PROTOCOL.sshsig),
// beside the file with the ending .sig, so that ssh-keygen -Y sign and ssh-keygen -Y verify work on the same files.
package sign

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/input"
)

const (
	// Namespace keeps signatures of results apart from those that the same key makes for other purposes.
	Namespace = "beff"
	// Ending of a file's signature.
	Ending = ".sig"
)

// PathOf returns the path of a file's signature. It is of the document, packed or not, so that a signature stays when a
// file is packed later.
func PathOf(path string) string { return strings.TrimSuffix(path, input.Gzip) + Ending }

// Sign writes the signature of a file beside it, by the private key in another file. It returns the signature's path.
func Sign(path, key string) (string, error) {
	private, err := os.ReadFile(key)
	if err != nil {
		return "", err
	}
	signer, err := ssh.ParsePrivateKey(private)
	if missing := (*ssh.PassphraseMissingError)(nil); errors.As(err, &missing) {
		return "", fmt.Errorf("%s has a passphrase: ssh-keygen -Y sign -n %s -f %s %s makes the same signature",
			key, Namespace, key, path)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	data, err := report.Text(path)
	if err != nil {
		return "", err
	}
	made, err := sshsig.SignWithRand(bytes.NewReader(data), rand.Reader, signer, sshsig.HashSHA512, Namespace)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return PathOf(path), os.WriteFile(PathOf(path), sshsig.Armor(made), 0o644)
}

// Signers are public keys with their names.
type Signers []signer

type signer struct {
	key  ssh.PublicKey
	name string
}

// Read returns the keys of a file: public keys as ssh-keygen writes them, or a list of allowed signers, which has a
// name before each key (ssh-keygen(1), ALLOWED SIGNERS). Options of a list, such as a time of validity, are refused,
// because they would not be kept.
func Read(path string) (Signers, error) {
	data, err := os.ReadFile(path)
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

// Check returns the name of the signer of a file, or an error if none of these keys has signed it as it is.
func (s Signers) Check(path string) (string, error) {
	armored, err := os.ReadFile(PathOf(path))
	if errors.Is(err, os.ErrNotExist) {
		return "", errors.New("not signed: there is no " + PathOf(path))
	}
	if err != nil {
		return "", err
	}
	made, err := sshsig.Unarmor(armored)
	if err != nil {
		return "", fmt.Errorf("%s: no signature: %w", PathOf(path), err)
	}
	for _, who := range s {
		if !bytes.Equal(who.key.Marshal(), made.PublicKey.Marshal()) {
			continue
		}
		data, err := report.Text(path)
		if err != nil {
			return "", err
		}
		if err := sshsig.Verify(bytes.NewReader(data), made, who.key, made.HashAlgorithm, Namespace); err != nil {
			return "", fmt.Errorf("the signature of %s is not of this file: %w", who.name, err)
		}
		return who.name, nil
	}
	return "", errors.New("signed by another key: " + ssh.FingerprintSHA256(made.PublicKey))
}
