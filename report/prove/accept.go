package prove

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// rule is a compiled schema that says yes to texts, and nothing else: a document that it accepts has the schema's
// shape, no key twice, no text and no number that is too long or out of range. It reads the text once and makes nothing
// of it. What it doesn't accept may be right: that is for the decoder and the validator to say, which need twenty times
// as long, and to name the fault.
type rule struct {
	kind     string
	fields   map[string]*member // of an object
	required int                // the number of members that must be there
	items    *rule
	least    int             // items
	unique   bool            // items, which are texts
	most     int             // items; -1: any
	minimum  *float64        // of a number
	over     *float64        // exclusive minimum
	enum     map[string]bool // as they are in a document, without quotation marks
	pattern  *regexp.Regexp
	time     bool // RFC 3339
}

// member is a member of an object.
type member struct {
	*rule
	number   int
	required bool
}

// mostMembers is the most members that an object has: a bit each.
const mostMembers = 64

// newRule returns the rule of a schema; nil if it has keywords that rules don't know.
func newRule(text string) *rule {
	var root map[string]any
	if json.Unmarshal([]byte(text), &root) != nil {
		return nil
	}
	defs, _ := root["$defs"].(map[string]any)
	c := &compiler{defs: defs, done: map[string]*rule{}}
	r := c.rule(root)
	if c.unknown {
		return nil
	}
	return r
}

type compiler struct {
	defs    map[string]any
	done    map[string]*rule // by reference
	unknown bool             // a keyword isn't known
}

func (c *compiler) rule(schema map[string]any) *rule {
	if ref, is := schema["$ref"].(string); is {
		return c.referred(ref, schema)
	}
	r := &rule{most: -1}
	c.fill(r, schema)
	return r
}

// referred returns the rule of a definition.
func (c *compiler) referred(ref string, schema map[string]any) *rule {
	name, local := strings.CutPrefix(ref, "#/$defs/")
	definition, is := c.defs[name].(map[string]any)
	for key := range schema {
		switch key {
		case "$ref", "description", "$schema", "$id", "$defs", "title":
		default:
			c.unknown = true
		}
	}
	if !local || !is {
		c.unknown = true
		return nil
	}
	if c.done[name] == nil {
		c.done[name] = &rule{most: -1}
		c.fill(c.done[name], definition)
	}
	return c.done[name]
}

// fill sets a rule by the keywords of a schema.
func (c *compiler) fill(r *rule, schema map[string]any) {
	ok := true
	for key, value := range schema {
		known := true
		switch key {
		case "description", "title", "examples", "$schema", "$id", "$defs", "required":
		case "type":
			r.kind, known = value.(string)
		case "properties":
			known = c.members(r, value, schema["required"])
		case "additionalProperties":
			known = value == false
		case "items":
			var of map[string]any
			if of, known = value.(map[string]any); known {
				r.items = c.rule(of)
			}
		case "minItems":
			r.least, known = whole(value)
		case "maxItems":
			r.most, known = whole(value)
		case "uniqueItems":
			r.unique, known = value.(bool)
		case "minimum":
			r.minimum, known = number(value)
		case "exclusiveMinimum":
			r.over, known = number(value)
		case "enum":
			r.enum, known = texts(value)
		case "pattern":
			text, is := value.(string)
			var err error
			r.pattern, err = regexp.Compile(text)
			known = is && err == nil
		case "format":
			r.time = value == "date-time"
			known = r.time
		default:
			known = false
		}
		ok = ok && known
	}
	object := r.kind == "object"
	if !ok || r.kind == "" || object != (schema["additionalProperties"] == false) || object && r.fields == nil ||
		r.enum != nil && r.kind != "string" && r.kind != "integer" ||
		r.unique && (r.items == nil || r.items.kind != "string") {
		c.unknown = true
	}
}

// members sets the members of an object.
func (c *compiler) members(r *rule, properties, required any) bool {
	list, ok := properties.(map[string]any)
	must, _ := required.([]any)
	if !ok || len(list) > mostMembers {
		return false
	}
	r.fields = map[string]*member{}
	for name, value := range list {
		schema, is := value.(map[string]any)
		if !is {
			return false
		}
		r.fields[name] = &member{rule: c.rule(schema), number: len(r.fields)}
	}
	for _, name := range must {
		text, _ := name.(string)
		m := r.fields[text]
		if m == nil {
			return false
		}
		m.required = true
		r.required++
	}
	return true
}

func whole(value any) (int, bool) {
	x, ok := value.(float64)
	return int(x), ok && x == float64(int(x))
}

func number(value any) (*float64, bool) {
	x, ok := value.(float64)
	return &x, ok
}

func texts(value any) (map[string]bool, bool) {
	list, ok := value.([]any)
	set := map[string]bool{}
	for _, x := range list {
		text, is := x.(string)
		if x, whole := x.(float64); whole {
			text, is = strconv.FormatFloat(x, 'f', -1, 64), true
		}
		ok = ok && is
		set[text] = true
	}
	return set, ok
}

// accepts reports whether a text is surely of the rule's shape.
func (r *rule) accepts(text []byte) bool {
	s := &scanner{text: text}
	ok := s.value(r)
	s.blanks()
	return ok && s.at == len(text)
}

// scanner reads a JSON text (RFC 8259).
type scanner struct {
	text []byte
	at   int
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

// value passes a value that the rule accepts.
func (s *scanner) value(r *rule) bool {
	s.blanks()
	switch r.kind {
	case "object":
		return s.object(r)
	case "array":
		return s.array(r)
	case "string":
		text, ok := s.string()
		return ok && r.acceptsText(text)
	case "number", "integer":
		return s.number(r)
	case "boolean":
		for _, word := range []string{"true", "false"} {
			if bytes.HasPrefix(s.text[s.at:], []byte(word)) {
				s.at += len(word)
				return true
			}
		}
	}
	return false
}

func (s *scanner) object(r *rule) bool {
	if !s.next('{') {
		return false
	}
	if s.next('}') {
		return r.required == 0
	}
	seen, required := uint64(0), 0
	for {
		s.blanks()
		key, ok := s.string()
		m := r.fields[string(key)] // one with escapes is none
		if !ok || m == nil || seen>>m.number&1 == 1 || !s.next(':') || !s.value(m.rule) {
			return false
		}
		seen |= 1 << m.number
		if m.required {
			required++
		}
		if s.next('}') {
			return required == r.required
		}
		if !s.next(',') {
			return false
		}
	}
}

func (s *scanner) array(r *rule) bool {
	if !s.next('[') || r.items == nil {
		return false
	}
	count := 0
	var earlier map[string]bool
	if r.unique {
		earlier = map[string]bool{}
	}
	if s.next(']') {
		return r.least == 0
	}
	for {
		s.blanks()
		begin := s.at
		if !s.value(r.items) {
			return false
		}
		count++
		if r.unique {
			text := string(s.text[begin:s.at])
			if earlier[text] || strings.Contains(text, `\`) {
				return false
			}
			earlier[text] = true
		}
		if s.next(']') {
			return count >= r.least && (r.most < 0 || count <= r.most)
		}
		if !s.next(',') {
			return false
		}
	}
}

// string passes a text, and returns it without its quotation marks as it is in the document.
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
			ok = len(text) <= mostText && (plain || utf8.Valid(text)) &&
				(!escapes || json.Valid(s.text[begin-1:s.at]))
			return text, ok
		case c == '\\':
			escapes = true
			s.at++
		case c < ' ':
			return nil, false
		case c >= utf8.RuneSelf:
			plain = false
		}
	}
	return nil, false
}

// acceptsText reports whether a text of a document is as the rule wants it.
func (r *rule) acceptsText(text []byte) bool {
	if r.enum == nil && r.pattern == nil && !r.time {
		return true
	}
	if bytes.IndexByte(text, '\\') >= 0 {
		return false
	}
	return (r.enum == nil || r.enum[string(text)]) && (r.pattern == nil || r.pattern.Match(text)) &&
		(!r.time || new(time.Time).UnmarshalText(text) == nil)
}

// number passes a number that the rule accepts.
func (s *scanner) number(r *rule) bool {
	begin := s.at
	negative := s.at < len(s.text) && s.text[s.at] == '-'
	if negative {
		s.at++
	}
	first := s.at
	digits := s.digits()
	if digits == 0 || digits > 1 && s.text[first] == '0' {
		return false
	}
	integer := true
	if s.at < len(s.text) && s.text[s.at] == '.' {
		s.at++
		if integer = false; s.digits() == 0 {
			return false
		}
	}
	if s.at < len(s.text) && s.text[s.at]|0x20 == 'e' {
		s.at++
		if integer = false; s.at < len(s.text) && (s.text[s.at] == '+' || s.text[s.at] == '-') {
			s.at++
		}
		if n := s.digits(); n == 0 || n > 2 {
			return false
		}
	}
	text := s.text[begin:s.at]
	const most = 100 // digits, with exponents up to 99: a float64 is near
	if len(text) > most || !integer && r.kind == "integer" {
		return false
	}
	switch {
	case r.enum != nil:
		return r.enum[string(text)]
	case r.over == nil && (r.minimum == nil || *r.minimum == 0 && !negative):
		return true
	case r.over == nil && *r.minimum == 0:
		return false
	}
	x, err := strconv.ParseFloat(string(text), 64)
	// A text that is below a limit may be rounded to it, and not above.
	return err == nil && (r.over == nil || x > *r.over) &&
		(r.minimum == nil || x > *r.minimum || integer && len(text) <= 15 && x == *r.minimum)
}

// digits passes digits, and returns their number.
func (s *scanner) digits() int {
	begin := s.at
	for s.at < len(s.text) && '0' <= s.text[s.at] && s.text[s.at] <= '9' {
		s.at++
	}
	return s.at - begin
}
