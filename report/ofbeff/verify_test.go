package ofbeff

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/effective-bandwidth/beff/internal/mutants"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

var room = fixture.Documents[beff.Result, beff.Sample]{Form: Form, Verify: Verify}

// Every kind of result can be proven, and is read as the same result.
func TestProven(t *testing.T) {
	machines := map[string]fixture.Machine{}
	for _, name := range []string{"whole", "quick", "rings", "pair", "stopped", "3.6", "many", "passes",
		"stopped passes"} {
		machines[name] = fixture.Cluster(name)
	}
	change := func(name string, change func(*fixture.Machine)) {
		m := machines[name]
		change(&m)
		machines[name] = m
	}
	change("quick", func(m *fixture.Machine) { m.Config.Quick = true })
	change("rings", func(m *fixture.Machine) {
		m.Config.Patterns = []string{"ring"}
		m.Config.Methods = []string{"nonblocking"}
	})
	change("pair", func(m *fixture.Machine) { m.Config.Patterns = []string{"ping-pong"} })
	change("stopped", func(m *fixture.Machine) { m.Err = errors.New("any") })
	change("3.6", func(m *fixture.Machine) { m.Config.Rules = beff.Rules36; m.Config.Memory = 512 << 10 })
	change("passes", func(m *fixture.Machine) { m.Config.Passes, m.SlowerPerPass = 3, 0.02 })
	change("stopped passes", func(m *fixture.Machine) { m.Config.Passes, m.Err = 15, errors.New("any") })
	change("many", func(m *fixture.Machine) { m.Processes = 1000 })
	for name, m := range machines {
		t.Run(name, func(t *testing.T) {
			room.Proven(t, m.Result())
		})
	}
}

// A document is read as the same result in any layout.
func TestLayouts(t *testing.T) {
	m := fixture.Cluster("a")
	m.Config.Quick = true
	room.AnyLayout(t, m.Result())
}

// The document of a real run is proven.
func TestRealRun(t *testing.T) {
	data, err := os.ReadFile("../../testdata/b_eff-1.json")
	require.NoError(t, err)
	_, err = Verify(data)
	require.NoError(t, err)
}

// The error names the first thing that is wrong, with both values.
func TestRefused(t *testing.T) {
	good := string(room.Sealed(t, fixture.Cluster("a").Result()))
	r := fixture.Cluster("a").Result()
	bEff, err := json.Marshal(r.Derived.BEff)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		old, new, want string
		usable         bool
	}{
		"nothing":        {good, "", "the file is truncated", false},
		"half":           {good[len(good)/2:], "", "the file is truncated", false},
		"two":            {good, good + good, "it is not JSON", false},
		"unknown field":  {`"seed": 42`, `"seed": 42, "colour": "red"`, "colour", false},
		"other case":     {`"valid": true`, `"VALID": true`, "schema", false},
		"in a sample":    {`{"pattern":0,`, `{"pattern":0,"x":1,`, "'/samples/0'", false},
		"sample's type":  {`"loops":10`, `"loops":"10"`, "/samples/0/loops", false},
		"sample's limit": {`"loops":10`, `"loops":0`, "/samples/0/loops", false},
		"index":          {`{"pattern":0,`, `{"pattern":99,`, "sample 0: pattern 99", false},
		"b_eff": {`"b_eff": ` + string(bEff), `"b_eff": 1e10`,
			"derived.b_eff is 1e+10, the samples give " + trim(string(bEff)), true},
		"lmax": {`"lmax": 33554432`, `"lmax": 33554431`, "longest message", false},
		"memory": {`"memory_per_process": 4294967296`, `"memory_per_process": 8589934592`,
			"lmax is 33554432, but the memory per process gives 67108864", true},
		"pattern": {`"random-07"`, `"random-31"`, `unknown pattern "random-31"`, true},
		"quick": {`"rules": "2001",`, `"rules": "2001", "quick": true,`,
			"repetitions is 3, the benchmark's is 1", true},
		"criterion": {`"reached": true`, `"reached": false`,
			`criterion "data": reached is false, the samples give true`, true},
		"verdict":     {`"valid": true`, `"valid": false`, "valid is false, by the criteria it is true", true},
		"host's name": {`"name": "n001"`, `"name": "n002"`, "digest is ", true},
		"processors": {`"processors": 8`, `"processors": 4`,
			`criterion "processors": reached is true, the samples give false`, true},
		"digest":          {`"digest": "`, `"digest": "0`, "digest is ", true},
		"a later version": {`"schema_version": 1`, `"schema_version": 2`, "'/schema_version'", false},
	} {
		t.Run(name, func(t *testing.T) {
			if r := room.Refused(t, good, c.old, c.new, c.want, c.usable); r != nil {
				require.False(t, r.Valid)
			}
		})
	}
}

// trim returns a JSON number in the form of %v.
func trim(number string) string {
	var x float64
	_ = json.Unmarshal([]byte(number), &x)
	text, _ := json.Marshal(x)
	if x >= 1e6 {
		return "" // printed with an exponent
	}
	return string(text)
}

// Reading any data gives an error of one line, or a result that can be written and read again unchanged.
func FuzzBEff(f *testing.F) {
	m := fixture.Cluster("a")
	m.Config.Quick, m.Config.Memory = true, 512<<10
	m.Config.Patterns, m.Config.Methods = []string{"ping-pong"}, []string{"sendrecv"}
	room.Seeds(f, m.Result())
	mutants.Fuzz(f, func(t *testing.T, data []byte) {
		if r := room.ReadAgain(t, data); r != nil {
			Document(r, nil)
		}
	})
}

func BenchmarkBEff(b *testing.B) { room.Benchmark(b, fixture.Cluster("a").Result()) }
