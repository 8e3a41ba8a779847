package beffio

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

// Whole passes read as much as the first one. With three or more, their logarithms give the interval of a pass:
// Student's t of two degrees of freedom is 4.3027.
func TestReadInterval(t *testing.T) {
	r := &Result{Partitions: []int{2, 4}}
	r.Derived.Processes = 4
	for pass, seconds := range []float64{1, 1.1, 1 / 1.1, 0.1} {
		bytes := int64(50)
		if pass == 3 {
			bytes = 5 // only a part of a pass
		}
		for range 2 {
			r.Samples = append(r.Samples, Sample{Partition: 1, Access: Read, Pass: pass, Bytes: bytes,
				Seconds: seconds / 2})
		}
		r.Samples = append(r.Samples, Sample{Partition: 0, Access: Read, Pass: pass, Bytes: 7, Seconds: 1},
			Sample{Partition: 1, Access: Write, Bytes: 9, Seconds: 1})
	}
	passes := r.wholePasses(4)
	require.InDeltaSlice(t, []float64{100, 100 / 1.1, 110}, passes, 1e-9)
	in := readInterval(50, passes)
	require.InEpsilon(t, math.Exp(4.302653*math.Log(1.1)), in.High/50, 1e-6)
	require.InEpsilon(t, math.Exp(-4.302653*math.Log(1.1)), in.Low/50, 1e-6)
	require.Equal(t, rating.ByPasses, in.Method)
	require.Nil(t, readInterval(50, passes[:2]))
	require.Nil(t, readInterval(0, passes))

	signs := noiseSigns(r)
	require.Len(t, signs, 1)
	require.InEpsilon(t, 1-1/1.21, signs[0].Value, 1e-9)
	require.Contains(t, signs[0].Text, "3 passes over the read access")
}
