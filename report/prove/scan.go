package prove

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// mostText is the most bytes that a text in a document may have: more than any program file that a probe holds.
const mostText = 256 << 10

// scanner reads a JSON text (RFC 8259) once, and makes nothing of it.
type scanner struct {
	text   []byte
	at     int
	memory int64    // bytes that a decoder needs for what was read, without texts
	fault  string   // the first one; empty while the text may go on
	place  []string // of the fault, the innermost name first
}

// whole reads a text of one value, and returns its fault.
func (s *scanner) whole(r *Rule) error {
	if s.value(r) {
		if s.blanks(); s.at == len(s.text) {
			return nil
		}
		s.syntax("there is more behind its end")
	}
	switch {
	case s.fault == "":
		return errEarly
	case s.place == nil:
		return errors.New(s.fault)
	}
	slices.Reverse(s.place)
	return fmt.Errorf("%s, at '/%s'", s.fault, strings.Join(s.place, "/"))
}

// refuse notes what the schema doesn't want.
func (s *scanner) refuse(format string, args ...any) bool {
	s.fault = "not as the schema wants it: " + fmt.Sprintf(format, args...)
	return false
}

// syntax notes what is no JSON, unless the text ends here.
func (s *scanner) syntax(what string) bool {
	if s.at < len(s.text) {
		s.fault = "no JSON: " + what
	}
	return false
}

func (s *scanner) blanks() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\n', '\r', '\t':
			s.at++
		default:
			return
		}
	}
}

// next passes a character that comes next, behind blanks.
func (s *scanner) next(c byte) bool {
	s.blanks()
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// word passes a word that comes next.
func (s *scanner) word(word string) bool {
	rest := s.text[s.at:]
	if len(rest) < len(word) && bytes.HasPrefix([]byte(word), rest) {
		s.at = len(s.text)
		return false
	}
	if !bytes.HasPrefix(rest, []byte(word)) {
		return false
	}
	s.at += len(word)
	return true
}

// value passes a value that the rule accepts.
func (s *scanner) value(r *Rule) bool {
	s.blanks()
	if r.null && s.word("null") {
		return true
	}
	switch r.kind {
	case object:
		return s.object(r)
	case array:
		return s.array(r)
	case text:
		return s.textual(r)
	case number, integer:
		return s.number(r)
	case boolean:
		return s.word("true") || s.word("false") || s.other("true or false")
	}
	d := json.NewDecoder(bytes.NewReader(s.text[s.at:]))
	if err := d.Decode(new(json.RawMessage)); err != nil {
		return s.syntax(err.Error())
	}
	s.at += int(d.InputOffset())
	return true
}

// other refuses a value of another kind, unless the text ends here.
func (s *scanner) other(want string) bool {
	if s.at < len(s.text) {
		return s.refuse("want %s", want)
	}
	return false
}

func (s *scanner) object(r *Rule) bool {
	if !s.next('{') {
		return s.other("an object")
	}
	if s.next('}') {
		return r.required == 0 || s.lacking(r, 0)
	}
	seen, required := uint64(0), 0
	for {
		s.blanks()
		key, ok := s.string()
		if !ok {
			return s.syntax("want the name of a member")
		}
		m := r.fields[string(key)]
		switch {
		case m == nil:
			return s.refuse("it has no member '%.40s'", key)
		case seen>>m.number&1 == 1:
			return s.refuse("%q is there twice in the same object", key)
		case !s.next(':'):
			return s.syntax("want a colon")
		case !s.value(m.Rule):
			s.place = append(s.place, string(key))
			return false
		}
		seen |= 1 << m.number
		s.memory += m.behind
		if m.required {
			required++
		}
		if s.next('}') {
			return required == r.required || s.lacking(r, seen)
		}
		if !s.next(',') {
			return s.syntax("want a comma or the end of an object")
		}
	}
}

// lacking refuses an object that doesn't have all that it must.
func (s *scanner) lacking(r *Rule, seen uint64) bool {
	var names []string
	for name, m := range r.fields {
		if m.required && seen>>m.number&1 == 0 {
			names = append(names, name)
		}
	}
	return s.refuse("%q is missing", slices.Min(names))
}

func (s *scanner) array(r *Rule) bool {
	if !s.next('[') {
		return s.other("a list")
	}
	count := 0
	var earlier []string
	for end := s.next(']'); !end; end = s.next(']') {
		if count > 0 && !s.next(',') {
			return s.syntax("want a comma or the end of a list")
		}
		s.blanks()
		begin := s.at
		if !s.value(r.items) {
			s.place = append(s.place, strconv.Itoa(count))
			return false
		}
		s.memory += r.each
		count++
		if r.unique {
			item := string(s.text[begin:s.at])
			if slices.Contains(earlier, item) || len(earlier) == mostMembers {
				return s.refuse("%.40s is there twice, or %d others are", item, mostMembers)
			}
			earlier = append(earlier, item)
		}
	}
	if count < r.least || r.most > 0 && count > r.most {
		return s.refuse("a list of %d", count)
	}
	return true
}

// string passes a text, and returns it. What is no text is for the caller to say.
func (s *scanner) string() (text []byte, ok bool) {
	if s.at >= len(s.text) || s.text[s.at] != '"' {
		return nil, false
	}
	begin, plain, escapes := s.at+1, true, false
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			text = s.text[begin:s.at]
			s.at++
			switch {
			case len(text) > mostText:
				return nil, s.refuse("a text of %d bytes, such as %.20q…: at most %d are read", len(text), text,
					mostText)
			case !plain && !utf8.Valid(text):
				return nil, s.refuse("a text that is not UTF-8")
			case escapes:
				var read string
				if err := json.Unmarshal(s.text[begin-1:s.at], &read); err != nil {
					return nil, s.syntax(err.Error())
				}
				return []byte(read), true
			}
			return text, true
		case c == '\\':
			escapes = true
			s.at++
		case c < ' ':
			return nil, s.syntax("a control character in a text")
		case c >= utf8.RuneSelf:
			plain = false
		}
	}
	return nil, false
}

// textual passes a text that the rule accepts.
func (s *scanner) textual(r *Rule) bool {
	text, ok := s.string()
	switch {
	case !ok && s.fault == "":
		return s.other("a text")
	case !ok:
		return false
	case r.enum != nil && !r.enum[string(text)], r.pattern != nil && !r.pattern.Match(text):
		return s.refuse("%.40q is no value of it", text)
	case r.time && new(time.Time).UnmarshalText(text) != nil:
		return s.refuse("%.40q is no date and time", text)
	}
	return true
}

// number passes a number that the rule accepts.
func (s *scanner) number(r *Rule) bool {
	begin := s.at
	negative := s.at < len(s.text) && s.text[s.at] == '-'
	if negative {
		s.at++
	}
	first := s.at
	digits, exponent, whole := s.digits(), 0, true
	if digits == 0 {
		return s.other("a number")
	}
	if digits > 1 && s.text[first] == '0' {
		return s.syntax("a number that begins with 0")
	}
	if s.at < len(s.text) && s.text[s.at] == '.' {
		s.at++
		if whole = false; s.digits() == 0 {
			return s.syntax("want a digit")
		}
	}
	if s.at < len(s.text) && s.text[s.at]|0x20 == 'e' {
		s.at++
		if whole = false; s.at < len(s.text) && (s.text[s.at] == '+' || s.text[s.at] == '-') {
			s.at++
		}
		if exponent = s.digits(); exponent == 0 {
			return s.syntax("want a digit")
		}
	}
	if s.at == len(s.text) {
		return false // it may go on
	}
	text := s.text[begin:s.at]
	const near = 100 // digits; with exponents up to 99: a float64 is near
	var x float64
	if r.over != nil || r.minimum != nil && (*r.minimum != 0 || negative) || exponent > 2 || len(text) > near {
		var err error
		if x, err = strconv.ParseFloat(string(text), 64); err != nil {
			return s.refuse("the number %.40s is out of range", text)
		}
		if r.over != nil && x <= *r.over || r.minimum != nil && x < *r.minimum {
			return s.refuse("%.40s is too small", text)
		}
	}
	switch {
	case !whole && r.kind == integer:
		return s.refuse("%.40s is no integer", text)
	case r.enum != nil && !r.enum[string(text)]:
		return s.refuse("%.40s is no value of it", text)
	}
	return true
}

// digits passes digits, and returns their number.
func (s *scanner) digits() int {
	begin := s.at
	for s.at < len(s.text) && '0' <= s.text[s.at] && s.text[s.at] <= '9' {
		s.at++
	}
	return s.at - begin
}
