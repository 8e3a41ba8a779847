package resultfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

const (
	// whole is the size of a document up to which it is decoded as a whole. What a decoder makes of a document on its
	// way takes ten times its memory.
	whole = 8 << 20
	// part is the size of the parts in which larger ones are decoded.
	part = 2 << 20
	// most is the most bytes of a document whose elements have no fast way.
	most = 96 << 20
	// mostElement is the most bytes that an element of a large document may have: the times of all pairs of a thousand
	// processes.
	mostElement = 48 << 20
)

// Read returns the result in a document. Fast reads an element in the text that encoding/json writes, and may be nil.
// What it doesn't read is left to decode, which proves the shape: of a large document in parts, so that its elements
// are in memory once.
func (f Form[R, S]) Read(data []byte, fast func(text []byte, into *S) bool,
	decode func([]byte) (*R, error)) (*R, error) {
	if fast != nil {
		if head, list, ok := f.Split(data, fast); ok {
			if r, err := decode(head); err == nil {
				*f.list(r) = list
				return r, nil
			}
		}
	}
	if len(data) <= whole {
		return decode(data)
	}
	return f.inParts(data, fast, decode)
}

// inParts reads the list of a large document element by element.
func (f Form[R, S]) inParts(data []byte, fast func([]byte, *S) bool, decode func([]byte) (*R, error)) (*R, error) {
	if fast == nil && len(data) > most {
		return nil, fmt.Errorf("the document has %d MiB: at most %d are read", len(data)>>20, most>>20)
	}
	head, elements, err := f.beheaded(data)
	if err != nil {
		return nil, err
	}
	r, err := decode(append(bytes.Clone(head), "]}"...))
	if err != nil {
		return nil, err
	}
	list := f.list(r)
	*list = make([]S, 0, len(elements))
	var compact bytes.Buffer
	odd := bytes.Clone(head) // with elements that fast doesn't read
	first := 0
	flush := func() error {
		if len(odd) == len(head) {
			return nil
		}
		more, err := decode(append(odd, "]}"...))
		if err != nil {
			return fmt.Errorf("%s from number %d on: %w", f.rows, first, err)
		}
		*list = append(*list, *f.list(more)...)
		odd = odd[:len(head)]
		return nil
	}
	for _, text := range elements {
		var one S
		compact.Reset()
		switch {
		case len(text) > mostElement:
			return nil, fmt.Errorf("%s: an element of %d MiB, at most %d are read", f.rows, len(text)>>20,
				mostElement>>20)
		case fast != nil && json.Compact(&compact, text) == nil && fast(compact.Bytes(), &one):
			if err := flush(); err != nil {
				return nil, err
			}
			*list = append(*list, one)
			continue
		case len(odd) == len(head):
			first = len(*list)
		default:
			odd = append(odd, comma...)
		}
		if odd = append(odd, text...); len(odd) > part {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	return r, flush()
}

// blanks are those of JSON (RFC 8259, Sec. 2).
const blanks = " \t\r\n"

var errForm = errors.New("the file is truncated, or no document: the end of a value or of the list is missing, or " +
	"the list " +
	"is there twice")

// beheaded returns a document without its list, which its text ends with, open, and the texts of the list's elements.
// It finds the ends of values by their brackets alone: decoders see all that it returns.
func (f Form[R, S]) beheaded(data []byte) (head []byte, elements [][]byte, err error) {
	rest, ok := after(data, '{')
	if !ok {
		return nil, nil, errForm
	}
	head = []byte("{")
	found := false
	for more := true; more; {
		var key, value []byte
		if key, rest, ok = valueOf(rest); !ok {
			return nil, nil, errForm
		}
		if rest, ok = after(rest, ':'); !ok {
			return nil, nil, errForm
		}
		if value, rest, ok = valueOf(rest); !ok {
			return nil, nil, errForm
		}
		if string(key) == strconv.Quote(f.rows) {
			if found {
				return nil, nil, errForm
			}
			found = true
			if elements, ok = elementsOf(value); !ok {
				return nil, nil, errForm
			}
		} else {
			head = append(append(append(append(head, key...), ':'), value...), ',')
		}
		rest, more = after(rest, ',')
	}
	if rest, ok = after(rest, '}'); !ok || !found || len(bytes.TrimLeft(rest, blanks)) > 0 {
		return nil, nil, errForm
	}
	return fmt.Appendf(head, "%q:[", f.rows), elements, nil
}

// elementsOf returns the texts of the elements of a list.
func elementsOf(list []byte) (elements [][]byte, ok bool) {
	rest, ok := after(list, '[')
	if !ok {
		return nil, false
	}
	if _, empty := after(rest, ']'); empty {
		return nil, true
	}
	for more := true; more; {
		var element []byte
		if element, rest, ok = valueOf(rest); !ok {
			return nil, false
		}
		elements = append(elements, element)
		rest, more = after(rest, ',')
	}
	rest, ok = after(rest, ']')
	return elements, ok && len(rest) == 0
}

// after returns the text behind a character that comes next, apart from blanks; else the text as it is, and false.
func after(text []byte, c byte) (rest []byte, ok bool) {
	rest = bytes.TrimLeft(text, blanks)
	if len(rest) > 0 && rest[0] == c {
		return rest[1:], true
	}
	return text, false
}

// valueOf returns the text of the value that comes next, and the rest.
func valueOf(text []byte) (value, rest []byte, ok bool) {
	text = bytes.TrimLeft(text, blanks)
	depth := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			if i = endOfString(text, i); depth == 0 {
				return text[:min(i+1, len(text))], text[min(i+1, len(text)):], i < len(text)
			}
		case c == '{' || c == '[':
			depth++
		case (c == '}' || c == ']') && depth > 0:
			if depth--; depth == 0 {
				return text[:i+1], text[i+1:], true
			}
		case depth == 0 && (c <= ' ' || bytes.IndexByte([]byte(",:}]"), c) >= 0):
			return text[:i], text[i:], i > 0
		}
	}
	return nil, nil, false
}

// endOfString returns the place of the quotation mark that ends the string that begins at i.
func endOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}
