package journal

import (
	"bytes"
	"encoding/json"
)

// Replay returns the measurement that the records hold, and the number of records that hold something else.
func Replay[M any](records [][]byte, add func(m *M, news M)) (m *M, unread int) {
	m = new(M)
	for _, text := range records {
		var news M
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if d.Decode(&news) != nil {
			unread++
			continue
		}
		add(m, news)
	}
	return m, unread
}
