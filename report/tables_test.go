package report

import (
	"bytes"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/report/database"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// The tables of every result have the columns that AllTables returns, and values of the columns' kinds.
func TestTables(t *testing.T) {
	var io bytes.Buffer
	require.NoError(t, ofbeffio.Form.Seal(&io, fixture.IOCluster().Result()))
	dir := t.TempDir()
	all := map[string]*tidy.Table{}
	for _, x := range AllTables() {
		all[x.Name] = x
	}
	seen := map[string]int{}
	for _, f := range []*File{Read(file(t, dir, "a.json", sealed(t))), Read(file(t, dir, "io.json", io.String())),
		Read(file(t, dir, "p.json", sealedProbe(t))), original(t, dir, "old", 1e9, 8)} {
		require.NoError(t, f.Problem)
		require.NotEmpty(t, f.MainTable())
		for _, x := range f.Tables(7, nil) {
			require.Equal(t, all[x.Name].Columns, x.Columns, x.Name)
			for row := range x.Rows {
				seen[x.Name]++
				require.Len(t, row, len(x.Columns))
				require.Equal(t, int64(7), row[0])
				for i, value := range row {
					switch value.(type) {
					case nil:
					case string:
						require.Equal(t, tidy.Text, x.Columns[i].Kind)
					case int64:
						require.Equal(t, tidy.Integer, x.Columns[i].Kind)
					case float64:
						require.Equal(t, tidy.Real, x.Columns[i].Kind)
					default:
						require.Fail(t, "a value of another kind", "%T in %s", value, x.Columns[i].Name)
					}
				}
			}
		}
	}
	for _, name := range []string{"b_eff_samples", "b_eff_io_samples", "b_eff_io_files", "probe_samples",
		"probe_rows", "program_rows"} {
		require.Positive(t, seen[name], name)
	}
	require.Equal(t, 4, seen["runs"])
}

// Each column has a well-formed name, unique in its table, a description and a known unit, and is documented.
func TestColumns(t *testing.T) {
	text, err := os.ReadFile("../docs/export.md")
	require.NoError(t, err)
	for _, x := range AllTables() {
		require.Contains(t, string(text), "| `"+x.Name+"` |")
		once := map[string]bool{}
		for _, c := range x.Columns {
			require.Regexp(t, regexp.MustCompile("^[a-z][a-z0-9_]*$"), c.Name)
			require.NotEmpty(t, c.About, c.Name)
			require.False(t, once[c.Name], "%s.%s", x.Name, c.Name)
			once[c.Name] = true
			require.Contains(t, []string{"", "s", "B", "B/s", "1/s"}, c.Unit)
			if !strings.HasPrefix(c.Name, "mean_") && !strings.HasPrefix(c.Name, "median_") {
				require.Contains(t, string(text), c.Name, x.Name)
			}
		}
	}
}

// Figures that are computed from the rows of the tables of samples equal the figures of the result.
func TestSamplesGiveFigures(t *testing.T) {
	r := fixture.Cluster("").Result()
	x := ofbeff.Report{Result: r}.Tables()[0]
	at := map[string]int{}
	for i, c := range x.Columns {
		at[c.Name] = i
	}
	best, rows := 0.0, 0
	for row := range x.Rows {
		if rows++; row[at["pattern"]] == "ping-pong" {
			best = max(best, row[at["bandwidth"]].(float64))
		}
	}
	require.Len(t, r.Samples, rows)
	require.InEpsilon(t, r.Derived.PingPongAtLmax, best, 1e-12)

	io := fixture.IOCluster().Result()
	bytes, seconds := int64(0), 0.0
	x = ofbeffio.Report{Result: io}.Tables()[0]
	for i, c := range x.Columns {
		at[c.Name] = i
	}
	for row := range x.Rows {
		if row[at["access"]] == string(beffio.Write) && row[at["partition"]] == int64(io.Partitions[0]) {
			bytes += row[at["bytes"]].(int64)
			seconds += row[at["seconds"]].(float64)
		}
	}
	a := io.Derived.Partitions[0].Access(beffio.Write)
	require.Equal(t, a.Bytes, bytes)
	require.Positive(t, seconds)
}

// CSV has one line for each row, whatever the texts contain.
func TestCSV(t *testing.T) {
	r := fixture.Cluster("").Result()
	r.Methods = append([]string{"a,\"b\"\nc\x1b[31m"}, r.Methods[1:]...)
	var b bytes.Buffer
	require.NoError(t, tidy.CSV(&b, ofbeff.Report{Result: r}.Tables()[0]))
	require.NotContains(t, b.String(), "\x1b")
	lines, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	require.Len(t, lines, 1+len(r.Samples))
}

// An export that fails leaves nothing in a database. A table of an older version gets the columns that it lacks.
func TestDatabaseDiscards(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?c#d%.sqlite")
	d, err := database.Open(path, func() {})
	require.NoError(t, err)
	x := ofbeff.Report{Result: new(beff.Result)}.Tables()[0]
	require.NoError(t, d.Declare(x))
	require.NoError(t, d.Discard())
	require.NoFileExists(t, path)

	d, err = database.Open(path, func() {})
	require.NoError(t, err)
	older := *x
	older.Columns = x.Columns[:3]
	require.NoError(t, d.Declare(&older))
	require.NoError(t, d.Close())
	require.FileExists(t, path)
	d, err = database.Open(path, func() {})
	require.NoError(t, err)
	require.NoError(t, d.Declare(x), "a later version has more columns")
	require.NoError(t, d.Add(ofbeff.Report{Result: fixture.Cluster("").Result()}.Tables()[0]))
	require.NoError(t, d.Close())
}

// The queries in the documentation return rows in sqlite3, the program that users have.
func TestQueries(t *testing.T) {
	program, err := exec.LookPath("sqlite3")
	require.NoError(t, err, "install sqlite3")
	text, err := os.ReadFile("../docs/export.md")
	require.NoError(t, err)
	var io bytes.Buffer
	require.NoError(t, ofbeffio.Form.Seal(&io, fixture.IOCluster().Result()))
	dir := t.TempDir()
	path := filepath.Join(dir, "all.sqlite")
	d, err := database.Open(path, func() {})
	require.NoError(t, err)
	for _, x := range AllTables() {
		require.NoError(t, d.Declare(x))
	}
	for name, text := range map[string]string{"a": sealed(t), "io": io.String()} {
		f := Read(file(t, dir, name+".json", text))
		number, there, err := d.Next(f.Digest(), f.Measurement())
		require.NoError(t, err)
		require.False(t, there)
		for _, x := range f.Tables(number, nil) {
			require.NoError(t, d.Add(x))
		}
		for _, known := range [][2]string{{f.Digest(), "another"}, {"", f.Measurement()}} {
			_, there, err = d.Next(known[0], known[1])
			require.NoError(t, err)
			require.True(t, there)
		}
	}
	require.NoError(t, d.Close())
	queries := regexp.MustCompile(`(?s)sqlite3 all.sqlite "(.*?)"`).FindAllSubmatch(text, -1)
	require.Len(t, queries, 4)
	for _, q := range queries {
		out, err := exec.Command(program, path, string(q[1])).CombinedOutput()
		require.NoError(t, err, "%s: %s", q[1], out)
		if !strings.Contains(string(q[1]), "WHERE run = 1") && !strings.Contains(string(q[1]), "met = 0") {
			require.NotEmpty(t, out, "%s", q[1])
		}
	}
}
