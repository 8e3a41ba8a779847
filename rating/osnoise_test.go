package rating

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Noise above one percent is a sign, and comes before the spread that it explains. Impossible losses are refused.
func TestNoiseOfLoad(t *testing.T) {
	quiet := func() *Noise {
		return &Noise{Method: Detours, Seconds: 1, Bin: 1e-4, Shares: []float64{0.001, 0.002},
			Longest: []float64{0, 1e-5}, Periods: []float64{0, 0}, Worst: 1, Parts: []float64{0.001}}
	}
	require.NoError(t, (&Load{Noise: quiet()}).Check(2))
	require.NoError(t, (*Load)(nil).Check(2))
	require.False(t, Noisy((&Load{Noise: quiet()}).Signs()))
	loud := quiet()
	loud.Shares[1], loud.Periods[1] = 0.1, 10e-3
	signs := append([]Sign{NewSign("spread", "", 1, 0.1, "spread")}, (&Load{Noise: loud}).Signs()...)
	require.Equal(t, "noise", Warnings(signs)[0].Code)
	require.Contains(t, Warnings(signs)[0].Text, "process 1 lost 10 % of its time")
	require.Contains(t, Warnings(signs)[0].Text, "every 10 ms")
	for spread, want := range map[float64]string{
		0.06: "half of the processes lost no more than 5.1 %; the spread of 6 % is explained by this noise (quiet: ",
		0.4:  "; the spread is 40 %, of which this noise explains no more than 10 % (quiet: ",
	} {
		signs := append([]Sign{NewSign("spread", "", spread, 0.05, "spread")}, (&Load{Noise: loud}).Signs()...)
		v := NewVerdict(nil, nil, signs)
		require.Contains(t, v.Warnings[0].Text, want)
		others := func(s Sign) bool { return !strings.Contains(s.Text, "this noise") }
		require.Len(t, slices.DeleteFunc(v.Signs, others), 1)
	}
	require.NotContains(t, NewVerdict(nil, nil, (&Load{Noise: loud}).Signs()).Warnings[0].Text, "explain")
	for name, spoil := range map[string]func(*Noise){
		"empty":     func(n *Noise) { *n = Noise{} },
		"too few":   func(n *Noise) { n.Shares = n.Shares[:1] },
		"not worst": func(n *Noise) { n.Worst = 0 },
		"outside":   func(n *Noise) { n.Worst = 7 },
		"method":    func(n *Noise) { n.Method = "x" },
		"share":     func(n *Noise) { n.Shares[1] = 1.5 },
		"longest":   func(n *Noise) { n.Longest[0] = -1 },
		"parts":     func(n *Noise) { n.Parts[0] = 2 },
		"bin":       func(n *Noise) { n.Bin = 0 },
	} {
		n := quiet()
		spoil(n)
		require.Error(t, (&Load{Noise: n}).Check(2), name)
	}
	require.Empty(t, (&Noise{}).signs())
}
