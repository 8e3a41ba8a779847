package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/sim"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/format/tools"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

// alteration is a change of one member of a document.
type alteration struct {
	path string // names of the altered member and its parents, without indices of lists
	how  string // changed, removed
	text string // the member, altered
}

// member is a member of a document with its text.
type member struct{ name, text string }

// membersOf returns the members of a document, in their order.
func membersOf(t *testing.T, text []byte) (list []member) {
	d := json.NewDecoder(bytes.NewReader(text))
	_, err := d.Token()
	require.NoError(t, err)
	for d.More() {
		name, err := d.Token()
		require.NoError(t, err)
		var value json.RawMessage
		require.NoError(t, d.Decode(&value))
		list = append(list, member{name.(string), string(value)})
	}
	return list
}

// resealed returns a document of these members with a new digest, laid out like results.
func resealed(members []member) []byte {
	var lines []string
	for _, m := range members {
		if m.name != "digest" {
			lines = append(lines, fmt.Sprintf("  %q: %s", m.name, m.text))
		}
	}
	text := "{\n" + strings.Join(lines, ",\n") + "\n}\n"
	sum := sha256.Sum256([]byte(text))
	return []byte(strings.Replace(text, "{\n", "{\n  \"digest\": \""+hex.EncodeToString(sum[:])+"\",\n", 1))
}

// fieldsOf returns the fields of a struct, including the fields of embedded structs, by their names in JSON.
func fieldsOf(t reflect.Type) map[string]reflect.StructField {
	fields := map[string]reflect.StructField{}
	for i := range t.NumField() {
		f := t.Field(i)
		switch name, _, _ := strings.Cut(f.Tag.Get("json"), ","); {
		case f.Anonymous && name == "":
			maps.Copy(fields, fieldsOf(f.Type))
		case f.IsExported() && name != "-":
			fields[name] = f
		}
	}
	return fields
}

// exampleOf returns a value of a type with only the members that its JSON must have.
func exampleOf(t reflect.Type, tag string) any {
	_, choice, chosen := strings.Cut(tag, "enum=")
	choice, _, _ = strings.Cut(choice, ",")
	switch t.Kind() {
	case reflect.Pointer:
		return exampleOf(t.Elem(), tag)
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return "2026-11-21T09:30:00Z"
		}
		value := map[string]any{}
		for name, f := range fieldsOf(t) {
			if !strings.Contains(f.Tag.Get("json"), ",omit") {
				value[name] = exampleOf(f.Type, f.Tag.Get("jsonschema"))
			}
		}
		return value
	case reflect.Slice:
		return []any{exampleOf(t.Elem(), tag)}
	case reflect.String:
		if chosen {
			return choice
		}
		return "x"
	case reflect.Bool:
		return true
	}
	return json.Number("1")
}

// alterations returns an alteration of each value in a member, and of each optional field that it lacks. In lists, it
// alters the first and the last element.
func alterations(t *testing.T, m member, f reflect.StructField) (list []alteration) {
	var value any
	d := json.NewDecoder(strings.NewReader(m.text))
	d.UseNumber()
	require.NoError(t, d.Decode(&value))
	add := func(path, how string) {
		var text []byte
		var err error
		if rows, is := value.([]any); is && slices.Contains(sampled, m.name) { // a line each
			var lines []string
			for _, row := range rows {
				line, err := json.Marshal(row)
				require.NoError(t, err)
				lines = append(lines, "    "+string(line))
			}
			text = []byte("[\n" + strings.Join(lines, ",\n") + "\n  ]")
		} else {
			text, err = json.Marshal(value)
		}
		require.NoError(t, err)
		var before, after bytes.Buffer
		require.NoError(t, errors.Join(json.Compact(&before, []byte(m.text)), json.Compact(&after, text)))
		if before.String() != after.String() {
			list = append(list, alteration{path, how, string(text)})
		}
	}
	var walk func(path string, v any, t reflect.Type, set func(any))
	walk = func(path string, v any, t reflect.Type, set func(any)) {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		switch v := v.(type) {
		case map[string]any:
			for key, f := range fieldsOf(t) {
				child, there := v[key]
				if there {
					walk(path+"."+key, child, f.Type, func(x any) { v[key] = x })
					delete(v, key)
					add(path+"."+key, "removed")
					v[key] = child
				} else {
					v[key] = exampleOf(f.Type, f.Tag.Get("jsonschema"))
					add(path+"."+key, "added")
					delete(v, key)
				}
			}
		case []any:
			for _, i := range slices.Compact([]int{0, len(v) - 1}) {
				if len(v) == 0 {
					break
				}
				set(slices.Delete(slices.Clone(v), i, i+1))
				add(path+"[]", "removed")
				set(v)
				walk(path+"[]", v[i], t.Elem(), func(x any) { v[i] = x })
			}
			set([]any{})
			add(path, "emptied")
			set(append(slices.Clone(v), exampleOf(t.Elem(), "")))
			add(path+"[]", "added")
			set(v)
		default:
			set(other(v))
			add(path, "changed")
			set(v)
		}
	}
	walk(m.name, value, f.Type, func(x any) { value = x })
	return list
}

// choices maps texts that have a fixed set of values to another value of the set.
var choices = map[string]string{"2001": "3.6", "paper": "2.1", "ring": "random", "random": "ring", "write": "read",
	"read": "write", "sampled": "full", "sendrecv": "nonblocking", "scatter": "shared", "dynamic": "off",
	"aggregate": "non-aggregate", "MPI1": "EXT", "PingPong": "PingPing", "repetitions": "passes"}

// other returns another value of the same type.
func other(v any) any {
	switch v := v.(type) {
	case bool:
		return !v
	case string:
		if at, err := time.Parse(time.RFC3339, v); err == nil {
			return at.Add(time.Hour).Format(time.RFC3339)
		}
		if another, is := choices[v]; is {
			return another
		}
		return v + "x"
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n + 1
		}
		x, _ := v.Float64()
		return x * 1.25
	}
	return "x"
}

// originals returns the documents whose fields are altered, by the names of their tables. They are from Open MPI, or
// from another library. If that is simulated, they have the model.
func originals(t *testing.T, library *mpi.Library, model *rating.Model) map[string][]byte {
	machine := fixture.Cluster("Hawk")
	machine.Processes, machine.Config.Memory = 4, 1<<20
	machine.Config.Patterns, machine.Config.Methods = []string{"ring", "random"}, []string{"sendrecv"} // fewer samples
	facts := func(m *rating.Machine, p *rating.Period, c *rating.Circumstances) {
		m.Load = &rating.Load{Average: 0.5, Others: 0.01, Host: "n001", Processors: 8, Governor: "performance",
			Slowest: 2e9, Fastest: 2.1e9, Steal: 0.001}
		m.ClockResolution = 1e-9
		p.Joined = []rating.Join{{Started: p.Started, Samples: 3, WallSeconds: 1, Differences: []string{"host"}}}
		c.Waits = []rating.Wait{{Rank: 1, Host: "n001", Since: p.Started, Seconds: 30, Call: "MPI_Sendrecv"}}
		c.Environment = &rating.Environment{Command: []string{"beff", "run"}, Modules: []string{"gcc"},
			Variables: []rating.Variable{{Name: "UCX_TLS", Value: "rc"}},
			Nodes:     []rating.NodeKind{{Ranks: "0-3", NodeFacts: rating.NodeFacts{CPU: "Xeon", SMT: "off"}}}}
	}
	b := machine.Result()
	run := rating.Run{Version: b.Beff, Library: b.Engine, System: *b.System, Host: b.Host, Started: b.Started,
		Layout: job.Layout{Placement: b.Placement, Memory: b.MemoryAvailable}}
	facts(&b.Machine, &b.Period, &b.Circumstances)
	run.Load, run.Resolution, run.Joined = b.Load, b.ClockResolution, b.Joined
	run.Waits, run.Environment = b.Waits, b.Environment
	if library != nil {
		run.Library, run.Model = *library, model
	}
	plan, err := beff.NewPlan(b.Processes, machine.Config)
	require.NoError(t, err)
	b = beff.NewResult(plan, &beff.Measured{Samples: b.Samples, WallSeconds: 65.5, LoopSeconds: 50}, run)
	require.True(t, b.Noisy || model != nil)

	disk := fixture.IOCluster()
	var about struct {
		rating.Machine
		rating.Period
		rating.Circumstances
	}
	about.Started = disk.Run.Started
	facts(&about.Machine, &about.Period, &about.Circumstances)
	disk.Run.Load, disk.Run.Resolution, disk.Run.Joined = about.Load, about.ClockResolution, about.Joined
	disk.Run.Waits, disk.Run.Environment = about.Waits, about.Environment
	if library != nil {
		disk.Run.Library, disk.Run.Model = *library, model
	}

	p := fixture.ProbeCluster()
	p.Add(kernel.MPI1, "PingPong", settings.Plain, 2, 1)
	p.Add(kernel.NBC, "Ibcast", settings.Plain, 4, 1)
	r := &p.Result
	r.Blocks[1].Rows[3].Defects = 2
	facts(&r.Machine, &r.Period, &r.Circumstances)
	r.Settings.Rows.Lengths = fixture.ProbeLengths
	r.Preloaded = []string{"libany.so"}
	if library != nil {
		r.Engine, r.Model = *library, model
	}
	r.Conclude(measured.WarningsOf("option", "-any does nothing"))

	text, err := os.ReadFile("format/tools/testdata/beff/short.sum")
	require.NoError(t, err)
	original, err := tools.Read(bytes.NewReader(text), "short.sum")
	require.NoError(t, err)
	sealed := func(seal func(io.Writer) error) []byte {
		var b bytes.Buffer
		require.NoError(t, seal(&b))
		return b.Bytes()
	}
	return map[string][]byte{
		"b_eff":    sealed(ofbeff.Report{Result: b}.Sealed),
		"b_eff_io": sealed(ofbeffio.Report{Result: disk.Result()}.Sealed),
		"probe":    sealed(ofprobe.Report{Result: r}.Sealed),
		"foreign":  sealed(offoreign.Report{Result: original}.Sealed),
	}
}

// proof returns the report of a document, and the first error in it.
func proof(text []byte) (Report, error) {
	k, err := find(text)
	if err != nil {
		return nil, err
	}
	return k.read(text)
}

// remade returns the document of a report with recomputed figures, verdict and digest.
func remade(t *testing.T, k *benchmark, r Report) []byte {
	bare := reflect.New(reflect.TypeOf(k.bare(r)).Elem())
	bare.Elem().Set(reflect.ValueOf(k.bare(r)).Elem())
	if v := r.Header().Verdict; v != nil {
		bare.Elem().FieldByName("Valid").SetBool(rating.Valid(v.Criteria))
	}
	var b bytes.Buffer
	switch bare := bare.Interface().(type) {
	case *beff.Result:
		require.NoError(t, ofbeff.Form.Seal(&b, bare))
	case *beffio.Result:
		require.NoError(t, ofbeffio.Form.Seal(&b, bare))
	case *probe.Result:
		require.NoError(t, ofprobe.Form.Seal(&b, bare))
	case *foreign.Result:
		require.NoError(t, offoreign.Form.Seal(&b, bare))
	}
	return b.Bytes()
}

// trial counts the alterations of a document, and has those that pass, by their paths.
type trial struct {
	name   string
	good   Report
	shown  string // text of good
	kind   *benchmark
	all    int
	passed map[string][]string
}

// try alters a document. An alteration that passes must be listed, and must change neither the rating nor the verdict.
// An alteration that passes only with recomputed figures must be listed, too.
func (x *trial) try(t *testing.T, a alteration, members []member) {
	x.all++
	changed := resealed(members)
	r, err := proof(changed)
	again := err != nil && r != nil
	if again {
		r, err = proof(remade(t, x.kind, r))
	}
	if err != nil {
		return
	}
	top, _, _ := strings.Cut(a.path, ".")
	top = strings.TrimRight(top, "[]")
	listed := slices.Contains(append(statedNames(t, x.kind, x.good), statedNames(t, x.kind, r)...), top)
	if !listed && shownOf(t, r) == x.shown { // such as an empty member
		return
	}
	require.True(t, listed, "%s %s passes, made anew: %t, and isn't listed", a.path, a.how, again)
	if again {
		return
	}
	if !slices.Contains(x.passed[a.path], a.how) {
		x.passed[a.path] = append(x.passed[a.path], a.how)
	}
	if v := r.Header().Verdict; v != nil {
		require.Equal(t, x.good.Header().Verdict.State(), v.State(), a.path)
		require.Equal(t, rating.ClassOf(x.good.Header().Verdict.Criteria), rating.ClassOf(v.Criteria), a.path)
	}
	if !slices.Contains([]string{"files", "rating"}, top) { // they are measured values
		require.Equal(t, x.good.Entry().Figures[x.kind.name], r.Entry().Figures[x.kind.name], a.path)
	}
}

// shownOf returns a report's texts and its entry in rankings.
func shownOf(t *testing.T, r Report) string {
	var b bytes.Buffer
	require.NoError(t, errors.Join(document.PlainText(&b, r.Document()), r.KeyValue(&b, true)))
	fmt.Fprintf(&b, "%+v", r.Entry())
	return b.String()
}

// tryMembers tries the alterations of a document's members for which chosen returns true, both of members that it has
// and of members that it lacks.
func tryMembers(t *testing.T, name string, text []byte, chosen func(member string) bool) *trial {
	good, err := proof(text)
	require.NoError(t, err)
	kind, err := find(text)
	require.NoError(t, err)
	members := membersOf(t, text)
	again, err := proof(resealed(members))
	require.NoError(t, err)
	require.Equal(t, good.Header().Verdict, again.Header().Verdict)
	_, err = proof(remade(t, kind, good))
	require.NoError(t, err)
	x := &trial{name: name, good: good, shown: shownOf(t, good), kind: kind, passed: map[string][]string{}}
	fields := fieldsOf(reflect.TypeOf(kind.bare(good)).Elem())
	delete(fields, "digest")
	for i, m := range members {
		f, is := fields[m.name]
		if delete(fields, m.name); !is || !chosen(m.name) {
			continue
		}
		x.try(t, alteration{path: m.name, how: "removed"}, slices.Delete(slices.Clone(members), i, i+1))
		for _, a := range alterations(t, m, f) {
			other := slices.Clone(members)
			other[i].text = a.text
			x.try(t, a, other)
		}
	}
	for key, f := range fields {
		if !chosen(key) {
			continue
		}
		text, err := json.Marshal(exampleOf(f.Type, f.Tag.Get("jsonschema")))
		require.NoError(t, err)
		x.try(t, alteration{path: key, how: "added"},
			slices.Insert(slices.Clone(members), 2, member{key, string(text)}))
	}
	return x
}

// TestAltered alters every field of a result of each benchmark, one by one, and gives the document a new digest. The
// tables in testdata have the alterations that pass. beff verify lists as stated every field whose alteration passes,
// with or without recomputed figures.
func TestAltered(t *testing.T) {
	for name, text := range originals(t, nil, nil) {
		t.Run(name, func(t *testing.T) {
			x := tryMembers(t, name, text, func(string) bool { return true })
			var table strings.Builder
			fmt.Fprintf(&table, "# These of %d alterations of a result of %s pass: they are stated, not proven.\n",
				x.all, name)
			for _, path := range slices.Sorted(maps.Keys(x.passed)) {
				fmt.Fprintf(&table, "%s: %s\n", path, strings.Join(slices.Sorted(slices.Values(x.passed[path])), ", "))
			}
			fixture.GoldenFile(t, "testdata/altered_"+strings.ReplaceAll(name, " ", "_")+".txt", table.String(),
				"there are more or fewer alterations, or others pass: look at each that is new, then -update")
		})
	}
	bare := bytes.Replace(originals(t, nil, nil)["b_eff"], []byte(`"digest"`), []byte(`"digesT"`), 1)
	_, err := proof(bare)
	require.Error(t, err)
}

// TestAlteredByEngine alters the fields that depend on the engine, in a result of each engine. A table has the
// alterations that pass there, but not with Open MPI.
func TestAlteredByEngine(t *testing.T) {
	engineOf := func(name, library, standard string, kind mpi.EngineKind) mpi.Library {
		return mpi.Library{Engine: name, Library: library, Version: "1.5", Standard: standard, Stated: kind}
	}
	var more []string
	for _, x := range []struct {
		library mpi.Library
		model   *rating.Model
	}{{library: engineOf("local", "beff embedded engine", "", mpi.EngineKind{})},
		{library: engineOf("libmpi", "MPICH", "4.0", mpi.EngineKind{})},
		{library: engineOf("shmem", "OpenSHMEM", "", mpi.EngineKind{Distributed: true, SHMEM: true})},
		{engineOf("sim", "model", "", sim.Kind), &rating.Model{Machine: "name: x", Sharing: "busiest link", Nodes: 2}},
	} {
		for name, text := range originals(t, &x.library, x.model) {
			if name == foreign.Benchmark { // not measured by beff
				continue
			}
			stated, err := os.ReadFile("testdata/altered_" + name + ".txt")
			require.NoError(t, err)
			some := []string{"engine", "model", "placement", "clock", "clock_resolution", "valid", "noisy", "criteria",
				"signs", "warnings", "host"}
			got := tryMembers(t, name, text, func(member string) bool { return slices.Contains(some, member) })
			require.Greater(t, got.all, 50)
			for path, ways := range got.passed {
				for _, how := range ways {
					line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(path) + `: .*\b` + how + `\b`)
					if !line.Match(stated) {
						more = append(more, fmt.Sprintf("%s, %s: %s %s\n", name, x.library.Library, path, how))
					}
				}
			}
		}
	}
	slices.Sort(more)
	fixture.GoldenFile(t, "testdata/altered_by_engine.txt", "# With engines other than Open MPI these alterations "+
		"pass, too: they are stated, not proven.\n"+strings.Join(more, ""),
		"others pass: look at each that is new, then -update")
}

// statedNames returns the names of the fields that beff verify lists as stated.
func statedNames(t *testing.T, k *benchmark, r Report) (names []string) {
	t.Helper()
	for _, s := range statedIn(k, r) {
		require.NotContains(t, s.Value, ", ,", s.Name)
		names = append(names, s.Name)
	}
	return names
}
