package words

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A time without a zone is never printed as UTC, but is sorted as if it were UTC.
func TestLocalTime(t *testing.T) {
	utc := time.Date(2017, 7, 14, 11, 40, 0, 0, time.UTC)
	tokyo, local := utc.In(time.FixedZone("JST", 9*3600)), LocalTime(utc)
	require.Equal(t, []any{true, true, false},
		[]any{HasZone(utc), HasZone(tokyo), HasZone(local)})
	require.True(t, local.Equal(utc))
	require.Equal(t, []string{"2017-07-14 11:40", "2017-07-14 11:40", "2017-07-14 11:40 local time"},
		[]string{Minute(utc), Minute(tokyo), Minute(local)})
	require.Equal(t, []string{"2017-07-14T11:40:00Z", "2017-07-14T20:40:00+09:00", "2017-07-14T11:40:00"},
		[]string{Timestamp(utc), Timestamp(tokyo), Timestamp(local)})
	require.Equal(t, "2017-07-14T11:40:00Z", Timestamp(InUTC(tokyo)))
	require.Equal(t, local, InUTC(local))
	back, err := time.Parse(DateWithZone, tokyo.Format(DateWithZone))
	require.NoError(t, err)
	require.True(t, back.Equal(utc))
}
