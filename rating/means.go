package rating

import (
	"math"
	"reflect"
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
)

// Means returns the geometric means of the figures of several runs: all float64 in a structure, and in the lists and
// structures in it. A figure that isn't above 0 in all runs is 0, and a list whose length differs is left out. Pointers
// are nil. Everything else is the first run's.
func Means[T any](runs []T) T {
	var mean T
	from := lists.Of(len(runs), func(i int) reflect.Value { return reflect.ValueOf(&runs[i]).Elem() })
	setMeans(reflect.ValueOf(&mean).Elem(), from)
	return mean
}

func setMeans(to reflect.Value, from []reflect.Value) {
	part := func(of func(reflect.Value) reflect.Value) []reflect.Value {
		return lists.Each(from, of)
	}
	switch to.Kind() {
	case reflect.Float64:
		figures := lists.Each(from, reflect.Value.Float)
		if x, _ := GeometricMean(figures); !math.IsNaN(x) {
			to.SetFloat(x)
		}
	case reflect.Struct:
		for i := range to.NumField() {
			setMeans(to.Field(i), part(func(v reflect.Value) reflect.Value { return v.Field(i) }))
		}
	case reflect.Slice:
		n := from[0].Len()
		if n == 0 || slices.ContainsFunc(from, func(v reflect.Value) bool { return v.Len() != n }) {
			return
		}
		to.Set(reflect.MakeSlice(to.Type(), n, n))
		for i := range n {
			setMeans(to.Index(i), part(func(v reflect.Value) reflect.Value { return v.Index(i) }))
		}
	case reflect.Pointer:
	default:
		to.Set(from[0])
	}
}

// Slope returns the seconds by which each further byte prolongs a message, for estimates of the time left. lengths
// rise, and seconds are the times of these messages. Slope takes the longest message and one of a quarter of its bytes.
// If the difference isn't clear, as in short messages, where noise exceeds the effect of the bytes, it returns a usual
// machine's value.
func Slope(lengths []int64, seconds []float64) float64 {
	const (
		usual   = 1 / 4e9
		slowest = 1 / 1e6
		clear   = 1.5 // ratio of times
		short   = 4096
	)
	last := len(lengths) - 1
	if last < 0 || lengths[last] < short {
		return usual
	}
	for i := last - 1; i >= 0; i-- {
		if lengths[i] > lengths[last]/4 {
			continue
		}
		if seconds[last] < clear*seconds[i] {
			break
		}
		return min((seconds[last]-seconds[i])/float64(lengths[last]-lengths[i]), slowest)
	}
	return usual
}
