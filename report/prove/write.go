package prove

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// Form defines how a benchmark's documents are written: results R with a list of S that gets a line for each element.
type Form[R, S any] struct {
	rows   string // JSON name of the list
	list   func(*R) *[]S
	digest func(*R) *string
}

// NewForm returns a form. rows is the JSON name of the list that makes up most of a document; list and digest return
// the addresses of this list and of the digest.
func NewForm[R, S any](rows string, list func(*R) *[]S, digest func(*R) *string) Form[R, S] {
	return Form[R, S]{rows, list, digest}
}

// indent is the indentation of a document.
const indent = "  "

// Write writes the result document with the digest that r has.
func (f Form[R, S]) Write(w io.Writer, r *R) error {
	head, list := *r, *f.list(r)
	*f.list(&head) = nil
	if x, is := any(&head).(interface{ Fold() }); is {
		x.Fold()
	}
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
