package report_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	check "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/prove"
)

// readers decode documents by rules that are made from the same types as the schemas.
var readers = map[string]func(text []byte) error{"b_eff-1.json": reader[beff.Result](ofbeff.Shape),
	"b_eff_io-1.json": reader[beffio.Result](ofbeffio.Shape), "probe-1.json": reader[probe.Result](ofprobe.Shape),
	"foreign-1.json": reader[foreign.Result](offoreign.Shape)}

func reader[R any](shape func() *prove.Rule) func(text []byte) error {
	return func(text []byte) error {
		_, err := prove.Decoded[R](text, shape())
		return err
	}
}

// agreed is a schema that must agree with a rule.
type agreed struct {
	*check.Schema
	t    *testing.T
	read func(text []byte) error
}

const differ = "schema and rule differ: if a type has changed, go generate ./report"

// Validate returns the schema's error. The rule must have one, too.
func (a agreed) Validate(doc any) error {
	text, err := json.Marshal(doc)
	require.NoError(a.t, err)
	err = a.Schema.Validate(doc)
	if ruled := a.read(text); err == nil {
		require.NoError(a.t, ruled, differ)
	} else {
		require.Error(a.t, ruled, "%s: %v", differ, err)
	}
	return err
}

func compiled(t *testing.T, file string) agreed {
	text, err := os.Open(filepath.Join("schema", file))
	require.NoError(t, err)
	defer text.Close()
	doc, err := check.UnmarshalJSON(text)
	require.NoError(t, err)
	c := check.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource(file, doc))
	s, err := c.Compile(file)
	require.NoError(t, err)
	require.Equal(t, 2020, s.DraftVersion)
	return agreed{s, t, readers[file]}
}

// asJSON returns a result's JSON in the form that the validator takes.
func asJSON[R any](t *testing.T, write func(io.Writer, R) error, r R) any {
	var b bytes.Buffer
	require.NoError(t, write(&b, r))
	doc, err := check.UnmarshalJSON(&b)
	require.NoError(t, err)
	return doc
}

// synthetic returns a result in which every measurement took a microsecond and a nanosecond per byte.
func synthetic(t *testing.T, c beff.Config) *beff.Result {
	plan, err := beff.NewPlan(4, c)
	require.NoError(t, err)
	m := &beff.Measured{WallSeconds: 2, LoopSeconds: 1}
	for pattern := range plan.Patterns {
		for length, l := range plan.Lengths {
			seconds := 1e-6 + 1e-9*float64(l)
			m.Samples = append(m.Samples, beff.Sample{Pattern: pattern, Length: length, Loops: 1, Seconds: seconds,
				Min: seconds, Mean: seconds})
		}
	}
	return beff.NewResult(plan, m, rating.Run{
		Version: "1", Library: mpi.Library{Engine: "libmpi", Library: "Open MPI", Version: "4.1.4", Standard: "3.1"},
		Host: rating.Host{System: "Linux", CPU: "Any", Cores: 8, Memory: 1 << 33,
			Interconnect: []string{"mlx5_0 port 1: InfiniBand, 200 Gb/s, MT4123"}},
		Layout: job.Layout{Placement: []job.Placement{{Host: "n1", Ranks: "0-1", Processes: 2, Processors: 1},
			{Host: "n2", Ranks: "2-3", Processes: 2}}},
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	})
}

func TestSchemaSynthetic(t *testing.T) {
	s := compiled(t, "b_eff-1.json")
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
			require.NoError(t, s.Validate(asJSON(t, ofbeff.Form.Write, r)))
			r.Samples, r.Placement, r.Warnings, r.Derived = nil, []job.Placement{}, []rating.Warning{}, beff.Derived{}
			require.NoError(t, s.Validate(asJSON(t, ofbeff.Form.Write, r)), "nothing measured")
		})
	}
}

// TestSchemaMeasured validates what the embedded engine really measures.
func TestSchemaMeasured(t *testing.T) {
	plan, err := beff.NewPlan(2, beff.Config{
		Rules: beff.Rules2001, Memory: 512 << 10, Quick: true, Seed: 1,
		Patterns: []string{"ring-1*2fix", "random-01", "ping-pong"}, Methods: []string{"nonblocking", "sendrecv"},
	})
	require.NoError(t, err)
	var r *beff.Result
	require.NoError(t, local.Run(2, func(e mpi.Engine) error {
		m, err := plan.Measure(e, rating.Observer[beff.Measured]{})
		if e.World().Rank() == 0 {
			r = beff.NewResult(plan, m, rating.Run{Library: e.Library(), Started: time.Now(), Err: err})
		}
		return err
	}))
	require.Len(t, r.Samples, plan.Measurements())
	require.NoError(t, r.Check())
	require.NoError(t, compiled(t, "b_eff-1.json").Validate(asJSON(t, ofbeff.Form.Write, r)))
}

// ioSynthetic returns a result in which every call of a process moved its chunk in a millisecond.
func ioSynthetic(t *testing.T, c beffio.Config) *beffio.Result {
	plan, err := beffio.NewPlan(4, c)
	require.NoError(t, err)
	m := &beffio.Measured{WallSeconds: 2}
	for n, processes := range plan.Partitions {
		for _, a := range beffio.Accesses() {
			for _, row := range plan.Rows {
				if calls := int64(processes); a != beffio.Rewrite || c.RewriteAll || row.Type == 0 {
					m.Samples = append(m.Samples, beffio.Sample{Partition: n, Access: a, Pattern: row.Number,
						Bytes: calls * row.Memory, Seconds: 1e-3, Repetitions: 1, Calls: calls, IO: 1e-3})
				}
			}
			for _, typ := range beffio.Types() {
				if a != beffio.Rewrite || c.RewriteAll || typ == 0 {
					m.Files = append(m.Files, beffio.FileSample{Partition: n, Access: a, Type: typ.String(), Open: 1e-3,
						Close: 1e-3})
				}
			}
		}
	}
	m.Hints = []beffio.HintsInForce{{Access: beffio.Read, Type: "scatter",
		Hints: []mpi.Hint{{Key: "cb_nodes", Value: "1"}}}}
	m.Errors = []beffio.DataError{{Access: beffio.Read, Pattern: 3, Rank: 1, Expected: "0x1", Found: "0x0"}}
	for i := range m.Samples {
		if s := &m.Samples[i]; s.Access == beffio.Read && s.Pattern == 3 {
			s.Errors = 1
		}
	}
	return beffio.NewResult(plan, m, beffio.Run{Run: rating.Run{
		Version: "1", Library: mpi.Library{Engine: "libmpi", Library: "Open MPI", Version: "4.1.4", Standard: "3.1"},
		Host: rating.Host{System: "Linux"}, Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)},
		FileSystem: beffio.FileSystem{Directory: "/tmp", Type: "ext4", Size: 3, Free: 2, FreeFiles: 1},
	})
}

func TestSchemaIOSynthetic(t *testing.T) {
	s := compiled(t, "b_eff_io-1.json")
	scatter := patterns.Scatter
	for name, change := range map[string]func(*beffio.Config){
		"whole":     func(*beffio.Config) {},
		"quick":     func(c *beffio.Config) { c.Quick = true },
		"2.1":       func(c *beffio.Config) { c.Rules = beffio.Rules21 },
		"rewritten": func(c *beffio.Config) { c.RewriteAll, c.NoShared, c.NoUnique, c.Keep = true, true, true, true },
		"hints": func(c *beffio.Config) {
			c.Hints = []beffio.HintRule{{Line: 1, Chunk: "all"},
				{Line: 2, Processes: 2, Access: beffio.Write, Type: &scatter, Chunk: "on_open",
					Hint: mpi.Hint{Key: "a", Value: "b"}}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := ioConfig()
			change(&c)
			r := ioSynthetic(t, c)
			require.NoError(t, r.Check())
			require.NoError(t, s.Validate(asJSON(t, ofbeffio.Form.Write, r)))
			r.Samples, r.Files, r.Warnings = nil, []beffio.FileSample{}, []rating.Warning{}
			r.Derived = beffio.Derive(r)
			require.NoError(t, s.Validate(asJSON(t, ofbeffio.Form.Write, r)), "nothing measured")
		})
	}
}

func ioConfig() beffio.Config {
	return beffio.Config{Rules: beffio.RulesPaper, Partitions: []int{2, 4}, Duration: time.Hour, Memory: 1 << 30,
		TotalMemory: 1 << 32, MaxBytes: 1 << 40}
}

type object = map[string]any

// documents returns valid documents, by the names of their schemas.
func documents(t *testing.T) map[string]object {
	return map[string]object{
		"b_eff-1.json": asJSON(t, ofbeff.Form.Write,
			synthetic(t, beff.Config{Rules: beff.Rules2001, Memory: 1 << 30})).(object),
		"b_eff_io-1.json": asJSON(t, ofbeffio.Form.Write, ioSynthetic(t, ioConfig())).(object),
		"probe-1.json":    asJSON(t, ofprobe.Form.Write, probed()).(object),
	}
}

// probed returns a result with a block of each class of kernels.
func probed() *probe.Result {
	p := fixture.ProbeCluster()
	p.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 2)
	p.Add(kernel.MPI1, "Exchange", settings.Plain, 4, 1)
	p.Add(kernel.MPI1, "Barrier", settings.Plain, 4, 1)
	p.Add(kernel.EXT, "Accumulate", settings.NonAggregate, 4, 1)
	p.Add(kernel.NBC, "Ibcast", settings.Plain, 4, 1)
	p.Add(kernel.RMA, "One_put_all", settings.Plain, 4, 1)
	p.Add(kernel.RMA, "Truly_passive_put", settings.Plain, 2, 1).Rows[3] = measured.Row{Bytes: 1024,
		Missing: "time-out",
		Detail:  "any"}
	outflag := 1
	p.Result.Settings.Who.Multi, p.Result.Settings.Who.Map, p.Result.Settings.Rows.Lengths = &outflag, []int{2, 2},
		fixture.ProbeLengths
	return &p.Result
}

func TestSchemaProbe(t *testing.T) {
	s := compiled(t, "probe-1.json")
	r := probed()
	require.NoError(t, r.Check())
	require.NoError(t, s.Validate(asJSON(t, ofprobe.Form.Write, r)))
	r.Blocks, r.Placement, r.Warnings = nil, []job.Placement{}, []rating.Warning{}
	require.NoError(t, s.Validate(asJSON(t, ofprobe.Form.Write, r)), "nothing measured")
}

func first(doc object, list string) object { return doc[list].([]any)[0].(object) }

// list returns the name of a document's long list.
func list(doc object) string {
	if doc["benchmark"] == probe.Benchmark {
		return "blocks"
	}
	return "samples"
}

func TestSchemaRefused(t *testing.T) {
	for file, changes := range map[string]map[string]func(doc object){
		"": { // any
			"unknown field":           func(doc object) { doc["more"] = 1 },
			"unknown field in a list": func(doc object) { first(doc, list(doc))["more"] = 1 },
			"missing field":           func(doc object) { delete(doc, list(doc)) },
			"other benchmark":         func(doc object) { doc["benchmark"] = "b_eff_mem" },
			"other version":           func(doc object) { doc["schema_version"] = 3 },
			"no processes":            func(doc object) { doc["processes"] = 0 },
			"no list":                 func(doc object) { doc["warnings"] = nil },
			"no date":                 func(doc object) { doc["started"] = "yesterday" },
		},
		"probe-1.json": {
			"unknown component": func(doc object) { first(doc, "blocks")["component"] = "HALO" },
			"unknown mode":      func(doc object) { first(doc, "blocks")["mode"] = "AGGREGATE" },
			"unknown policy":    func(doc object) { doc["settings"].(object)["iter_policy"] = "any" },
			"nobody":            func(doc object) { first(doc, "blocks")["processes"] = 0 },
			"no rows":           func(doc object) { first(doc, "blocks")["rows"] = nil },
			"negative length":   func(doc object) { first(first(doc, "blocks"), "rows")["bytes"] = -1 },
			"unknown reason":    func(doc object) { first(first(doc, "blocks"), "rows")["missing"] = "any" },
			"back in time": func(doc object) {
				first(first(first(doc, "blocks"), "rows"),
					"samples")["seconds_max"] = -1
			},
			"time as text": func(doc object) { first(first(first(doc, "blocks"), "rows"), "derived")["t_max"] = "1 s" },
		},
		"b_eff-1.json": {
			"unknown rules":      func(doc object) { doc["rules"] = "2.0" },
			"back in time":       func(doc object) { first(doc, "samples")["seconds"] = -1 },
			"b_eff_io":           func(doc object) { doc["benchmark"] = "b_eff_io" },
			"unknown method":     func(doc object) { doc["methods"] = []any{"send"} },
			"unknown kind":       func(doc object) { first(doc, "patterns")["kind"] = "rings" },
			"one process":        func(doc object) { doc["processes"] = 1 },
			"negative seed":      func(doc object) { doc["seed"] = -1 },
			"length 0":           func(doc object) { doc["lengths"].([]any)[0] = 0 },
			"no time":            func(doc object) { first(doc, "samples")["seconds"] = 0 },
			"no loops":           func(doc object) { first(doc, "samples")["loops"] = 0 },
			"negative bandwidth": func(doc object) { doc["derived"].(object)["b_eff"] = -1 },
			"bandwidth as text":  func(doc object) { doc["derived"].(object)["per_length"].([]any)[0] = "1 MB/s" },
		},
		"b_eff_io-1.json": {
			"unknown rules":     func(doc object) { doc["rules"] = "2.0" },
			"back in time":      func(doc object) { first(doc, "samples")["seconds"] = -1 },
			"b_eff":             func(doc object) { doc["benchmark"] = "b_eff" },
			"unknown access":    func(doc object) { first(doc, "samples")["access"] = "reread" },
			"unknown type":      func(doc object) { first(doc, "files")["type"] = "all" },
			"no partitions":     func(doc object) { doc["partitions"] = []any{} },
			"empty partition":   func(doc object) { doc["partitions"].([]any)[0] = 0 },
			"no patterns":       func(doc object) { doc["patterns"] = []any{} },
			"no duration":       func(doc object) { doc["duration"] = 0 },
			"negative bytes":    func(doc object) { first(doc, "samples")["bytes"] = -1 },
			"negative errors":   func(doc object) { first(doc, "samples")["errors"] = -1 },
			"negative offset":   func(doc object) { first(doc, "errors")["offset"] = -1 },
			"opened before":     func(doc object) { first(doc, "files")["open"] = -1 },
			"bandwidth as text": func(doc object) { doc["derived"].(object)["b_eff_io"] = "1 MB/s" },
			"no hints":          func(doc object) { first(doc, "hints_in_force")["hints"] = nil },
			"no directory":      func(doc object) { delete(doc["file_system"].(object), "directory") },
		},
	} {
		for name, change := range changes {
			for of, doc := range documents(t) {
				if file != "" && file != of {
					continue
				}
				t.Run(of+"/"+name, func(t *testing.T) {
					s := compiled(t, of)
					require.NoError(t, s.Validate(doc))
					change(doc)
					require.Error(t, s.Validate(doc))
				})
			}
		}
	}
}
