package prove

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/effective-bandwidth/beff/internal/mutants"
	"github.com/stretchr/testify/require"
)

type inner struct {
	O *inner2    `json:"o,omitempty"`
	A [8]float64 `json:"a,omitzero"`
}
type inner2 struct{}

type base struct {
	Benchmark string `json:"benchmark,omitempty"`
	Version   int    `json:"schema_version,omitempty"`
}

type ruled struct {
	base
	N   float64   `json:"n" jsonschema:"minimum=0"`
	I   int       `json:"i,omitempty" jsonschema:"minimum=2"`
	X   float64   `json:"x,omitempty" jsonschema:"exclusiveMinimum=0"`
	S   string    `json:"s,omitempty" jsonschema:"enum=a,enum=é"`
	P   string    `json:"p,omitempty" jsonschema:"pattern=^(A|B)$"`
	V   int       `json:"v,omitempty" jsonschema:"enum=1,enum=2"`
	B   bool      `json:"b,omitempty"`
	T   time.Time `json:"t,omitzero"`
	Any string    `json:"any,omitempty"`
	U   []string  `json:"u,omitempty" jsonschema:"minItems=1,uniqueItems=true"`
	F   []float64 `json:"f,omitempty" jsonschema:"minimum=1"`
	R   [][2]int  `json:"r,omitempty"`
	O   *inner    `json:"o,omitempty"`
	L   []inner   `json:"l,omitempty"`
	row
}

// row has a member for each kind of number.
type row struct {
	Count   int     `json:"count,omitempty" jsonschema:"minimum=1"`
	Seconds float64 `json:"seconds_mean,omitempty" jsonschema:"exclusiveMinimum=0"`
	Memory  uint64  `json:"memory_of_all,omitempty" jsonschema:"enum=18446744073709551615,enum=7"`
	Last    float64 `json:"last_one,omitempty"`
}

// Members in the form and order in which encoding/json writes them are read and refused like all others.
func TestRow(t *testing.T) {
	r := ruleOf(reflect.TypeFor[row](), true)
	for text, want := range map[string]row{
		`{"count":12,"seconds_mean":0.25,"memory_of_all":7,"last_one":-1}`: {12, 0.25, 7, -1},
		`{"last_one":1e3,"seconds_mean":12345678.90625,"count":1}`:         {1, 12345678.90625, 0, 1000},
		`{"seconds_mean": 3,"last_one":0}`:                                 {0, 3, 0, 0},
		`{ "count":3,"memory_of_all":18446744073709551615,"last_one":2}`:   {3, 0, math.MaxUint64, 2},
		`{"last_one":0.1,"count":123456789012345678}`:                      {123456789012345678, 0, 0, 0.1},
	} {
		var got row
		require.NoError(t, r.Decode([]byte(text), &got), text)
		require.Equal(t, want, got, text)
	}
	for text, fault := range map[string]string{
		`{"count":1,"count":2}`:                   `"count" appears twice`,
		`{"last_one":1,"count":1,"last_one":2}`:   `"last_one" appears twice`,
		`{"count":1,"seconds_maen":2}`:            `the schema has no member 'seconds_maen'`,
		`{"count":1,"seconds_mean":0}`:            `0 is too small, at '/seconds_mean'`,
		`{"count":1.0}`:                           `1.0 is not an integer, at '/count'`,
		`{"count":01}`:                            `a number that begins with 0, at '/count'`,
		`{"seconds_mean":1.}`:                     `expected a digit, at '/seconds_mean'`,
		`{"seconds_mean":1.5.5}`:                  `expected a comma`,
		`{"count":1 "last_one":2}`:                `expected a comma`,
		`{"count":1,"memory_of_all":8}`:           `8 is not an allowed value, at '/memory_of_all'`,
		`{"count":1,"memory_oF_all":7}`:           `the schema has no member 'memory_oF_all'`,
		`{,"count":1}`:                            `expected the name`,
		`{"count":1,}`:                            `expected the name`,
		`{"count":1,"seconds_mean":2,"last_one":`: `ends early`,
		`{"count":1,"seconds_mean":2`:             `ends early`,
	} {
		require.ErrorContains(t, r.Decode([]byte(text), new(row)), fault, text)
	}
}

func rule() *Rule { return RuleOf[ruled]("b", 3) }

// A text is accepted, or refused with the first fault and its place.
func TestRule(t *testing.T) {
	for text, want := range map[string]string{
		`{"n":0}`: "", ` { "n" : 1.5e-09 , "i":2,"x":1e-12,"s":"a","p":"B","b":false,"any":"\"\u00e9\\" } `: "",
		`{"n":1,"t":"2026-11-22T12:00:00Z","u":["a","b"],"o":{"o":{}},"l":[{},{"o":{}}],"r":[[1,2]]}`: "",
		`{"n":1,"s":"é"}`: "", `{"n":1,"v":2}`: "", `{"\u006e":1}`: "", `{"n":-0}`: "", `{"n":-0.0}`: "",
		`{"benchmark":"b","schema_version":3,"n":1,"s":"\u0061"}`: "", `{"n":4.9e-324,"f":[1.0,1]}`: "",
		`{"n":1.5e-300}`: "", `{"n":` + "0." + strings.Repeat("1", 900) + `}`: "",
		`{"n":1,"any":"` + strings.Repeat("x", maxText) + `"}`: "",
		`{"n":1,"v":3}`:   "3 is not an allowed value, at '/v'",
		`{"n":1,"v":1.0}`: "1.0 is not an integer", `{}`: `"n" is missing`, `{"i":2}`: `"n" is missing`,
		`{"n":1,"n":1}`:           `"n" appears twice`,
		`{"\u006e":1,"n":2}`:      `"n" appears twice`,
		`{"n":-1}`:                "it violates the schema: -1 is too small, at '/n'",
		`{"n":01}`:                "it is not JSON: a number that begins with 0",
		`{"n":1.}`:                "it is not JSON: expected a digit",
		`{"n":null}`:              "expected a number, at '/n'",
		`{"n":"1"}`:               "expected a number",
		`{"n":1e999}`:             "out of range",
		`{"n":1e-99999999}`:       "",
		`{"n":0e99999999999}`:     "",
		`{"n":1E400}`:             "out of range",
		`{"n":1}{}`:               "it is not JSON: there is more after its end",
		`{"n":1,}`:                "it is not JSON: expected the name of a member",
		`{"n":1`:                  errEarly.Error(),
		`{"n":`:                   errEarly.Error(),
		`{"n":1,"b":tr`:           errEarly.Error(),
		`{"n":1,"any":"a\`:        errEarly.Error(),
		``:                        errEarly.Error(),
		`{"n":1,"m":1}`:           `the schema has no member 'm'`,
		`{"n":1,"o":{"p":1}}`:     `the schema has no member 'p', at '/o'`,
		`{"n":1,"i":1}`:           "1 is too small",
		`{"n":1,"i":2.0}`:         "2.0 is not an integer",
		`{"n":1,"x":0}`:           "0 is too small",
		`{"n":1,"x":1e-400}`:      "too small",
		`{"n":1,"s":"b"}`:         `"b" is not an allowed value`,
		`{"n":1,"p":"C"}`:         `"C" is not an allowed value`,
		`{"n":1,"f":[1,0.5]}`:     "0.5 is too small, at '/f/1'",
		`{"n":1,"r":[[1]]}`:       "a list of length 1, at '/r/0'",
		`{"n":1,"r":[[1,2,3]]}`:   "a list of length 3",
		`{"n":1,"t":"yesterday"}`: "not a date and time", `{"n":1,"u":[]}`: "a list of length 0",
		`{"n":1,"u":["a","a"]}`: `"a" appears twice`, `{"n":1,"u":["a" "b"]}`: "expected a comma",
		`{"n":1,"any":"` + "\n" + `"}`: "it is not JSON: a control character", `{"n":1,"any":"\x"}`: "it is not JSON",
		`{"n":1,"any":"` + "\xff" + `"}`: "not UTF-8", `{"n":1,"b":truefalse}`: "it is not JSON",
		`{"n":1,"any":"` + strings.Repeat("x", maxText+1) + `"}`: "a text of 262145 bytes",
		`{"n":` + "0." + strings.Repeat("1", 1000) + `}`:         "",
		`{"n":1,"l":[[[[`:            "expected an object, at '/l/0'",
		`{"n":1,"schema_version":1}`: "", `{"n":1,"schema_version":4}`: "4 is not an allowed value",
		`{"n":1,"l":[` + strings.Repeat("{},", 1<<19) + `{}]}`: "no result has such lists",
	} {
		got, err := Decoded[ruled]([]byte(text), rule())
		if want != "" {
			require.ErrorContains(t, err, want, "%.80s", text)
			continue
		}
		require.NoError(t, err, "%.80s", text)
		d := json.NewDecoder(bytes.NewReader([]byte(text)))
		d.DisallowUnknownFields()
		again := new(ruled)
		require.NoError(t, d.Decode(again))
		require.Equal(t, again, got)
	}
}

// The beginning of a correct text has no fault, wherever the text is cut. The beginning of another text has a fault as
// soon as it includes one.
func TestBeginning(t *testing.T) {
	good := `{"n":2.5e-1,"x":0.001,"u":["\u00e9","b"],"b":true,"l":[{"o":{}},{}],"r":[[1,2]],` +
		`"t":"2026-11-22T12:00:00Z"}`
	require.NoError(t, rule().Decode([]byte(good), new(ruled)))
	for n := range len(good) {
		require.NoError(t, rule().CheckBegin([]byte(good[:n])), "%d", n)
		require.Error(t, rule().Decode([]byte(good[:n]), new(ruled)), "%d", n)
	}
	require.ErrorContains(t, rule().CheckBegin([]byte(`{"n":1,"l":[{"o":{"o":{}}},{"q`+`":`)), "at '/l/0/o'")
}

// Lists may take 8 MiB of memory plus twice the size of their text. This includes the values to which elements point.
func TestDense(t *testing.T) {
	const each = int64(64 + 8) // of an element of L
	text := `{"n":1,"l":[` + strings.Repeat("{},", 200_000) + `{}]}`
	read := func(most int64) error {
		memory, err := rule().decode([]byte(text), reflect.ValueOf(new(ruled)).Elem(), most)
		if err == nil {
			require.Equal(t, 200_001*each, memory)
		}
		return err
	}
	require.NoError(t, read(200_001*each))
	require.ErrorContains(t, read(200_001*each-1), "no result has such lists, at '/l'")
	require.EqualValues(t, 8<<20, memoryLimit(0))
	require.EqualValues(t, 8<<20+2000, memoryLimit(1000))
	for each, list := range map[int64]reflect.Type{8: reflect.TypeFor[[]int](), 88: reflect.TypeFor[[]*[10]int](),
		80: reflect.TypeFor[[][10]int](), 0: reflect.TypeFor[[10]int]()} {
		require.Equal(t, each, ruleOf(list, true).each, "%v", list)
	}
}

func FuzzRule(f *testing.F) {
	for _, seed := range []string{`{"n":0,"i":2,"x":0.1,"s":"a","p":"A","b":true,"t":"2026-11-22T12:00:00Z"}`,
		`{"n":1e5,"u":["a"],"o":{"o":{}},"l":[{}],"any":"\u00e9"}`, `{"n":-0}`, `{"n":1,"i":9007199254740993}`,
		"{\"\xe9\":\"\"}", `{"n":1,"count":2,"seconds_mean":0.5,"last_one":-1}`} {
		f.Add([]byte(seed))
	}
	r := rule()
	mutants.Fuzz(f, func(t *testing.T, data []byte) {
		got := new(ruled)
		err := r.Decode(data, got)
		if json.Valid(data) && err != nil {
			require.NotEqual(t, errEarly, err)
			require.NotContains(t, err.Error(), "it is not JSON")
		}
		if err == nil {
			require.NoError(t, r.CheckBegin(data[:len(data)/2]))
			want := new(ruled)
			require.NoError(t, json.Unmarshal(data, want))
			require.Equal(t, want, got)
		}
	})
}

// Numbers in any notation are read to the same bits as by strconv.
func TestFloat(t *testing.T) {
	var into struct {
		X float64 `json:"x"`
	}
	r := ruleOf(reflect.TypeOf(into), true)
	read := func(text string) error { return r.Decode([]byte(`{"x":`+text+`}`), &into) }
	random := rand.New(rand.NewPCG(1, 2))
	check := func(text string) {
		want, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		require.NoError(t, read(text), text)
		require.Equal(t, math.Float64bits(want), math.Float64bits(into.X), text)
	}
	for range 20000 {
		x := math.Exp(60*random.Float64() - 40)
		check(strconv.FormatFloat(x, 'g', -1, 64))
		check(strconv.FormatFloat(x, 'f', -1, 64))
		check(strconv.FormatFloat(-x, 'f', random.IntN(25), 64))
	}
	for _, text := range []string{"0", "0.0", "1", "9007199254740992", "9007199254740993", "0.9007199254740993",
		"18446744073709551617", "1844674407370955161.7", "-0", "-0.0", "-1.5", "999999999999999", "0.99999999999999",
		"0.0000000000000000000001", "0.00000000000000000000001", "1e-320", "1E+3", "1e22",
		"123456789012345678901234567890.5"} {
		check(text)
	}
	for _, text := range []string{"", "-", "--1", "01", "00", "-01", ".5", "1.", "1e", "1e+", "+1", "0x1", "1_0", "Inf",
		"NaN", "1e999", "1.5.5", "1ee5", "1.e5", "1.E5", "0e+-1", "0p1"} {
		require.Error(t, read(text), text)
	}
}

// Integers are read over the whole range of their types, and others are refused.
func TestIntegers(t *testing.T) {
	var into struct {
		I int64  `json:"i"`
		U uint64 `json:"u"`
	}
	r := ruleOf(reflect.TypeOf(into), true)
	read := func(i, u string) error { return r.Decode([]byte(`{"i":`+i+`,"u":`+u+`}`), &into) }
	require.NoError(t, read("-9223372036854775808", "18446744073709551615"))
	require.EqualValues(t, math.MinInt64, into.I)
	require.EqualValues(t, uint64(math.MaxUint64), into.U)
	require.NoError(t, read("9223372036854775807", "7"))
	require.EqualValues(t, math.MaxInt64, into.I)
	require.EqualValues(t, 7, into.U)
	for _, texts := range [][2]string{{"9223372036854775808", "0"}, {"0", "18446744073709551616"}, {"0", "-1"},
		{"-9223372036854775809", "0"}} {
		require.ErrorContains(t, read(texts[0], texts[1]), "out of range", texts)
	}
}

// A list with spare capacity is filled from its beginning, and keeps nothing of its old elements.
func TestSpareCapacity(t *testing.T) {
	into := ruled{L: []inner{{A: [8]float64{1}}, {A: [8]float64{2}}}}
	into.L = into.L[:0]
	first := &into.L[:1][0]
	require.NoError(t, rule().Decode([]byte(`{"n":1,"l":[{},{"o":{}}]}`), &into))
	require.Equal(t, []inner{{}, {O: &inner2{}}}, into.L)
	require.Same(t, first, &into.L[0])
}
