package prove

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// mostText is the most bytes that a text in a document may have: more than any program file that a probe holds.
const mostText = 256 << 10

// distinct returns an error if an object of a JSON text has a key twice, of which decoders take one or the other, or if
// a text in it is longer than any that is written.
func distinct(data []byte) error {
	type open struct {
		keys map[string]bool // nil: a list
		key  bool            // a key is next
	}
	var stack []open
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("no JSON: %w", err)
		}
		var in *open
		if len(stack) > 0 {
			in = &stack[len(stack)-1]
		}
		text, isText := t.(string)
		switch {
		case isText && len(text) > mostText:
			return fmt.Errorf("a text of %d bytes, such as %.20q…: at most %d are read", len(text), text, mostText)
		case in != nil && in.keys != nil && in.key && isText:
			if in.keys[text] {
				return fmt.Errorf("%.80q is there twice in the same object", text)
			}
			in.keys[text], in.key = true, false
			continue
		case t == json.Delim('}') || t == json.Delim(']'):
			stack = stack[:len(stack)-1]
			continue
		}
		if in != nil && in.keys != nil {
			in.key = true // behind this value
		}
		switch t {
		case json.Delim('{'):
			stack = append(stack, open{map[string]bool{}, true})
		case json.Delim('['):
			stack = append(stack, open{})
		}
	}
}
