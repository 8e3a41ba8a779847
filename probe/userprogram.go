package probe

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/method"
	"github.com/effective-bandwidth/beff/probe/programfile"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
)

// Program is a user's program file, as a result keeps it.
type Program struct {
	// Name of the program, which blocks of the component USER refer to.
	Name string `json:"name"`
	// Name of the file; -e: from the command line.
	File string `json:"file"`
	// SHA-256 of the text, hexadecimal.
	SHA256 string `json:"sha256"`
	Text   string `json:"text"`
}

// NewProgram returns a program file as a result keeps it.
func NewProgram(f *programfile.File) Program {
	return Program{Name: f.Name, File: f.Source, SHA256: digestOf(f.Text), Text: f.Text}
}

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Unmatched returns a line for each row of a user's program that can't run as planned, or that needs a library that
// buffers messages. Of lines that differ in the row alone there is the first.
func (p *Plan) Unmatched() (lines []string) {
	for _, b := range p.Blocks {
		k, ok := p.kernel(&b)
		if !ok || k.Program == nil {
			continue
		}
		var seen []string
		for _, bytes := range p.way(k).Lengths() {
			notes, err := method.Match(k.Program, b.Processes, bytes)
			text := ""
			switch {
			case err != nil:
				text = err.Error()
			case len(notes) > 0:
				text = notes[0].Text
			}
			if text != "" && !slices.Contains(seen, text) {
				seen = append(seen, text)
				lines = append(lines, fmt.Sprintf("%s on %s, %s: %s", k.Name, rating.Processes(b.Processes),
					rating.Bytes(bytes), text))
			}
		}
	}
	return lines
}

// kernel returns the kernel of a planned block.
func (p *Plan) kernel(b *measured.Block) (*kernel.Kernel, bool) {
	for _, s := range p.Selections {
		if s.Kernel.Component == b.Component && s.Kernel.Name == b.Kernel {
			return s.Kernel, true
		}
	}
	return nil, false
}

// Kernel returns the kernel of a block: one of the table, or that of a program file or a function of a
// user in the result.
func (r *Result) Kernel(b *measured.Block) (*kernel.Kernel, bool) {
	if b.Component != kernel.USER {
		k, _, ok := suites.FindIn(b.Component, b.Kernel)
		return k, ok && k.Name == b.Kernel
	}
	if k, known := r.programs[b.Kernel]; known {
		return k, true
	}
	if l := r.Settings.Library; l != nil && slices.Contains(l.Functions, b.Kernel) {
		k, err := suites.FunctionKernel(b.Kernel)
		return r.remember(k), err == nil
	}
	for _, p := range r.Programs {
		if p.Name != b.Kernel {
			continue
		}
		f, err := programfile.Parse(p.File, p.Text)
		if err != nil || f.Name != p.Name {
			return nil, false
		}
		return r.remember(suites.UserKernel(f)), true
	}
	return nil, false
}

// remember keeps the kernel of a user, so that it is made once.
func (r *Result) remember(k *kernel.Kernel) *kernel.Kernel {
	if k != nil {
		if r.programs == nil {
			r.programs = map[string]*kernel.Kernel{}
		}
		r.programs[k.Name] = k
	}
	return k
}

// mostPrograms is the largest number of program files of a run.
const mostPrograms = 1000

// checkPrograms returns an error unless all program files of a result are readable, its functions are known, and
// each is named once.
func (r *Result) checkPrograms() error {
	if len(r.Programs) > mostPrograms {
		return fmt.Errorf("%d program files, at most %d", len(r.Programs), mostPrograms)
	}
	if err := r.Settings.CheckLibrary(); err != nil {
		return err
	}
	seen := map[string]bool{}
	if l := r.Settings.Library; l != nil {
		for _, name := range l.Functions {
			if _, err := suites.FunctionKernel(name); err != nil {
				return err
			}
			seen[name] = true
		}
	}
	for i, p := range r.Programs {
		f, err := programfile.Parse(p.File, p.Text)
		switch {
		case err != nil:
			return fmt.Errorf("programs[%d]: %w", i, err)
		case f.Name != p.Name || seen[p.Name]:
			return fmt.Errorf("programs[%d]: %q is the name of %q, or another's", i, p.Name, f.Name)
		case digestOf(p.Text) != p.SHA256:
			return fmt.Errorf("programs[%d]: the SHA-256 of %s is another one", i, p.Name)
		}
		seen[p.Name] = true
	}
	return nil
}
