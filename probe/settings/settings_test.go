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
		"MsgsPer":     {Settings{MsgsPer: math.MaxInt32}, Settings{MsgsPer: 1 << 31}},
		"MsgsNonAggr": {Settings{MsgsNonAggr: math.MaxInt32}, Settings{MsgsNonAggr: 1 << 31}},
		"OverallVol":  {Settings{OverallVol: math.MaxInt32 << 20}, Settings{OverallVol: 1 << 51}},
		"SampleTime":  {Settings{SampleTime: longestTime}, Settings{SampleTime: math.Inf(1)}},
		"no time":     {Settings{}, Settings{SampleTime: math.NaN()}},
		"Memory":      {Settings{Memory: MostMemory}, Settings{Memory: MostMemory + 1}},
		"LeastProcs":  {Settings{LeastProcs: math.MaxInt32}, Settings{LeastProcs: 1 << 31}},
		"CacheSize":   {Settings{CacheSize: largestCache}, Settings{CacheSize: 1 << 62}},
		"CacheLine":   {Settings{CacheLine: largestCache}, Settings{CacheLine: largestCache + 1}},
		"Multi":       {Settings{Multi: &multi}, Settings{Multi: &no}},
		"Map":         {Settings{Map: []int{1, math.MaxInt32}}, Settings{Map: []int{math.MaxInt64, 2}}},
		"Map's Q":     {Settings{Map: []int{math.MaxInt32, 1}}, Settings{Map: []int{2, math.MaxInt64}}},
		"length": {Settings{Lengths: []int64{longestLength}},
			Settings{Lengths: []int64{longestLength + 1}}},
		"lengths": {Settings{Lengths: make([]int64, mostLengths)}, Settings{Lengths: make([]int64, mostLengths+1)}},
	} {
		require.NoError(t, x.largest.Check(), name)
		require.Error(t, x.tooLarge.Check(), name)
	}
	for _, s := range []Settings{{MsgsPer: -1}, {Memory: -1}, {CacheSize: -1}, {CacheLine: -1}, {LeastProcs: -1},
		{SampleTime: -1}, {Lengths: []int64{-1}}, {Map: []int{0, 1}}, {Map: []int{1}}, {Policy: "never"}} {
		require.Error(t, s.Check(), "%+v", s)
	}
}
