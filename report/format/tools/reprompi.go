package tools

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/report/lazy"
)

// repromHead is the head of ReproMPI's tables (results_output.c): of single repetitions, or a summary.
var repromHead = lazy.MustCompile(`(?m)^\s*(?:process\s+)?test\s+(?:nrep\s+)?(?:count|msize_bytes)\s+(?:total_nrep|` +
	`errorcode|runtime_sec|loc_tstart_sec)\b|^#@reproMPIcommitSHA1=`)

var repromFact = lazy.MustCompile(`^#@(\w+)=(.*?)\s*$`)

// repromReader holds the part of a text that was read.
type repromReader struct {
	t     *text
	r     *foreign.Result
	facts map[string]string
	heads []string
	rows  map[string]int // of single repetitions: the index of a test's row of a length
}

// readReproMPI reads the repetitions of mpibenchmark, or its summary.
func readReproMPI(t *text, r *foreign.Result) error {
	x := &repromReader{t: t, r: r, facts: map[string]string{}, rows: map[string]int{}}
	if err := t.each(x.line); err != nil {
		return err
	}
	for i := range r.Tables {
		rows := r.Tables[i].Rows
		for j := range rows {
			if row := &rows[j]; len(row.Each) > 0 {
				row.Values, row.Median, row.Repetitions = []float64{0}, true, int64(len(row.Each))
				row.Values[0] = row.Derive()
			}
		}
	}
	return nil
}

func (x *repromReader) line(line string) error {
	if m := repromFact().FindStringSubmatch(line); m != nil && len(x.facts) < 1000 {
		x.facts[m[1]] = m[2]
		if m[1] == "nprocs" {
			x.r.Processes = count(m[2])
		}
		return nil
	}
	fields := strings.Fields(line)
	switch {
	case strings.HasPrefix(line, "# Benchmark started at "):
		x.r.Started = date(strings.TrimPrefix(line, "# Benchmark started at "), iorDate)
	case strings.HasPrefix(line, "#Command-line arguments:"):
		_, x.r.Command, _ = strings.Cut(line, ": ")
		x.r.Command = strings.TrimSpace(x.r.Command)
	case len(fields) == 0 || strings.HasPrefix(line, "#"):
	case fields[0] == "process":
		return errors.New("this is a table of each process's times (-v): mpibenchmark prints those of all without it")
	case fields[0] == "test":
		x.heads = fields
	case x.heads != nil && len(fields) > 1 && strings.HasPrefix(fields[0], "MPI_") || x.heads != nil && len(fields) ==
		len(x.heads):
		if x.t.open {
			x.r.Complete = false
			return nil
		}
		return x.row(fields)
	}
	return nil
}

// row reads a repetition, or a summary.
func (x *repromReader) row(fields []string) error {
	if len(fields) != len(x.heads) {
		return fmt.Errorf("%d figures in %d columns", len(fields), len(x.heads))
	}
	bytes, err := x.length(fields)
	if err != nil {
		return err
	}
	if i := slices.Index(x.heads, "runtime_sec"); i >= 0 {
		return x.repetition(fields, bytes, i)
	}
	return x.summary(fields, bytes)
}

// length returns the length in bytes. Counts are of elements, whose size stands above.
func (x *repromReader) length(fields []string) (int64, error) {
	if i := slices.Index(x.heads, "msize_bytes"); i >= 0 {
		return whole(fields[i])
	}
	i := slices.Index(x.heads, "count")
	if i < 0 {
		return 0, errors.New("no column of lengths")
	}
	n, err := whole(fields[i])
	if err != nil {
		return 0, err
	}
	size := x.facts["datatype_size_bytes"]
	of, err := whole(size)
	if err != nil || of > 1<<20 || n > 1<<40 {
		return 0, errors.New("lengths are counts of elements, and there is no #@datatype_size_bytes above")
	}
	return n * of, nil
}

// table returns the table of a test, which it makes if there is none.
func (x *repromReader) table(test string, columns []foreign.Column) (*foreign.Table, error) {
	for i := range x.r.Tables {
		if t := &x.r.Tables[i]; t.Test == test && len(t.Columns) == len(columns) {
			return t, nil
		}
	}
	if len(x.r.Tables) >= 1000 {
		return nil, errors.New("more than 1000 tests")
	}
	t := foreign.Table{Test: test, Operation: foreign.Collective(test), Way: foreign.BySync, Processes: x.r.Processes,
		Lengths: true, Columns: columns}
	if t.Operation == "" {
		t.Way = ""
	}
	for _, name := range []string{"sync", "runtime_type", "clocktype", "clock", "datatype", "operation", "root_proc",
		"window_s"} {
		if value := x.facts[name]; value != "" {
			t.Settings = append(t.Settings, foreign.Setting{Name: name, Value: value})
		}
	}
	x.r.Tables = append(x.r.Tables, t)
	return &x.r.Tables[len(x.r.Tables)-1], nil
}

// repetition adds the time of a repetition to the row of its test and length.
func (x *repromReader) repetition(fields []string, bytes int64, at int) error {
	v, err := number(fields[at])
	if err != nil {
		return err
	}
	if i := slices.Index(x.heads, "errorcode"); i >= 0 && fields[i] != "0" {
		return nil // the repetition didn't keep to its window
	}
	t, err := x.table(fields[0], []foreign.Column{mainColumn("runtime_sec, median", foreign.Seconds, "s")})
	if err != nil {
		return err
	}
	key := fmt.Sprint(bytes, t.Test)
	i, known := x.rows[key]
	if !known {
		i = len(t.Rows)
		x.rows[key] = i
		t.Rows = append(t.Rows, foreign.Row{Bytes: bytes})
	}
	t.Rows[i].Each = append(t.Rows[i].Each, v)
	return nil
}

// summary adds the row of a test and length.
func (x *repromReader) summary(fields []string, bytes int64) error {
	row := foreign.Row{Bytes: bytes}
	var columns []foreign.Column
	main := "mean_sec"
	if slices.Contains(x.heads, "median_sec") {
		main = "median_sec"
	}
	for i, head := range x.heads {
		switch {
		case head == "valid_nrep":
			n, err := whole(fields[i])
			if err != nil {
				return err
			}
			row.Repetitions = n
		case strings.HasSuffix(head, "_sec"):
			v, err := number(fields[i])
			if err != nil {
				return fmt.Errorf("%s: %w", head, err)
			}
			c := column(head, foreign.Seconds, "s")
			c.Main = head == main
			columns, row.Values = append(columns, c), append(row.Values, v)
		}
	}
	if len(columns) == 0 {
		return errors.New("a summary without a time")
	}
	if !slices.ContainsFunc(columns, func(c foreign.Column) bool { return c.Main }) {
		columns[0].Main = true
	}
	t, err := x.table(fields[0], columns)
	if err != nil {
		return err
	}
	t.Rows = append(t.Rows, row)
	return nil
}
