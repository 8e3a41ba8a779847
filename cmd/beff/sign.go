package main

import (
	"fmt"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/sign"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/input"
)

// signCommand is `beff sign`.
type signCommand struct {
	Results []string `arg:"" name:"result" help:"Result files, or directories with results."`
	Key     string   `required:"" placeholder:"FILE" help:"Private SSH key, such as ~/.ssh/id_ed25519."`
}

// Run is called by the command line. Only results that are proven are signed.
func (c *signCommand) Run(p *process.Process) error {
	files, err := publish.Read(c.Results, nil, nil)
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.Path == input.Stdin {
			return exit.Misuse("sign: a signature is a file beside the result: standard input has none")
		}
		if f.Problem != nil {
			return fmt.Errorf("%s: not signed, as it is not verified: %w", f.Name(), f.Problem)
		}
		if f.Journal != "" {
			return fmt.Errorf("%s: not signed: it is made from %s, as the run has not ended", f.Name(), f.Journal)
		}
		text, err := f.Text()
		if err != nil {
			return fmt.Errorf("sign: %w", err)
		}
		if err := sign.Sign(f.Path, text, c.Key); err != nil {
			return fmt.Errorf("sign: %w", err)
		}
		if _, err := fmt.Fprintf(p.Stdout, "%s: signed, in %s\n", f.Name(), sign.PathOf(f.Name())); err != nil {
			return err
		}
	}
	return nil
}

// signed holds the flag of commands that take signed results.
type signed struct {
	Signer string `placeholder:"FILE" help:"${signer}"`
}

// vouch returns the check of the documents that are read, which must be signed by one of the signers; nil without the
// flag.
func (s signed) vouch() (report.Vouch, error) {
	if s.Signer == "" {
		return nil, nil
	}
	signers, err := sign.Read(s.Signer)
	if err != nil {
		return nil, fmt.Errorf("signer: %w", err)
	}
	return signers.Check, nil
}

// read reads the results that words name, as publish.Read does. Nothing can be used of those that none of the signers
// has signed.
func (s signed) read(words []string, done func(*report.File)) ([]*report.File, error) {
	by, err := s.vouch()
	if err != nil {
		return nil, err
	}
	return publish.Read(words, by, done)
}
