package prove

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// Form is the form of a benchmark's documents: how a result R is written, whose list of S has a line for each element.
type Form[R, S any] struct {
	rows   string // the list's name in JSON
	list   func(*R) *[]S
	digest func(*R) *string
}

// NewForm returns a form: the name in JSON of the list that is nearly all of a document, the list, and the digest.
func NewForm[R, S any](rows string, list func(*R) *[]S, digest func(*R) *string) Form[R, S] {
	return Form[R, S]{rows, list, digest}
}

// indent is that of a document.
const indent = "  "

// Write writes the result document as it is, whatever its digest says.
func (f Form[R, S]) Write(w io.Writer, r *R) error {
	head, list := *r, *f.list(r)
	*f.list(&head) = nil
	text, err := json.MarshalIndent(&head, "", indent)
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	name := "\n" + indent + strconv.Quote(f.rows) + ": "
	before, after, _ := bytes.Cut(text, []byte(name+"null"))
	b := bufio.NewWriter(w)
	b.Write(before)
	b.WriteString(name + "[")
	for i := range list {
		line, err := json.Marshal(&list[i])
		if err != nil {
			return fmt.Errorf("write JSON: %s[%d]: %w", f.rows, i, err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + indent + indent)
		b.Write(line)
	}
	b.WriteString("\n" + indent + "]")
	b.Write(after)
	b.WriteByte('\n')
	return b.Flush()
}
