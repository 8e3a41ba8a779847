package main

import (
	"fmt"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
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
func (c *signCommand) Run(p *process) error {
	files, err := publish.Read(c.Results, nil)
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
			return fmt.Errorf("%s: %w", f.Name(), errUnended(f))
		}
		made, err := sign.Sign(f.Path, c.Key)
		if err != nil {
			return fmt.Errorf("sign: %w", err)
		}
		if _, err := fmt.Fprintf(p.stdout, "%s: signed, in %s\n", f.Name(), made); err != nil {
			return err
		}
	}
	return nil
}

// errUnended returns the error of a result that is made from a journal, which nobody signs.
func errUnended(f *report.File) error {
	return fmt.Errorf("not signed: it is made from %s, as the run has not ended", f.Journal)
}

// signed holds the flag of commands that take signed results.
type signed struct {
	Signer string `placeholder:"FILE" help:"${signer}"`
}

// check makes the files that none of the signers has signed unusable. It returns the names of the signers by path, and
// does nothing without the flag.
func (s signed) check(files []*report.File) (map[string]string, error) {
	if s.Signer == "" {
		return nil, nil
	}
	signers, err := sign.Read(s.Signer)
	if err != nil {
		return nil, fmt.Errorf("signer: %w", err)
	}
	names := map[string]string{}
	for _, f := range files {
		if f.Journal != "" { // the signature is of the document, and this is not what it has
			f.Problem, f.Usable = errUnended(f), false
		}
		if f.Problem != nil {
			continue
		}
		if names[f.Path], err = signers.Check(f.Path); err != nil {
			f.Problem, f.Usable = err, false
		}
	}
	return names, nil
}
