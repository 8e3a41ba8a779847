package schema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/invopop/jsonschema"
	check "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/schema"
)

var update = flag.Bool("update", false, "write the schema instead of comparing it")

const (
	file = "b_eff-1.json"
	id   = "https://effective-bandwidth.github.io/beff/schema/" + file
)

// TestPublished makes the schema of the result type and compares it with the published one.
func TestPublished(t *testing.T) {
	made := (&jsonschema.Reflector{ExpandedStruct: true}).Reflect(&beff.Result{})
	made.ID = id
	made.Title = "b_eff result, version 1"
	made.Description = "One run of the effective bandwidth benchmark b_eff by beff: where it was made, every sample, and the figures that follow from them. " +
		"Base units: bytes, seconds, bytes per second."
	want, err := json.MarshalIndent(made, "", "  ")
	require.NoError(t, err)
	want = append(want, '\n')
	if *update {
		require.NoError(t, os.WriteFile(file, want, 0o644))
		return
	}
	published := strings.Split(schema.BEff1(), "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(published) || published[i] != line {
			t.Fatalf("%s, line %d, is not the schema of beff.Result, which has %q: go generate ./report/schema", file, i+1, line)
		}
	}
	require.Len(t, schema.BEff1(), len(want))
}

// A comma that is not escaped would cut a description off, without an error.
func TestTags(t *testing.T) {
	known := regexp.MustCompile(`^(description|enum|example|(exclusiveM|m)inimum|minItems|uniqueItems)=.`)
	var look func(reflect.Type)
	look = func(typ reflect.Type) {
		for typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || typ == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range typ.NumField() {
			f := typ.Field(i)
			for _, tag := range strings.Split(f.Tag.Get("jsonschema"), ",") {
				require.True(t, tag == "" || known.MatchString(tag), "%v.%s: %q", typ, f.Name, tag)
			}
			look(f.Type)
		}
	}
	look(reflect.TypeFor[beff.Result]())
}

// Every figure says its unit.
func TestUnits(t *testing.T) {
	typ := reflect.TypeFor[beff.Derived]()
	for i := range typ.NumField() {
		require.Regexp(t, `description=.*\b(bytes per second|seconds)\b`, typ.Field(i).Tag.Get("jsonschema"), typ.Field(i).Name)
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[beff.Result](), reflect.TypeFor[beff.Sample]()} {
		for i := range typ.NumField() {
			if f := typ.Field(i); f.Type.Kind() == reflect.Float64 {
				require.Regexp(t, `description=seconds\b`, f.Tag.Get("jsonschema"), f.Name)
			}
		}
	}
}

func compiled(t *testing.T) *check.Schema {
	doc, err := check.UnmarshalJSON(strings.NewReader(schema.BEff1()))
	require.NoError(t, err)
	c := check.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource(id, doc))
	s, err := c.Compile(id)
	require.NoError(t, err)
	require.Equal(t, 2020, s.DraftVersion)
	return s
}

// document is a result as JSON, as the validator wants it.
func document(t *testing.T, r *beff.Result) any {
	var b bytes.Buffer
	require.NoError(t, report.JSON(&b, r))
	doc, err := check.UnmarshalJSON(&b)
	require.NoError(t, err)
	return doc
}

// synthetic is a result whose every measurement took a microsecond and a nanosecond per byte.
func synthetic(t *testing.T, c beff.Config) *beff.Result {
	plan, err := beff.NewPlan(4, c)
	require.NoError(t, err)
	m := &beff.Measured{WallSeconds: 2, LoopSeconds: 1}
	for pattern := range plan.Patterns {
		for length, l := range plan.Lengths {
			seconds := 1e-6 + 1e-9*float64(l)
			m.Samples = append(m.Samples, beff.Sample{Pattern: pattern, Length: length, Loops: 1, Seconds: seconds, Min: seconds, Mean: seconds})
		}
	}
	return beff.NewResult(plan, m, beff.Run{
		Version: "1", Library: mpi.Library{Engine: "libmpi", Library: "Open MPI", Version: "4.1.4", Standard: "3.1"},
		Host:    job.Host{System: "Linux", CPU: "Any", Cores: 8, Memory: 1 << 33, Interconnect: []string{"mlx5_0 port 1: InfiniBand, 200 Gb/s, MT4123"}},
		Layout:  job.Layout{Placement: []job.Placement{{Host: "n1", Ranks: "0-1", Processes: 2, Processors: 1}, {Host: "n2", Ranks: "2-3", Processes: 2}}},
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	})
}

func TestSynthetic(t *testing.T) {
	s := compiled(t)
	for name, c := range map[string]beff.Config{
		"whole":    {},
		"quick":    {Quick: true},
		"subset":   {Patterns: []string{"ring"}, Methods: []string{"sendrecv"}},
		"detail":   {Patterns: []string{"ping-pong"}},
		"smallest": {Memory: 512 << 10},
		"3.6":      {Rules: beff.Rules36},
		"seed":     {Seed: 1<<64 - 1},
	} {
		if c.Rules == "" {
			c.Rules = beff.Rules2001
		}
		if c.Memory == 0 {
			c.Memory = 1 << 30
		}
		t.Run(name, func(t *testing.T) {
			r := synthetic(t, c)
			require.NoError(t, s.Validate(document(t, r)))
			r.Samples, r.Placement, r.Warnings, r.Derived = nil, []job.Placement{}, []job.Warning{}, beff.Derived{}
			require.NoError(t, s.Validate(document(t, r)), "nothing measured")
		})
	}
}

// TestMeasured validates what the embedded engine really measures.
func TestMeasured(t *testing.T) {
	plan, err := beff.NewPlan(2, beff.Config{
		Rules: beff.Rules2001, Memory: 512 << 10, Quick: true, Seed: 1,
		Patterns: []string{"ring-1*2fix", "random-01", "ping-pong"}, Methods: []string{"nonblocking", "sendrecv"},
	})
	require.NoError(t, err)
	var r *beff.Result
	require.NoError(t, local.Run(2, func(e mpi.Engine) error {
		m, err := plan.Measure(e, beff.Observer{})
		if e.World().Rank() == 0 {
			r = beff.NewResult(plan, m, beff.Run{Library: e.Library(), Started: time.Now(), Err: err})
		}
		return err
	}))
	require.Len(t, r.Samples, plan.Measurements())
	require.NoError(t, r.Check())
	require.NoError(t, compiled(t).Validate(document(t, r)))
}

func TestRefused(t *testing.T) {
	s := compiled(t)
	type object = map[string]any
	for name, change := range map[string]func(doc object){
		"unknown field":           func(doc object) { doc["more"] = 1 },
		"unknown field in a list": func(doc object) { doc["samples"].([]any)[0].(object)["more"] = 1 },
		"missing field":           func(doc object) { delete(doc, "samples") },
		"other benchmark":         func(doc object) { doc["benchmark"] = "b_eff_io" },
		"other version":           func(doc object) { doc["schema_version"] = 2 },
		"unknown rules":           func(doc object) { doc["rules"] = "2.0" },
		"unknown method":          func(doc object) { doc["methods"] = []any{"send"} },
		"unknown kind":            func(doc object) { doc["patterns"].([]any)[0].(object)["kind"] = "rings" },
		"one process":             func(doc object) { doc["processes"] = 1 },
		"negative seed":           func(doc object) { doc["seed"] = -1 },
		"length 0":                func(doc object) { doc["lengths"].([]any)[0] = 0 },
		"no list":                 func(doc object) { doc["warnings"] = nil },
		"no date":                 func(doc object) { doc["started"] = "yesterday" },
		"no time":                 func(doc object) { doc["samples"].([]any)[0].(object)["seconds"] = 0 },
		"no loops":                func(doc object) { doc["samples"].([]any)[0].(object)["loops"] = 0 },
		"negative bandwidth":      func(doc object) { doc["derived"].(object)["b_eff"] = -1 },
		"bandwidth as text":       func(doc object) { doc["derived"].(object)["per_length"].([]any)[0] = "1 MB/s" },
	} {
		t.Run(name, func(t *testing.T) {
			doc := document(t, synthetic(t, beff.Config{Rules: beff.Rules2001, Memory: 1 << 30})).(object)
			require.NoError(t, s.Validate(doc))
			change(doc)
			require.Error(t, s.Validate(doc))
		})
	}
}

// Every struct of the schema is closed.
func TestClosed(t *testing.T) {
	var doc any
	require.NoError(t, json.Unmarshal([]byte(schema.BEff1()), &doc))
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
	look(nil, doc)
}
