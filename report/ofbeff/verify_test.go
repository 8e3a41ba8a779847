package ofbeff

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/internal/roomtest"
)

var room = roomtest.Room[beff.Result, beff.Sample]{Form: Form, Verify: Verify}

// Every result that is made is proven, and read as the same result.
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
	change("passes", func(m *fixture.Machine) { m.Config.Passes, m.Slower = 3, 0.02 })
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

// The document of a real run by the first version is proven. It has no digest.
func TestFirstVersion(t *testing.T) {
	data, err := os.ReadFile("../../testdata/b_eff-1.json")
	require.NoError(t, err)
	r, err := Verify(data)
	require.NoError(t, err)
	require.Empty(t, r.Digest)
}

// A document that says it is of the first version, to lack what it needs since, isn't valid where that isn't known.
func TestDowngraded(t *testing.T) {
	r := asFirst(fixture.Cluster("a").Result())
	require.True(t, r.Valid)
	for i := range r.Placement {
		r.Placement[i].Processors = 0
	}
	again, err := Verify(room.Sealed(t, r))
	require.NoError(t, err)
	require.False(t, again.Valid)
	require.Equal(t, "NOT KNOWN", again.Criteria[4].Met())
}

// The first thing that does not hold is named, with both values.
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
		"two":            {good, good + good, "no JSON", false},
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
			"lmax is 33554432, by the memory per process it is 67108864", true},
		"pattern": {`"random-07"`, `"random-31"`, `unknown pattern "random-31"`, true},
		"quick": {`"rules": "2001",`, `"rules": "2001", "quick": true,`,
			"repetitions is 3, the benchmark's is 1", true},
		"criterion": {`"reached": true`, `"reached": false`,
			`criterion "complete" is met: false, by the samples: true`, true},
		"verdict":     {`"valid": true`, `"valid": false`, "valid is false, by the criteria it is true", true},
		"host's name": {`"name": "n001"`, `"name": "n002"`, "digest is ", true},
		"processors": {`"processors": 8`, `"processors": 4`,
			`criterion "processors" is met: true, by the samples: false`, true},
		"digest":          {`"digest": "`, `"digest": "0`, "digest is ", true},
		"a later version": {`"schema_version": 2`, `"schema_version": 3`, "'/schema_version'", false},
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

// Whatever is read gives an error of one line, or a result whose document is read as the same one.
func FuzzBEff(f *testing.F) {
	m := fixture.Cluster("a")
	m.Config.Quick, m.Config.Memory = true, 512<<10
	m.Config.Patterns, m.Config.Methods = []string{"ping-pong"}, []string{"sendrecv"}
	room.Seeds(f, m.Result())
	f.Fuzz(func(t *testing.T, data []byte) {
		if r := room.ReadAgain(t, data); r != nil {
			Document(r, nil)
		}
	})
}

func BenchmarkBEff(b *testing.B) { room.Benchmark(b, fixture.Cluster("a").Result()) }

// asFirst changes a result to one that the first version of the schema has.
func asFirst(r *beff.Result) *beff.Result {
	r.SchemaVersion = 1
	for i := range r.Patterns {
		r.Patterns[i].First = 0
	}
	return r
}

// Documents of builds that had other limits of `elapsed` and `states` are proven, and judged by those of today.
func TestJudgedBefore(t *testing.T) {
	m := fixture.Cluster("a")
	want, other := m.Result(), rating.Warning{Code: "other", Text: "another warning", Remedy: "do it"}
	require.False(t, want.Noisy)
	first := func() *beff.Result { return asFirst(m.Result()) }
	for name, sign := range map[string]rating.Sign{
		"states":  rating.NewSign("states", "look", 0.047, 0.04, "second best below best: 4.7 %"),
		"elapsed": rating.NewSign("elapsed", "look", 0.053, 0.05, "time outside: 5.3 %"),
	} {
		before := first()
		before.Warnings = append(rating.Warnings([]rating.Sign{sign}), other)
		at := slices.IndexFunc(before.Signs, func(s rating.Sign) bool { return s.Name == name })
		sign.Remedy = ""
		before.Signs[at], before.Noisy = sign, true
		r, err := Verify(room.Sealed(t, before))
		require.NoError(t, err)
		require.True(t, r.Valid == want.Valid && !r.Noisy)
		require.Equal(t, want.Signs, r.Signs)
		require.Len(t, r.Warnings, 1)
		require.Equal(t, "the document says: another warning", r.Warnings[0].Text)

		before.Signs[at].Most += 0.001
		_, err = Verify(room.Sealed(t, before))
		require.ErrorContains(t, err, name)
	}

	m.Later = 0.5 // `spread` and `interval` are noisy by both
	noisy := first()
	require.True(t, noisy.Noisy)
	wanted := noisy.Warnings
	at := slices.IndexFunc(noisy.Signs, func(s rating.Sign) bool { return s.Name == "states" })
	noisy.Signs[at].Most = 0.04
	r, err := Verify(room.Sealed(t, noisy))
	require.NoError(t, err)
	require.True(t, r.Noisy)
	require.Equal(t, wanted, r.Warnings)
}

// An earlier build's document of a run that had measured some lengths twice has an interval, and says that it is quiet.
// It is proven, and shown without.
func TestNotKnownBefore(t *testing.T) {
	old := asFirst(fixture.Cluster("a").Result())
	old.Samples = slices.DeleteFunc(old.Samples, func(s beff.Sample) bool {
		return s.Repetition > 1 || s.Repetition == 1 && s.Length > 4
	})
	old.Complete = false
	made, err := remade(old, rating.ErrStopped)
	require.NoError(t, err)
	old.Derived, old.Verdict = made.Derived, made.Verdict
	require.Positive(t, old.Derived.BEff)
	require.Nil(t, old.Derived.BEffInterval)
	want := old.Signs
	old.Derived.BEffInterval = rating.Around(old.Derived.BEff, 1e-5, rating.ByBlocks)
	old.Signs = append(slices.Clone(want), rating.NewSign("interval", "", 1e-5, 0.1, "0.0 %"))
	r, err := Verify(room.Sealed(t, old))
	require.NoError(t, err)
	require.Nil(t, r.Derived.BEffInterval)
	require.Equal(t, want, r.Signs)

	whole := fixture.Cluster("a").Result()
	whole.Derived.BEffInterval.Low *= 0.9
	_, err = Verify(room.Sealed(t, whole))
	require.ErrorContains(t, err, "b_eff_interval", "where it is known it is proven")
}

// What an earlier release made of rounds isn't proven: a reader is shown what follows from the samples, without an
// interval, however narrow the document's is, and is told so.
func TestRounds(t *testing.T) {
	old := asFirst(fixture.Cluster("a").Result())
	old.Rules, old.Within, old.Repetitions = beff.RulesAdaptive, 0.02, 5
	for _, s := range slices.Clone(old.Samples) {
		if s.Repetition == 0 && s.Length%2 == 0 {
			s.Repetition = 4
			old.Samples = append(old.Samples, s)
		}
	}
	made, err := remade(old, nil)
	require.NoError(t, err)
	require.Positive(t, made.Derived.BEff)
	require.Nil(t, made.Derived.BEffInterval)
	require.True(t, made.Valid, made.Criteria)
	old.Derived, old.Verdict = made.Derived, made.Verdict
	old.Derived.BEff *= 2
	old.Derived.BEffInterval = rating.Around(old.Derived.BEff, 1e-5, "rounds")
	old.Signs = append(slices.Clone(old.Signs), rating.NewSign("within", "", 1e-5, 0.02, "0.0 %"))
	r, err := Verify(room.Sealed(t, old))
	require.NoError(t, err)
	require.Equal(t, made.Derived, r.Derived)
	require.Equal(t, made.Signs, r.Signs)
	require.True(t, slices.ContainsFunc(r.Warnings, func(w rating.Warning) bool { return w.Code == "rounds" }))
	require.NotEqual(t, string(beff.RulesAdaptive), rankedIn(r).Rules, "they aren't ranked with ratings of passes")

	old.Passes = 2
	_, err = Verify(room.Sealed(t, old))
	require.ErrorContains(t, err, "2 passes by rules adaptive")
	old.Passes, old.SchemaVersion = 0, 2
	_, err = Verify(room.Sealed(t, old))
	require.ErrorContains(t, err, "5 repetitions", "a document of today has no rounds")
}
