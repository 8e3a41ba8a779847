package words

import "time"

// DateWithZone is the layout of dates in beff's own texts: C's ctime, then the zone.
const DateWithZone = time.ANSIC + " -0700"

// site is the location of local times whose zone isn't known.
var site = time.FixedZone("local time", 0)

// LocalTime returns a time, which stands for UTC, as the local time of a site whose zone isn't known. It is sorted as
// if it were UTC, and the functions below and the layout MST show that it isn't.
func LocalTime(t time.Time) time.Time { return t.In(site) }

// HasZone reports whether the zone of a time is known.
func HasZone(t time.Time) bool { return t.Location() != site }

// InUTC returns a time in UTC, or unchanged if its zone isn't known.
func InUTC(t time.Time) time.Time {
	if HasZone(t) {
		return t.UTC()
	}
	return t
}

// Minute formats a time to the minute, in UTC or with the words local time.
func Minute(t time.Time) string {
	return InUTC(t).Format("2006-01-02 15:04" + Either(HasZone(t), "", " MST"))
}

// Timestamp formats a time by RFC 3339. A local time has no zone.
func Timestamp(t time.Time) string {
	return t.Format(Either(HasZone(t), time.RFC3339, "2006-01-02T15:04:05"))
}
