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
	var kind struct {
		Benchmark     string `json:"benchmark"`
		SchemaVersion int    `json:"schema_version"`
	}
	err := json.Unmarshal(data, &kind)
	if err == nil && (kind.Benchmark != tune.Benchmark || kind.SchemaVersion != tune.SchemaVersion) {
		err = fmt.Errorf("it is no result of beff %s, version %d", tune.Benchmark, tune.SchemaVersion)
	}
	var r tune.Result
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		return nil, err
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
