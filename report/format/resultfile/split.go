package resultfile

import (
	"bytes"
	"slices"
	"strconv"
)

// Split reads the list of a document line by line, for which read gets the text of each element. It returns the list,
// and the document with an empty list. This is a short cut past encoding/json, for documents in the layout that Write
// gives them. Of any other layout, and where read refuses an element, ok is false: that is no fault of the document,
// and the caller reads it in another way.
func (f Form[R, S]) Split(data []byte, read func(text []byte, into *S) bool) (head []byte, list []S, ok bool) {
	begin := []byte(memberEnd + strconv.Quote(f.rows) + ": " + listBegin)
	before, rest, begins := bytes.Cut(data, begin)
	lines, ends := bytes.CutSuffix(rest, []byte(listEnd+textEnd))
	if !begins || !ends {
		return nil, nil, false
	}
	list = []S{}
	if used, ok := f.used.Get().(*[]S); ok {
		list = (*used)[:0]
	}
	for len(lines) > 0 {
		text, indented := bytes.CutPrefix(lines, []byte(lineBegin))
		separated := true
		if end := bytes.IndexByte(text, '\n'); end < 0 {
			lines = nil
		} else {
			text, lines = text[:end], text[end:]
			text, separated = bytes.CutSuffix(text, []byte(comma))
		}
		list = append(list, *new(S))
		if !indented || !separated || !read(text, &list[len(list)-1]) {
			return nil, nil, false
		}
		if len(list) == 1 { // elements are of about one size
			list = slices.Grow(list, len(lines)/len(text)+1)
		}
	}
	return slices.Concat(before, begin, []byte("]"+textEnd)), list, true
}
