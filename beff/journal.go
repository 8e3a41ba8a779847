package beff

import (
	"slices"
)

// Since returns the news of a measurement: the samples that before lacks, or has without their mean. It reports false
// if there are none.
func (m *Measured) Since(before *Measured) (Measured, bool) {
	first := len(before.Samples)
	if m.settled > before.settled {
		first = min(first, before.settled)
	}
	news := *m
	news.Samples = m.Samples[first:]
	return news, len(news.Samples) > 0
}

// Add adds news to a measurement. A sample replaces the same one without a mean, which is one of the last.
func (m *Measured) Add(news Measured) {
	end := len(m.Samples)
	for _, s := range news.Samples {
		i := end - 1
		for i >= 0 && m.Samples[i].Mean == 0 && m.Samples[i].at() != s.at() {
			i--
		}
		if i >= 0 && m.Samples[i].at() == s.at() {
			m.Samples[i] = s
		} else {
			m.Samples = append(m.Samples, s)
		}
	}
	m.WallSeconds, m.LoopSeconds = news.WallSeconds, news.LoopSeconds
	m.settled = len(m.Samples)
}

// at returns the place of a sample in the plan.
func (s *Sample) at() at { return at{s.Pass, s.Repetition, s.Length, s.Pattern, s.Method} }

// resume takes the samples of earlier parts of the run, which all processes have.
func (m *measurer) resume(from *Measured) {
	if from == nil {
		return
	}
	m.out, m.earlier = &Measured{Samples: slices.Clone(from.Samples), LoopSeconds: from.LoopSeconds,
		settled: len(from.Samples)}, from.WallSeconds
	m.begun = max(0, passesOf(from.Samples)-1)
	m.kept = make(map[at]*Sample, len(from.Samples))
	for i := range from.Samples {
		m.kept[from.Samples[i].at()] = &from.Samples[i]
	}
}

// whole reports whether all measurements of a length are kept from an earlier part.
func (m *measurer) whole(here at) bool {
	if len(m.kept) == 0 {
		return false
	}
	for i := range m.plan.Patterns {
		for method := range m.plan.Methods {
			here.pattern, here.method = i, method
			if m.plan.measures(here.pass, i, method) && m.kept[here] == nil {
				return false
			}
		}
	}
	return true
}
