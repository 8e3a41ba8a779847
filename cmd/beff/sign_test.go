package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/crypto/ssh"
)

// sshkey FILE COMMENT makes a private key, and a public one in FILE.pub.
func sshkey(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sshkey FILE COMMENT")
	}
	ts.Check(newKey(ts.MkAbs(args[0]), args[1]))
}

// newKey writes a new SSH key and its public key.
func newKey(path, comment string) error {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	block, err := ssh.MarshalPrivateKey(private, comment)
	if err != nil {
		return err
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		return err
	}
	line := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key))) + " " + comment + "\n"
	return errors.Join(os.WriteFile(path, pem.EncodeToMemory(block), 0o600),
		os.WriteFile(path+".pub", []byte(line), 0o600))
}
