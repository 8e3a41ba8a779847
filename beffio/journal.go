package beffio

// Since returns the news of a measurement, which is everything that before lacks. It reports false if there is nothing.
func (m *Measured) Since(before *Measured) (Measured, bool) {
	news := Measured{
		Samples: m.Samples[len(before.Samples):], Files: m.Files[len(before.Files):],
		Errors: m.Errors[len(before.Errors):], Hints: m.Hints[len(before.Hints):],
		WallSeconds: m.WallSeconds,
	}
	return news, len(news.Samples)+len(news.Files)+len(news.Errors)+len(news.Hints) > 0
}

// Add adds news to a measurement.
func (m *Measured) Add(news Measured) {
	m.Samples = append(m.Samples, news.Samples...)
	m.Files = append(m.Files, news.Files...)
	m.Errors = append(m.Errors, news.Errors...)
	m.Hints = append(m.Hints, news.Hints...)
	m.WallSeconds = news.WallSeconds
}
