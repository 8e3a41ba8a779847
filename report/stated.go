package report

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// proven lists the members of documents that follow from other members: none can be changed, even together with all
// that follow from it. All other members are stated: only the document records the measured times, who measured, what,
// where and when, and by which rules.
var proven = []string{"benchmark", "schema_version", "digest", "quick", "processes", "lmax", "m_part", "complete",
	"repetitions", "patterns", "lengths", "derived", "valid", "criteria", "noisy", "signs",
	"causes", "slowed", "impacts", "warnings"}

// follows reports whether a proven member really follows in a result. The number of processes follows only from hosts.
// Whether a run was short or complete follows only if a plan defines its extent. For another program's result, only its
// file records what was measured.
func follows(name string, k *benchmark, head parts.Header) bool {
	switch name {
	case "processes":
		return len(head.Placement) > 0
	case "quick":
		return k.name == beff.Benchmark
	case "complete":
		return k.name != probe.Benchmark && k.name != foreign.Benchmark
	}
	return true
}

// Stated is a member of a document that verify can't prove, with its value in a line.
type Stated struct{ Name, Value string }

// Stated returns the members of the document that don't follow from others, in their order.
func (f *File) Stated() []Stated {
	list := statedIn(f.kind, f.report)
	for i := range list {
		if f.Named != "" && list[i].Name == "system" {
			list[i].Value += ", by " + f.Named
		}
	}
	return list
}

func statedIn(k *benchmark, r Report) (list []Stated) {
	head, bare := r.Header(), reflect.ValueOf(k.bare(r)).Elem()
	add := func(name, value string) { list = append(list, Stated{name, words.Line(value, '?')}) }
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		for i := range v.NumField() {
			field := v.Type().Field(i)
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			switch {
			case field.Anonymous && name == "":
				walk(v.Field(i))
			case !field.IsExported() || slices.Contains(proven, name) && follows(name, k, head) ||
				options != "" && v.Field(i).IsZero():
			case name == "started" && head.LocalTime:
				add(name, words.Timestamp(head.Date()))
			case slices.Contains(sampled, name):
				add(name, fmt.Sprintf("%d, as they were measured", v.Field(i).Len()))
			default:
				if text := valueInWords(v.Field(i)); text != "" {
					add(name, text)
				}
			}
		}
	}
	walk(bare)
	if head.Unproven != nil {
		for _, w := range bare.FieldByName("Warnings").Interface().([]rating.Warning) {
			if _, free := head.Unproven[w.Code]; free {
				add("warnings", w.Code+": "+w.Text)
			}
		}
	}
	return list
}

// sampled are lists of measured values, which are too long to show.
var sampled = []string{"samples", "files", "blocks", "tables"}

// valueInWords formats a value without empty fields.
func valueInWords(v reflect.Value) string {
	var parts []string
	switch v.Kind() {
	case reflect.Pointer:
		return valueInWords(v.Elem())
	case reflect.Struct:
		if at, is := v.Interface().(time.Time); is {
			return at.Format(time.RFC3339)
		}
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" && !v.Field(i).IsZero() {
				parts = append(parts, name+" "+valueInWords(v.Field(i)))
			} else if field.Anonymous && !v.Field(i).IsZero() {
				parts = append(parts, valueInWords(v.Field(i)))
			}
		}
		return strings.Join(parts, ", ")
	case reflect.Slice:
		parts = lists.Of(v.Len(), func(i int) string { return valueInWords(v.Index(i)) })
		if v.Type().Elem().Kind() == reflect.Struct {
			return "(" + strings.Join(parts, "); (") + ")"
		}
		return strings.Join(parts, " ")
	}
	return fmt.Sprint(v.Interface())
}
