package host

import (
	"cmp"
	"maps"
	"slices"
)

// sorted are the keys of a map in order, so that the same machine gives the same text.
func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
