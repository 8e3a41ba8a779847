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
	return writeDocument(w, &head, r.Samples)
}

// ReadJSON reads a result document of this version. Refused are fields that it doesn't know, as a document of a later
// version can't be judged by this one, and whatever Result.Check finds. The derived figures are computed anew, so that
// all documents follow from the samples.
func ReadJSON(rd io.Reader) (*beff.Result, error) {
	r := new(beff.Result)
	if err := readDocument(rd, r); err != nil {
		return nil, err
	}
	r.Derived = beff.Derive(r)
	return r, nil
}

// writeDocument writes a result whose last field, the samples, is nil in head.
func writeDocument[S any](w io.Writer, head any, samples []S) error {
	data, err := json.MarshalIndent(head, "", "  ")
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	b := bufio.NewWriter(w)
	// Null, and the closing brace behind it, are replaced by the list.
	const tail = "null\n}"
	b.Write(data[:len(data)-len(tail)])
	b.WriteString("[")
	for i, s := range samples {
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

// readDocument reads one document into a result and checks it.
func readDocument(rd io.Reader, r interface{ Check() error }) error {
	d := json.NewDecoder(rd)
	d.DisallowUnknownFields()
	if err := d.Decode(r); err != nil {
		return fmt.Errorf("read result: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("read result: more behind its end")
	}
	if err := r.Check(); err != nil {
		return fmt.Errorf("read result: %w", err)
	}
	return nil
}
