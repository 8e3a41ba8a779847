package beff

import (
	"fmt"
	"time"

	"github.com/effective-bandwidth/beff/rating"
)

// forecast predicts how long the measurements of a length take. A visit of a length is the part of a repetition that
// measures it. A visit should take as long as the previous one of the same length. At the first visit, the time of a
// loop is extrapolated from the lengths measured so far, until the visit has samples.
type forecast struct {
	seconds []float64 // of a measurement, including everything around its loops, for each length measured so far
	perLoop []float64 // mean seconds of a loop, for each of these lengths
	began   float64   // when this visit began
	lastEnd float64   // when its last sample ended
	loops   float64   // sum of the seconds of a loop over its samples
	samples int       // number of its samples
}

func (v *forecast) begin(now float64) { v.began, v.loops, v.samples = now, 0, 0 }

// sample adds a sample to this visit: the time now, when it ends, and its seconds for one loop.
func (v *forecast) sample(now, loop float64) {
	v.lastEnd = now
	v.loops += loop
	v.samples++
}

// end ends a visit that had the given number of measurements.
func (v *forecast) end(now float64, length int, measurements float64) {
	if v.samples == 0 { // an earlier part of the run has the samples
		return
	}
	if length == len(v.seconds) {
		v.seconds, v.perLoop = append(v.seconds, 0), append(v.perLoop, 0)
	}
	if length < len(v.seconds) {
		v.seconds[length], v.perLoop[length] = (now-v.began)/measurements, v.loops/float64(v.samples)
	}
}

// predictedVisit returns the seconds that a visit of a length should take in a pass.
func (m *measurer) predictedVisit(pass, length int) float64 {
	v, measurements, loop := &m.forecast, float64(m.plan.measurementsPerLength(pass)), 0.0
	switch known := len(v.seconds); {
	case length < known:
		return measurements * v.seconds[length]
	case known > 0:
		longer := float64(m.plan.Lengths[length] - m.plan.Lengths[known-1])
		loop = v.perLoop[known-1] + longer*rating.Slope(m.plan.Lengths[:known], v.perLoop)
		if known > 1 { // preparations before the first length happen once
			loop = max(loop, v.seconds[known-1])
		}
	case v.samples > 0 && length == 0:
		return measurements / float64(v.samples) * (v.lastEnd - v.began)
	case v.samples > 0:
		loop = v.loops / float64(v.samples)
	}
	return measurements * max(m.plan.loopSeconds(), loop)
}

// secondsLeft returns the seconds that the run still needs at time now, just before measurement a.
func (m *measurer) secondsLeft(a index, now float64) float64 {
	visit := &m.forecast
	rest := visit.began - now              // time left of this repetition
	repetition, nextRepetition := 0.0, 0.0 // of this pass and of the next one
	for length := range m.plan.Lengths {
		predicted := m.predictedVisit(a.pass, length)
		repetition += predicted
		nextRepetition += m.predictedVisit(a.pass+1, length)
		if length >= a.length {
			rest += predicted
		}
		if length == a.length && visit.samples > 0 { // at this visit's pace, if that is slower than predicted
			perSample := (visit.lastEnd - visit.began) / float64(visit.samples)
			rest = max(rest, float64(m.plan.measurementsPerLength(a.pass)-visit.samples)*perSample)
		}
	}
	rest = max(rest, 0) + repetition*float64(m.plan.Repetitions-1-a.repetition)
	nextPass := nextRepetition * float64(m.plan.Repetitions)
	done, total := a.pass+1, maxPasses
	switch {
	case m.plan.AtMost == 0:
		return rest + nextPass*float64(m.plan.passes()-done)
	case m.plan.Within > 0:
		total = m.neededPasses
	}
	// On average the run ends half a pass before its time is over, because the last pass begins only if all of it fits.
	fitting := (m.plan.AtMost.Seconds()-m.earlierSeconds-now-rest)/nextPass - 0.5
	return rest + nextPass*min(max(0, fitting), float64(max(0, total-done)))
}

// needed returns the number of passes after which an adaptive run should end, by the estimate after some passes.
func (m *measurer) needed(passes int) int {
	if passes < rating.MinPasses || m.estimate.Within == nil {
		return m.neededPasses
	}
	return rating.PassesFor(m.plan.Within, passes, maxPasses, m.estimate)
}

// progress reports the next measurement to the observer.
func (m *measurer) progress(a index) {
	m.Progress(func(p *rating.Progress) {
		p.Doing = m.plan.passText("pass %d, ", a.pass) + fmt.Sprintf("repetition %d of %d, %s", a.repetition+1,
			m.plan.Repetitions, rating.Bytes(m.plan.Lengths[a.length]))
		p.Estimate = m.estimate
		p.Left = time.Duration(m.secondsLeft(a, p.Worked.Seconds()) * float64(time.Second))
	})
}
