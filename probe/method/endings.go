package method

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// CheckEndings returns an error if a series of a row ended for another reason than its times and the settings imply. A
// row with offsets can't be checked: its clocks were compared again after the row, so process 0 decided by times that
// the row doesn't have.
func CheckEndings(s *settings.Settings, k *kernel.Kernel, row *measured.Row) error {
	if row.Offsets != nil {
		return nil
	}
	for i, x := range row.Series {
		decided := decidedBy(row, k, i)
		if decided < 0 {
			return fmt.Errorf("series[%d]: no series of the whole belongs to %s", i, x.Time)
		}
		if want := endings(s, k, &row.Series[decided]); !slices.Contains(want, x.Ended) {
			return fmt.Errorf("series[%d]: it ended by %s, its times give %s", i, x.Ended, want[0])
		}
	}
	return nil
}

// decidedBy returns the index of the series whose times decided when a series ended. This is the series itself, or for
// a part of the time the series of the whole; -1 if there is none.
func decidedBy(row *measured.Row, k *kernel.Kernel, i int) int {
	phases := classMeasurements[k.Class].phases
	if phases == nil {
		return i // no kernel of this class is measured in series, but a document may have one
	}
	for _, p := range phases(k) {
		if x := row.Series[i]; p.part != "" && p.part == x.Time {
			return slices.IndexFunc(row.Series, func(s measured.Series) bool {
				return s.Time == p.time && s.Group == x.Group
			})
		}
	}
	return i
}

// endings returns the reasons for which a series with these times may have ended, the likely one first.
func endings(s *settings.Settings, k *kernel.Kernel, x *measured.Series) []settings.Ending {
	rule := s.Rule()
	if _, ended := x.Next(&rule); ended != "" {
		return []settings.Ending{ended}
	}
	if k.Component.Files() && (x.N() >= rule.Min || s.Series.Precision == nil) {
		return []settings.Ending{settings.OutOfTime, settings.AtMost} // files may have fewer repetitions: see rule
	}
	return []settings.Ending{settings.OutOfTime}
}
