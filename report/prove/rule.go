package prove

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Rule is the shape that a type's JSON has: its members and their words in the tags json and jsonschema. From the same
// tags the published schemas are made. It says more than a schema: no key twice, no text and no number that is too
// long, and no lists that need much more memory than their text.
type Rule struct {
	of       reflect.Type
	kind     kind
	pointer  bool               // the type is a pointer to that one
	fields   map[string]*member // of an object
	order    []*member          // as they are written
	required uint64             // the members that must be there, a bit each by number
	items    *Rule              // of a list
	least    int                // items
	most     int                // items; 0: any
	unique   bool               // items, which are texts of an enumeration
	each     int64              // bytes of memory of an item, with what it points to
	null     bool               // may be null
	minimum  float64            // of a number
	over     float64            // exclusive minimum
	enum     map[string]bool
	pattern  *regexp.Regexp
	time     bool // RFC 3339
}

type kind int

const (
	object kind = iota
	array
	text
	number
	integer
	natural // an integer of a type without a sign
	boolean
)

// member is a member of an object.
type member struct {
	*Rule
	name   string
	key    []byte // the name with what stands around it in a text that encoding/json writes
	index  []int  // of the field, from the structure
	number int    // in the order
	behind int64  // bytes of memory that it points to
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

// Only lets a member have no other values than these. Dots stand between the names of what is around it and its own.
func (r *Rule) Only(name string, values ...string) *Rule {
	one := r
	for part := range strings.SplitSeq(name, ".") {
		for one.kind == array {
			one = one.items
		}
		one = one.fields[part].Rule
	}
	one.words("enum=" + strings.Join(values, ",enum="))
	return r
}

// ruleOf returns the rule of a type. One that isn't strict is for records in journals, of which earlier versions wrote
// fewer members: it has no words of tags, and lists may be null.
func ruleOf(t reflect.Type, strict bool) *Rule {
	r := &Rule{of: t, minimum: math.Inf(-1), over: math.Inf(-1)}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
		r.of, r.pointer, r.null = t, true, !strict
	}
	if t == reflect.TypeFor[time.Time]() {
		r.kind, r.time = text, true
		return r
	}
	switch t.Kind() {
	case reflect.Struct:
		r.kind, r.fields = object, map[string]*member{}
		r.members(t, nil, strict)
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
	case reflect.Int, reflect.Int64:
		r.kind = integer
	case reflect.Uint64:
		r.kind = natural
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

// in returns the place of the member in a structure.
func (m *member) in(structure reflect.Value) reflect.Value {
	for _, i := range m.index {
		structure = structure.Field(i)
	}
	return structure
}

// members adds the members of a type, which has an index, and those of what it embeds.
func (r *Rule) members(t reflect.Type, index []int, strict bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			r.members(f.Type, append(slices.Clone(index), i), strict)
			continue
		case !f.IsExported() || name == "-":
			continue
		case name == "":
			name = f.Name
		}
		m := &member{Rule: ruleOf(f.Type, strict), name: name, key: []byte("," + strconv.Quote(name) + ":"),
			index: append(slices.Clone(index), i), number: len(r.order), behind: behind(f.Type)}
		if strict {
			m.words(f.Tag.Get("jsonschema"))
			if !strings.Contains(options, "omit") {
				r.required |= 1 << m.number
			}
		}
		r.fields[name], r.order = m, append(r.order, m)
		if len(r.fields) < len(r.order) || len(r.order) > mostMembers {
			panic(fmt.Sprintf("%v has more than %d members, or two of one name", t, mostMembers))
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
			r.least = int(limit(value))
		case "maxItems":
			r.most = int(limit(value))
		case "uniqueItems":
			r.unique = true
		}
	}
}

// limit returns a number of a tag, which our own tests have read.
func limit(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return x
}
