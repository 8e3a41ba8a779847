package settings

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// At its limit each setting is accepted, and nothing overflows. One more is refused.
func TestSettingsAtTheirLimits(t *testing.T) {
	multi, no := 1, 2
	for name, x := range map[string]struct{ largest, tooLarge Settings }{
		"MsgsPer": {Settings{Repetitions: Repetitions{Max: math.MaxInt32}},
			Settings{Repetitions: Repetitions{Max: 1 << 31}}},
		"MsgsNonAggr": {Settings{Repetitions: Repetitions{MaxNonAggr: math.MaxInt32}},
			Settings{Repetitions: Repetitions{MaxNonAggr: 1 << 31}}},
		"OverallVol": {Settings{Repetitions: Repetitions{Volume: math.MaxInt32 << 20}},
			Settings{Repetitions: Repetitions{Volume: 1 << 51}}},
		"SampleTime": {Settings{Repetitions: Repetitions{SampleTime: longestTime}},
			Settings{Repetitions: Repetitions{SampleTime: math.Inf(1)}}},
		"no time":    {Settings{}, Settings{Repetitions: Repetitions{SampleTime: math.NaN()}}},
		"Memory":     {Settings{Memory: Memory{Limit: MaxMemory}}, Settings{Memory: Memory{Limit: MaxMemory + 1}}},
		"LeastProcs": {Settings{Who: Who{MinProcesses: math.MaxInt32}}, Settings{Who: Who{MinProcesses: 1 << 31}}},
		"CacheSize": {Settings{Memory: Memory{CacheSize: largestCache}},
			Settings{Memory: Memory{CacheSize: 1 << 62}}},
		"CacheLine": {Settings{Memory: Memory{CacheLine: largestCache}},
			Settings{Memory: Memory{CacheLine: largestCache + 1}}},
		"Multi": {Settings{Who: Who{Multi: &multi}}, Settings{Who: Who{Multi: &no}}},
		"Map": {Settings{Who: Who{Map: []int{1, math.MaxInt32}}}, Settings{Who: Who{Map: []int{math.MaxInt64,
			2}}}},
		"Map's Q": {Settings{Who: Who{Map: []int{math.MaxInt32, 1}}}, Settings{Who: Who{Map: []int{2,
			math.MaxInt64}}}},
		"length": {Settings{Rows: Rows{Lengths: []int64{longestLength}}},
			Settings{Rows: Rows{Lengths: []int64{longestLength + 1}}}},
		"lengths": {Settings{Rows: Rows{Lengths: make([]int64, maxLengths)}},
			Settings{Rows: Rows{Lengths: make([]int64, maxLengths+1)}}},
	} {
		require.NoError(t, x.largest.Check(), name)
		require.Error(t, x.tooLarge.Check(), name)
	}
	for _, s := range []Settings{{Repetitions: Repetitions{Max: -1}}, {Memory: Memory{Limit: -1}},
		{Memory: Memory{CacheSize: -1}}, {Memory: Memory{CacheLine: -1}}, {Who: Who{MinProcesses: -1}},
		{Repetitions: Repetitions{SampleTime: -1}}, {Rows: Rows{Lengths: []int64{-1}}}, {Who: Who{Map: []int{0, 1}}},
		{Who: Who{Map: []int{1}}}, {Repetitions: Repetitions{Policy: "never"}}} {
		require.Error(t, s.Check(), "%+v", s)
	}
}
