package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
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
	public, private, err := ed25519.GenerateKey(rand.Reader)
	ts.Check(err)
	block, err := ssh.MarshalPrivateKey(private, args[1])
	ts.Check(err)
	key, err := ssh.NewPublicKey(public)
	ts.Check(err)
	line := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key))) + " " + args[1] + "\n"
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), pem.EncodeToMemory(block), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".pub"), []byte(line), 0o600))
}
