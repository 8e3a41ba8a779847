package accept

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/tidy"
	"github.com/effective-bandwidth/beff/report/words"
)

// Sheet is a requirement sheet.
type Sheet struct {
	Title, Version, Source string
	Confidence             float64 // probability that each verdict is right
	Unit                   string  // independent unit: Day or EachRun
	MaxUnits               int     // planned number of units; more units are judged by a stricter bound
	System                 string  // system whose results count; if empty, each system gets its own verdicts
	Requirements           []*Requirement

	nodes       int            // nodes of the system; 0 if not known
	each        map[string]int // parts of a node by name; 0 if not known
	memory      int64          // bytes of a node; 0 if not known
	engine, age string         // defaults for requirements
	spread      string
	digest      string
}

// Units that count as independent: the mean of the runs of a day, because disturbances of a machine last for hours, or
// each run.
const (
	Day     = "day"
	EachRun = "run"
)

const perNode = "node"

// digestOf returns the digest of a file and the values set by the user.
func digestOf(text []byte, sets []Set) string {
	h := sha256.New()
	h.Write(text)
	for _, s := range sets {
		fmt.Fprintf(h, "\n%s=%s", s.Key, s.Value)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Requirement is a figure with its limits.
type Requirement struct {
	ID, Title string
	*Figure
	Bytes     int64 // message length; -1 if not given
	Processes int   // 0 if not given, or not known
	Nodes     int   // 0 if not given
	PerNode   int   // processes per node; 0 if not given, or not known
	Per       string
	Odd, Even bool
	Threshold Threshold
	Statistic string
	MinRuns   int // runs
	Spread    float64
	Engine    string
	Age       time.Duration // 0 for any
	Valid     bool
	SameRun   []string
	Attest    []string // statements that results can't prove
	Measure   []string // arguments of beff; nil if another program measures
	Memory    string   // memory of the data: deviceMemory, hostMemory, or "" for the default
	Lengths   *Lengths // list that the requirement is one length of, or nil

	number int             // number of the entry in the sheet
	lacks  string          // unknown number of the system that the number of processes depends on; may be empty
	where  *tidy.Condition // condition on results
	rows   *tidy.Condition // condition on rows of probes
	filled []condition
}

// Memories of data: of processors or of accelerators.
const (
	hostMemory   = "host"
	deviceMemory = "device"
)

// Lengths is a list of message lengths with a limit each. The list is met if at most MayMiss of them miss their limits.
type Lengths struct {
	ID      string
	Bytes   []int64
	MayMiss int
}

// Line describes the requirement in a line.
func (r *Requirement) Line() string {
	parts := []string{r.Statistic + " of " + r.Name, r.size(), cmp.Or(r.Threshold.Text, "no limit"), r.Engine,
		r.unknown()}
	if l := r.Lengths; l != nil && l.MayMiss > 0 {
		parts = append(parts, l.allowance())
	}
	return r.ID + ": " + strings.Join(lists.Where(parts, func(s string) bool { return s != "" }), ", ")
}

// unknown returns a hint on the number of the system that is needed before the requirement can be measured, or "".
func (r *Requirement) unknown() string {
	if r.lacks == "" {
		return ""
	}
	return fmt.Sprintf("%s isn't known: give it with --set system.%s=N", r.lacks, strings.Fields(r.lacks)[0])
}

// condition is a fact that a result must have. known is false if the result doesn't record it.
type condition struct {
	text  string
	holds func(*candidate) (holds, known bool)
}

// idForm matches names of requirements.
var idForm = words.MustCompile(`^[A-Za-z][\w.-]{0,199}$`)

// statistics are the ways to reduce the rows, passes or repetitions of a run to one value.
var statistics = []string{"mean", "min", "median", "max", "p90", "p99"}

// allowance describes how many lengths may miss their limits.
func (l *Lengths) allowance() string {
	return fmt.Sprintf("%d of the %d lengths of %s may miss", l.MayMiss, len(l.Bytes), l.ID)
}

// requirements returns the requirement of an entry, or one for each length of its list of lengths. With an error it
// also returns the wrong key.
func (s *Sheet) requirements(e *entry) (list []*Requirement, key string, err error) {
	all, is := e.Bytes.([]any)
	limits, each := e.Threshold.([]any)
	switch {
	case !is && e.MayMiss != 0:
		return nil, "may_miss", errors.New("may_miss: want a list of bytes, such as [8, \"1 KiB\"]")
	case !is:
		r, key, err := s.requirement(e, nil)
		return []*Requirement{r}, key, err
	case len(all) < 2:
		return nil, "bytes", errors.New("bytes: want two lengths or more in a list")
	case each && len(limits) != len(all):
		return nil, "threshold", fmt.Errorf("threshold: %d limits for %d lengths", len(limits), len(all))
	case e.MayMiss < 0 || e.MayMiss >= len(all) || e.MayMiss > 0 && e.Threshold == nil:
		return nil, "may_miss", fmt.Errorf("may_miss = %d: want fewer than the %d lengths, and a threshold", e.MayMiss,
			len(all))
	}
	of := &Lengths{ID: e.ID, MayMiss: e.MayMiss}
	for _, x := range all {
		n, err := bytesOf(x)
		if err != nil {
			return nil, "bytes", fmt.Errorf("bytes = %w", err)
		}
		of.Bytes = append(of.Bytes, n)
	}
	for i, n := range of.Bytes {
		one := *e
		one.Bytes = n
		if one.ID = fmt.Sprintf("%s-%d", e.ID, n); each {
			one.Threshold = limits[i]
		}
		r, key, err := s.requirement(&one, of)
		if err != nil {
			return nil, key, err
		}
		list = append(list, r)
	}
	return list, "", nil
}

// requirement returns a requirement, which may be one length of a list. With an error it also returns the wrong key.
func (s *Sheet) requirement(e *entry, of *Lengths) (r *Requirement, key string, err error) {
	r = &Requirement{ID: e.ID, Title: cmp.Or(e.Title, e.Figure), Bytes: -1, Per: e.Per, Odd: e.Parity == "odd",
		Even: e.Parity == "even", Statistic: cmp.Or(e.Statistic, "mean"), MinRuns: max(e.Runs, 1), Valid: true,
		Engine: cmp.Or(e.Engine, s.engine), SameRun: e.SameRun, Attest: slices.Clone(e.Attest),
		Memory: e.Memory, Lengths: of}
	if !idForm().MatchString(e.ID) {
		return nil, "id", fmt.Errorf("id = %q: want a name of letters, digits, dots, dashes and underscores", e.ID)
	}
	if r.Figure, err = NewFigure(e.Figure); err != nil {
		return nil, "figure", err
	}
	if r.Engine == "" { // whoever measures it determines the engine
		r.Engine = words.Either(r.Command(r.Bytes) == nil, Imported, OverMPI)
	}
	for _, step := range []struct {
		key string
		set func() error
	}{
		{"bytes", func() error { return r.setBytes(e.Bytes) }},
		{"nodes", func() error { return r.setNodes(e.Nodes, s.nodes) }},
		{"per", func() error { return r.setProcesses(e, s) }},
		{"parity", func() error { return r.checkParity(e.Parity) }},
		{"threshold", func() error { r.Threshold, err = newThreshold(e.Threshold, r.Figure); return err }},
		{"statistic", func() error { return oneOf("statistic", r.Statistic, statistics...) }},
		{"engine", func() error { return oneOf("engine", r.Engine, OverMPI, Simulated, Embedded, Imported) }},
		{"memory", func() error { return oneOf("memory", cmp.Or(e.Memory, hostMemory), hostMemory, deviceMemory) }},
		{"age", func() error { r.Age, err = ageOf(cmp.Or(e.Age, s.age)); return err }},
		{"spread", func() error { r.Spread, err = spreadOf(cmp.Or(e.Spread, s.spread)); return err }},
		{"distance", func() error { return r.addAttested(e) }},
		{"where", func() error { return r.setWhere(e.Where) }},
		{"memory_filled", func() error { return r.setConditions(e, s) }},
		{"runs", func() error { return r.checkRuns(s) }},
		{"measure", func() error { return r.setMeasure(e) }},
	} {
		if err := step.set(); err != nil {
			return nil, step.key, err
		}
	}
	if e.Valid != nil {
		r.Valid = *e.Valid
	}
	return r, "", nil
}

// oneOf returns an error unless word is one of known.
func oneOf(key, word string, known ...string) error {
	if slices.Contains(known, word) {
		return nil
	}
	return fmt.Errorf("%s = %q%s", key, word, meant(word, known))
}

func (r *Requirement) setBytes(x any) (err error) {
	if x == nil {
		return nil
	}
	if r.Figure.of == nil {
		return fmt.Errorf("bytes: %s is a figure of whole results", r.Name)
	}
	if r.Bytes, err = bytesOf(x); err != nil {
		return fmt.Errorf("bytes = %w", err)
	}
	return nil
}

// all is the word for all nodes of the system.
const all = "all"

func (r *Requirement) setNodes(x any, system int) error {
	switch n, is := x.(int64); {
	case x == nil:
	case x == all:
		if r.Nodes = system; system == 0 {
			r.lacks = "nodes of [system]"
		}
	case !is || n < 1 || n > math.MaxInt32:
		return fmt.Errorf("nodes = %v: want a number, or %q", x, all)
	default:
		r.Nodes = int(n)
	}
	return nil
}

// setProcesses computes the number of processes.
func (r *Requirement) setProcesses(e *entry, s *Sheet) error {
	if r.Processes = e.Processes; r.Processes < 0 {
		return fmt.Errorf("processes = %d: want 1 or more", r.Processes)
	}
	if e.Per == "" {
		return nil
	}
	n, known := s.each[e.Per]
	switch {
	case !known:
		return oneOf("per", e.Per, "nic", "core", "socket", perNode)
	case e.Nodes == nil:
		return fmt.Errorf("per = %q: want nodes, too", e.Per)
	case n == 0:
		r.lacks = cmp.Or(r.lacks, e.Per+"s of [system]")
		return nil
	case r.lacks != "":
		return nil
	}
	r.PerNode = n
	processes := r.Nodes * n
	if r.Odd && processes%2 == 0 || r.Even && processes%2 == 1 { // one less (UK NNSS)
		processes--
	}
	if r.Processes > 0 && r.Processes != processes {
		return fmt.Errorf("processes = %d contradicts %d nodes with one per %s, which make %d", r.Processes, r.Nodes,
			e.Per, processes)
	}
	r.Processes = processes
	return nil
}

func (r *Requirement) checkParity(word string) error {
	if word == "" {
		return nil
	}
	if err := oneOf("parity", word, "odd", "even"); err != nil {
		return err
	}
	if n := r.Processes; n > 0 && (n%2 == 1) != r.Odd {
		return fmt.Errorf("parity = %q contradicts %d processes", word, n)
	}
	return nil
}

// ageOf parses an age such as 30d.
func ageOf(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	days, is := strings.CutSuffix(text, "d")
	n, err := strconv.Atoi(days)
	if !is || err != nil || n < 1 || n > 36500 {
		return 0, fmt.Errorf("age = %q: want days such as 30d", text)
	}
	return time.Duration(n) * 24 * time.Hour, nil
}

// spreadOf parses a spread such as 3 % into a fraction, or 0 if it isn't known.
func spreadOf(text string) (float64, error) {
	if text == "" || text == "unknown" {
		return 0, nil
	}
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !percent || !(x > 0 && x <= 100) {
		return 0, fmt.Errorf("spread = %q: want a standard deviation such as 3 %%, or unknown", text)
	}
	return x / 100, nil
}

// addAttested adds the statements that the signatories must make, because results can't prove them.
func (r *Requirement) addAttested(e *entry) error {
	if e.Distance != "" {
		if err := oneOf("distance", e.Distance, "max", "min"); err != nil {
			return err
		}
		if r.Nodes != 2 {
			return fmt.Errorf("distance = %q needs nodes = 2", e.Distance)
		}
		word := map[string]string{"max": "as far apart as the network allows", "min": "neighbours in the network"}
		r.Attest = append(r.Attest, "the two nodes are "+word[e.Distance])
	}
	if e.Cut != "" {
		if r.Odd {
			return errors.New("cut: both sides have the same number of processes, which contradicts parity = \"odd\"")
		}
		r.Attest = append(r.Attest, "both sides of the cut "+e.Cut+" have the same number of processes")
	}
	if r.Per != "" && r.Per != perNode {
		r.Attest = append(r.Attest, "processes are bound one per "+r.Per)
	}
	return nil
}

// setWhere parses the condition on results or on their rows.
func (r *Requirement) setWhere(text string) (err error) {
	if r.where, err = tidy.NewCondition([]string{text}, report.Fields); err != nil {
		return fmt.Errorf("where: %w", err)
	}
	r.rows = new(tidy.Condition)
	if !report.OfResults(r.where) {
		r.where, r.rows = r.rows, r.where
		if r.of == nil {
			return fmt.Errorf("where = %q: %s has no such rows", text, r.Name)
		}
	}
	return nil
}

// checkRuns checks the number of runs against the sheet's plan.
func (r *Requirement) checkRuns(s *Sheet) error {
	if s.Unit == EachRun && r.MinRuns > s.MaxUnits {
		return fmt.Errorf("runs = %d contradicts most = %d of the sheet", r.MinRuns, s.MaxUnits)
	}
	return nil
}

// paired are tests of pairs. If processes fill nodes in order, pairs are within a node unless --per separates the
// partners.
var paired = []string{"osu_mbw_mr", "osu_multi_lat"}

// setMeasure determines the command that measures the requirement.
func (r *Requirement) setMeasure(e *entry) error {
	if e.Measure == "" {
		lengths := []int64{r.Bytes}
		if r.Lengths != nil { // one run measures all
			lengths = r.Lengths.Bytes
		}
		r.Measure = r.Command(lengths...)
		if slices.Contains(paired, r.test) && r.Nodes > 1 && r.Per != "" && r.PerNode != 1 {
			r.Measure = append(r.Measure, "--per", r.Per)
		}
		return nil
	}
	r.Measure = strings.Fields(e.Measure)
	if strings.ContainsAny(e.Measure, `"'`+"`$") || len(r.Measure) == 0 || r.Measure[0] == "beff" {
		return fmt.Errorf("measure = %q: want a beff command without quotes, such as probe Allreduce --msgsize 8",
			e.Measure)
	}
	if err := checkCommand(r.Measure); err != nil {
		return fmt.Errorf("measure = %q: %w", e.Measure, err)
	}
	return nil
}

// checkReferences checks that requirements fit each other.
func (s *Sheet) checkReferences() (wrong *Requirement, key string, err error) {
	seen := map[string]*Requirement{}
	for _, r := range s.Requirements {
		if seen[r.ID] != nil {
			return r, "id", errors.New("another requirement has this name")
		}
		seen[r.ID] = r
	}
	ids := lists.Each(s.Requirements, func(r *Requirement) string { return r.ID })
	for _, r := range s.Requirements {
		for _, id := range r.SameRun {
			switch other := seen[id]; {
			case other == nil:
				return r, "same_run", fmt.Errorf("same_run: no requirement %q%s", id, meant(id, ids))
			case other == r || !slices.Equal(other.Benchmarks(), r.Benchmarks()) || other.Engine != r.Engine:
				return r, "same_run", fmt.Errorf("same_run: no run can have this and %s", id)
			case other.Processes > 0 && r.Processes > 0 && other.Processes != r.Processes:
				return r, "same_run", fmt.Errorf("same_run: %d processes contradict the %d of %s", r.Processes,
					other.Processes, id)
			}
		}
	}
	return nil, "", nil
}

// keys returns the keys of a table of a sheet.
func keys(requirement, system_ bool) (list []string) {
	of := reflect.TypeFor[fields]()
	switch {
	case requirement:
		of = reflect.TypeFor[entry]()
	case system_:
		of = reflect.TypeFor[system]()
	}
	for i := range of.NumField() {
		list = append(list, of.Field(i).Tag.Get("toml"))
	}
	return list
}

// quantityOfBytes parses a number of bytes with its unit.
func quantityOfBytes(text string) (float64, error) {
	return tidy.Quantity(strings.ReplaceAll(text, " ", ""), "B")
}
