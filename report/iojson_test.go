package report_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
)

func TestIOJSONIsTheResult(t *testing.T) {
	for name, r := range fixture.AllIO(t) {
		plain, err := json.Marshal(r)
		require.NoError(t, err)
		var compact bytes.Buffer
		require.NoError(t, json.Compact(&compact, []byte(fixture.IOText(t, report.IOJSON, r))))
		require.Equal(t, string(plain), compact.String(), name)
	}
}

func TestIORoundTrip(t *testing.T) {
	for name, r := range fixture.AllIO(t) {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, r.Check())
			data := fixture.IOText(t, report.IOJSON, r)
			read, err := report.ReadIOJSON(strings.NewReader(data))
			require.NoError(t, err)
			require.Equal(t, r, read)
			require.Equal(t, data, fixture.IOText(t, report.IOJSON, read))
		})
	}
}

func TestIOReadRefuses(t *testing.T) {
	good := fixture.IOText(t, report.IOJSON, fixture.IOResults()["whole"])
	for name, c := range map[string]struct{ old, new, want string }{
		"nothing":         {good, "", "EOF"},
		"no JSON":         {good, "b_eff_io = 1 MB/s", "invalid character"},
		"null":            {good, "null", `benchmark ""`},
		"two documents":   {good, good + good, "more behind its end"},
		"later field":     {`"quick"`, `"colour": "red", "quick"`, "colour"},
		"other benchmark": {`"benchmark": "b_eff_io"`, `"benchmark": "b_eff"`, `benchmark "b_eff"`},
		"another rating":  {`"derived": {`, `"derived": {"b_eff_io_2_1": 1e9,`, "does not follow"},
		"a sample": {`"partition":1,"access":"read","pattern":42`, `"partition":1,"access":"read","pattern":43`,
			"unknown pattern"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(good, c.old, c.new, 1)
			if name == "later field" {
				text = strings.Replace(good, `"rules"`, `"colour": "red", "rules"`, 1)
			}
			if name == "another rating" {
				text = strings.Replace(good, `"b_eff_io_2_1": 959`, `"b_eff_io_2_1": 969`, 1)
			}
			require.NotEqual(t, good, text)
			r, err := report.ReadIOJSON(strings.NewReader(text))
			require.ErrorContains(t, err, "read result: ")
			require.ErrorContains(t, err, c.want)
			require.Nil(t, r)
		})
	}
}

func TestIONotANumber(t *testing.T) {
	r := fixture.IOResults()["whole"]
	r.Samples[1].Seconds = math.NaN()
	require.ErrorContains(t, report.IOJSON(io.Discard, r), "sample 1")
}

// Wherever a device gets full, the document's function says so.
func TestIOWriteErrors(t *testing.T) {
	plan := fixture.IOCluster().Plan()
	list := map[string]func(io.Writer) error{
		"plan":    func(w io.Writer) error { return ofbeffio.Plan(w, plan, beffio.FileSystem{}, mpi.Library{}) },
		"no line": func(w io.Writer) error { return ofbeffio.Line(w, &beffio.Result{}) },
	}
	r := fixture.IOResults()["old"]
	for name, write := range writersOfIO {
		list[name] = func(w io.Writer) error { return write(w, r) }
	}
	for name, write := range list {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, write(&b))
			for room := 0; room < b.Len(); room += 1 + b.Len()/7 {
				require.ErrorIs(t, write(&fixture.Disk{Room: room}), fixture.ErrFull, "room for %d of %d bytes", room, b.Len())
			}
			require.ErrorIs(t, write(&fixture.Disk{Room: b.Len() - 1}), fixture.ErrFull)
			require.NoError(t, write(&fixture.Disk{Room: b.Len()}))
		})
	}
}
