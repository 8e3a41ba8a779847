package prove

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const ruled = `{"type":"object","additionalProperties":false,"required":["n"],"properties":{
	"n":{"type":"number","minimum":0},"i":{"type":"integer","minimum":2},"x":{"type":"number","exclusiveMinimum":0},
	"s":{"type":"string","enum":["a","é"]},"p":{"type":"string","pattern":"^(A|B)$"},"v":{"type":"integer","enum":[1,2]},"b":{"type":"boolean"},
	"t":{"type":"string","format":"date-time"},"any":{"type":"string"},
	"u":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":3,"uniqueItems":true},
	"o":{"$ref":"#/$defs/O"},"l":{"type":"array","items":{"$ref":"#/$defs/O"}}},
	"$defs":{"O":{"type":"object","additionalProperties":false,"properties":{"o":{"$ref":"#/$defs/O"}}}}}`

// What a rule accepts is right by the validator, and documents as they are written are accepted.
func TestAccepts(t *testing.T) {
	schema := Compiled(func() string { return ruled })
	s, err := schema()
	require.NoError(t, err)
	require.NotNil(t, s.fast)
	for text, want := range map[string]bool{
		`{"n":0}`: true, ` { "n" : 1.5e-09 , "i":2,"x":1e-12,"s":"a","p":"B","b":false,"any":"\"\u00e9\\" } `: true,
		`{"n":1,"t":"2026-11-22T12:00:00Z","u":["a","b"],"o":{"o":{}},"l":[{},{"o":{}}]}`: true,
		`{"n":1,"s":"é"}`: true, `{"n":1,"v":2}`: true, `{"n":1,"v":3}`: false, `{"n":1,"v":1.0}`: false,
		`{}`: false, `{"n":1,"n":1}`: false, `{"n":-1}`: false, `{"n":01}`: false, `{"n":1.}`: false,
		`{"n":null}`:  false,
		`{"n":1e999}`: false, `{"n":1}{}`: false, `{"n":1,}`: false, `{"n":1`: false,
		`{"n":"1"}`: false, `{"n":1,"m":1}`: false,
		`{"n":1,"i":1}`: false, `{"n":1,"i":2.0}`: false, `{"n":1,"x":0}`: false, `{"n":1,"s":"b"}`: false,
		`{"n":1,"p":"C"}`:         false,
		`{"n":1,"t":"yesterday"}`: false, `{"n":1,"u":[]}`: false, `{"n":1,"u":["a","a"]}`: false,
		`{"n":1,"u":["a","b","c","d"]}`: false, `{"n":1,"u":["a","\u0061"]}`: false, `{"n":1,"o":{"p":1}}`: false,
		`{"n":1,"any":"` + "\n" + `"}`: false, `{"n":1,"any":"\x"}`: false, `{"n":1,"any":"` + "\xff" + `"}`: false,
		`{"n":1,"any":"` + strings.Repeat("x", mostText+1) + `"}`: false, `{"n":1,"b":truefalse}`: false,
		`{"\u006e":1}`: false,
	} {
		require.Equal(t, want, s.fast.accepts([]byte(text)), "%.80s", text)
		if want {
			require.NoError(t, shape([]byte(text), schema), text)
		}
	}
}

// A schema with a keyword that rules don't know has none.
func TestNoRule(t *testing.T) {
	for _, text := range []string{`{"type":"object"}`, `{"type":"string","maxLength":3}`, `{"type":["string","null"]}`,
		`{"$ref":"other.json"}`, `{"anyOf":[]}`, `no`} {
		require.Nil(t, newRule(text), text)
	}
	for _, name := range []string{"b_eff", "b_eff_io", "probe"} {
		text, err := os.ReadFile("../schema/" + name + "-1.json")
		require.NoError(t, err)
		require.NotNil(t, newRule(string(text)), name)
	}
}

func FuzzAccepts(f *testing.F) {
	schema := Compiled(func() string { return ruled })
	s, err := schema()
	require.NoError(f, err)
	for _, seed := range []string{`{"n":0,"i":2,"x":0.1,"s":"a","p":"A","b":true,"t":"2026-11-22T12:00:00Z"}`,
		`{"n":1e5,"u":["a"],"o":{"o":{}},"l":[{}],"any":"\u00e9"}`, `{"n":-0}`, `{"n":1,"i":9007199254740993}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if s.fast.accepts(data) {
			require.NoError(t, shape(data, schema))
			require.NoError(t, distinct(data))
		}
	})
}
