package method

import (
	"cmp"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/noise"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
)

var noiseMethods = map[string]rating.NoiseMethod{"FWQ": rating.FixedWork, "FTQ": rating.FixedTime,
	"Detour": rating.Detours}

// forNoise returns the method of kernels of noise. All processes watch at the same time, for the time of a row.
func (m Method) forNoise() Method {
	m.Everyone, m.clock.each = true, nil
	m.count.most = func(Way, *measured.Block, int64) int64 { return 1 }
	m.unfit = func(w Way) string {
		if w.settings.CountsTimes() {
			return "has no quantiles: its row has a separate histogram"
		}
		return ""
	}
	m.row = (*Measurer).measureNoise
	return m
}

func (m *Measurer) measureNoise(t *Table, _ *kernel.Setup, row *measured.Row, _ int64) error {
	if m.Engine.Library().Kind().Simulated {
		row.Missing, row.Detail = measured.Failed, "nothing disturbs a simulated machine"
		return nil
	}
	n, err := noise.Measure(m.Engine, noiseMethods[t.kernel.Name], cmp.Or(m.Settings.Repetitions.SampleTime,
		settings.Default.SampleTime))
	row.Repetitions, row.Noise = 1, n
	return err
}
