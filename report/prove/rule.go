package prove

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Rule is the shape that a type's JSON has: its members and their words in the tags json and jsonschema. From the same
// tags the published schemas are made. It says more than a schema: no key twice, no text and no number that is too
// long, and no lists that need much more memory than their text.
type Rule struct {
	kind     kind
	fields   map[string]*member // of an object
	required int                // the number of members that must be there
	items    *Rule              // of a list
	least    int                // items
	most     int                // items; 0: any
	unique   bool               // items, which are texts of an enumeration
	each     int64              // bytes of memory of an item, with what it points to
	null     bool               // may be null
	minimum  *float64           // of a number
	over     *float64           // exclusive minimum
	enum     map[string]bool
	pattern  *regexp.Regexp
	time     bool // RFC 3339
}

type kind int

const (
	anything kind = iota
	object
	array
	text
	number
	integer
	boolean
)

// member is a member of an object.
type member struct {
	*Rule
	number   int
	required bool
	behind   int64 // bytes of memory that it points to
}

// mostMembers is the most members that an object has: a bit each.
const mostMembers = 64

// RuleOf returns the rule of a benchmark's documents, of all schema versions up to a newest one.
func RuleOf[R any](benchmark string, newest int) *Rule {
	var versions []string
	for v := range newest {
		versions = append(versions, strconv.Itoa(v+1))
	}
	return ruleOf(reflect.TypeFor[R](), true).Only("benchmark", benchmark).Only("schema_version", versions...)
}

// Only lets a member have no other values than these.
func (r *Rule) Only(name string, values ...string) *Rule {
	r.fields[name].words("enum=" + strings.Join(values, ",enum="))
	return r
}

// ruleOf returns the rule of a type. One that isn't strict is for records in journals, of which earlier versions wrote
// fewer members: it has no words of tags, and lists may be null.
func ruleOf(t reflect.Type, strict bool) *Rule {
	r := &Rule{}
	for t.Kind() == reflect.Pointer {
		t, r.null = t.Elem(), !strict
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		r.kind, r.time = text, true
		return r
	case t == reflect.TypeFor[json.RawMessage]():
		return r
	}
	switch t.Kind() {
	case reflect.Struct:
		r.kind, r.fields = object, map[string]*member{}
		r.members(t, strict)
	case reflect.Slice, reflect.Array:
		r.kind, r.items, r.null = array, ruleOf(t.Elem(), strict), !strict
		r.each = int64(t.Elem().Size()) + behind(t.Elem())
		if t.Kind() == reflect.Array {
			r.least, r.most, r.each = t.Len(), t.Len(), 0
		}
	case reflect.String:
		r.kind = text
	case reflect.Bool:
		r.kind = boolean
	case reflect.Float64:
		r.kind = number
	case reflect.Int, reflect.Int64, reflect.Uint64, reflect.Int32, reflect.Uint32:
		r.kind = integer
	default:
		panic(fmt.Sprintf("no rule for %v", t))
	}
	return r
}

// behind returns the bytes of memory that a value of a type points to, its lists and texts apart.
func behind(t reflect.Type) int64 {
	if t.Kind() == reflect.Pointer {
		return int64(t.Elem().Size())
	}
	return 0
}

// members adds the members of a type, and those of what it embeds.
func (r *Rule) members(t reflect.Type, strict bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			r.members(f.Type, strict)
			continue
		case !f.IsExported() || name == "-":
			continue
		case name == "":
			name = f.Name
		}
		m := &member{Rule: ruleOf(f.Type, strict), number: len(r.fields), behind: behind(f.Type)}
		if strict {
			m.words(f.Tag.Get("jsonschema"))
			if m.required = !strings.Contains(options, "omit"); m.required {
				r.required++
			}
		}
		if r.fields[name] = m; len(r.fields) > mostMembers {
			panic(fmt.Sprintf("%v has more than %d members", t, mostMembers))
		}
	}
}

// words adds the words of a tag. Those of numbers and texts are about the items of a list.
func (r *Rule) words(tag string) {
	for _, word := range strings.Split(tag, ",") {
		name, value, _ := strings.Cut(word, "=")
		one := r
		for one.kind == array {
			one = one.items
		}
		switch name {
		case "enum":
			if one.enum == nil {
				one.enum = map[string]bool{}
			}
			one.enum[value] = true
		case "pattern":
			one.pattern = regexp.MustCompile(value)
		case "minimum":
			one.minimum = limit(value)
		case "exclusiveMinimum":
			one.over = limit(value)
		case "minItems":
			r.least = int(*limit(value))
		case "maxItems":
			r.most = int(*limit(value))
		case "uniqueItems":
			r.unique = true
		}
	}
}

// limit returns a number of a tag, which our own tests have read.
func limit(text string) *float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return &x
}

// errEarly is the error of a text that ends before its value does.
var errEarly = errors.New("the file is truncated: its JSON ends early")

// Check returns the first fault of a text, in an error of one line.
func (r *Rule) Check(text []byte) error {
	s := &scanner{text: text}
	err := s.whole(r)
	return cmp.Or(dense(s.memory, len(text)), err)
}

// dense returns an error if lists need much more memory than their text. Those that were measured need less.
func dense(memory int64, text int) error {
	const most, spare = 2, 8 << 20
	if memory > most*int64(text)+spare {
		return fmt.Errorf("its lists take %d MB of memory, and %d MB of text: no result is like this", memory/1e6,
			text/1e6)
	}
	return nil
}

// CheckBegin returns the fault that a text has already, of which only the beginning is known.
func (r *Rule) CheckBegin(text []byte) error {
	s := &scanner{text: text}
	if err := s.whole(r); err != errEarly {
		return err
	}
	return dense(s.memory, len(text))
}

// Decoded returns the result in a document of the rule's shape.
func Decoded[R any](data []byte, rule *Rule) (*R, error) {
	if err := rule.Check(data); err != nil {
		return nil, err
	}
	r := new(R)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, err
	}
	return r, nil
}
