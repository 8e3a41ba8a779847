package report

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// signLimits returns the limits of each sign of noise in texts, by its name and benchmark.
func signLimits() map[[2]string]map[string]bool {
	list := map[[2]string]map[string]bool{}
	add := func(benchmark string, signs []rating.Sign) {
		for _, s := range signs {
			key := [2]string{s.Name, benchmark}
			if list[key] == nil {
				list[key] = map[string]bool{}
			}
			text := fmt.Sprintf("%.3g %%", 100*s.Limit)
			switch {
			case s.Limit == 0:
				text = "0"
			case s.Name == "load":
				text = fmt.Sprint(s.Limit)
			}
			list[key][text] = true
		}
	}
	load := rating.Load{Processors: 2, Throttled: 1, Slowest: 1, Fastest: 2,
		Counters: []rating.Counter{{Host: "n1", Name: "eth0/rx_errors", Count: 1}},
		Noise: &rating.Noise{Method: rating.FixedTime, Seconds: 1, Bin: 0.001, Shares: []float64{0, 0},
			Longest: []float64{0, 0}, Periods: []float64{0, 0}, Parts: []float64{0}}}
	add("", load.Signs())
	large := rating.Load{Processors: 1000}
	list[[2]string{"load", ""}][fmt.Sprintf("%g %%", 100*large.Signs()[0].Limit/1000)] = true
	add("", []rating.Sign{rating.MemorySign(1, "ext4", "")})
	timed := rating.Machine{ClockResolution: 1e-9}
	add("", timed.ClockSigns(1, "loop", ""))
	older := fixture.Laptop(beff.Config{Rules: beff.Rules36, Memory: 16 << 20, Seed: 7}).Result()
	add("b_eff", older.Signs)
	for _, r := range fixture.Results() {
		add("b_eff", r.Signs)
	}
	for _, r := range fixture.IOResults() {
		add("b_eff_io", r.Signs)
	}
	for _, r := range fixture.Probed() {
		add("probes", r.JudgeRun().Signs)
	}
	return list
}

// The table of signs in docs/sure.md has each sign, with the limits of the code.
func TestSignsInDocs(t *testing.T) {
	page, err := os.ReadFile("../docs/sure.md")
	require.NoError(t, err)
	limits := signLimits()
	row := regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| (?:(b_eff|b_eff_io|probes): )?.* \\| (.+) \\|$")
	number := regexp.MustCompile(`[0-9.]+(?: %)?`)
	shown := map[string]bool{}
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		name, benchmark, cell := m[1], m[2], strings.ReplaceAll(m[3], "rules 3.6", "")
		shown[name] = true
		if name == "within" {
			require.Equal(t, "what you asked for", cell)
			continue
		}
		want := map[string]bool{}
		for key, list := range limits {
			if key[0] == name && (benchmark == "" || key[1] == benchmark) {
				maps.Copy(want, list)
			}
		}
		require.ElementsMatch(t, slices.Collect(maps.Keys(want)), number.FindAllString(cell, -1), m[0])
	}
	for key := range limits {
		require.True(t, shown[key[0]], "docs/sure.md, Noisy: no row for %s", key)
	}
}
