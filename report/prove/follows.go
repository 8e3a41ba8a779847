package prove

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// Tolerance is for other processors' last digits: some fuse a multiplication and an addition into one rounding.
const Tolerance = 1e-9

// Follows compares figures that a document has with those that its samples give. The error names the first that differs
// by its path in the document, of which name is the beginning. A struct's field that is 0 is missing, as a later version
// may derive more; in a list nothing is missing.
func Follows(name string, have, want any) error {
	return follows(name, reflect.ValueOf(have), reflect.ValueOf(want))
}

func follows(name string, have, want reflect.Value) error {
	switch have.Kind() {
	case reflect.Struct:
		for i := range have.NumField() {
			if have.Field(i).IsZero() {
				continue
			}
			field, _, _ := strings.Cut(have.Type().Field(i).Tag.Get("json"), ",")
			if err := follows(name+"."+field, have.Field(i), want.Field(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Slice:
		if have.Len() != want.Len() {
			return fmt.Errorf("%s has %d figures, the samples give %d", name, have.Len(), want.Len())
		}
		for i := range have.Len() {
			if err := follows(fmt.Sprintf("%s[%d]", name, i), have.Index(i), want.Index(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Float64:
		if math.Abs(have.Float()-want.Float()) <= Tolerance*math.Abs(want.Float()) {
			return nil
		}
	default:
		if have.Equal(want) {
			return nil
		}
	}
	return fmt.Errorf("%s is %v, the samples give %v", name, have, want)
}
