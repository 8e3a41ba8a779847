package report_test

import (
	"io"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/format/sum21"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
)

// writersOfIO are all documents of a result of b_eff_io, by the ends of their golden files' names.
var writersOfIO = map[string]func(io.Writer, *beffio.Result) error{
	"summary.txt": ofbeffio.Summary, "sum": sum21.Write, "prot": ofbeffio.Protocol, "line.txt": ofbeffio.Line,
	"json": report.IOJSON,
	"kv":   verifiedKeyValue, "report.txt": func(w io.Writer, r *beffio.Result) error {
		return document.PlainText(w,
			ofbeffio.Document(r, nil))
	},
}

func verifiedKeyValue(w io.Writer, r *beffio.Result) error { return ofbeffio.KeyValue(w, r, true) }
