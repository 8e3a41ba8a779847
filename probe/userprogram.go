package probe

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
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

// matched reports whether the calls of all processes of a user's program fit together, with each root that the row has.
// If they don't, the reason is in the row of process 0, which looks. All processes of the world call it.
func (m *Measurer) matched(t *Table, s *kernel.Scene, row *Row) (bool, error) {
	f := t.kernel.Program
	if f == nil {
		return true, nil
	}
	if m.First() {
		notes, err := matchProgram(f, s.Ranks, row.Bytes)
		if size := suites.FileSize(s, f); err == nil && size > cmp.Or(m.Settings.Memory, DefaultMemory) {
			err = fmt.Errorf("%s: the file has %d bytes: allow more by \"-mem X\"", f.Source, size)
		}
		if err != nil {
			row.Missing, row.Detail = failed, err.Error()
		}
		for _, n := range notes {
			known := func(w rating.Warning) bool { return w.Code == n.Code && strings.HasPrefix(w.Text, f.Source+":") }
			if !slices.ContainsFunc(m.Out.Notes, known) {
				m.Out.Notes = append(m.Out.Notes, n)
			}
		}
	}
	refused, err := m.Any(row.Missing != "")
	return !refused, err
}

// matchProgram walks through the calls of a program with each root that a row has. An error says why it can't run.
// Warnings are what a user should know of one that can.
func matchProgram(f *programfile.File, ranks int, bytes int64) (notes []rating.Warning, err error) {
	add := func(code, text string) { notes = append(notes, unproven(code, []string{text})...) }
	var found programfile.Matching
	for root := 0; root <= min(kernel.MostAlone, ranks-1) && found == (programfile.Matching{}); root++ {
		if found, err = f.Match(ranks, root, bytes); err != nil {
			return nil, err
		}
	}
	if found.Unsafe != nil {
		add("unsafe-program", found.Unsafe.Error()+", unless the library buffers the messages")
	}
	if found.Skipped {
		add("not-matched", fmt.Sprintf("%s: all processes together have more than %d calls: whether sends and "+
			"receives match was not looked at", f.Source, programfile.MostMatched))
	}
	return notes, nil
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
		for _, bytes := range lengths(&p.Settings, k) {
			notes, err := matchProgram(k.Program, b.Processes, bytes)
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
func (p *Plan) kernel(b *Block) (*kernel.Kernel, bool) {
	for _, s := range p.Selections {
		if s.Kernel.Component == b.Component && s.Kernel.Name == b.Kernel {
			return s.Kernel, true
		}
	}
	return nil, false
}

// Kernel returns the kernel of a block: one of the table, or that of a program file in the result.
func (r *Result) Kernel(b *Block) (*kernel.Kernel, bool) {
	if b.Component != kernel.USER {
		k, _, ok := suites.FindIn(b.Component, b.Kernel)
		return k, ok && k.Name == b.Kernel
	}
	if k, known := r.programs[b.Kernel]; known {
		return k, true
	}
	for _, p := range r.Programs {
		if p.Name != b.Kernel {
			continue
		}
		f, err := programfile.Parse(p.File, p.Text)
		if err != nil || f.Name != p.Name {
			return nil, false
		}
		if r.programs == nil {
			r.programs = map[string]*kernel.Kernel{}
		}
		r.programs[p.Name] = suites.UserKernel(f)
		return r.programs[p.Name], true
	}
	return nil, false
}

// mostPrograms is the largest number of program files of a run.
const mostPrograms = 1000

// checkPrograms returns an error unless all program files of a result are readable and named once.
func (r *Result) checkPrograms() error {
	if len(r.Programs) > mostPrograms {
		return fmt.Errorf("%d program files, at most %d", len(r.Programs), mostPrograms)
	}
	seen := map[string]bool{}
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
