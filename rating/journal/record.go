package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/effective-bandwidth/beff/rating"
)

// Kind is the kind of a record.
type Kind string

// The kinds.
const (
	Heads Kind = "head"  // a Head: a part of the run begins
	Data  Kind = "data"  // news of the benchmark's measurement
	Whole Kind = "whole" // a measurement that takes the place of all data before
	Ended Kind = "ended" // an Ending: the documents have all that stands before
	Waits Kind = "waits" // the times, of all parts so far, in which a process didn't go on
)

// Owner names a process that writes a journal.
type Owner struct {
	Host string `json:"host"`
	PID  int    `json:"pid"`
}

// Head is the beginning of a part of a run.
type Head struct {
	Owner Owner `json:"owner"`
	// Made is true if all documents are of this run.
	Made bool `json:"made"`
	// Binary is the SHA-256 of the program, in hex.
	Binary string `json:"binary"`
	// Document is the result document without samples.
	Document json.RawMessage `json:"document"`
	// Decided is the value that all processes made their plan from.
	Decided json.RawMessage `json:"decided"`
}

// Ending is the end of a part of a run.
type Ending struct {
	// Reason is the error that ended the run; empty: it is complete.
	Reason string `json:"reason"`
}

// Journal is the contents of a file.
type Journal struct {
	Head    Head     // of the last part
	Parts   int      // heads
	Records [][]byte // the JSON of all data that count, in their order
	Waits   []rating.Wait
	Damaged int   // lines that are not as they were written
	Ended   bool  // the documents have everything that stands here
	end     int64 // bytes up to the end of the last whole line
}

var (
	errEmpty = errors.New("the journal is empty")
	errHead  = errors.New("the journal has no head that is whole")
)

// castagnoli is the table of the CRC-32C.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(text []byte) uint32 { return crc32.Checksum(text, castagnoli) }

// line returns a record as a line.
func line(kind Kind, value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	rest := append([]byte(kind+" "), text...)
	return fmt.Appendf(nil, "%08x %s\n", checksum(rest), rest), nil
}

// record returns the parts of a line; ok is false if it is not as it was written.
func record(line []byte) (kind Kind, text []byte, ok bool) {
	sum, rest, _ := bytes.Cut(line, []byte(" "))
	if string(sum) != fmt.Sprintf("%08x", checksum(rest)) {
		return "", nil, false
	}
	name, text, ok := bytes.Cut(rest, []byte(" "))
	return Kind(name), text, ok
}

// Begins reports whether a text may be that of a journal, or its beginning.
func Begins(text []byte) bool {
	return len(text) == 0 || bytes.IndexByte([]byte("0123456789abcdef"), text[0]) >= 0
}

// Parse reads the text of a journal. The result points into the text. The error is not nil if no head is whole. A last
// line that is not whole is left out.
func Parse(text []byte) (*Journal, error) {
	j := &Journal{}
	for rest := text; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			break // a process was killed while it wrote this
		}
		if !j.take(rest[:end]) {
			j.Damaged++
		}
		rest = rest[end+1:]
		j.end = int64(len(text) - len(rest))
	}
	switch {
	case j.Parts > 0:
		return j, nil
	case j.end == 0:
		return j, errEmpty
	}
	return j, errHead
}

// take adds a line; it returns false if the line is damaged.
func (j *Journal) take(line []byte) bool {
	kind, text, ok := record(line)
	if !ok {
		return false
	}
	switch kind {
	case Heads:
		var head Head
		if json.Unmarshal(text, &head) != nil {
			return false
		}
		j.Head, j.Parts, j.Ended = head, j.Parts+1, false
	case Whole:
		j.Records, j.Ended = [][]byte{text}, false
	case Data:
		j.Records, j.Ended = append(j.Records, text), false
	case Waits:
		var waits []rating.Wait
		if json.Unmarshal(text, &waits) != nil {
			return false
		}
		j.Waits, j.Ended = waits, false
	case Ended:
		j.Ended = true
	default:
		return false
	}
	return true
}
