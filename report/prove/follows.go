package prove

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// Tolerance is for other processors' last digits: some fuse a multiplication and an addition into one rounding.
const Tolerance = 1e-9

// Follows compares what a file has with what the samples give, and names what differs. A struct's field may be missing,
// as later versions may know more; in a list of numbers nothing is.
func Follows(name string, have, want reflect.Value) error {
	switch have.Kind() {
	case reflect.Struct:
		for i := range have.NumField() {
			if have.Field(i).IsZero() {
				continue
			}
			field, _, _ := strings.Cut(have.Type().Field(i).Tag.Get("json"), ",")
			if err := Follows(name+"."+field, have.Field(i), want.Field(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Slice:
		if have.Len() != want.Len() {
			return fmt.Errorf("%s has %d figures, the samples give %d", name, have.Len(), want.Len())
		}
		for i := range have.Len() {
			if err := Follows(fmt.Sprintf("%s[%d]", name, i), have.Index(i), want.Index(i)); err != nil {
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
