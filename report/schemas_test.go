package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/invopop/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// schemaFile returns the name of a benchmark's published schema.
func (b *benchmark) schemaFile() string { return fmt.Sprintf("%s-%d.json", b.name, b.version) }

// result returns the type of a benchmark's results.
func (b *benchmark) result() reflect.Type {
	bare, _ := reflect.TypeOf(b.none).MethodByName("Bare")
	return bare.Type.Out(0).Elem()
}

const module = "github.com/effective-bandwidth/beff/"

// TestPublishedSchemas makes the schema of each benchmark's result type, and compares it with the published one. The
// type's comment is its description.
func TestPublishedSchemas(t *testing.T) {
	comments := comments(t)
	var files []string
	for _, b := range all {
		files = append(files, b.schemaFile())
		t.Run(b.schemaFile(), func(t *testing.T) {
			r := &jsonschema.Reflector{ExpandedStruct: true, CommentMap: comments}
			made := r.ReflectFromType(b.result())
			made.ID = jsonschema.ID("https://effective-bandwidth.github.io/beff/schema/" + b.schemaFile())
			made.Title = fmt.Sprintf("%s result, version %d", b.name, b.version)
			about, found := strings.CutPrefix(made.Description, "Result is one run ")
			require.True(t, found, made.Description)
			made.Description = "One run " + about + " Base units: bytes, seconds, bytes per second."
			restrict(made, "benchmark", b.name)
			restrict(made, "schema_version", versions(b.version)...)
			if b.name == beff.Benchmark { // a tag with all names would be too wide
				methods, _ := made.Properties.Get("methods")
				for _, m := range beff.Methods() {
					methods.Items.Enum = append(methods.Items.Enum, m.String())
				}
			}
			if b.name == probe.Benchmark { // the table of suites has the words
				components, methods := suites.Words()
				restrictToTexts(made.Definitions["Block"], "component", components)
				restrictToTexts(made.Definitions["Settings"], "method", methods)
			}
			if b.name == foreign.Benchmark {
				restrictToTexts(made.Definitions["Column"], "quantity", lists.Each(foreign.Quantities,
					func(q foreign.Quantity) string { return string(q) }))
			}
			want, err := json.MarshalIndent(made, "", "  ")
			require.NoError(t, err)
			fixture.GoldenFile(t, filepath.Join("schema", b.schemaFile()), string(want)+"\n",
				"the schema doesn't match %v: run go generate ./report", b.result())
		})
	}
	const system = "system-1.json"
	made := (&jsonschema.Reflector{ExpandedStruct: true, CommentMap: comments}).Reflect(rating.System{})
	made.ID, made.Title = "https://effective-bandwidth.github.io/beff/schema/"+system, "system.yaml, version 1"
	want, err := json.MarshalIndent(made, "", "  ")
	require.NoError(t, err)
	fixture.GoldenFile(t, filepath.Join("schema", system), string(want)+"\n", "go generate ./report")
	files = append(files, system)
	published, err := filepath.Glob("schema/*.json")
	require.NoError(t, err)
	for i := range published {
		published[i] = filepath.Base(published[i])
	}
	require.ElementsMatch(t, published, files)
}

// comments returns the comments of all types and fields in the packages whose types occur in results.
func comments(t *testing.T) map[string]string {
	r := new(jsonschema.Reflector)
	seen := map[string]bool{}
	of := func(typ reflect.Type) {
		if dir, ours := strings.CutPrefix(typ.PkgPath(), module); ours && !seen[dir] {
			seen[dir] = true
			require.NoError(t, r.AddGoComments(module+"report", "../"+dir, jsonschema.WithFullComment()))
		}
	}
	for _, b := range all {
		fields(b.result(), func(typ reflect.Type, f reflect.StructField) {
			of(typ)
			of(f.Type)
		})
	}
	for name, comment := range r.CommentMap {
		r.CommentMap[name] = strings.Join(strings.Fields(comment), " ")
	}
	return r.CommentMap
}

// restrict allows only the given values for a field.
func restrict(s *jsonschema.Schema, field string, values ...any) {
	property, _ := s.Properties.Get(field)
	property.Enum = values
}

// restrictToTexts allows only the given texts for a field.
func restrictToTexts(s *jsonschema.Schema, field string, texts []string) {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	restrict(s, field, list...)
}

// versions returns the versions that a schema describes: 1 to last, because each version keeps all fields of the
// versions before it.
func versions(last int) (list []any) {
	for version := range last {
		list = append(list, version+1)
	}
	return list
}

// fields calls f for all fields of a result type and of the types of its fields.
func fields(typ reflect.Type, f func(of reflect.Type, field reflect.StructField)) {
	for typ.Kind() == reflect.Slice || typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct || typ == reflect.TypeFor[time.Time]() {
		return
	}
	for i := range typ.NumField() {
		f(typ, typ.Field(i))
		fields(typ.Field(i).Type, f)
	}
}

// The generator silently ignores keywords in tags that it doesn't know. Descriptions come from comments, not from tags.
func TestTags(t *testing.T) {
	known := regexp.MustCompile(`^(enum|example|pattern|(exclusiveM|m)inimum|(min|max)Items|uniqueItems)=.`)
	for _, b := range all {
		fields(b.result(), func(of reflect.Type, f reflect.StructField) {
			for _, tag := range strings.Split(f.Tag.Get("jsonschema"), ",") {
				require.True(t, tag == "" || known.MatchString(tag), "%v.%s: %q", of, f.Name, tag)
			}
		})
	}
}

// The comment on every figure names its unit.
func TestUnits(t *testing.T) {
	comments := comments(t)
	for _, b := range all {
		fields(b.result(), func(of reflect.Type, f reflect.StructField) {
			kind := f.Type
			for kind.Kind() == reflect.Slice {
				kind = kind.Elem()
			}
			if kind.Kind() == reflect.Float64 {
				require.Regexp(t, `(?i)\b((bytes|messages|operations) per second|seconds|0 to 1|relative|Hz|`+
					`processors|processes|times|percent)\b`,
					comments[of.PkgPath()+"."+of.Name()+"."+f.Name], "%v.%s", of, f.Name)
			}
		})
	}
}

// Every object in the schemas forbids additional properties.
func TestClosed(t *testing.T) {
	var look func(path []string, v any)
	look = func(path []string, v any) {
		m, ok := v.(map[string]any)
		if !ok {
			return
		}
		if m["type"] == "object" {
			require.Equal(t, false, m["additionalProperties"], "%v", path)
		}
		for key, value := range m {
			look(append(slices.Clone(path), key), value)
		}
	}
	for _, name := range append(lists.Each(all, (*benchmark).schemaFile), "system-1.json") {
		text, err := os.ReadFile(filepath.Join("schema", name))
		require.NoError(t, err)
		var doc any
		require.NoError(t, json.Unmarshal(text, &doc))
		look([]string{name}, doc)
	}
}
