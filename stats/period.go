package stats

import (
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

const (
	maxChance   = 1e-3 // probability of chance up to which a frequency counts as a period
	minPeriods  = 3    // number of periods that must fit into the values
	maxHarmonic = 64   // harmonics of a short pulse
	minHarmonic = 0.2  // part of the largest power that each harmonic has
)

// Period returns the distance at which large values recur regularly. Values are a step apart. ok is false if they
// don't, that is, if the largest power at one frequency could be chance in values without a period (Fisher, Tests of
// significance in harmonic analysis, 1929, at 0.1 %).
//
// Short pulses have about the same power at many multiples of their frequency, and any of these may be the largest. The
// period's frequency is the lowest one of which all multiples, up to the strongest frequency, have power.
func Period(values []float64, step float64) (period float64, ok bool) {
	n := len(values)
	n &^= 1<<max(0, bits.Len(uint(n))-5) - 1 // so that it has small factors
	if n < 4*minPeriods {
		return 0, false
	}
	centred := slices.Clone(values[:n])
	floats.AddConst(-stat.Mean(centred, nil), centred)
	power := make([]float64, n/2+1)
	sum, peak := 0.0, minPeriods
	for k, c := range fourier.NewFFT(n).Coefficients(nil, centred) {
		if k < minPeriods || k > n/2 {
			continue
		}
		power[k] = real(c)*real(c) + imag(c)*imag(c)
		if sum += power[k]; power[k] > power[peak] {
			peak = k
		}
	}
	m := float64(n/2 - minPeriods)
	if !(sum > 0) || math.Log(m)+(m-1)*math.Log1p(-power[peak]/sum) > math.Log(maxChance) {
		return 0, false
	}
	around := func(k int) (all, centre float64) {
		for i := max(k-1, minPeriods); i <= min(k+1, n/2); i++ {
			all, centre = all+power[i], centre+power[i]*float64(i)
		}
		return all, centre / all
	}
	largest, centre := around(peak)
	harmonic := 1
	for h := 2; h <= maxHarmonic && peak/h >= minPeriods; h++ {
		all := true
		for j := 1; j < h && all; j++ {
			p, _ := around(int(math.Round(centre * float64(j) / float64(h))))
			all = p >= minHarmonic*largest
		}
		if all {
			harmonic = h
		}
	}
	return float64(n) * step * float64(harmonic) / centre, true
}
