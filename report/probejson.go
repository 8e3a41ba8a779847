package report

import (
	"io"

	"github.com/effective-bandwidth/beff/probe"
)

// ProbeJSON writes the result document of a probe (report/schema/probe-1.json): indented, but with one line for each
// block.
func ProbeJSON(w io.Writer, r *probe.Result) error {
	head := *r
	head.Blocks = nil
	return writeDocument(w, &head, r.Blocks)
}
