package prove

import (
	"fmt"
	"reflect"

	"github.com/effective-bandwidth/beff/rating/journal"
)

// Completed returns the result of a run that has not ended. read decodes the document that the run began with, add
// combines the journal's records, and take stores them in the result. It also returns the number of unreadable records.
func Completed[R, M any](left *journal.Journal, read func([]byte) (*R, error), add func(m *M, news M),
	take func(r *R, m *M) error) (r *R, unread int, err error) {
	if r, err = read(left.Head.Document); err != nil {
		return nil, 0, err
	}
	m, unread, err := Replayed(left.Records, add)
	if err == nil {
		err = take(r, m)
	}
	if err != nil {
		return nil, unread, err
	}
	return r, unread, nil
}

// Replayed combines the records of a journal, and returns the number of records that it could not decode. It fails if
// the records need much more memory than their text.
func Replayed[M any](records [][]byte, add func(m *M, news M)) (m *M, unread int, err error) {
	rule, size := ruleOf(reflect.TypeFor[M](), false), 0
	for _, text := range records {
		size += len(text)
	}
	m, most := new(M), memoryLimit(size)
	for _, text := range records {
		var news M
		memory, err := rule.decode(text, reflect.ValueOf(&news).Elem(), most)
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
