package journal

import (
	"bytes"
	"encoding/json"
)

// Replay returns the measurement that the records hold, and the number of records that can't be read as a part of it.
func Replay[M any](records [][]byte, add func(m *M, news M)) (m *M, unread int) {
	m = new(M)
	for _, text := range records {
		var news M
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		err := d.Decode(&news)
		if x, is := any(&news).(interface{ Unfold() error }); err == nil && is {
			err = x.Unfold()
		}
		if err != nil {
			unread++
			continue
		}
		add(m, news)
	}
	return m, unread
}
