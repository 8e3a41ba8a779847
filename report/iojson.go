package report

import (
	"io"

	"github.com/effective-bandwidth/beff/beffio"
)

// IOJSON writes the result document of b_eff_io (report/schema/b_eff_io-1.json), in the manner of JSON.
func IOJSON(w io.Writer, r *beffio.Result) error {
	head := *r
	head.Samples = nil
	return writeDocument(w, &head, r.Samples)
}

// ReadIOJSON reads a result document of b_eff_io, as strictly as ReadJSON.
func ReadIOJSON(rd io.Reader) (*beffio.Result, error) {
	r := new(beffio.Result)
	if err := readDocument(rd, r); err != nil {
		return nil, err
	}
	r.Derived = beffio.Derive(r)
	return r, nil
}
