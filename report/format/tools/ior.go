package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// iorTitle matches the first line of IOR's text (ior-output.c, PrintHeader).
var iorTitle = words.MustCompile(`IOR-(\S+): MPI Coordinated Test of Parallel I/O`)

// iorBrace matches the beginning of IOR's JSON, which no other program's JSON has.
var iorBrace = words.MustCompile(`\{\s*(?:"(?:Version|Began)"[^{}]*)?"Command line"(?s:.*)"tests"\s*:`)

// iorColumns are the columns of a repetition, with their headings in the text and their names in the JSON.
var iorColumns = []struct {
	printed
	json string
}{
	{printed{mainColumn("bw(MiB/s)", foreign.BytesPerSecond, "MiB/s"), mebi}, "bwMiB"},
	{printed{column("IOPS", foreign.PerSecond, "1/s"), 1}, "iops"},
	{printed{column("Latency(s)", foreign.Seconds, "s"), 1}, "latency"},
	{printed{column("open(s)", foreign.Seconds, "s"), 1}, "openTime"},
	{printed{column("wr/rd(s)", foreign.Seconds, "s"), 1}, "wrRdTime"},
	{printed{column("close(s)", foreign.Seconds, "s"), 1}, "closeTime"},
	{printed{column("total(s)", foreign.Seconds, "s"), 1}, "totalTime"},
}

// iorDate is the layout of IOR's dates.
const iorDate = "Mon Jan 2 15:04:05 2006"

// iorTest holds the data of a test.
type iorTest struct {
	settings []foreign.Setting
	tasks    int
	nodes    int
	limited  bool              // by time
	phases   repeated          // writing and reading
	most     map[string]digits // largest bandwidth of a phase
}

// iorSettings are the options that are kept.
var iorSettings = []string{"api", "access", "type", "segments", "ordering in a file", "ordering inter file",
	"nodes", "clients per node", "xfersize", "blocksize", "aggregate filesize", "stonewallingTime",
	"stoneWallingWearOut"}

// set stores an option.
func (x *iorTest) set(name, value string) error {
	switch name {
	case "tasks", "clients":
		n, err := whole(strings.Fields(value + " 0")[0])
		if err != nil || n > 1<<30 {
			return fmt.Errorf("%s: %.40q is not a number of processes", name, value)
		}
		x.tasks = int(n)
	case "nodes":
		x.nodes = count(value)
	case "stonewallingTime":
		x.limited = value != "0"
	}
	if slices.Contains(iorSettings, name) && value != "" && len(x.settings) < 2*len(iorSettings) {
		x.settings = append(x.settings, foreign.Setting{Name: name, Value: value})
	}
	return nil
}

// add adds a repetition. of returns the figure of a column, or "".
func (x *iorTest) add(access string, of func(head, json string) string) error {
	if access != "write" && access != "read" {
		return fmt.Errorf("access %.40q: want write or read", access)
	}
	t := foreign.Table{Test: access, Operation: foreign.Operation(access)}
	for _, c := range iorColumns {
		if field := of(c.Name, c.json); field != "" {
			if err := c.put(&t, field); err != nil {
				return err
			}
		}
	}
	if len(t.Mains()) == 0 {
		return errors.New("no column bw(MiB/s)")
	}
	if d, _ := digitsOf(of(iorColumns[0].Name, iorColumns[0].json)); d.x >= x.most[access].x {
		if x.most == nil {
			x.most = map[string]digits{}
		}
		x.most[access] = d
	}
	return x.phases.add(access, t)
}

// iorMax matches a line with the largest bandwidth of a test's repetitions, below its rows or in the summary.
var iorMax = words.MustCompile(`^(?:Max (Write|Read):\s+(\S+) MiB/sec|(write|read)\s+(\d\S*)\s)`)

// proveMost records a doubt if a printed largest bandwidth differs from the repetitions' largest by more than the
// digits explain.
func (x *iorTest) proveMost(t *run, access, field string) {
	access = strings.ToLower(access)
	most, known := x.most[access]
	if d, is := digitsOf(field); known && is && !most.meets(d) {
		t.doubt("the maximum of %s is given as %s MiB/s, but its best repetition has %.8g", access, field, most.x)
	}
}

// keep adds the tables of a test to the result.
func (x *iorTest) keep(t *run) error {
	for _, p := range x.phases.whole() {
		p.Way, p.Processes, p.Settings = foreign.WholePhase, x.tasks, x.settings
		if x.limited {
			p.Way = foreign.Stonewalled
		}
		t.r.Processes, t.r.Nodes = max(t.r.Processes, p.Processes), max(t.r.Nodes, x.nodes)
		if err := t.add(p); err != nil {
			return err
		}
	}
	return nil
}

// iorPair matches the line of an option or a fact: `name : value`, or in old versions `name = value`.
var iorPair = words.MustCompile(`^\s*([A-Za-z][\w ]*?)\s*[:=]\s+(.*?)\s*$`)

// iorReader holds the part of a text that was read. A run may have several tests.
type iorReader struct {
	*run
	test  *iorTest
	heads []string // of the table that is being read, or nil
	ended bool     // the summary follows
}

func newIOR(t *run) reading {
	t.r.Complete = false
	return &iorReader{run: t, test: &iorTest{}}
}

func (x *iorReader) line(line string) error {
	switch {
	case x.first && x.r.ProgramVersion != "":
		return errAnother
	case x.first:
		x.r.ProgramVersion = iorTitle().FindStringSubmatch(line)[1]
	case strings.HasPrefix(line, "TestID") || strings.HasPrefix(line, "Test ") && strings.HasSuffix(line, "started"):
		return x.next()
	case strings.HasPrefix(line, "access ") && strings.Contains(line, " bw("):
		x.heads = strings.Fields(line)
	case strings.HasPrefix(line, "Summary of all tests:"):
		x.heads, x.ended = nil, true
	case x.heads != nil && (strings.HasPrefix(line, "write ") || strings.HasPrefix(line, "read ")):
		return x.test.row(x.heads, strings.Fields(line))
	case iorMax().MatchString(line):
		m := iorMax().FindStringSubmatch(line)
		if m[1] != "" || x.ended && len(x.r.Tables) == 0 { // the summary of one test
			x.test.proveMost(x.run, m[1]+m[3], m[2]+m[4])
		}
	case strings.ContainsAny(line, ":="):
		if m := iorPair().FindStringSubmatch(line); m != nil {
			x.r.Complete = x.r.Complete || m[1] == "Finished"
			return iorFact(x.r, x.test, m[1], m[2])
		}
	}
	return nil
}

// next begins a test.
func (x *iorReader) next() error {
	before := x.test
	x.test, x.heads = &iorTest{}, nil
	return before.keep(x.run)
}

func (x *iorReader) end() error { return x.next() }

// iorFact stores a fact of a run or an option of a test.
func iorFact(r *foreign.Result, test *iorTest, name, value string) error {
	switch name {
	case "Began", "Run began":
		started(r, value, iorDate)
	case "Command line", "Command line used":
		r.Command = value
	case "Machine":
		if f := strings.Fields(value); len(f) > 1 {
			r.Host.System, r.Host.Name = f[0], f[1]
		}
	default:
		return test.set(name, value)
	}
	return nil
}

// row reads a row of a repetition. A dash means that a figure wasn't measured.
func (x *iorTest) row(heads, fields []string) error {
	if len(fields) != len(heads) {
		return fmt.Errorf("%d figures in %d columns", len(fields), len(heads))
	}
	return x.add(fields[0], func(head, _ string) string {
		if i := slices.Index(heads, head); i >= 0 && fields[i] != "-" {
			return fields[i]
		}
		return ""
	})
}

// iorDocument is the part of IOR's JSON that is read.
type iorDocument struct {
	Version, Began, Machine, Finished string
	Command                           string `json:"Command line"`
	Tests                             []struct {
		Parameters struct {
			Stonewall json.Number `json:"deadlineForStonewall"`
		}
		Options map[string]any
		Results json.RawMessage
	} `json:"tests"`
	Summary []struct {
		Operation string      `json:"operation"`
		Most      json.Number `json:"bwMaxMIB"`
	} `json:"summary"`
}

// iorJSONReader holds the lines of the output of summaryFormat=JSON.
type iorJSONReader struct {
	*run
	text   strings.Builder
	depth  int  // of braces and brackets
	quoted bool // within a text
}

func newIORJSON(t *run) reading { return &iorJSONReader{run: t} }

// iorNoise matches lines of text that IOR prints between lines of JSON, such as lines about stonewalling.
var iorNoise = words.MustCompile(`^[A-Z]?[a-z]+ `)

func (x *iorJSONReader) line(line string) error {
	if !x.quoted && iorNoise().MatchString(line) {
		line = ""
	}
	if x.text.Len()+len(line) > most {
		x.refused = fmt.Errorf("it is larger than %d MiB", most>>20)
		return nil
	}
	x.text.WriteString(line + "\n")
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case x.quoted && c == '\\':
			i++
		case c == '"':
			x.quoted = !x.quoted
		case x.quoted:
		case c == '{' || c == '[':
			x.depth++
		case c == '}' || c == ']':
			x.depth--
		}
	}
	if x.depth <= 0 {
		return io.EOF
	}
	return nil
}

func (x *iorJSONReader) end() error {
	var d iorDocument
	r, text := x.r, x.text.String()
	if err := x.decode(text, &d); err != nil {
		return err
	}
	r.ProgramVersion, r.Complete = d.Version, d.Finished != ""
	for _, fact := range [][2]string{{"Began", d.Began}, {"Command line", d.Command}, {"Machine", d.Machine}} {
		if err := iorFact(r, &iorTest{}, fact[0], fact[1]); err != nil {
			return err
		}
	}
	for i, of := range d.Tests {
		test := &iorTest{limited: of.Parameters.Stonewall != "" && of.Parameters.Stonewall != "0"}
		for _, name := range append([]string{"tasks"}, iorSettings...) {
			if value, is := of.Options[name]; is {
				if err := test.set(name, fmt.Sprint(value)); err != nil {
					return fmt.Errorf("test %d: %w", i, err)
				}
			}
		}
		if err := test.results(of.Results, 0); err != nil {
			return fmt.Errorf("test %d: %w", i, err)
		}
		for _, s := range d.Summary {
			if len(d.Tests) == 1 {
				test.proveMost(x.run, s.Operation, s.Most.String())
			}
		}
		if err := test.keep(x.run); err != nil {
			return err
		}
	}
	return nil
}

// results reads the repetitions, which are a list of objects, or in old versions, a list of lists of objects.
func (x *iorTest) results(data json.RawMessage, depth int) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil || depth > 1 {
		return errors.New("no list of repetitions in Results")
	}
	for i, one := range list {
		if bytes.HasPrefix(bytes.TrimSpace(one), []byte("[")) {
			if err := x.results(one, depth+1); err != nil {
				return err
			}
			continue
		}
		var object map[string]any
		if err := json.Unmarshal(one, &object); err != nil {
			return fmt.Errorf("no repetition in Results[%d]", i)
		}
		if object["access"] == "remove" { // such an object has only a time
			continue
		}
		if _, is := object["bwMiB"].(float64); !is {
			return fmt.Errorf("no bwMiB in Results[%d]", i)
		}
		err := x.add(fmt.Sprint(object["access"]), func(_, name string) string {
			if v, is := object[name].(float64); is && v >= 0 {
				return fmt.Sprint(v)
			}
			return ""
		})
		if err != nil {
			return fmt.Errorf("in Results[%d]: %w", i, err)
		}
	}
	return nil
}

// mostValues is more values than a run prints. Decoded, an empty value takes far more memory than its text.
const mostValues = 500_000

// decode decodes a JSON text. Its errors have the line.
func (x *iorJSONReader) decode(text string, into any) error {
	if n := strings.Count(text, ",") + strings.Count(text, "[") + strings.Count(text, "{"); n > mostValues {
		return fmt.Errorf("more than %d values", mostValues)
	}
	line := func(at int64) int { return x.r.Line + strings.Count(text[:min(max(at, 0), int64(len(text)))], "\n") }
	d := json.NewDecoder(strings.NewReader(text))
	err := d.Decode(into)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			return &lineError{line(d.InputOffset()), errors.New("text after the JSON")}
		}
		return nil
	}
	at := d.InputOffset()
	if e := (*json.SyntaxError)(nil); errors.As(err, &e) {
		at = e.Offset
	} else if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		at, err = e.Offset, fmt.Errorf("%s is a JSON %s", e.Field, e.Value)
	} else if errors.Is(err, io.ErrUnexpectedEOF) {
		at, err = int64(len(text)), errors.New("the JSON ends early")
	}
	return &lineError{line(at), err}
}
