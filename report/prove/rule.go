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

	"github.com/effective-bandwidth/beff/internal/lists"
)

// Rule describes the JSON form of a type: its members, and their restrictions in the tags json and jsonschema. The
// published schemas are made from the same tags. A rule is stricter than a schema: no key may occur twice, texts and
// numbers must not be too long, and lists must not need much more memory than their text.
type Rule struct {
	of               reflect.Type
	kind             kind
	pointer          bool               // the type is a pointer to of
	fields           map[string]*member // members of an object
	order            []*member          // in the order in which they are written
	required         uint64             // required members: bit n is member number n
	items            *Rule              // rule of a list's elements
	least            int                // fewest items
	most             int                // most items; 0 means any number
	unique           bool               // items, which are texts of an enumeration, must differ
	each             int64              // memory of an item in bytes, with the value it points to
	null             bool               // null is allowed
	minimum          float64            // of a number
	exclusiveMinimum float64            // exclusive minimum
	enum             map[string]bool
	pattern          *regexp.Regexp
	time             bool // RFC 3339
}

type kind int

const (
	object kind = iota
	array
	text
	number
	integer
	natural // unsigned integer
	boolean
)

// member is a member of an object.
type member struct {
	*Rule
	name        string
	key         []byte // quoted name with comma and colon, as encoding/json writes it
	index       []int  // of the field, for reflect.Value.Field, from the outermost structure
	number      int    // position in order
	pointedSize int64  // size in bytes of the value that it points to
}

// maxMembers is the most members that an object may have, since each takes a bit of a uint64.
const maxMembers = 64

// RuleOf returns the rule for a benchmark's documents of all schema versions up to newest.
func RuleOf[R any](benchmark string, newest int) *Rule {
	versions := lists.Of(newest, func(v int) string { return strconv.Itoa(v + 1) })
	return ruleOf(reflect.TypeFor[R](), true).Only("benchmark", benchmark).Only("schema_version", versions...)
}

// Only restricts a member to these values. name is the path of the member, with dots between names.
func (r *Rule) Only(name string, values ...string) *Rule {
	one := r
	for part := range strings.SplitSeq(name, ".") {
		for one.kind == array {
			one = one.items
		}
		one = one.fields[part].Rule
	}
	one.restrict("enum=" + strings.Join(values, ",enum="))
	return r
}

// ruleOf returns the rule for a type. A rule that isn't strict is for the records of journals, in which members may be
// missing: it ignores the tags jsonschema, and lists may be null.
func ruleOf(t reflect.Type, strict bool) *Rule {
	r := &Rule{of: t, minimum: math.Inf(-1), exclusiveMinimum: math.Inf(-1)}
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
		r.each = int64(t.Elem().Size()) + pointedSize(t.Elem())
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

// pointedSize returns the size in bytes of the value that a pointer type points to, or 0 for other types.
func pointedSize(t reflect.Type) int64 {
	if t.Kind() == reflect.Pointer {
		return int64(t.Elem().Size())
	}
	return 0
}

// fieldOf returns the member's field in a structure.
func (m *member) fieldOf(structure reflect.Value) reflect.Value {
	for _, i := range m.index {
		structure = structure.Field(i)
	}
	return structure
}

// members adds the fields of t, whose index is index, including those of embedded structures.
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
			index: append(slices.Clone(index), i), number: len(r.order), pointedSize: pointedSize(f.Type)}
		if strict {
			m.restrict(f.Tag.Get("jsonschema"))
			if !strings.Contains(options, "omit") {
				r.required |= 1 << m.number
			}
		}
		r.fields[name], r.order = m, append(r.order, m)
		if len(r.fields) < len(r.order) || len(r.order) > maxMembers {
			panic(fmt.Sprintf("%v has more than %d members, or two of one name", t, maxMembers))
		}
	}
}

// restrict applies the restrictions of a tag. In the tag of a list, restrictions of numbers and texts apply to its
// items.
func (r *Rule) restrict(tag string) {
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
			one.exclusiveMinimum = limit(value)
		case "minItems":
			r.least = int(limit(value))
		case "maxItems":
			r.most = int(limit(value))
		case "uniqueItems":
			r.unique = true
		}
	}
}

// limit parses a number of a tag. Tests have parsed all tags.
func limit(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return x
}
