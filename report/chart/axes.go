package chart

import (
	"fmt"
	"math"
	"strings"
)

// Rate returns a bandwidth in MB/s with its unit: 0.5 MB/s, 12 GB/s. It has three digits, without zeros at the end.
func Rate(x float64) string {
	return scaled(x*1e6, 1000, []string{"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"})
}

// Micro returns a time in µs with its unit.
func Micro(x float64) string { return scaled(x*1e3, 1000, []string{"ns", "µs", "ms", "s"}) }

// Bytes returns a length with its unit.
func Bytes(x float64) string { return scaled(x, 1024, []string{"B", "KiB", "MiB", "GiB", "TiB"}) }

// Ratio returns a ratio.
func Ratio(x float64) string { return fmt.Sprintf("%.3g times", x) }

func scaled(x, by float64, units []string) string {
	i := 0
	for ; i < len(units)-1 && x >= by*(1-1e-9); i++ {
		x /= by
	}
	text := "0"
	switch {
	case x >= 1e5 || x > 0 && x < 1e-3: // beyond the units
		text = fmt.Sprintf("%.3g", x)
	case x > 0:
		text = fmt.Sprintf("%.*f", max(0, 2-int(math.Floor(math.Log10(x)+1e-9))), x)
	}
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + " " + units[i]
}

// LengthAxis returns the axis of message lengths.
func LengthAxis(lengths []float64) Axis {
	return Axis{Label: LengthLabel, Scale: Lengths(lengths), Say: Bytes}
}

// CountAxis returns the axis of numbers of something.
func CountAxis(label string, counts []float64) Axis {
	return Axis{Label: label, Scale: Counts(counts), Say: plain}
}

// RateAxis returns a logarithmic axis of bandwidths in MB/s.
func RateAxis(label string, values []float64) Axis {
	return Axis{Label: label, Scale: Decades(values, YRoom).labelled(Rate), Say: Rate}
}

// FittingRates returns an axis of bandwidths in MB/s that is linear unless they differ much.
func FittingRates(label string, values []float64) Axis {
	return Axis{Label: label, Scale: Fitting(values, 20, YRoom).labelled(Rate), Say: Rate}
}

// TimeAxis returns a logarithmic axis of times in µs.
func TimeAxis(label string, values []float64) Axis {
	return Axis{Label: label, Scale: Decades(values, YRoom).labelled(Micro), Say: Micro}
}

// FittingTimes returns an axis of times in µs that is linear unless they differ much.
func FittingTimes(label string, values []float64) Axis {
	return Axis{Label: label, Scale: Fitting(values, 20, YRoom).labelled(Micro), Say: Micro}
}

// RatioAxis returns a logarithmic axis of ratios.
func RatioAxis(label string, values []float64) Axis {
	return Axis{Label: label, Scale: Decades(values, YRoom), Say: Ratio}
}

// RateDots returns a chart of bandwidths in MB/s.
func RateDots(label string, groups []Group) *Chart {
	c := DotChart(label, groups)
	c.X.Scale, c.X.Say = c.X.Scale.labelled(Rate).thinned((PageWidth-nameWidth-20)/2), Rate
	return c
}
