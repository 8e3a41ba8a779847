package beffio

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
)

// HintRule is one line of a hints file: a hint, and the calls that get it. Zero values mean all.
type HintRule struct {
	// Line number in the hints file.
	Line int `json:"line"`
	// Processes of the partition; left out for all.
	Processes int `json:"processes,omitempty"`
	// Access method; left out for all.
	Access Access `json:"access,omitempty"`
	// Number of the pattern type; left out for all.
	Type *patterns.IOType `json:"type,omitempty"`
	// Chunk: on_open, all, Lmax, or a size in bytes.
	Chunk string `json:"chunk"`
	mpi.Hint
}

// Special chunk fields: only MPI_File_open, everywhere, and the patterns whose chunk is M_PART.
const (
	chunkOpen = "on_open"
	chunkAll  = "all"
	chunkLmax = "Lmax"
)

const longestHintLine = 2000 // release 2.1

// ParseHints reads a hints file: lines <processes|all> <access|all> <type|all> <chunk> <key> <value>, with the value up
// to the line's end. It ignores empty lines and lines that begin with #. An error names the line and the field.
func ParseHints(rd io.Reader) ([]HintRule, error) {
	var rules []HintRule
	s := bufio.NewScanner(rd)
	s.Buffer(nil, 1<<20)
	for line := 1; s.Scan(); line++ {
		text := strings.TrimSpace(s.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		rule, err := parseHint(text)
		if err != nil {
			return nil, fmt.Errorf("hints, line %d: %w", line, err)
		}
		rule.Line = line
		rules = append(rules, rule)
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("hints: %w", err)
	}
	return rules, nil
}

func parseHint(text string) (HintRule, error) {
	var r HintRule
	if len(text) > longestHintLine {
		return r, fmt.Errorf("longer than %d bytes", longestHintLine)
	}
	for _, field := range []struct {
		name  string
		parse func(string) error
	}{
		{"processes", r.parseProcesses}, {"access", r.parseAccess}, {"type", r.parseType}, {"chunk", r.parseChunk},
		{"key", func(s string) error { r.Key = s; return nil }},
	} {
		word, rest := cutField(text)
		if word == "" {
			return r, fmt.Errorf("%s is missing: want <processes|all> <access|all> <type|all> <chunk> <key> <value>",
				field.name)
		}
		if err := field.parse(word); err != nil {
			return r, fmt.Errorf("%s %q: %w", field.name, word, err)
		}
		text = rest
	}
	if r.Value = text; text == "" {
		return r, fmt.Errorf("value is missing")
	}
	return r, nil
}

// cutField cuts the first word off.
func cutField(text string) (word, rest string) {
	end := strings.IndexAny(text, " \t")
	if end < 0 {
		return text, ""
	}
	return text[:end], strings.TrimSpace(text[end:])
}

func (r *HintRule) parseProcesses(s string) error {
	if s == "all" {
		return nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return fmt.Errorf("want all or a number of processes")
	}
	r.Processes = n
	return nil
}

func (r *HintRule) parseAccess(s string) error {
	if s == "all" {
		return nil
	}
	for _, a := range Accesses() {
		if s == string(a) {
			r.Access = a
			return nil
		}
	}
	return fmt.Errorf("want write, rewrite, read or all")
}

func (r *HintRule) parseType(s string) error {
	if s == "all" {
		return nil
	}
	for _, t := range Types() {
		if s == t.String() {
			r.Type = &t
			return nil
		}
	}
	return fmt.Errorf("want scatter, shared, separated, segmented, seg_coll or all")
}

func (r *HintRule) parseChunk(s string) error {
	switch s {
	case chunkOpen, chunkAll, chunkLmax, "1024", "1032", "32768", "32776", "1048576", "1048584":
		r.Chunk = s
		return nil
	}
	return fmt.Errorf("want on_open, all, Lmax, 1024, 1032, 32768, 32776, 1048576 or 1048584")
}

// fillDisk is the chunk of a pattern that fills up a segment. A hint can't name it.
const fillDisk = -1

// hints returns the hints for a call. disk is the pattern's chunk, or 0 for MPI_File_open.
func (p *Plan) hints(n int, a Access, t patterns.IOType, disk int64) []mpi.Hint {
	var list []mpi.Hint
	for _, r := range p.Hints {
		if r.Processes != 0 && r.Processes != n || r.Access != "" && r.Access != a || r.Type != nil && *r.Type != t {
			continue
		}
		if r.Chunk == chunkAll || r.fits(disk, p.MPart) {
			list = append(list, r.Hint)
		}
	}
	return list
}

// fits reports whether the chunk field matches a pattern's chunk.
func (r *HintRule) fits(disk, mpart int64) bool {
	switch r.Chunk {
	case chunkOpen:
		return disk == 0
	case chunkLmax:
		return disk == mpart
	}
	return disk > 0 && r.Chunk == strconv.FormatInt(disk, 10)
}
