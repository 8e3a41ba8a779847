package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"regexp"
	"strings"

	"github.com/effective-bandwidth/beff/rating"
)

// Kind is the kind of a record.
type Kind string

// The kinds.
const (
	Heads Kind = "head"  // a Head, with which a part of the run begins
	Data  Kind = "data"  // news of the benchmark's measurement
	Whole Kind = "whole" // a measurement that replaces all data before
	Ended Kind = "ended" // an Ending: the documents have all earlier records
	Waits Kind = "waits" // the times, of all parts so far, in which a process made no progress
)

// Owner names a process that writes a journal.
type Owner struct {
	Host string `json:"host"`
	PID  int    `json:"pid"`
}

// form is the newest form of journals, which this program writes. In those before 2 records don't refer to their head.
const form = 2

// Head is the beginning of a part of a run.
type Head struct {
	// Form is the form of the part's records, and ID names the head in each of them. Begin sets both.
	Form int    `json:"form,omitempty"`
	ID   string `json:"id,omitempty"`

	Owner Owner `json:"owner"`
	// Made is true if all documents are of this run.
	Made bool `json:"made"`
	// Binary is the SHA-256 of the program, in hex.
	Binary string `json:"binary"`
	// Document is the result document without samples.
	Document json.RawMessage `json:"document"`
	// Decided is the value from which all processes made their plan.
	Decided json.RawMessage `json:"decided"`
}

// Ending is the end of a part of a run.
type Ending struct {
	// Reason is the error that ended the run, or empty if the run is complete.
	Reason string `json:"reason"`
}

// Journal holds the contents of a file.
type Journal struct {
	Head    Head     // of the last part
	Parts   int      // number of heads
	Records [][]byte // the JSON of all valid data, in their order
	Waits   []rating.Wait
	Damaged int   // damaged lines, and records whose head is lost
	Halved  int   // heads with one damaged copy, which lose nothing
	Ended   bool  // the documents have all records
	end     int64 // bytes up to the end of the last whole line
	later   int   // form of a head that a later program wrote
}

// maxWaits is the maximum size of a record of waits in bytes.
const maxWaits = 256 << 10

// HeadError is the error for a text without a readable head. The text may have samples.
type HeadError struct {
	Records int  // whole records after the head
	Own     bool // the text is a journal, and no other file
	later   int
}

func (e *HeadError) Error() string {
	problem := "it is not a journal of beff"
	switch {
	case e.later > 0:
		problem = fmt.Sprintf("a later beff wrote it (form %d, this program reads up to %d)", e.later, form)
	case e.Own && e.Records == 1:
		problem = "it is damaged: its header can't be read, 1 record follows"
	case e.Own:
		problem = fmt.Sprintf("it is damaged: its header can't be read, %d records follow", e.Records)
	}
	return problem + "; move it away"
}

// ErrEmpty is the error of a journal without any text.
var ErrEmpty = errors.New("the journal is empty")

// castagnoli is the table of the CRC-32C.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(text []byte) uint32 { return crc32.Checksum(text, castagnoli) }

// line returns a record as a line, for the part whose head has this id. The empty line before it protects it from
// damage to the end of another record. For a head, id is empty.
func line(kind Kind, id string, value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	rest := []byte(kind)
	if id != "" {
		rest = append(rest, ":"+id...)
	}
	rest = append(append(rest, ' '), text...)
	return fmt.Appendf(nil, "\n%08x %s\n", checksum(rest), rest), nil
}

// record returns the parts of a line. ok is false if the line is damaged.
func record(line []byte) (kind Kind, id string, text []byte, ok bool) {
	sum, rest, _ := bytes.Cut(line, []byte(" "))
	if !bytes.Equal(sum, fmt.Appendf(nil, "%08x", checksum(rest))) {
		return "", "", nil, false
	}
	name, text, ok := bytes.Cut(rest, []byte(" "))
	first, id, _ := strings.Cut(string(name), ":")
	return Kind(first), id, text, ok
}

// Begins reports whether a text may be a journal or its beginning, by the first byte.
func Begins(text []byte) bool {
	return len(text) == 0 || bytes.IndexByte([]byte("\n0123456789abcdef"), text[0]) >= 0
}

// heading matches the beginning of a journal, whatever its head contains.
var heading = regexp.MustCompile(`^\n?[0-9a-f]{8} head `)

// Parse reads the text of a journal. The result refers to the text. The error is a HeadError if no head can be read,
// and ErrEmpty if there is no text. A last line that is not whole is ignored.
func Parse(text []byte) (*Journal, error) {
	j := &Journal{}
	if len(text) == 0 {
		return j, ErrEmpty
	}
	var marks []mark
	for rest := text; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			break // a process was killed while it wrote this
		}
		if end > 0 {
			marks = append(marks, j.take(rest[:end]))
		}
		rest = rest[end+1:]
		j.end = int64(len(text) - len(rest))
	}
	orphans := 0
	for _, m := range marks {
		switch m {
		case damaged:
			j.Damaged++
		case orphan:
			j.Damaged, orphans = j.Damaged+1, orphans+1
		}
	}
	j.Halved = halves(marks)
	j.Damaged -= j.Halved
	if j.Parts == 0 || j.later > 0 {
		return j, &HeadError{Records: orphans, later: j.later,
			Own: j.Parts > 0 || orphans > 0 || heading.Match(text)}
	}
	return j, nil
}

// halves returns the number of heads with a damaged line in place of one copy. marks has an element for each line.
func halves(marks []mark) (n int) {
	for i, m := range marks[:max(len(marks)-1, 0)] {
		if next := marks[i+1]; m == head1 && (next == damaged || next != head2 && i > 0 && marks[i-1] == damaged) {
			n++
		}
	}
	return n
}

// mark classifies a line.
type mark byte

const (
	taken mark = iota
	head1      // the first copy of a head
	head2      // the second one
	damaged
	orphan // its head is lost
)

// take adds a line.
func (j *Journal) take(line []byte) mark {
	kind, id, text, ok := record(line)
	switch {
	case !ok:
		return damaged
	case kind == Heads:
		return j.begin(text)
	case j.Parts == 0 || id != j.Head.ID:
		return orphan
	}
	switch kind {
	case Whole:
		j.Records, j.Ended = [][]byte{text}, false
	case Data:
		j.Records, j.Ended = append(j.Records, text), false
	case Waits:
		var waits []rating.Wait
		if len(text) > maxWaits || json.Unmarshal(text, &waits) != nil {
			return damaged
		}
		j.Waits, j.Ended = waits, false
	case Ended:
		j.Ended = true
	default:
		return damaged
	}
	return taken
}

// begin takes a copy of a head.
func (j *Journal) begin(text []byte) mark {
	var head Head
	switch {
	case json.Unmarshal(text, &head) != nil:
		return damaged
	case head.Form > form:
		j.later = head.Form
		return orphan
	case j.Parts > 0 && head.Form == form && head.ID == j.Head.ID:
		return head2
	}
	j.Head, j.Parts, j.Ended = head, j.Parts+1, false
	if head.Form == form {
		return head1
	}
	return taken
}
