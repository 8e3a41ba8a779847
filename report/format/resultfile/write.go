package resultfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// Form is the form of a benchmark's documents: how a result R is written, whose list of S has a line for each element.
type Form[R, S any] struct {
	rows   string // the list's name in JSON
	list   func(*R) *[]S
	digest func(*R) *string
	used   *sync.Pool // lists to be used again
}

// NewForm returns a form: the name in JSON of the list that is nearly all of a document, the list, and the digest.
func NewForm[R, S any](rows string, list func(*R) *[]S, digest func(*R) *string) Form[R, S] {
	return Form[R, S]{rows, list, digest, new(sync.Pool)}
}

// Recycle takes the list of a result, of which nobody keeps a part, so that the next one that is read needs no memory
// of its own.
func (f Form[R, S]) Recycle(r *R) {
	if list := *f.list(r); cap(list) > 0 {
		f.used.Put(&list)
	}
	*f.list(r) = nil
}

// The layout of a document.
const (
	indent    = "  "
	memberEnd = "\n" + indent
	listBegin = "["
	lineBegin = memberEnd + indent
	listEnd   = memberEnd + "]"
	comma     = ","
	textEnd   = "\n}\n"
)

// Write writes the result document as it is, whatever its digest says.
func (f Form[R, S]) Write(w io.Writer, r *R) error {
	head, list := *r, f.list(r)
	*f.list(&head) = nil
	text, err := json.Marshal(&head)
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	b := bufio.NewWriter(w)
	members := json.NewDecoder(bytes.NewReader(text))
	between := ""
	for _, err = members.Token(); err == nil && members.More(); between = comma {
		if err = f.member(b, members, between, *list); err != nil {
			return fmt.Errorf("write JSON: %w", err)
		}
	}
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	b.WriteString(textEnd)
	return b.Flush()
}

// member writes the next member of the document: as it comes, or, if it is the list, with its elements.
func (f Form[R, S]) member(b *bufio.Writer, members *json.Decoder, between string, list []S) error {
	if between == "" {
		between = "{"
	}
	name, err := members.Token()
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "%s%s%q: ", between, memberEnd, name)
	var value json.RawMessage
	if err := members.Decode(&value); err != nil {
		return err
	}
	if name == f.rows {
		return f.lines(b, list)
	}
	var laidOut bytes.Buffer
	if err := json.Indent(&laidOut, value, indent, indent); err != nil {
		return err
	}
	_, err = laidOut.WriteTo(b)
	return err
}

// lines writes the list.
func (f Form[R, S]) lines(b *bufio.Writer, list []S) error {
	b.WriteString(listBegin)
	for i := range list {
		line, err := json.Marshal(&list[i])
		if err != nil {
			return fmt.Errorf("%s[%d]: %w", f.rows, i, err)
		}
		if i > 0 {
			b.WriteString(comma)
		}
		b.WriteString(lineBegin)
		b.Write(line)
	}
	_, err := b.WriteString(listEnd)
	return err
}
