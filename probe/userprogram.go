package probe

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/programfile"
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

// UserKernel returns the kernel of a program file. It has a bandwidth if the file says how much is moved.
func UserKernel(f *programfile.File) *Kernel {
	k := &Kernel{Name: f.Name, Component: USER, Class: Collective, Calls: "the calls of " + f.Source, Halves: 1,
		Least: 1, program: f}
	if f.Moves {
		k.Class, k.Moved = Parallel, 1
	}
	return k
}

// userRecipe returns the recipe of a program file.
func userRecipe(f *programfile.File) *recipe {
	r := &recipe{ops: f.Ops(), alone: true, fixedRoot: true, packed: f.Packed(),
		build: func(s *scene) *step { return userStep(s, f) },
		memory: func(s *scene) (send, recv int64) {
			l := layOutProgram(s, f)
			return l.filled, l.others
		},
		prepare: func(s *scene) { fillProgram(s, f) },
	}
	if f.File >= 0 {
		r.file = &access{pointer: explicit, reads: true, sized: func(s *scene) int64 { return fileSize(s, f) }}
		r.ops = append(r.ops, mpi.FileWriteAt)
	}
	if f.Window >= 0 {
		r.window = recvSide
		if f.Areas[f.Window].Filled {
			r.window = sendSide
		}
	}
	if f.Locks() { // a process locks its own window to load from it: see touchesWindow
		r.ops = append(r.ops, mpi.WinLock, mpi.WinUnlock)
	}
	return r
}

// userLayout holds the offsets of a program's areas: those with data of the process' own in the send area, the others
// in the receive area.
type userLayout struct {
	offsets, sizes []int64
	filled, others int64 // bytes in all
}

// areaAlignment is the multiple of bytes that areas begin at.
const areaAlignment = 64

// layOutProgram returns the layout of a row. A size that can't be computed is an error of Resolve too.
func layOutProgram(s *scene, f *programfile.File) (l userLayout) {
	sizes, err := f.Sizes(s.size(), s.bytes)
	if err != nil {
		return l
	}
	l.sizes = sizes
	for i, size := range sizes {
		end := &l.others
		if f.Areas[i].Filled {
			end = &l.filled
		}
		start := upTo(*end, areaAlignment)
		if i == f.File {
			start, end = 0, new(int64) // it isn't in memory
		}
		l.offsets = append(l.offsets, start)
		*end = min(start+size, MostMemory) // more than any machine has
	}
	return l
}

// refusal is the reason why a user's program can't run for a row.
type refusal struct{ err error }

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// userStep returns the calls of a process.
func userStep(s *scene, f *programfile.File) *step {
	p, err := f.Resolve(programfile.At{Rank: s.rank(), Size: s.size(), Root: s.root, Bytes: s.bytes})
	if err != nil {
		return &step{err: &refusal{err}}
	}
	l, x := layOutProgram(s, f), &step{each: p.Calls}
	for _, place := range p.Places {
		a := &s.recv
		if f.Areas[place.Area].Filled {
			a = &s.send
		}
		to := s.in(a, l.offsets[place.Area]+place.Offset, place.Length, place.Peer)
		to.Type = place.Type
		if place.Window {
			to.Space = s.window
		}
		if place.File {
			to.Space = s.files.file
		}
		x.places = append(x.places, to)
	}
	if f.Repeats() && !s.single {
		p.Checks = nil // they hold for a single repetition
	}
	for _, c := range p.Checks {
		first, end := c.Rank, c.Rank+1
		if c.Rank == programfile.Sum {
			first, end = 0, s.size()
		}
		x.wants = append(x.wants, want{area: &s.recv, at: l.offsets[c.Place.Area] + c.Place.Offset,
			length: c.Place.Length, fill: userData(f, c.Source, first, end, s.size()), start: c.Position,
			unit: c.Place.Type.Size()})
	}
	if f.Window >= 0 {
		x.leave = []mpi.Call{{Op: mpi.Barrier}} // others may still access this process' memory
	}
	if err := s.program(x).Validate(); err != nil {
		return &step{err: &refusal{f.Refused(p, s.rank(), err)}}
	}
	return x
}

// matched reports whether the calls of all processes of a user's program fit together, with each root that the row has.
// If they don't, the reason is in the row of process 0, which looks. All processes of the world call it.
func (m *measurer) matched(t *table, s *scene, row *Row) (bool, error) {
	f := t.kernel.program
	if f == nil {
		return true, nil
	}
	if m.First() {
		notes, err := matchProgram(f, s.ranks, row.Bytes)
		if size := fileSize(s, f); err == nil && size > or(m.plan.Settings.Memory, DefaultMemory) {
			err = fmt.Errorf("%s: the file has %d bytes: allow more by \"-mem X\"", f.Source, size)
		}
		if err != nil {
			row.Missing, row.Detail = failed, err.Error()
		}
		for _, n := range notes {
			known := func(w rating.Warning) bool { return w.Code == n.Code && strings.HasPrefix(w.Text, f.Source+":") }
			if !slices.ContainsFunc(m.out.Notes, known) {
				m.out.Notes = append(m.out.Notes, n)
			}
		}
	}
	refused, err := m.Any(row.Missing != "")
	return !refused, err
}

// Codes of the notes on programs.
const (
	unsafeProgram = "unsafe-program"
	notMatched    = "not-matched"
)

// matchProgram walks through the calls of a program with each root that a row has. An error says why it can't run.
// Warnings are what a user should know of one that can.
func matchProgram(f *programfile.File, ranks int, bytes int64) (notes []rating.Warning, err error) {
	add := func(code, text string) { notes = append(notes, unproven(code, []string{text})...) }
	var found programfile.Matching
	for root := 0; root <= min(mostAlone, ranks-1) && found == (programfile.Matching{}); root++ {
		if found, err = f.Match(ranks, root, bytes); err != nil {
			return nil, err
		}
	}
	if found.Unsafe != nil {
		add(unsafeProgram, found.Unsafe.Error()+", unless the library buffers the messages")
	}
	if found.Skipped {
		add(notMatched, fmt.Sprintf("%s: all processes together have more than %d calls: whether sends and "+
			"receives match was not looked at", f.Source, programfile.MostMatched))
	}
	return notes, nil
}

// Unmatched returns a line for each row of a user's program that can't run as planned, or that needs a library that
// buffers messages. Of lines that differ in the row alone there is the first.
func (p *Plan) Unmatched() (lines []string) {
	for _, b := range p.Blocks {
		k, ok := p.kernel(&b)
		if !ok || k.program == nil {
			continue
		}
		var seen []string
		for _, bytes := range p.lengths(k) {
			notes, err := matchProgram(k.program, b.Processes, bytes)
			text := ""
			switch {
			case err != nil:
				text = err.Error()
			case len(notes) > 0:
				text = notes[0].Text
			}
			if text != "" && !slices.Contains(seen, text) {
				seen = append(seen, text)
				lines = append(lines, fmt.Sprintf("%s on %s, %s: %s", k.Name, processes(b.Processes),
					rating.Bytes(bytes), text))
			}
		}
	}
	return lines
}

// userData returns the data of an area of the processes from first to before end, or their sum. The bytes of each area
// of each process are others.
func userData(f *programfile.File, area, first, end, size int) filler {
	if kind := f.Areas[area].Type; kind != mpi.Byte {
		return sums(kind, first, end, 1)
	}
	return pattern(first + area*size)
}

// appendNumber appends an element of a type.
func appendNumber(data []byte, kind mpi.Type, x float64) []byte {
	order := binary.NativeEndian
	switch kind {
	case mpi.Int32:
		return order.AppendUint32(data, uint32(int32(x)))
	case mpi.Int64:
		return order.AppendUint64(data, uint64(int64(x)))
	case mpi.Float32:
		return order.AppendUint32(data, math.Float32bits(float32(x)))
	}
	return order.AppendUint64(data, math.Float64bits(x))
}

// fileSize returns the bytes of a program's file.
func fileSize(s *scene, f *programfile.File) int64 {
	if sizes := layOutProgram(s, f).sizes; sizes != nil && f.File >= 0 {
		return sizes[f.File]
	}
	return 0 // there is none, or Resolve has the error
}

// fillProgram fills the areas with the process' own data, in all slots.
func fillProgram(s *scene, f *programfile.File) {
	l := layOutProgram(s, f)
	for i, start := range l.offsets {
		if !f.Areas[i].Filled {
			continue
		}
		fill := userData(f, i, s.rank(), s.rank()+1, s.size())
		for slot := range s.send.slots {
			fill(s.send.buffer.Bytes()[slot*s.send.stride+start:][:l.sizes[i]], 0)
		}
	}
}

// movedByProgram returns the bytes that a repetition moves, by the program file; 0 if that doesn't say.
func (k *Kernel) movedByProgram(b *Block, bytes int64) float64 {
	if !k.program.Moves {
		return 0
	}
	n, err := k.program.Moved(b.Processes, bytes)
	if err != nil {
		return 0 // the row has no figure either: Resolve has the same error
	}
	return float64(n)
}

// unmet returns the condition of a kernel or of its program file that a number of processes doesn't meet.
func (k *Kernel) unmet(processes int) string {
	if k.program == nil {
		if needs := k.recipe().needs; needs != nil {
			return needs(processes)
		}
		return ""
	}
	unmet, err := k.program.Needs(processes)
	if err != nil {
		return err.Error()
	}
	return unmet
}

// Fits reports whether the kernel runs on a number of processes.
func (k *Kernel) Fits(processes int) bool { return processes >= k.Least && k.unmet(processes) == "" }

// kernel returns the kernel of a planned block.
func (p *Plan) kernel(b *Block) (*Kernel, bool) {
	for _, s := range p.Selections {
		if s.Kernel.Component == b.Component && s.Kernel.Name == b.Kernel {
			return s.Kernel, true
		}
	}
	return nil, false
}

// Kernel returns the kernel of a block: one of the table, or that of a program file in the result.
func (r *Result) Kernel(b *Block) (*Kernel, bool) {
	if b.Component != USER {
		k, _, ok := FindIn(b.Component, b.Kernel)
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
			r.programs = map[string]*Kernel{}
		}
		r.programs[p.Name] = UserKernel(f)
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
