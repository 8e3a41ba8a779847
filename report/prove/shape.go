package prove

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	check "github.com/santhosh-tekuri/jsonschema/v6"
)

// Schema is a compiled schema.
type Schema struct {
	*check.Schema
	fast *rule // nil: it has none
}

// Compiled returns a function that compiles a schema when it is first called.
func Compiled(text func() string) func() (*Schema, error) {
	return sync.OnceValues(func() (*Schema, error) {
		doc, err := check.UnmarshalJSON(strings.NewReader(text()))
		if err != nil {
			return nil, fmt.Errorf("schema: %w", err)
		}
		c := check.NewCompiler()
		c.AssertFormat()
		const anywhere = "result.json"
		if err := c.AddResource(anywhere, doc); err != nil {
			return nil, fmt.Errorf("schema: %w", err)
		}
		made, err := c.Compile(anywhere)
		if err != nil {
			return nil, err
		}
		return &Schema{made, newRule(text())}, nil
	})
}

// shape checks a document by a schema, and returns the first fault.
func shape(data []byte, schema func() (*Schema, error)) error {
	s, err := schema()
	if err != nil {
		return err
	}
	doc, err := check.UnmarshalJSON(bytes.NewReader(data))
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the file is truncated: its JSON ends early")
	case err != nil:
		return fmt.Errorf("no JSON: %w", err)
	}
	if err := numbers(doc); err != nil {
		return err
	}
	if err := s.Validate(doc); err != nil {
		return fmt.Errorf("not as the schema wants it: %s", fault(err))
	}
	return nil
}

// numbers returns an error if a value holds a number that no float64 is near. The validator computes with fractions of
// any length: an exponent of eight digits ends it, one of seven keeps it busy.
func numbers(value any) error {
	const mostLength, mostExponent = 1000, 400
	switch v := value.(type) {
	case json.Number:
		text := strings.ToLower(v.String())
		_, err := strconv.ParseFloat(text, 64)
		if _, digits, found := strings.Cut(text, "e"); err == nil && found {
			var exponent int
			if exponent, err = strconv.Atoi(digits); err == nil &&
				(exponent < -mostExponent || exponent > mostExponent) {
				err = strconv.ErrRange
			}
		}
		if err != nil || len(text) > mostLength {
			return fmt.Errorf("the number %.40s is out of range", text)
		}
	case []any:
		for _, x := range v {
			if err := numbers(x); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, x := range v {
			if err := numbers(x); err != nil {
				return err
			}
		}
	}
	return nil
}

// fault returns one line of a validator's long answer: the deepest first cause, such as "at '/seed': minimum: got -1,
// want 0".
func fault(err error) string {
	v, ok := err.(*check.ValidationError)
	if !ok {
		return err.Error()
	}
	for len(v.Causes) > 0 {
		v = v.Causes[0]
	}
	text := v.Error()
	if _, last, found := strings.Cut(text, "\n- "); found {
		text = last
	}
	return strings.Join(strings.Fields(text), " ")
}

// Decoded returns the result in a document. The document must have the schema's shape, no field that R lacks, none
// twice, and nothing behind its end.
func Decoded[R any](data []byte, schema func() (*Schema, error)) (*R, error) {
	if s, err := schema(); err == nil && s.fast != nil && s.fast.accepts(data) {
		r := new(R)
		return r, json.Unmarshal(data, r)
	}
	if err := shape(data, schema); err != nil {
		return nil, err
	}
	if err := distinct(data); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	r := new(R)
	if err := d.Decode(r); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more behind its end")
	}
	return r, nil
}
