package beff

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/scripted"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// Methods that are measured separately have their own samples and averages, and change no figure of the rating. The
// journal restores them, and wrong samples are refused.
func TestSeparateMethods(t *testing.T) {
	measure := func(methods ...string) (*Result, *Measured) {
		e := &scripted.Engine{Processes: 4, Cost: func(s scripted.Step) float64 {
			seconds := scripted.Linear(1e-6, 1e9)(s)
			if s.Method == mpi.NeighborAlltoallv {
				seconds /= 2
			}
			return seconds
		}}
		p, err := NewPlan(4, Config{Rules: Rules2001, Memory: 1 << 20, Quick: true, Methods: methods})
		require.NoError(t, err)
		var kept Measured
		before := &Measured{}
		m, err := p.Measure(e, rating.Observer[Measured]{Now: e.Now, Keep: func(m Measured) {
			if news, any := m.Since(before); any {
				kept.Add(news)
			}
			copied := m
			before = &copied
		}})
		require.NoError(t, err)
		require.Equal(t, m.Separate, kept.Separate)
		require.Equal(t, m.Samples, kept.Samples)
		return NewResult(p, m, rating.Run{}), m
	}
	rated, _ := measure()
	r, m := measure("persistent", "neighbour")
	require.Nil(t, rated.Separate)
	require.Equal(t, rated.Derived, r.Derived)
	require.Equal(t, rated.Methods, r.Methods)
	require.Equal(t, []string{"neighbour", "persistent"}, r.Separate.Methods)
	require.Len(t, m.Separate, 2*36*len(r.Lengths))
	require.Greater(t, r.Separate.PerMethod[0], 1.5*r.Separate.PerMethod[1])
	require.NoError(t, r.checkSeparate())
	for _, s := range m.Separate {
		require.NotEqual(t, patterns.KindDetail, r.Patterns[s.Pattern].Kind)
	}
	p, err := NewPlan(4, Config{Rules: Rules2001, Memory: 1 << 20, Quick: true, Methods: []string{"neighbour"}})
	require.NoError(t, err)
	ended := NewResult(p, &Measured{Samples: m.Samples}, rating.Run{Err: rating.ErrWrongData})
	require.NotNil(t, ended.Separate.Samples, "a document has a list, though the run ended before these methods")
	require.NoError(t, ended.checkSeparate())
	r.Separate.Samples = r.Separate.Samples[1:]
	r.Complete = true
	require.ErrorContains(t, r.checkSeparate(), "separate methods: complete is true")
	r.Separate.Methods[0] = "sendrecv"
	require.ErrorContains(t, r.checkSeparate(), `separate methods: "sendrecv" is unknown`)
}
