package beff

import (
	"fmt"
	"math"
	"time"

	"github.com/effective-bandwidth/beff/rating"
)

// visits foresees how long lengths take: as long as when they were last visited, and before that as long as the longest
// one that was, with loops that grow by the bandwidth so far. The first visit is foreseen by its samples so far.
type visits struct {
	seconds []float64 // of a measurement of the first lengths, with the loops that the rule aims at
	perLoop []float64 // mean seconds of a loop of these
	began   float64
	at      float64 // the end of the last sample
	took    float64 // seconds of all samples of the present visit, with all around their loops
	adapted float64 // the same, if they had as many loops as the rule aims at
	loops   float64 // seconds of a loop of all measurements of the present visit
	samples int     // of the present visit
}

// farOff is how many times as long as planned a sample is of which the next one will have other loops.
const farOff = 4

func (v *visits) begin(now float64) { *v = visits{seconds: v.seconds, perLoop: v.perLoop, began: now} }

// sample takes a sample of the present visit: when it began and ended, the seconds of its loops, and those aimed at.
func (v *visits) sample(from, to, seconds, target float64, loops int64) {
	v.at = to
	v.took += to - from
	v.adapted += to - from
	if seconds > farOff*target {
		v.adapted -= seconds - max(target, seconds/float64(loops))
	}
	v.loops += seconds / float64(loops)
	v.samples++
}

// end takes the end of a visit of some measurements.
func (v *visits) end(now float64, length int, measurements float64) {
	if v.samples == 0 { // an earlier part of the run has them
		return
	}
	if length == len(v.seconds) {
		v.seconds, v.perLoop = append(v.seconds, 0), append(v.perLoop, 0)
	}
	if length < len(v.seconds) {
		v.seconds[length] = (now - v.began - v.took + v.adapted) / measurements
		v.perLoop[length] = v.loops / float64(v.samples)
	}
}

// foreseen returns the seconds of a visit of a length in a pass.
func (m *measurer) foreseen(pass, length int) float64 {
	known, target, measurements := m.visits.seconds, m.plan.loopSeconds(), float64(m.plan.ofLength(pass))
	last := len(known) - 1
	if length <= last {
		return measurements * known[length]
	}
	switch v := &m.visits; {
	case last < 0 && v.samples == 0:
		return measurements * target
	case last < 0 && length == 0:
		return v.at - v.began + (measurements/float64(v.samples)-1)*v.took
	case last < 0:
		return measurements / float64(v.samples) * v.adapted
	}
	longer := float64(m.plan.Lengths[length] - m.plan.Lengths[last])
	loop := m.visits.perLoop[last]
	then := loop + longer*rating.Slope(m.plan.Lengths[:last+1], m.visits.perLoop)
	return measurements * (known[last] + max(0, then-target) - max(0, loop-target))
}

// left returns the seconds that the run has left before a measurement, some seconds behind its begin.
func (m *measurer) left(a at, now float64) float64 {
	pass, further, rest := 0.0, 0.0, -now+m.visits.began
	for length := range m.plan.Lengths {
		visit := m.foreseen(a.pass, length)
		pass += visit
		further += m.foreseen(a.pass+1, length)
		if length >= a.length {
			rest += visit
		}
	}
	rest = max(rest, 0) + pass*float64(m.plan.Repetitions-1-a.repetition)
	further *= float64(m.plan.Repetitions)
	done, most := a.pass+1, mostPasses
	switch {
	case m.plan.AtMost == 0:
		return rest + further*float64(m.plan.passes()-done)
	case m.plan.Within > 0:
		most = m.needs
	}
	return rest + m.further(m.earlier+now+rest, rest, further, float64(max(0, most-done)))
}

// needed returns the number of passes after which an adaptive run is expected to end, by the estimate of some passes.
func (m *measurer) needed(passes int) int {
	if passes < rating.LeastPasses || m.estimate.Within == nil {
		return m.needs
	}
	return rating.PassesFor(m.plan.Within, passes, mostPasses, m.estimate)
}

// further returns the seconds of the passes behind this one, which ends after some seconds and of which a part is left.
// It is the mean over the times at which this pass may end, because a little less may be a pass more.
func (m *measurer) further(end, rest, ofPass, most float64) float64 {
	const steps, unsure = 8, 0.3
	off, sum := unsure*rest, 0.0
	for i := range steps + 1 {
		fits := m.plan.AtMost.Seconds() - end + off*(2*float64(i)/steps-1)
		sum += ofPass * min(most, max(0, math.Floor(fits/ofPass)))
	}
	return sum / (steps + 1)
}

// progress reports the next measurement to the observer.
func (m *measurer) progress(a at) {
	m.Progress(func(p *rating.Progress) {
		p.Doing = m.plan.ofPass("pass %d, ", a.pass) + fmt.Sprintf("repetition %d of %d, %s", a.repetition+1,
			m.plan.Repetitions, rating.Bytes(m.plan.Lengths[a.length]))
		p.Estimate = m.estimate
		p.Left = time.Duration(m.left(a, p.Worked.Seconds()) * float64(time.Second))
	})
}
