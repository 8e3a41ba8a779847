package machine

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
	check "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

var update = flag.Bool("update", false, "write the published schema")

const published = "machine-1.json"

// TestSchema compares the published schema with the types, and presets with the schema.
func TestSchema(t *testing.T) {
	text := schemaOf(t)
	if *update {
		require.NoError(t, os.WriteFile(published, text, 0o644))
	}
	stored, err := os.ReadFile(published)
	require.NoError(t, err)
	require.Equal(t, string(stored), string(text), "run go test ./sim/machine -update")
	document, err := check.UnmarshalJSON(bytes.NewReader(stored))
	require.NoError(t, err)
	c := check.NewCompiler()
	require.NoError(t, c.AddResource(published, document))
	schema, err := c.Compile(published)
	require.NoError(t, err)
	for _, name := range Presets() {
		text, err := Preset(name)
		require.NoError(t, err)
		require.NoError(t, schema.Validate(values(t, text)), name)
	}
	require.NoError(t, schema.Validate(values(t, []byte(small))))
	for _, wrong := range [][2]string{{"latency: 1e-6", "latencyy: 1e-6"}, {"12.5 GB/s", "1 mile"}, {"torus", "mesh"},
		{"processes_per_node: 2", "processes_per_node: 0"}} {
		require.Error(t, schema.Validate(values(t, []byte(strings.Replace(small, wrong[0], wrong[1], 1)))), wrong)
	}
}

// values returns the content of a YAML file as values of JSON.
func values(t *testing.T, text []byte) any {
	t.Helper()
	var content any
	require.NoError(t, yaml.Load(text, &content))
	data, err := json.Marshal(content)
	require.NoError(t, err)
	v, err := check.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	return v
}

// schemaOf returns the schema of the type Machine. The comments of fields are its descriptions.
func schemaOf(t *testing.T) []byte {
	t.Helper()
	quantity := func(units map[string]float64) *jsonschema.Schema {
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "number", Minimum: "0"},
			{Type: "string", Pattern: `^[0-9.eE+-]+ *(` + strings.Join(slices.Sorted(maps.Keys(units)), "|") + `)$`}}}
	}
	r := &jsonschema.Reflector{FieldNameTag: "yaml", ExpandedStruct: true,
		Mapper: func(of reflect.Type) *jsonschema.Schema {
			switch of {
			case reflect.TypeFor[Seconds]():
				return quantity(timeUnits)
			case reflect.TypeFor[Rate]():
				return quantity(rateUnits)
			case reflect.TypeFor[Bytes]():
				return quantity(byteUnits)
			}
			return nil
		}}
	require.NoError(t, r.AddGoComments("github.com/effective-bandwidth/beff/sim/machine", "./"))
	s := r.Reflect(&Machine{})
	s.ID, s.Title = "machine-1.json", "Description of a machine for beff model run"
	text, err := json.MarshalIndent(s, "", "  ")
	require.NoError(t, err)
	return append(text, '\n')
}
