package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/offoreign"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/prove"
	"github.com/effective-bandwidth/beff/report/ranking"
)

// Report is a result with everything that can be written about it.
type Report interface {
	Header() parts.Header
	Sealed(w io.Writer) error
	Document() *document.Document
	KeyValue(w io.Writer, verified bool) error
	Texts() []parts.Text
	Entry() ranking.Entry // lacks the system's name
	Measured() any        // the measured values, from which all others follow
}

// benchmark is a row of the table of benchmarks.
type benchmark struct {
	name    string // value of the document's field benchmark
	version int    // newest schema_version that beff reads

	shape func() *prove.Rule // JSON form of its documents

	// read decodes and verifies a document. It returns the report, or nil if the document can't be used, and the first
	// fault.
	read func(data []byte) (Report, error)
	// complete returns the report of a run that has not ended, made from its journal, and the number of unreadable
	// records.
	complete func(left *journal.Journal) (r Report, unread int, err error)

	compared func(names []string, sides [][]Report) (*compare.Comparison, error)
	// joint returns the report of several runs of one configuration and shape. It is used for reports with a method
	// Shape.
	joint func(names []string, runs []Report) Report
	none  Report // without a result; lists the text formats
	// bare returns the result in a report.
	bare func(Report) any
}

// reportOf is a report of a result of type T.
type reportOf[T any] interface {
	Report
	Bare() *T
}

// row makes a benchmark from the functions of its package.
func row[T any, R reportOf[T]](name string, version int, shape func() *prove.Rule, verify func([]byte) (*T, error),
	complete func(*journal.Journal) (*T, int, error), report func(*T) R,
	compared func([]string, [][]*T) (*compare.Comparison, error), joint func([]string, []*T) Report) *benchmark {
	return &benchmark{name: name, version: version, shape: shape, none: report(nil),
		bare: func(r Report) any { return r.(R).Bare() },
		read: func(data []byte) (Report, error) {
			r, err := verify(data)
			if r == nil {
				return nil, err
			}
			return report(r), err
		},
		complete: func(left *journal.Journal) (Report, int, error) {
			r, unread, err := complete(left)
			if err != nil {
				return nil, unread, err
			}
			return report(r), unread, nil
		},
		compared: func(names []string, sides [][]Report) (*compare.Comparison, error) {
			return compared(names, lists.Each(sides, bare[T, R]))
		},
		joint: func(names []string, runs []Report) Report { return joint(names, bare[T, R](runs)) },
	}
}

// bare returns the results in reports.
func bare[T any, R reportOf[T]](reports []Report) []*T {
	return lists.Each(reports, func(r Report) *T { return r.(R).Bare() })
}

// all lists the benchmarks. A new benchmark is a row here and a package.
var all = []*benchmark{
	row(beff.Benchmark, beff.SchemaVersion, ofbeff.Shape, ofbeff.Verify, ofbeff.Completed,
		func(r *beff.Result) ofbeff.Report { return ofbeff.Report{Result: r} }, ofbeff.Compared,
		func(names []string, runs []*beff.Result) Report { return ofbeff.JoinedReport(names, runs) }),
	row(beffio.Benchmark, beffio.SchemaVersion, ofbeffio.Shape, ofbeffio.Verify, ofbeffio.Completed,
		func(r *beffio.Result) ofbeffio.Report { return ofbeffio.Report{Result: r} }, ofbeffio.Compared,
		func(names []string, runs []*beffio.Result) Report { return ofbeffio.JoinedReport(names, runs) }),
	row(probe.Benchmark, probe.SchemaVersion, ofprobe.Shape, ofprobe.Verify, ofprobe.Completed,
		func(r *probe.Result) ofprobe.Report { return ofprobe.Report{Result: r} }, ofprobe.Compared, nil),
	row(foreign.Benchmark, foreign.SchemaVersion, offoreign.Shape, offoreign.Verify, offoreign.Completed,
		func(r *foreign.Result) offoreign.Report { return offoreign.Report{Result: r} }, offoreign.Compared, nil),
}

// Texts returns the text formats of all benchmarks, one for each name.
func Texts() (list []parts.Text) {
	for _, b := range all {
		for _, t := range b.none.Texts() {
			if t.Name != "" && !slices.ContainsFunc(list, func(o parts.Text) bool { return o.Name == t.Name }) {
				list = append(list, t)
			}
		}
	}
	return list
}

// find returns the benchmark of a document, by its fields benchmark and schema_version.
func find(data []byte) (*benchmark, error) {
	name, version, err := identity(data)
	if err != nil {
		return nil, err
	}
	for _, k := range all {
		switch {
		case k.name != name:
		case version > k.version:
			return nil, fmt.Errorf("%s result of schema version %d, written by a later beff: this one reads versions "+
				"up to %d",
				name, version, k.version)
		default:
			return k, nil
		}
	}
	return nil, fmt.Errorf("results of benchmark %.40q are not known to this program", name)
}

var errEarly = errors.New("the file is truncated: its JSON ends early")

var errNoResult = errors.New("not a result document: it has no benchmark and schema_version")

// identity decodes only the beginning of a document up to these two fields, which come first.
func identity(data []byte) (name string, version int, err error) {
	if len(data) > readSize {
		name, version, err = identity(data[:readSize])
		if errors.Is(err, errEarly) {
			err = errNoResult
		}
		return name, version, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if token, err := d.Token(); err != nil {
		return "", 0, noDocument(data, err)
	} else if token != json.Delim('{') {
		return "", 0, errNoResult
	}
	found := 0
	for found < 2 && d.More() {
		key, err := d.Token()
		if err != nil {
			return "", 0, noDocument(data, err)
		}
		var into any = new(json.RawMessage)
		switch key {
		case "benchmark":
			into, found = &name, found+1
		case "schema_version":
			into, found = &version, found+1
		}
		if err := d.Decode(into); err != nil {
			return "", 0, noDocument(data, err)
		}
	}
	if found < 2 {
		if _, err := d.Token(); err != nil {
			return "", 0, noDocument(data, err)
		}
		return "", 0, errNoResult
	}
	return name, version, nil
}

func noDocument(data []byte, err error) error {
	if len(data) == 0 {
		return fmt.Errorf("the file is empty")
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errEarly
	}
	return fmt.Errorf("not a result document: %w", err)
}
