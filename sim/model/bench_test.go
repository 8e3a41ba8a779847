package model

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/sim/machine"
)

// BenchmarkStep measures making the step of a random ring.
func BenchmarkStep(b *testing.B) {
	for _, name := range machine.Presets() {
		b.Run(name, func(b *testing.B) {
			text, err := machine.Preset(name)
			require.NoError(b, err)
			described, err := machine.Parse(name, text)
			require.NoError(b, err)
			const processes = 512
			m, err := New(described, processes, 1)
			require.NoError(b, err)
			order := rand.New(rand.NewPCG(1, 2)).Perm(processes)
			var ring []Message
			for i, p := range order {
				ring = append(ring, Message{0, int32(p), int32(order[(i+1)%processes])},
					Message{1, int32(p), int32(order[(i+processes-1)%processes])})
			}
			for b.Loop() {
				m.NewStep(ring)
			}
		})
	}
}
