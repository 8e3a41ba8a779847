package ofbeffio

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/effective-bandwidth/beff/internal/mutants"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

var room = fixture.Documents[beffio.Result, beffio.Sample]{Form: Form, Verify: Verify}

// ioResults returns the fixtures, and a result with several passes.
func ioResults() map[string]*beffio.Result {
	list := fixture.IOResults()
	again := fixture.IOCluster()
	again.Passes, again.Run.System.Name = 3, "Hawk"
	list["again"] = again.Result()
	return list
}

// Every kind of result can be proven, and is read as the same result.
func TestIOProven(t *testing.T) {
	for name, want := range ioResults() {
		t.Run(name, func(t *testing.T) { room.Proven(t, want) })
	}
}

func TestIOAnyLayout(t *testing.T) { room.AnyLayout(t, fixture.IOCluster().Result()) }

// The error names the first thing that is wrong, with both values.
func TestIORefused(t *testing.T) {
	list := ioResults()
	good := map[string]string{}
	for name, r := range list {
		good[name] = string(room.Sealed(t, r))
	}
	for name, c := range map[string]struct {
		of, old, new, want string
		usable             bool
	}{
		"nothing":       {"old", good["old"], "", "the file is truncated", false},
		"half":          {"old", good["old"][len(good["old"])/2:], "", "the file is truncated", false},
		"two":           {"old", good["old"], good["old"] + good["old"], "it is not JSON", false},
		"unknown field": {"old", `"nounique"`, `"colour": "red", "nounique"`, "colour", false},
		"in a sample":   {"old", `{"partition":0,`, `{"partition":0,"x":1,`, "'/samples/0'", false},
		"access":        {"old", `"access":"write"`, `"access":"append"`, "/samples/0/access", false},
		"index":         {"old", `{"partition":0,`, `{"partition":9,`, "sample 0: partition 9 of 2", false},
		"bytes":         {"old", `"bytes":2097152,`, `"bytes":2097153,`, "sample 0: pattern 0: ", false},
		"m_part": {"old", `"m_part": 2097152`, `"m_part": 4194304`,
			"longest chunk of 4194304 bytes, but 268435456 bytes of memory per process give 2097152", false},
		"memory": {"old", `"memory_per_process": 268435456`, `"memory_per_process": 8589934592`,
			"longest chunk", false},
		"b_eff_io": {"old", `"b_eff_io": 959`, `"b_eff_io": 969`, "derived.b_eff_io is 9.69", true},
		"paper": {"old", `"b_eff_io_paper": 1091`, `"b_eff_io_paper": 2091`,
			"derived.b_eff_io_paper is 2.091", true},
		"rated processes": {"old", `"processes": 4,` + "\n    \"b_eff_io_paper\"",
			`"processes": 2,` + "\n    \"b_eff_io_paper\"", "derived.processes is 2, the samples give 4", true},
		"a type": {"old", `"types": [` + "\n              194", `"types": [` + "\n              294",
			"derived.partitions[0].accesses[0].types[0] is 2.94", true},
		"a sample's time": {"old", `"seconds":0.0`, `"seconds":0.1`, "derived.partitions[0].b_eff_io_paper is", true},
		"no bytes": {"old", `"max_bytes": 4398046511104`, `"max_bytes": 1000`,
			"no run can have these settings: ", true},
		"hints": {"old", `"processes": 4,` + "\n      \"access\"", `"processes": 3,` + "\n      \"access\"",
			"no run can have these settings: hints, line 4: there is no partition of 3 processes", true},
		"duration": {"old", `"duration": 3600`, `"duration": 1800`,
			`criterion "time": reached is true, the samples give false`, true},
		"longest duration": {"old", `"duration": 3600`, `"duration": 1e11`,
			"no run can have these settings: scheduled for 1e+11 s", true},
		"shared": {"old", `"noshared": false`, `"noshared": true`,
			`criterion "shared": reached is true, the samples give false`, true},
		"rules": {"old", `"rules": "2.1"`, `"rules": "paper"`, "derived.b_eff_io is", true},
		"criterion": {"old", `"reached": true`, `"reached": false`,
			`criterion "data": reached is false, the samples give true`, true},
		"verdict": {"old", `"valid": true`, `"valid": false`, "valid is false, by the criteria it is true",
			true},
		"verdict, too": {"quick", `"valid": false`, `"valid": true`, "valid is true, by the criteria it is false",
			true},
		"host's name":     {"old", `"name": "n001"`, `"name": "n002"`, "digest is ", true},
		"file system":     {"old", `"type": "lustre"`, `"type": "gpfs"`, "digest is ", true},
		"digest":          {"old", `"digest": "`, `"digest": "0`, "digest is ", true},
		"a later version": {"old", `"schema_version": 1`, `"schema_version": 2`, "'/schema_version'", false},
	} {
		t.Run(name, func(t *testing.T) {
			if r := room.Refused(t, good[c.of], c.old, c.new, c.want, c.usable); r != nil {
				require.False(t, r.Valid)
				require.NoError(t, Document(r, nil).Validate())
			}
		})
	}
}

// Reading any data gives an error of one line, or a result that can be written and read again unchanged.
func FuzzBEffIO(f *testing.F) {
	room.Seeds(f, slices.Collect(maps.Values(ioResults()))...)
	mutants.Fuzz(f, func(t *testing.T, data []byte) {
		if r := room.ReadAgain(t, data); r != nil {
			Document(r, nil)
			require.NoError(t, Report{r}.KeyValue(new(bytes.Buffer), true))
		}
	})
}

func BenchmarkBEffIO(b *testing.B) { room.Benchmark(b, fixture.IOCluster().Result()) }
