package prove

import (
	"reflect"

	"github.com/effective-bandwidth/beff/rating/journal"
)

// Replayed returns the measurement that records of a journal keep, and the number of records that are of something
// else. The error is that they need much more memory than their text.
func Replayed[M any](records [][]byte, add func(m *M, news M)) (m *M, unread int, err error) {
	rule := ruleOf(reflect.TypeFor[M](), false)
	var read [][]byte
	size, memory := 0, int64(0)
	for _, text := range records {
		s := &scanner{text: text}
		if s.whole(rule) != nil {
			unread++
			continue
		}
		read, size, memory = append(read, text), size+len(text), memory+s.memory
	}
	if err := dense(memory, size); err != nil {
		return nil, unread, err
	}
	m, more := journal.Replay(read, add)
	return m, unread + more, nil
}
