package oftune

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/format/resultfile"
	"github.com/effective-bandwidth/beff/tune"
)

// Form is the form of result documents, whose samples have a line each.
var Form = resultfile.NewForm("samples", func(r *tune.Result) *[]tune.Sample { return &r.Samples },
	func(r *tune.Result) *string { return &r.Digest })

// Verify reads a result document and proves it: all that is derived follows from its samples.
func Verify(data []byte) (*tune.Result, error) {
	var r tune.Result
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, err
	}
	if r.Benchmark != tune.Benchmark || r.SchemaVersion != tune.SchemaVersion {
		return nil, fmt.Errorf("it is no result of %s, version %d", tune.Benchmark, tune.SchemaVersion)
	}
	if err := r.Check(); err != nil {
		return nil, err
	}
	if err := rating.Follows("derived", r.Derived, r.Derive(), true); err != nil {
		return nil, err
	}
	digest, err := Form.Digest(&r)
	if err == nil && digest != r.Digest {
		err = errors.New("its digest is another one")
	}
	return &r, err
}
