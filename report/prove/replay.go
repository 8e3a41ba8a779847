package prove

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Replayed returns the measurement that records of a journal keep, and the number of records that are of something
// else. The error is that they need much more memory than their text.
func Replayed[M any](records [][]byte, add func(m *M, news M)) (m *M, unread int, err error) {
	rule, size := ruleOf(reflect.TypeFor[M](), false), 0
	for _, text := range records {
		size += len(text)
	}
	m, most := new(M), dense(size)
	for _, text := range records {
		var news M
		memory, err := rule.decode(text, unsafe.Pointer(&news), most)
		if most -= memory; most < 0 {
			return nil, unread, fmt.Errorf("its records: %w", err)
		}
		if err != nil {
			unread++
			continue
		}
		add(m, news)
	}
	return m, unread, nil
}
