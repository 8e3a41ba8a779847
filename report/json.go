package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/effective-bandwidth/beff/beff"
)

// JSON writes the result document (report/schema/b_eff-1.json): indented, but with one line for each sample.
func JSON(w io.Writer, r *beff.Result) error {
	head := *r
	head.Samples = nil
	data, err := json.MarshalIndent(&head, "", "  ")
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	b := bufio.NewWriter(w)
	// Samples are the last field: null, and the closing brace behind it, are replaced by the list.
	const tail = "null\n}"
	b.Write(data[:len(data)-len(tail)])
	b.WriteString("[")
	for i, s := range r.Samples {
		row, err := json.Marshal(s)
		if err != nil {
			return fmt.Errorf("write JSON: sample %d: %w", i, err)
		}
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n    ")
		b.Write(row)
	}
	b.WriteString("\n  ]\n}\n")
	return b.Flush()
}

// ReadJSON reads a result document of this version. Refused are fields that it doesn't know, as a document of a later version can't be
// judged by this one, and whatever Result.Check finds. The derived figures are computed anew, so that all documents follow from the samples.
func ReadJSON(rd io.Reader) (*beff.Result, error) {
	d := json.NewDecoder(rd)
	d.DisallowUnknownFields()
	r := new(beff.Result)
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("read result: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read result: more behind its end")
	}
	if err := r.Check(); err != nil {
		return nil, fmt.Errorf("read result: %w", err)
	}
	r.Derived = beff.Derive(r)
	return r, nil
}
