package ofbeff

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/prove"
)

// sameFigures compares every figure that a file has with what the samples give. One may be missing, as later versions
// may know more.
func sameFigures(stated, derived beff.Derived) error {
	have, want := reflect.ValueOf(stated), reflect.ValueOf(derived)
	for i := range have.NumField() {
		name, _, _ := strings.Cut(have.Type().Field(i).Tag.Get("json"), ",")
		if have.Field(i).IsZero() {
			continue
		}
		if err := same(name, have.Field(i), want.Field(i)); err != nil {
			return err
		}
	}
	return nil
}

// same compares figures, or lists of them.
func same(name string, have, want reflect.Value) error {
	if have.Kind() != reflect.Slice {
		if math.Abs(have.Float()-want.Float()) <= prove.Tolerance*math.Abs(want.Float()) {
			return nil
		}
		return fmt.Errorf("derived.%s is %v, the samples give %v", name, have.Float(), want.Float())
	}
	if have.Len() != want.Len() {
		return fmt.Errorf("derived.%s has %d figures, the samples give %d", name, have.Len(), want.Len())
	}
	for i := range have.Len() {
		if err := same(fmt.Sprintf("%s[%d]", name, i), have.Index(i), want.Index(i)); err != nil {
			return err
		}
	}
	return nil
}
