package beff

import (
	"slices"
)

// Since returns the news of a measurement, which are the samples that before lacks or has without a mean. It reports
// false if there are none.
func (m *Measured) Since(before *Measured) (Measured, bool) {
	first := len(before.Samples)
	if m.settled > before.settled {
		first = min(first, before.settled)
	}
	firstApart := len(before.Separate)
	if m.settledSeparate > before.settledSeparate {
		firstApart = min(firstApart, before.settledSeparate)
	}
	news := *m
	news.Samples, news.Separate = m.Samples[first:], m.Separate[firstApart:]
	return news, len(news.Samples)+len(news.Separate) > 0
}

// Add adds news to a measurement. A sample that is already there without a mean, among the last ones, is replaced.
func (m *Measured) Add(news Measured) {
	m.Samples, m.Separate = added(m.Samples, news.Samples), added(m.Separate, news.Separate)
	m.WallSeconds, m.LoopSeconds = news.WallSeconds, news.LoopSeconds
	m.settled, m.settledSeparate = len(m.Samples), len(m.Separate)
}

func added(list, news []Sample) []Sample {
	end := len(list)
	for _, s := range news {
		i := end - 1
		for i >= 0 && list[i].Mean == 0 && list[i].index() != s.index() {
			i--
		}
		if i >= 0 && list[i].index() == s.index() {
			list[i] = s
		} else {
			list = append(list, s)
		}
	}
	return list
}

// index returns the sample's indices in the plan.
func (s *Sample) index() index { return index{s.Pass, s.Repetition, s.Length, s.Pattern, s.Method} }

// resume takes the samples of earlier parts of the run, which all processes have.
func (m *measurer) resume(from *Measured) {
	if from == nil {
		return
	}
	m.out, m.earlierSeconds = &Measured{Samples: slices.Clone(from.Samples), LoopSeconds: from.LoopSeconds,
		settled: len(from.Samples)}, from.WallSeconds
	m.lastBegunPass = max(0, passesOf(from.Samples)-1)
	m.earlierSamples = make(map[index]*Sample, len(from.Samples))
	for i := range from.Samples {
		m.earlierSamples[from.Samples[i].index()] = &from.Samples[i]
	}
}

// measuredEarlier reports whether an earlier part of the run has all measurements of a length.
func (m *measurer) measuredEarlier(here index) bool {
	if len(m.earlierSamples) == 0 {
		return false
	}
	for i := range m.plan.Patterns {
		for method := range m.plan.Methods {
			here.pattern, here.method = i, method
			if m.plan.measures(here.pass, i, method) && m.earlierSamples[here] == nil {
				return false
			}
		}
	}
	return true
}
